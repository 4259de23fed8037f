package memory

import (
	"yui/assets/lang"
	"yui/store"
)

// causes are what to do about a database that failed, by store.Cause.
var causes = map[error]lang.Key{
	store.ErrLocked: "database.locked", store.ErrNewer: "database.newer", store.ErrReadOnly: "database.read_only",
	store.ErrFull: "database.no_room", store.ErrDamaged: "database.broken",
}

// Forgetful says why the database of file is not open.
func Forgetful(w *lang.Words, file string, err error) string {
	return w.Text("database.closed", lang.Args{"file": file, "cause": Cause(w, err)})
}

// Unsaved says why the database of file did not take something.
func Unsaved(w *lang.Words, file string, err error) string {
	return w.Text("database.full", lang.Args{"file": file, "cause": Cause(w, err)})
}

// Cause is why the database failed, with what to do about it where that is known.
func Cause(w *lang.Words, err error) string {
	if known := store.Cause(err); known != nil {
		return w.Text(causes[known])
	}
	return err.Error() + "."
}
