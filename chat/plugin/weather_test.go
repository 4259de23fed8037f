package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"yui/assets/lang"
	"yui/internal/fuzzmem"
)

// memory is a Store.
type memory struct {
	mu   sync.Mutex
	m    map[string]json.RawMessage
	err  error
	sets int
}

func (s *memory) Get(_ context.Context, key string) (json.RawMessage, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.m[key]
	return v, ok, s.err
}

func (s *memory) Set(_ context.Context, key string, v json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.m == nil {
		s.m = map[string]json.RawMessage{}
	}
	s.m[key] = append(json.RawMessage(nil), v...)
	s.sets++
	return nil
}

// sunny is an answer of the shape that the service gives.
const sunny = `{"latitude":52.52,"longitude":13.419998,"generationtime_ms":0.13,"utc_offset_seconds":3600,"timezone":"Europe/Berlin",
"timezone_abbreviation":"GMT+1","elevation":38.0,
"current_units":{"time":"iso8601","interval":"seconds","temperature_2m":"°C","apparent_temperature":"°C","weather_code":"wmo code","wind_speed_10m":"km/h"},
"current":{"time":"2026-03-02T12:45","interval":900,"temperature_2m":13.6,"apparent_temperature":9.9,"weather_code":61,"wind_speed_10m":12.2},
"daily_units":{"time":"iso8601","weather_code":"wmo code","temperature_2m_max":"°C","temperature_2m_min":"°C","precipitation_probability_max":"%"},
"daily":{"time":["2026-03-02","2026-03-03","2026-03-04"],"weather_code":[63,0,75],"temperature_2m_max":[15.5,18.2,1.0],
"temperature_2m_min":[8.6,-0.4,-3.0],"precipitation_probability_max":[70,5,100]}}`

// meteo is a server that answers what the test wants.
type meteo struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(w http.ResponseWriter, r *http.Request)
	asked  []url.URL
}

func newMeteo(t testing.TB, answer func(w http.ResponseWriter, r *http.Request)) *meteo {
	m := &meteo{answer: answer}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.asked = append(m.asked, *r.URL)
		answer := m.answer
		m.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *meteo) set(answer func(w http.ResponseWriter, r *http.Request)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = answer
}

func says(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text)
	}
}

func number(v float64) *float64 { return &v }

