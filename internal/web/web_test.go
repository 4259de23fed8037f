package web

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, " 0.5 ": 500 * time.Millisecond, "-1": 0, "NaN": 0, "1e300": 24 * time.Hour, "soon": 0,
		"Mon, 30 Nov 2026 12:00:09 GMT": 9 * time.Second, "Mon, 30 Nov 2020 12:00:09 GMT": 0, "Mon, 30 Nov 2093 12:00:09 GMT": 24 * time.Hour,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {header}}, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}
