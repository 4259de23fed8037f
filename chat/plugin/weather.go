package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"yui/assets/lang"
	"yui/internal/readable"
)

const (
	weatherLasts  = 20 * time.Minute // the service itself counts anew every 15 minutes
	weatherUsable = 3 * time.Hour    // after that it is no weather of now
	weatherLimit  = 256 << 10        // bytes; an answer has about 1 kB
	// WeatherBase is the public service, free for private use, without a key.
	WeatherBase = "https://api.open-meteo.com/v1"
	// GeocodingBase is where it finds places by their names.
	GeocodingBase = "https://geocoding-api.open-meteo.com/v1"

	keyPlace = "plugin.weather.place"
)

// WeatherConfig says for which place. Latitude and Longitude are both set, or Place is looked up once by its name.
type WeatherConfig struct {
	Place               string
	Latitude, Longitude *float64
	Units               string // metric (the default) or imperial
	BaseURL             string // WeatherBase where empty
	GeocodingURL        string // GeocodingBase where empty
}

// Check tells what is wrong with the config, in words for the person.
func (c WeatherConfig) Check() (key string, err error) {
	lat, lon := c.Latitude, c.Longitude
	switch {
	case lat == nil && lon == nil && strings.TrimSpace(c.Place) == "":
		return "place", errors.New("is missing; name your town, or set latitude and longitude")
	case (lat == nil) != (lon == nil):
		return "latitude", errors.New("and longitude must be set both or neither")
	case lat != nil && !(*lat >= -90 && *lat <= 90):
		return "latitude", fmt.Errorf("is %g; it must be from -90 to 90", *lat)
	case lon != nil && !(*lon >= -180 && *lon <= 180):
		return "longitude", fmt.Errorf("is %g; it must be from -180 to 180", *lon)
	case len(c.Place) > 100:
		return "place", errors.New("is too long")
	case c.Units != "" && c.Units != "metric" && c.Units != "imperial":
		return "units", fmt.Errorf("is %q; it must be metric or imperial", c.Units)
	}
	for key, base := range map[string]string{"base_url": c.BaseURL, "geocoding_url": c.GeocodingURL} {
		if u, err := url.Parse(base); base != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			return key, fmt.Errorf("is %q; it must look like %s", base, WeatherBase)
		}
	}
	return "", nil
}

// Weather tells what the weather is and what today brings; in the evening, tomorrow too. It asks Open-Meteo. Safe from
// any goroutine.
type Weather struct {
	words  *lang.Words
	cfg    WeatherConfig
	store  Store // nil keeps a looked-up place for this run alone
	client *http.Client

	mu    sync.Mutex
	place *place
	last  *forecast
	at    time.Time // of last
}