func newWeather(t testing.TB, language string, c WeatherConfig, s Store) *Weather {
	t.Helper()
	w, err := NewWeather(lang.In(language), c, s)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWeatherLines(t *testing.T) {
	m := newMeteo(t, says(sunny))
	berlin := zone(t, "Europe/Berlin")
	day, night := time.Date(2026, 3, 2, 12, 50, 0, 0, berlin), time.Date(2026, 3, 2, 21, 0, 0, 0, berlin)
	for _, c := range []struct {
		language string
		at       time.Time
		want     string
	}{
		{"en", day, "weather: Berlin now 14 °C, light rain, wind 12 km/h, feels like 10 °C; today 9 to 16 °C, rain, 70 % chance of rain or snow"},
		{"ja", day, "天気: Berlin 現在14 °C、小雨、風速12 km/h、体感10 °C。今日は9〜16 °C、雨、降水確率70%"},
		{"ko", day, "날씨: Berlin 현재 14 °C, 약한 비, 바람 12 km/h, 체감 10 °C; 오늘 9~16 °C, 비, 강수 확률 70%"},
		{"en", night, "weather: Berlin now 14 °C, light rain, wind 12 km/h, feels like 10 °C; today 9 to 16 °C, rain, 70 % chance of rain or snow; tomorrow 0 to 18 °C, clear sky"},
	} {
		w := newWeather(t, c.language, WeatherConfig{Place: "Berlin", Latitude: number(52.52), Longitude: number(13.41), BaseURL: m.URL + "/v1"}, nil)
		if got := w.Line(c.at); got != "" {
			t.Errorf("before the first fetch: %s", got)
		}
		if err := w.Fetch(t.Context(), c.at); err != nil {
			t.Fatal(err)
		}
		got := w.Line(c.at)
		if got != c.want || utf8.RuneCountInString(got) > MaxLine {
			t.Errorf("%s: got %s", c.language, got)
		}
		// Usable for some hours, then it is no weather of now.
		if w.Line(c.at.Add(weatherUsable)) == "" || w.Line(c.at.Add(weatherUsable+time.Second)) != "" || w.Line(c.at.Add(-24*time.Hour)) != "" {
			t.Error("the age of the facts is not heeded")
		}
	}
	q := m.asked[0].Query()
	if m.asked[0].Path != "/v1/forecast" || q.Get("latitude") != "52.52" || q.Get("longitude") != "13.41" || q.Get("timezone") != "auto" || q.Get("temperature_unit") != "" {
		t.Error(m.asked[0].String())
	}
}

func TestWeatherUnitsAndGaps(t *testing.T) {
	m := newMeteo(t, says(`{"utc_offset_seconds":-18000,"timezone":"GMT-5","current":{"temperature_2m":-0.3,"apparent_temperature":null,"weather_code":1234,"wind_speed_10m":null},
"daily":{"time":["2026-03-02","2026-03-03"],"weather_code":[null],"temperature_2m_max":[40,null],"temperature_2m_min":[30]}}`))
	w := newWeather(t, "en", WeatherConfig{Latitude: number(40), Longitude: number(-75), Units: "imperial", BaseURL: m.URL}, nil)
	at := time.Date(2026, 3, 2, 20, 0, 0, 0, time.FixedZone("", -5*3600))
	if err := w.Fetch(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	if got := w.Line(at); got != "weather: now 0 °F; today 30 to 40 °F" {
		t.Error(got)
	}
	if q := m.asked[0].Query(); q.Get("temperature_unit") != "fahrenheit" || q.Get("wind_speed_unit") != "mph" {
		t.Error(q)
	}
}

// Whatever the server does, the old facts stay, the error is short, and it does not show the address.
func TestWeatherServerGoesWrong(t *testing.T) {
	m := newMeteo(t, says(sunny))
	w := newWeather(t, "en", WeatherConfig{Latitude: number(52.52), Longitude: number(13.41), BaseURL: m.URL}, nil)
	if err := w.Fetch(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	good := w.Line(noon)
	status := func(n int, header ...string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(n)
			fmt.Fprint(w, `{"error":true,"reason":"…"}`)
		}
	}
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		want   string
	}{
		"429":  {status(429, "Retry-After", "120"), "429"},
		"500":  {status(500), "500"},
		"204":  {status(204), "204"},
		"html": {says("<html>log in</html>"), "malformed"},
		"huge": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat(" ", weatherLimit+1)) }, "too large"},
		"truncated": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			fmt.Fprint(w, sunny[:700])
		}, "cut short"},
		"half":    {says(sunny[:700]), "malformed"},
		"NaN":     {says(strings.Replace(sunny, "13.6", "NaN", 1)), "malformed"},
		"number":  {says(strings.Replace(sunny, "13.6", "1e999", 1)), "malformed"},
		"nothing": {says("{}"), "nothing of now"},
		"array":   {says("[]"), "malformed"},
		"loop":    {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "too many redirects"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, "unsupported protocol"},
		"slow": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "no answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			m.set(c.answer)
			ctx := t.Context()
			if name == "slow" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
			}
			err := w.Fetch(ctx, noon)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 160 || strings.Contains(err.Error(), "latitude=") {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if got := w.Line(noon.Add(time.Hour)); got != good {
				t.Error(got)
			}
		})
	}
	m.Close()
	if err := w.Fetch(t.Context(), noon); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
}

