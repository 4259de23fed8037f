package presets

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"

	"yui/assets/lang"
)

// zipLimit is how much of a zip is read to find the card in it, in bytes: with it, some two hundred thousand entries fit.
const zipLimit = 10 << 20

// cardOfZip finds the card in a CHARX: card.json at the root of a zip, which may stand behind a picture. No other entry is
// opened, whatever its name.
func cardOfZip(r io.ReaderAt, size int64) ([]byte, error) {
	z, err := zip.NewReader(&frugal{r, zipLimit}, size)
	switch {
	case errors.Is(err, zip.ErrFormat):
		return nil, errors.New("it carries no character card")
	case err != nil && !errors.Is(err, zip.ErrInsecurePath): // the paths of other entries are of no interest
		return nil, fmt.Errorf("it cannot be unpacked: %w", err)
	}
	for _, entry := range z.File {
		if entry.Name != "card.json" {
			continue
		}
		text, err := entry.Open()
		if err != nil {
			return nil, fmt.Errorf("its card.json cannot be unpacked: %w", err)
		}
		defer text.Close()
		b, err := io.ReadAll(io.LimitReader(text, cardText+1)) // parseCard refuses the one byte more
		if err != nil {
			return nil, fmt.Errorf("its card.json cannot be unpacked: %w", err)
		}
		return b, nil
	}
	return nil, &lang.Fault{Key: "import.no_card_in_zip"}
}

// frugal reads no more than left bytes in all.
type frugal struct {
	io.ReaderAt
	left int64
}

// ReadAt implements io.ReaderAt.
func (f *frugal) ReadAt(b []byte, at int64) (int, error) {
	if f.left -= int64(len(b)); f.left < 0 {
		return 0, errors.New("too much is in it")
	}
	return f.ReaderAt.ReadAt(b, at)
}
