package lang

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func book(t *testing.T, files map[string]string) (*Book, *bytes.Buffer) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	var log bytes.Buffer
	b, err := Open(fsys, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return b, &log
}

// A fourth language is a file; what it lacks is English and logged once.
func TestALanguageIsAFile(t *testing.T) {
	b, log := book(t, map[string]string{
		"en.toml": "[language]\nname = 'English'\n[a]\nhello = 'Hello, {{.who}}'\nlines = { one = '{{.count}} line', other = '{{.count}} lines' }\nbye = 'Bye'\n",
		"de.toml": "[language]\nname = 'Deutsch'\n[a]\nhello = 'Hallo, {{.who}}'\nlines = { one = '{{.count}} Zeile', other = '{{.count}} Zeilen' }\n",
	})
	if got := b.Languages(); len(got) != 2 || got[0] != (Language{"de", "Deutsch"}) || got[1] != (Language{"en", "English"}) {
		t.Fatal(got)
	}
	w := b.In("de")
	fixed := w.Fixed()
	say := func() string {
		return w.Text("a.hello", Args{"who": "{{.who}} <b>"}) + "; " + w.Text("a.lines", Args{Count: 1}) + "; " + w.Text("a.lines", Args{Count: 2})
	}
	if got := say(); got != "Hallo, {{.who}} <b>; 1 Zeile; 2 Zeilen" {
		t.Error(got)
	}
	first, again := w.Text("a.bye"), w.Text("a.bye")
	if first != "Bye" || again != "Bye" || strings.Count(log.String(), "a.bye") != 1 {
		t.Error("the fall back:", log)
	}
	w.Use("en")
	if got := say(); got != "Hello, {{.who}} <b>; 1 line; 2 lines" || w.Language() != "en" {
		t.Error(got)
	}
	if w.Use("xx"); w.Language() != "en" {
		t.Error("what has no file is", w.Language())
	}
	if fixed.Language() != "de" || fixed.Text("a.lines", Args{Count: 3}) != "3 Zeilen" {
		t.Error("fixed words followed")
	}
	if got := w.Text("a.nothing"); got != "a.nothing" {
		t.Error(got)
	}
	log.Reset()
	if got := w.Text("a.hello"); got != "a.hello" || !strings.Contains(log.String(), "who") {
		t.Error("a missing argument:", got, log)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"no English": {"de.toml": {Data: []byte("a = 'b'")}},
		"no TOML":    {"en.toml": {Data: []byte("a = ")}},
	} {
		if _, err := Open(files, slog.Default()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestMatch(t *testing.T) {
	b := Bundled()
	for locale, want := range map[string]string{"ja_JP.UTF-8": "ja", "ko": "ko", "en_GB.UTF-8": "en", "C": "en", "": "en", "POSIX": "en", "jam_JM": "en",
		"kok_IN": "en", "ja@x": "ja", "\xff\xff": "en", "fr_FR.UTF-8": "en"} {
		if got := b.Match(locale); got != want {
			t.Errorf("%s is %s", locale, got)
		}
	}
}

func TestDates(t *testing.T) {
	day := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for code, want := range map[string]string{
		"en": "Monday, 2 March 2026; Mon 2 Mar; 2 Mar", "ja": "2026年3月2日 月曜日; 3月2日(月); 3月2日", "ko": "2026년 3월 2일 월요일; 3월 2일(월); 3월 2일",
	} {
		w := In(code)
		if got := w.LongDate(day) + "; " + w.WeekDate(day) + "; " + w.DayMonth(day); got != want {
			t.Error(got)
		}
	}
}

func BenchmarkText(b *testing.B) {
	w := In("ja")
	for b.Loop() {
		w.Text("chat.failure.unreachable", Args{"host": "h"})
	}
}

func BenchmarkIn(b *testing.B) {
	for b.Loop() {
		In("ja")
	}
}

// A fault is English by itself, says its cause in the same language, and lets the cause be found.
func TestFault(t *testing.T) {
	cause := &Fault{Key: "import.too_large", Args: Args{"megabytes": 3}, Err: fs.ErrInvalid}
	err := error(&Fault{Key: "import.failed", Args: Args{"file": "a.vrm", "cause": cause}, Err: cause})
	if got := err.Error(); got != "import a.vrm: it is larger than 3 MB" {
		t.Error(got)
	}
	if got := In("ja").Error(fmt.Errorf("adopt: %w", err)); got != "a.vrm を取り込めませんでした: 3 MB を超えています" {
		t.Error(got)
	}
	if got := In("ja").Error(fs.ErrExist); got != fs.ErrExist.Error() || !errors.Is(err, fs.ErrInvalid) {
		t.Error(got)
	}
}
