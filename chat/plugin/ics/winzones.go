package ics

import (
	_ "embed" // for the table
	"net/url"
	"strings"
	"sync"
)

// winzones has a line for each zone of Windows: the IANA zone of its most populous place (Unicode CLDR, windowsZones), the
// name that Outlook and Exchange write, and the names that people see in lists, some of older versions.
//
//go:embed winzones.tsv
var winzones string

// windowsZones maps all of these names, in small letters.
var windowsZones = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(winzones) {
		names := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for _, n := range names[1:] {
			m[strings.ToLower(n)] = names[0]
		}
	}
	return m
})

// fromWindows gives the IANA name of a zone of Windows, and any other name as it is. It knows the forms that exporters
// make of them: "tzone://Microsoft/Utc", "(UTC-05:00) Eastern Time (US & Canada)", "Eastern Standard Time 1".
func fromWindows(tzid string) string {
	const scheme = "tzone://microsoft/"
	if len(tzid) > len(scheme) && strings.EqualFold(tzid[:len(scheme)], scheme) {
		tzid = tzid[len(scheme):]
		if plain, err := url.PathUnescape(tzid); err == nil {
			tzid = plain
		}
	}
	name := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(tzid, `\`, "")), " "))
	if strings.HasPrefix(name, "(utc") || strings.HasPrefix(name, "(gmt") {
		if _, place, ok := strings.Cut(name, ")"); ok {
			name = strings.TrimSpace(place)
		}
	}
	numbered := strings.TrimRight(name, "0123456789") // a second zone of that name in one mailbox
	for _, n := range []string{name, strings.TrimSuffix(numbered, " ")} {
		if iana, ok := windowsZones()[n]; ok {
			return iana
		}
	}
	return tzid
}
