package lang

import "errors"

// Fault is an error that a person is told of. Its own text is English, for logs and the command line; Words.Error says it in
// the person's language.
type Fault struct {
	Key  Key
	Args Args  // an error among them is said in the same language
	Err  error // what it wraps, nil for nothing
}

// Error implements error.
func (f *Fault) Error() string { return f.in(english()) }

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.Err }

func (f *Fault) in(w *Words) string {
	args := make(Args, len(f.Args))
	for name, v := range f.Args {
		if err, ok := v.(error); ok {
			v = w.Error(err)
		}
		args[name] = v
	}
	return w.Text(f.Key, args)
}

// Error is the text of an error: a Fault in the language, any other as it is.
func (w *Words) Error(err error) string {
	var f *Fault
	if errors.As(err, &f) {
		return f.in(w)
	}
	return err.Error()
}