// place is where. It is stored with the name that was looked up, so that another name in the config is looked up anew.
type place struct {
	Asked     string  `json:"asked"`
	Name      string  `json:"name"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// NewWeather makes the plugin "weather".
func NewWeather(words *lang.Words, c WeatherConfig, s Store) (*Weather, error) {
	if key, err := c.Check(); err != nil {
		return nil, fmt.Errorf("set up weather: %s %w", key, err)
	}
	c.Place = strings.TrimSpace(c.Place)
	if c.BaseURL == "" {
		c.BaseURL = WeatherBase
	}
	if c.GeocodingURL == "" {
		c.GeocodingURL = GeocodingBase
	}
	w := &Weather{words: words, cfg: c, store: s, client: newClient()}
	if c.Latitude != nil {
		w.place = &place{Name: c.Place, Latitude: *c.Latitude, Longitude: *c.Longitude}
	}
	return w, nil
}

// Name is "weather".
func (w *Weather) Name() string { return "weather" }

// Lasts is 20 minutes.
func (w *Weather) Lasts() time.Duration { return weatherLasts }

// Fetch asks for the forecast, and before the first one for the place.
func (w *Weather) Fetch(ctx context.Context, now time.Time) error {
	defer w.client.CloseIdleConnections()
	p, err := w.where(ctx)
	if err != nil {
		return err
	}
	f, err := w.ask(ctx, p)
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.last, w.at = f, now
	w.mu.Unlock()
	return nil
}

// where gives the place: as configured, as stored, or as the geocoder knows it; then it is stored.
func (w *Weather) where(ctx context.Context) (place, error) {
	w.mu.Lock()
	known := w.place
	w.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	p, ok := w.stored(ctx)
	if !ok {
		var err error
		if p, err = w.geocode(ctx); err != nil {
			return place{}, err
		}
		if w.store != nil {
			raw, err := json.Marshal(p)
			if err == nil {
				err = w.store.Set(ctx, keyPlace, raw)
			}
			if err != nil {
				return place{}, fmt.Errorf("store place: %w", err)
			}
		}
	}
	w.mu.Lock()
	w.place = &p
	w.mu.Unlock()
	return p, nil
}

func (w *Weather) stored(ctx context.Context) (p place, ok bool) {
	if w.store == nil {
		return p, false
	}
	raw, ok, err := w.store.Get(ctx, keyPlace)
	if err != nil || !ok || json.Unmarshal(raw, &p) != nil {
		return p, false // it is looked up again
	}
	return p, p.Asked == w.cfg.Place && valid(p.Latitude, 90) && valid(p.Longitude, 180)
}

func valid(v, limit float64) bool { return !math.IsNaN(v) && math.Abs(v) <= limit }

// geocode looks the place up by its name.
func (w *Weather) geocode(ctx context.Context) (place, error) {
	q := url.Values{"name": {w.cfg.Place}, "count": {"1"}, "language": {w.words.Language()}, "format": {"json"}}
	got, err := get(ctx, w.client, want{service: "place", url: strings.TrimRight(w.cfg.GeocodingURL, "/") + "/search?" + q.Encode(), limit: weatherLimit})
	if err != nil {
		return place{}, err
	}
	return readPlace(got.body, w.cfg.Place)
}

// readPlace reads what the geocoder answered for a name.
func readPlace(body []byte, asked string) (place, error) {
	var answer struct {
		Results []struct {
			Name      string   `json:"name"`
			Latitude  *float64 `json:"latitude"`
			Longitude *float64 `json:"longitude"`
		} `json:"results"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return place{}, errors.New("ask place: the answer is malformed")
	}
	if len(answer.Results) == 0 {
		return place{}, &pause{fmt.Errorf("find place %q: nobody knows it; set latitude and longitude", asked), longestPause}
	}
	r := answer.Results[0]
	if r.Latitude == nil || r.Longitude == nil || !valid(*r.Latitude, 90) || !valid(*r.Longitude, 180) {
		return place{}, errors.New("ask place: the answer is malformed")
	}
	name := readable.Line(r.Name, 40)
	if name == "" {
		name = asked
	}
	return place{asked, name, *r.Latitude, *r.Longitude}, nil
}

// ask gets the forecast of three days. The place goes out rounded to about a kilometre: weather needs no more.
func (w *Weather) ask(ctx context.Context, p place) (*forecast, error) {
	q := url.Values{
		"latitude":      {strconv.FormatFloat(p.Latitude, 'f', 2, 64)},
		"longitude":     {strconv.FormatFloat(p.Longitude, 'f', 2, 64)},
		"current":       {"temperature_2m,apparent_temperature,weather_code,wind_speed_10m"},
		"daily":         {"weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max"},
		"timezone":      {"auto"},
		"forecast_days": {"3"},
	}
	if w.cfg.Units == "imperial" {
		q.Set("temperature_unit", "fahrenheit")
		q.Set("wind_speed_unit", "mph")
	}
	got, err := get(ctx, w.client, want{service: "weather", url: strings.TrimRight(w.cfg.BaseURL, "/") + "/forecast?" + q.Encode(), limit: weatherLimit})
	if err != nil {
		return nil, err
	}
	f, err := readForecast(got.body)
	if err != nil {
		return nil, fmt.Errorf("ask weather: %w", err)
	}
	return f, nil
}
