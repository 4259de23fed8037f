// Package lang holds every sentence that the program shows to a person or writes in the person's language: a TOML file
// for each language, read by go-i18n. It knows nothing of ours, so that every layer may ask it.
//
// A key is a path into the files: "tray.quit" is quit under [tray]. The test of the package finds every key that the
// program uses, and fails for one that a file lacks, for one that nobody uses, and for files whose placeholders differ.
// Which words are keys here and which stay in Go: docs/rules/desktop.md#languages.
package lang

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/language"
)

//go:embed *.toml
var files embed.FS

// Files are the bundled languages.
func Files() fs.FS { return files }

// English is the language that others fall back to.
const English = "en"

// nameKey is what a language calls itself, in its own file.
const nameKey = "language.name"

// Language is one that there is a file for.
type Language struct {
	Code string // "en": the file's name, and what the setting holds
	Name string // "English": in the language itself
}

// A Book is all sentences in all languages. It does not change, and any goroutine may read it.
type Book struct {
	bundle *i18n.Bundle
	list   []Language
	log    *slog.Logger
	missed sync.Map // what was logged: language and key
}

// Open reads every xx.toml of files. There has to be an en.toml; the error names the file that does not read.
func Open(files fs.FS, log *slog.Logger) (*Book, error) {
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	b := &Book{bundle: i18n.NewBundle(language.English), log: log}
	b.bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for _, name := range names {
		if _, err := b.bundle.LoadMessageFileFS(files, name); err != nil {
			return nil, fmt.Errorf("read language %s: %w", name, err)
		}
		b.list = append(b.list, Language{Code: strings.TrimSuffix(path.Base(name), ".toml")})
	}
	if !b.Has(English) {
		return nil, errors.New("read languages: there is no en.toml")
	}
	for i, l := range b.list {
		b.list[i].Name = b.In(l.Code).text(nameKey)
	}
	return b, nil
}

// bundled is read once. It panics if a file does not read, which the tests rule out.
var bundled = sync.OnceValue(func() *Book {
	b, err := Open(files, slog.Default())
	if err != nil {
		panic(err)
	}
	return b
})

// Bundled is the book of the languages that are built in; it logs to slog's default.
func Bundled() *Book { return bundled() }

// Languages lists what there is, sorted by code.
func (b *Book) Languages() []Language { return slices.Clone(b.list) }

// Has reports whether there is a file of the language.
func (b *Book) Has(code string) bool {
	return slices.ContainsFunc(b.list, func(l Language) bool { return l.Code == code })
}

// Match finds the language of a locale as POSIX writes it ("ja_JP.UTF-8"), English if there is no file of it.
func (b *Book) Match(locale string) string {
	code, _, _ := strings.Cut(locale, ".")
	code, _, _ = strings.Cut(code, "@")
	tag, err := language.Parse(strings.ReplaceAll(code, "_", "-"))
	if err != nil {
		return English
	}
	for ; tag != language.Und; tag = tag.Parent() {
		if b.Has(tag.String()) {
			return tag.String()
		}
	}
	return English
}

// In gives the words of a language, English if there is no file of it.
func (b *Book) In(code string) *Words {
	w := &Words{book: b}
	w.Use(code)
	return w
}
