package settings

import (
	"os"
	"strings"
	"testing"
)

func TestPluginsConfig(t *testing.T) {
	paths := pathsIn(t)
	for text, trouble := range map[string]string{
		"[plugins.clock]\nenabled = false":                                          "",
		"[plugins.weather]\nplace = 'Berlin'":                                       "",
		"[plugins.weather]\nlatitude = 52.5\nlongitude = 13.4\nunits = 'imperial'":  "",
		"[plugins.weather]\nenabled = false\nlatitude = 10.0":                       "",
		"[plugins.calendar]\nfile = '~/me.ics'\nlead_minutes = 5\nreminders = true": "",
		"[plugins.calendar]\nurl = 'webcal://example.org/me.ics'":                   "",
		"[plugins.calendar]\nenabled = false":                                       "",
		"[plugins.weather]\nenabled = true":                                         "plugins.weather.place is missing",
		"[plugins.weather]\nenabled = false\nlatitude = 1000.0":                     "plugins.weather.latitude is 1000; it must be from -90 to 90",
		"[plugins.weather]\nlatitude = 95.0\nlongitude = 0.0":                       "plugins.weather.latitude is 95; it must be from -90 to 90",
		"[plugins.weather]\nlatitude = nan\nlongitude = 0.0":                        "plugins.weather.latitude",
		"[plugins.weather]\nplace = 'x'\nunits = 'kelvin'":                          "plugins.weather.units is \"kelvin\"",
		"[plugins.weather]\nplace = 7":                                              "line 2",
		"[plugins.weather]\ncity = 'x'":                                             "there is no key \"plugins.weather.city\"",
		"[plugins.calendar]\nenabled = true":                                        "plugins.calendar.file is missing",
		"[plugins.calendar]\nfile = 'me.ics'":                                       "plugins.calendar.file is \"me.ics\"",
		"[plugins.calendar]\nfile = '/a'\nurl = 'https://b/c'":                      "plugins.calendar.url must not be set beside file",
		"[plugins.calendar]\nurl = 'file:///etc/passwd'":                            "plugins.calendar.url must",
		"[plugins.calendar]\nfile = '/a'\nlead_minutes = 0":                         "plugins.calendar.lead_minutes is 0",
		"[plugins.horoscope]\nenabled = true":                                       "there is no key \"plugins.horoscope",
	} {
		if err := os.WriteFile(paths.Config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := load(paths)
		if trouble == "" && err != nil || trouble != "" && (err == nil || !strings.Contains(err.Error(), trouble)) {
			t.Errorf("%s: %v, want %q", text, err, trouble)
		}
	}
}
