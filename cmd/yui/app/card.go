package app

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// A character card (V1 to V3: JSON, or a PNG that carries it) becomes a preset. Its fields are data: they become the
// persona, as plain text, and nothing else. Tools, scripts, paths, pictures and settings that a card may hold are not
// looked at.

const (
	cardLimit    = 16 << 20 // bytes of a card file
	cardText     = 2 << 20  // bytes of the JSON in it
	personaLimit = 24000    // code points
)

// card is what is read of a card.
type card struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Personality string `json:"personality"`
	Scenario    string `json:"scenario"`
	Examples    string `json:"mes_example"`
}

// isCard tells by the name whether a file may be a card.
func isCard(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".json", ".png":
		return true
	}
	return false
}

// readCard reads a card file.
func readCard(file string) (card, error) {
	f, err := os.Open(file)
	if err != nil {
		return card{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, cardLimit+1))
	if err != nil {
		return card{}, err
	}
	if len(b) > cardLimit {
		return card{}, fmt.Errorf("it is larger than %d MB", cardLimit>>20)
	}
	if bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) {
		if b, err = cardOfPNG(b); err != nil {
			return card{}, err
		}
	}
	return parseCard(b)
}

func parseCard(b []byte) (card, error) {
	if len(b) > cardText {
		return card{}, fmt.Errorf("its text is larger than %d MB", cardText>>20)
	}
	var whole struct {
		card
		Data *card `json:"data"` // V2 and V3
	}
	if err := json.Unmarshal(b, &whole); err != nil {
		return card{}, errors.New("it holds no character card")
	}
	c := whole.card
	if whole.Data != nil {
		c = *whole.Data
	}
	if plainName(c.Name) == "" {
		return card{}, errors.New("it holds no character card: there is no name")
	}
	return c, nil
}

// cardOfPNG finds the card in a PNG's text chunks: "ccv3" before "chara", base64 of JSON.
func cardOfPNG(b []byte) ([]byte, error) {
	var found []byte
	for b = b[8:]; len(b) >= 12; {
		n := binary.BigEndian.Uint32(b)
		if uint64(n)+12 > uint64(len(b)) {
			break
		}
		kind, data := string(b[4:8]), b[8:8+n]
		b = b[12+n:]
		if kind == "IEND" {
			break
		}
		key, text, ok := textChunk(kind, data)
		if !ok || key != "ccv3" && (key != "chara" || found != nil) {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
		if err != nil {
			continue
		}
		if found = raw; key == "ccv3" {
			break
		}
	}
	if found == nil {
		return nil, errors.New("the picture carries no character card")
	}
	return found, nil
}

// textChunk splits tEXt and zTXt chunks; what unfolds to more than a card may hold is no card.
func textChunk(kind string, data []byte) (key string, text []byte, ok bool) {
	k, rest, found := bytes.Cut(data, []byte{0})
	if !found {
		return "", nil, false
	}
	switch kind {
	case "tEXt":
		return string(k), rest, len(rest) <= 2*cardText
	case "zTXt":
		if len(rest) < 1 || rest[0] != 0 {
			return "", nil, false
		}
		z, err := zlib.NewReader(bytes.NewReader(rest[1:]))
		if err != nil {
			return "", nil, false
		}
		defer z.Close()
		out, err := io.ReadAll(io.LimitReader(z, 2*cardText+1))
		return string(k), out, err == nil && len(out) <= 2*cardText
	}
	return "", nil, false
}

// persona is the card as instructions, in plain text.
func (c card) persona(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "You are %s, a character on the desktop of the person you talk to.\n", name)
	for _, part := range []struct{ head, text string }{
		{"", c.Description}, {"Personality: ", c.Personality}, {"Scenario: ", c.Scenario}, {"How you speak, by example:\n", c.Examples},
	} {
		if text := plainParagraphs(part.text, name); text != "" {
			b.WriteString("\n" + part.head + text + "\n")
		}
	}
	text := []rune(b.String())
	if len(text) > personaLimit {
		text = text[:personaLimit]
	}
	return strings.TrimSpace(string(text)) + "\n" + manners
}

// plainParagraphs keeps the lines of a text, takes out what does not show, and fills in the two names that cards use.
func plainParagraphs(s, name string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), ""))
	s = strings.NewReplacer("{{char}}", name, "{{user}}", "the person", "<BOT>", name, "<USER>", "the person").Replace(s)
	return strings.TrimSpace(s)
}
