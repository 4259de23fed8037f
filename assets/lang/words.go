package lang

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// Key names a sentence. It is a constant wherever it is written, so that the test finds it.
type Key string

// Args fill the placeholders of a sentence by name: {{.host}} is Args["host"]. They are data: never read as a template.
type Args map[string]any

// Count is the argument that chooses among the plural forms of a sentence. It is an integer.
const Count = "count"

// Words are the sentences in the language that is set just now. Whoever holds a pointer to them speaks another language
// as soon as Use says so; any goroutine may call both. Nil are the bundled English ones.
type Words struct {
	book *Book
	now  atomic.Pointer[spoken]
}

type spoken struct {
	code      string
	localizer *i18n.Localizer
	plain     sync.Map // Key -> string: sentences without arguments, which panels ask for with every frame
}

// In gives the words of a bundled language, English for one that there is no file of.
func In(code string) *Words { return Bundled().In(code) }

var english = sync.OnceValue(func() *Words { return In(English) })

// Use changes the language; English stands in for one that there is no file of.
func (w *Words) Use(code string) {
	if !w.book.Has(code) {
		code = English
	}
	w.now.Store(&spoken{code: code, localizer: i18n.NewLocalizer(w.book.bundle, code)})
}

// Language is the code of the language that is set, one of Languages.
func (w *Words) Language() string { return w.now.Load().code }

// Fixed are the words of the present language, which a later Use does not change: the tools of a conversation keep the
// language in which it began (docs/rules/tools.md#language).
func (w *Words) Fixed() *Words { return w.book.In(w.Language()) }

// parser makes a missing argument an error instead of "<no value>".
var parser = &template.TextParser{Option: "missingkey=error"}

// Text gives the sentence of a key with its placeholders filled in. A sentence that the language lacks is English and is
// logged once; if there is none at all, it is the key.
func (w *Words) Text(key Key, args ...Args) string {
	if w == nil {
		w = english()
	}
	return w.text(key, args...)
}

func (w *Words) text(key Key, args ...Args) string {
	now := w.now.Load()
	if known, ok := now.plain.Load(key); ok && len(args) == 0 {
		return known.(string)
	}
	config := &i18n.LocalizeConfig{MessageID: string(key), TemplateParser: parser, TemplateData: Args{}}
	if len(args) > 0 {
		config.TemplateData = args[0]
		config.PluralCount = args[0][Count]
	}
	text, err := now.localizer.Localize(config)
	var lacking *i18n.MessageNotFoundErr
	if text == "" || errors.As(err, &lacking) { // else it only has no form of its own for this count
		if _, told := w.book.missed.LoadOrStore(now.code+" "+string(key), true); !told {
			w.book.log.Warn("a sentence is missing", "language", now.code, "error", err)
		}
	}
	if text == "" {
		text = string(key)
	}
	if len(args) == 0 {
		now.plain.Store(key, text)
	}
	return text
}
