package browser

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// wrap puts code into the script of docs/tools.md#browser. Code starts on line 6, and nothing of it is touched; the line feed behind it
// ends a comment that has none.
func wrap(space, folder, code string, deadline time.Duration) string {
	return `const __yuiDeadline = setTimeout(() => { console.error("` + deadlineMark + `"); process.exit(124); }, ` + strconv.FormatInt(deadline.Milliseconds(), 10) + `);
try {
  const task = await taskSpace(` + quoteJS(space) + `);
  let __yuiShot = 0;
  const screenshot = (page) => page.screenshot({ path: ` + "`" + escapeTemplate(folder) + "/${String(++__yuiShot).padStart(3, \"0\")}.png`" + ` });
` + code + `
} catch (e) {
  console.error(String(e?.stack ?? e));
  process.exit(1);
} finally {
  clearTimeout(__yuiDeadline);
}
`
}

// quoteJS writes a string literal. JSON is one in every engine that knows await; its HTML escapes are left out for the
// reader's sake.
func quoteJS(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""` // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// escapeTemplate makes s stand for itself inside a template literal: a temp folder may be called anything.
func escapeTemplate(s string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "$", `\$`, "\r", `\r`, "\n", `\n`).Replace(s)
}
