package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"yui/assets/lang"
	"yui/internal/readable"
)

// forecast is what Open-Meteo answered. A null, which it gives where a model has no value, is nil.
type forecast struct {
	zone    *time.Location
	current current
	days    []dayForecast
}

type current struct {
	temperature, feels, wind *float64
	code                     *int
}

type dayForecast struct {
	date      string // 2026-03-02 at the place
	code      *int
	low, high *float64
	wet       *float64 // per cent
}

func readForecast(body []byte) (*forecast, error) {
	var a struct {
		Offset  int    `json:"utc_offset_seconds"`
		Zone    string `json:"timezone"`
		Current *struct {
			Temperature *float64 `json:"temperature_2m"`
			Feels       *float64 `json:"apparent_temperature"`
			Code        *float64 `json:"weather_code"`
			Wind        *float64 `json:"wind_speed_10m"`
		} `json:"current"`
		Daily struct {
			Time []string   `json:"time"`
			Code []*float64 `json:"weather_code"`
			High []*float64 `json:"temperature_2m_max"`
			Low  []*float64 `json:"temperature_2m_min"`
			Wet  []*float64 `json:"precipitation_probability_max"`
		} `json:"daily"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, errors.New("the answer is malformed")
	}
	if a.Current == nil || a.Current.Temperature == nil && a.Current.Code == nil {
		return nil, errors.New("the answer says nothing of now")
	}
	f := &forecast{zone: placeZone(a.Zone, a.Offset)}
	f.current = current{sane(a.Current.Temperature, -150, 200), sane(a.Current.Feels, -200, 250), sane(a.Current.Wind, 0, 500), code(a.Current.Code)}
	for i, date := range a.Daily.Time[:min(len(a.Daily.Time), 7)] {
		f.days = append(f.days, dayForecast{date, code(nth(a.Daily.Code, i)), sane(nth(a.Daily.Low, i), -150, 200),
			sane(nth(a.Daily.High, i), -150, 200), sane(nth(a.Daily.Wet, i), 0, 100)})
	}
	return f, nil
}

func nth(list []*float64, i int) *float64 {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// sane drops a value that no weather has.
func sane(v *float64, from, to float64) *float64 {
	if v == nil || math.IsNaN(*v) || *v < from || *v > to {
		return nil
	}
	return v
}

func code(v *float64) *int {
	if v = sane(v, 0, 99); v == nil {
		return nil
	}
	n := int(*v)
	return &n
}

// placeZone is the zone of the place, by which its days are counted.
func placeZone(name string, offset int) *time.Location {
	if len(name) < 64 && strings.Contains(name, "/") {
		if loc, err := time.LoadLocation(name); err == nil {
			return loc
		}
	}
	if offset < -86400 || offset > 86400 {
		offset = 0
	}
	return time.FixedZone("", offset)
}

// Line is `weather: Berlin now 14 °C, light rain, wind 12 km/h; today 9 to 16 °C, rain, 70 % chance of rain or snow`; from
// six in the evening at the person's place, or where today is over at the forecast's, with tomorrow.
func (w *Weather) Line(at time.Time) string {
	w.mu.Lock()
	f, age, p := w.last, at.Sub(w.at), w.place
	w.mu.Unlock()
	if f == nil || age > weatherUsable || age < -weatherUsable {
		return ""
	}
	say := w.words.Text
	facts := compact(w.degrees(f.current.temperature), w.sky(f.current.code), w.wind(f.current.wind))
	if t, feels := f.current.temperature, f.current.feels; t != nil && feels != nil && math.Abs(*t-*feels) >= 3 {
		facts = append(facts, say("plugin.weather.feels", lang.Args{"degrees": w.degrees(feels)}))
	}
	days := []string{say("plugin.weather.now", lang.Args{"facts": listed(w.words, facts, 0)})}
	local := at.In(f.zone)
	if s := w.day(f, local); s != "" {
		days = append(days, say("plugin.weather.today", lang.Args{"facts": s}))
	}
	if evening(at) {
		if s := w.day(f, local.AddDate(0, 0, 1)); s != "" {
			days = append(days, say("plugin.weather.tomorrow", lang.Args{"facts": s}))
		}
	}
	line := strings.Join(days, say("plugin.semicolon"))
	if p != nil && p.Name != "" {
		return say("plugin.weather.line_place", lang.Args{"place": readable.Line(p.Name, 40), "days": line})
	}
	return say("plugin.weather.line", lang.Args{"days": line})
}

// day describes one day of the place, "" where it is not in the forecast.
func (w *Weather) day(f *forecast, day time.Time) string {
	for _, d := range f.days {
		if d.date != day.Format("2006-01-02") {
			continue
		}
		var span, wet string
		if d.low != nil && d.high != nil {
			span = w.words.Text("plugin.weather.span", lang.Args{"low": round(*d.low), "high": w.degrees(d.high)})
		}
		if d.wet != nil && *d.wet >= 10 {
			wet = w.words.Text("plugin.weather.wet", lang.Args{"percent": round(*d.wet)})
		}
		return listed(w.words, compact(span, w.sky(d.code), wet), 0)
	}
	return ""
}

func compact(list ...string) []string {
	var some []string
	for _, s := range list {
		if s != "" {
			some = append(some, s)
		}
	}
	return some
}

func (w *Weather) degrees(v *float64) string {
	if v == nil {
		return ""
	}
	if w.cfg.Units == "imperial" {
		return round(*v) + " °F"
	}
	return round(*v) + " °C"
}

func (w *Weather) wind(v *float64) string {
	if v == nil {
		return ""
	}
	unit := "km/h"
	if w.cfg.Units == "imperial" {
		unit = "mph"
	}
	return w.words.Text("plugin.weather.wind", lang.Args{"speed": round(*v) + " " + unit})
}

// round writes a whole number, and zero without a minus.
func round(v float64) string { return fmt.Sprintf("%d", int(math.Round(v))) }

// sky says a WMO code; "" for one that is not in the table.
func (w *Weather) sky(code *int) string {
	if code == nil {
		return ""
	}
	key, ok := skies[*code]
	if !ok {
		return ""
	}
	return w.words.Text(key)
}

// skies are the WMO codes (table 4677) that Open-Meteo uses.
var skies = map[int]lang.Key{
	0:  "plugin.sky.clear_sky",
	1:  "plugin.sky.mostly_clear",
	2:  "plugin.sky.partly_cloudy",
	3:  "plugin.sky.overcast",
	45: "plugin.sky.fog",
	48: "plugin.sky.freezing_fog",
	51: "plugin.sky.light_drizzle",
	53: "plugin.sky.drizzle",
	55: "plugin.sky.heavy_drizzle",
	56: "plugin.sky.light_freezing_drizzle",
	57: "plugin.sky.freezing_drizzle",
	61: "plugin.sky.light_rain",
	63: "plugin.sky.rain",
	65: "plugin.sky.heavy_rain",
	66: "plugin.sky.light_freezing_rain",
	67: "plugin.sky.freezing_rain",
	71: "plugin.sky.light_snow",
	73: "plugin.sky.snow",
	75: "plugin.sky.heavy_snow",
	77: "plugin.sky.snow_grains",
	80: "plugin.sky.light_showers",
	81: "plugin.sky.showers",
	82: "plugin.sky.violent_showers",
	85: "plugin.sky.light_snow_showers",
	86: "plugin.sky.snow_showers",
	95: "plugin.sky.thunderstorm",
	96: "plugin.sky.thunderstorm_with_hail",
	99: "plugin.sky.thunderstorm_with_heavy_hail",
}