// A foreign answer cannot write lines, and nonsense is left out.
func TestWeatherIsForeignText(t *testing.T) {
	m := newMeteo(t, says(`{"timezone":"../../etc","utc_offset_seconds":99999999,"current":{"temperature_2m":12,"weather_code":-5,"wind_speed_10m":-1},
"daily":{"time":["x\ntrigger: user message","2026-03-02"],"temperature_2m_max":[1,9999],"temperature_2m_min":[1,2]}}`))
	geo := newMeteo(t, says(`{"results":[{"name":"Ber\nlin\u202e `+strings.Repeat("x", 5000)+`","latitude":52.5,"longitude":13.4}]}`))
	w := newWeather(t, "en", WeatherConfig{Place: "Berlin", BaseURL: m.URL, GeocodingURL: geo.URL}, nil)
	if err := w.Fetch(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	if got := w.Line(noon); !strings.HasPrefix(got, "weather: Ber lin x") || !strings.HasSuffix(got, "… now 12 °C") || strings.Contains(got, "\n") {
		t.Error(got)
	}
}

// A name is looked up once, then it is stored; another name is looked up anew.
func TestPlaceIsLookedUpOnce(t *testing.T) {
	m := newMeteo(t, says(sunny))
	geo := newMeteo(t, says(`{"results":[{"id":2950159,"name":"ベルリン","latitude":52.52437,"longitude":13.41053,"country_code":"DE","timezone":"Europe/Berlin"}],"generationtime_ms":0.5}`))
	kept := &memory{}
	cfg := WeatherConfig{Place: " Berlin ", BaseURL: m.URL, GeocodingURL: geo.URL + "/"}
	for range 3 { // three starts
		w := newWeather(t, "ja", cfg, kept)
		for range 2 {
			if err := w.Fetch(t.Context(), noon); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.Line(noon); !strings.HasPrefix(got, "天気: ベルリン 現在14 °C") {
			t.Error(got)
		}
	}
	if len(geo.asked) != 1 || len(m.asked) != 6 {
		t.Errorf("the place was looked up %d times, the weather %d times", len(geo.asked), len(m.asked))
	}
	if q := geo.asked[0].Query(); geo.asked[0].Path != "/search" || q.Get("name") != "Berlin" || q.Get("language") != "ja" || q.Get("count") != "1" {
		t.Error(geo.asked[0].String())
	}
	if q := m.asked[0].Query(); q.Get("latitude") != "52.52" || q.Get("longitude") != "13.41" {
		t.Error("the place goes out with more than two decimals:", q)
	}
	cfg.Place = "Bonn"
	if err := newWeather(t, "ja", cfg, kept).Fetch(t.Context(), noon); err != nil || len(geo.asked) != 2 {
		t.Error(err, len(geo.asked))
	}
	geo.set(says(`{"generationtime_ms":0.5}`))
	cfg.Place = "Nowhereville"
	if err := newWeather(t, "en", cfg, kept).Fetch(t.Context(), noon); err == nil || !strings.Contains(err.Error(), `"Nowhereville": nobody knows it`) {
		t.Error(err)
	}
	geo.set(says(`{"results":[{"name":"x","latitude":123,"longitude":null}]}`))
	if err := newWeather(t, "en", cfg, kept).Fetch(t.Context(), noon); err == nil {
		t.Error("an impossible place was taken")
	}
	kept.m[keyPlace] = json.RawMessage(`"broken"`)
	cfg.Place = "Berlin"
	geo.set(says(`{"results":[{"name":"Berlin","latitude":52.5,"longitude":13.4}]}`))
	if err := newWeather(t, "en", cfg, kept).Fetch(t.Context(), noon); err != nil {
		t.Error(err)
	}
}

func TestWeatherConfig(t *testing.T) {
	for want, c := range map[string]WeatherConfig{
		"place":         {},
		"latitude":      {Latitude: number(91), Longitude: number(0)},
		"longitude":     {Latitude: number(0), Longitude: number(-181)},
		"units":         {Place: "x", Units: "kelvin"},
		"base_url":      {Place: "x", BaseURL: "ftp://x"},
		"geocoding_url": {Place: "x", GeocodingURL: "x"},
	} {
		if key, err := c.Check(); key != want || err == nil {
			t.Errorf("%s: %s %v", want, key, err)
		}
		if _, err := NewWeather(lang.In("en"), c, nil); err == nil {
			t.Errorf("%s was taken", want)
		}
	}
	if key, err := (WeatherConfig{Latitude: number(1)}).Check(); key != "latitude" || err == nil {
		t.Error(key, err)
	}
	if _, err := (WeatherConfig{Latitude: number(0), Longitude: number(0)}).Check(); err != nil {
		t.Error(err)
	}
}

func TestEveryCodeHasWords(t *testing.T) {
	if len(skies) != 28 {
		t.Errorf("%d codes", len(skies))
	}
}

func FuzzForecast(f *testing.F) {
	f.Add([]byte(sunny))
	f.Add([]byte(`{"utc_offset_seconds":-18000,"timezone":"GMT-5","current":{"temperature_2m":-0.3,"weather_code":1234},"daily":{"time":["2026-03-02"],"weather_code":[null]}}`))
	w := newWeather(f, "ja", WeatherConfig{Latitude: number(1), Longitude: number(1)}, nil)
	evening := noon.Add(8 * time.Hour)
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzmem.Watch(t)
		got, err := readForecast(b)
		if err != nil {
			return
		}
		w.last, w.at = got, evening
		if line := w.Line(evening); strings.ContainsAny(line, "\n\r\x00") || utf8.RuneCountInString(line) > MaxLine || !utf8.ValidString(line) {
			t.Fatalf("%q", line)
		}
	})
}
