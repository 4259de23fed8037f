package plugin

import (
	"strings"
	"time"

	"yui/assets/lang"
)

// Heading is the line over the plugins' lines in the client context.
func Heading(w *lang.Words) string { return w.Text("plugin.heading") }

// listed joins the parts of a list, and says how many it leaves out.
func listed(w *lang.Words, parts []string, more int) string {
	list := strings.Join(parts, w.Text("plugin.comma"))
	if more > 0 {
		return w.Text("plugin.and_more", lang.Args{"list": list, lang.Count: more})
	}
	return list
}

// dayStart is the first instant of the day that lies days after t's.
func dayStart(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}
