package presets

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"yui/assets/lang"
)

// A character card (V1 to V3: JSON, or a PNG or a CHARX that carries it) becomes a preset. Its fields are data: they become the
// persona, as plain text, and nothing else. Tools, scripts, paths, pictures and settings that a card may hold are not
// looked at.

const (
	cardLimit    = 16 << 20 // bytes of a card file, and of what its packed parts unfold to
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

// cardKeys are the keys of a card, and what the oldest cards called them.
type cardKeys struct {
	card
	OldName     string `json:"char_name"`
	OldPersona  string `json:"char_persona"`
	OldScenario string `json:"world_scenario"`
	OldExamples string `json:"example_dialogue"`
}

// plain gives each field by whichever name it has.
func (k cardKeys) plain() card {
	c := k.card
	c.Name = cmp.Or(PlainName(c.Name), PlainName(k.OldName))
	c.Description = cmp.Or(c.Description, k.OldPersona)
	c.Scenario = cmp.Or(c.Scenario, k.OldScenario)
	c.Examples = cmp.Or(c.Examples, k.OldExamples)
	return c
}

// says reports whether there is anything but a name.
func (c card) says() bool {
	return strings.TrimSpace(c.Description+c.Personality+c.Scenario+c.Examples) != ""
}

// isCard tells by the name whether a file may be a card.
func isCard(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".json", ".png", ".charx", ".jpg", ".jpeg":
		return true
	}
	return false
}

// readCard reads a card file. A card without a name has "".
func readCard(ctx context.Context, file string) (card, error) {
	f, err := os.Open(file)
	if err != nil {
		return card{}, err
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(f, head) // a shorter one is told from all of them
	var b []byte
	if head = head[:n]; isZip(head) {
		st, err := f.Stat()
		if err != nil {
			return card{}, err
		}
		if b, err = cardOfZip(f, st.Size()); err != nil {
			return card{}, err
		}
		return parseCard(b)
	}
	if b, err = io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(head), f), cardLimit+1)); err != nil {
		return card{}, err
	}
	if len(b) > cardLimit {
		return card{}, &lang.Fault{Key: "import.too_large", Args: lang.Args{"megabytes": cardLimit >> 20}}
	}
	if bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) {
		if b, err = cardOfPNG(ctx, b); err != nil {
			return card{}, err
		}
	}
	return parseCard(b)
}

// isZip tells a zip by its first bytes, also one behind a JPEG.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("\xff\xd8\xff"))
}

// parseCard reads a card's JSON; the inner fields of V2 and V3 go before the outer ones, which are there for old programs.
func parseCard(b []byte) (card, error) {
	if len(b) > cardText {
		return card{}, &lang.Fault{Key: "import.text_too_large", Args: lang.Args{"megabytes": cardText >> 20}}
	}
	var whole struct {
		cardKeys
		Data cardKeys `json:"data"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\uFEFF")), &whole); err != nil {
		return card{}, &lang.Fault{Key: "import.no_card"}
	}
	c, outer := whole.Data.plain(), whole.plain()
	name := cmp.Or(c.Name, outer.Name)
	if !c.says() {
		c = outer
	}
	if c.Name = name; name == "" && !c.says() {
		return card{}, &lang.Fault{Key: "import.no_card"}
	}
	return c, nil
}

// cardOfPNG finds the card in a PNG's text chunks: "ccv3" before "chara", base64 of JSON.
func cardOfPNG(ctx context.Context, b []byte) ([]byte, error) {
	var found []byte
	left := cardLimit
	for b = b[8:]; len(b) >= 12; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := binary.BigEndian.Uint32(b)
		if uint64(n)+12 > uint64(len(b)) {
			break
		}
		kind, data := string(b[4:8]), b[8:8+n]
		b = b[12+n:]
		if kind == "IEND" {
			break
		}
		key, rest, _ := bytes.Cut(data, []byte{0})
		if v3 := string(key) == "ccv3"; !v3 && (string(key) != "chara" || found != nil) {
			continue // whatever else is in there is not unfolded
		}
		text, ok := chunkText(kind, rest, &left)
		if !ok {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
		if err != nil {
			continue
		}
		if found = raw; string(key) == "ccv3" {
			break
		}
	}
	if found == nil {
		return nil, &lang.Fault{Key: "import.no_card_in_picture"}
	}
	return found, nil
}

// chunkText is the text of a tEXt or zTXt chunk behind its key; what unfolds to more than a card may hold is none. It takes
// what it unfolds from left.
func chunkText(kind string, rest []byte, left *int) (text []byte, ok bool) {
	const most = 2 * cardText // base64 is a third longer
	switch kind {
	case "tEXt":
		return rest, len(rest) <= most
	case "zTXt":
		if len(rest) < 1 || rest[0] != 0 {
			return nil, false
		}
		z, err := zlib.NewReader(bytes.NewReader(rest[1:]))
		if err != nil {
			return nil, false
		}
		defer z.Close()
		limit := min(most, *left)
		text, err = io.ReadAll(io.LimitReader(z, int64(limit)+1))
		*left -= min(len(text), limit)
		return text, err == nil && len(text) <= limit
	}
	return nil, false
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
