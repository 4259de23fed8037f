package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"yui/chat"
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

// Line is `weather: Berlin 14 °C, light rain, wind 12 km/h; today 9 to 16 °C, rain, 70 % chance of rain or snow`; from
// six in the evening at the person's place, or where today is over at the forecast's, with tomorrow.
func (w *Weather) Line(at time.Time) string {
	w.mu.Lock()
	f, age, p := w.last, at.Sub(w.at), w.place
	w.mu.Unlock()
	if f == nil || age > weatherUsable || age < -weatherUsable {
		return ""
	}
	lang := w.language
	first := in(lang, "weather: ", "天気: ", "날씨: ")
	if p != nil && p.Name != "" {
		first += chat.Plain(p.Name, 40) + " "
	}
	facts := compact(w.degrees(f.current.temperature), sky(lang, f.current.code), w.wind(f.current.wind))
	if t, feels := f.current.temperature, f.current.feels; t != nil && feels != nil && math.Abs(*t-*feels) >= 3 {
		facts = append(facts, fmt.Sprintf(in(lang, "feels like %s", "体感%s", "체감 %s"), w.degrees(feels)))
	}
	parts := []string{first + in(lang, "now ", "現在", "현재 ") + strings.Join(facts, in(lang, ", ", "、", ", "))}
	local := at.In(f.zone)
	if s := w.day(f, local); s != "" {
		parts = append(parts, in(lang, "today ", "今日は", "오늘 ")+s)
	}
	if evening(at) {
		if s := w.day(f, local.AddDate(0, 0, 1)); s != "" {
			parts = append(parts, in(lang, "tomorrow ", "明日は", "내일 ")+s)
		}
	}
	return strings.Join(parts, in(lang, "; ", "。", "; "))
}

// day describes one day of the place, "" where it is not in the forecast.
func (w *Weather) day(f *forecast, day time.Time) string {
	lang := w.language
	for _, d := range f.days {
		if d.date != day.Format("2006-01-02") {
			continue
		}
		var span, wet string
		if d.low != nil && d.high != nil {
			span = fmt.Sprintf(in(lang, "%s to %s", "%s〜%s", "%s~%s"), round(*d.low), w.degrees(d.high))
		}
		if d.wet != nil && *d.wet >= 10 {
			wet = fmt.Sprintf(in(lang, "%s %% chance of rain or snow", "降水確率%s%%", "강수 확률 %s%%"), round(*d.wet))
		}
		return strings.Join(compact(span, sky(lang, d.code), wet), in(lang, ", ", "、", ", "))
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
	return in(w.language, "wind ", "風速", "바람 ") + round(*v) + " " + unit
}

// round writes a whole number, and zero without a minus.
func round(v float64) string { return fmt.Sprintf("%d", int(math.Round(v))) }

// sky says a WMO code (table 4677, the part that Open-Meteo uses); "" for one that is not in it.
func sky(language string, code *int) string {
	if code == nil {
		return ""
	}
	words, ok := skies[*code]
	if !ok {
		return ""
	}
	return in(language, words[0], words[1], words[2])
}

var skies = map[int][3]string{
	0:  {"clear sky", "快晴", "맑음"},
	1:  {"mostly clear", "晴れ", "대체로 맑음"},
	2:  {"partly cloudy", "晴れ時々曇り", "구름 조금"},
	3:  {"overcast", "曇り", "흐림"},
	45: {"fog", "霧", "안개"},
	48: {"freezing fog", "着氷性の霧", "서리 안개"},
	51: {"light drizzle", "弱い霧雨", "약한 이슬비"},
	53: {"drizzle", "霧雨", "이슬비"},
	55: {"heavy drizzle", "強い霧雨", "강한 이슬비"},
	56: {"light freezing drizzle", "弱い着氷性の霧雨", "약한 어는 이슬비"},
	57: {"freezing drizzle", "着氷性の霧雨", "어는 이슬비"},
	61: {"light rain", "小雨", "약한 비"},
	63: {"rain", "雨", "비"},
	65: {"heavy rain", "大雨", "강한 비"},
	66: {"light freezing rain", "弱い着氷性の雨", "약한 어는 비"},
	67: {"freezing rain", "着氷性の雨", "어는 비"},
	71: {"light snow", "小雪", "약한 눈"},
	73: {"snow", "雪", "눈"},
	75: {"heavy snow", "大雪", "많은 눈"},
	77: {"snow grains", "霧雪", "싸락눈"},
	80: {"light showers", "弱いにわか雨", "약한 소나기"},
	81: {"showers", "にわか雨", "소나기"},
	82: {"violent showers", "激しいにわか雨", "강한 소나기"},
	85: {"light snow showers", "弱いにわか雪", "약한 소낙눈"},
	86: {"snow showers", "にわか雪", "소낙눈"},
	95: {"thunderstorm", "雷雨", "뇌우"},
	96: {"thunderstorm with hail", "雹を伴う雷雨", "우박을 동반한 뇌우"},
	99: {"thunderstorm with heavy hail", "激しい雹を伴う雷雨", "강한 우박을 동반한 뇌우"},
}
