// Package web has what every client of ours reads of an HTTP answer.
package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// mostWait bounds what a server may ask for.
const mostWait = 24 * time.Hour

// RetryAfter returns how long the answer asks its client to wait: seconds, as some write them with a fraction, or a date.
// It is between 0, where the answer says nothing that makes sense, and a day.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return Wait(s)
	}
	if at, err := http.ParseTime(value); err == nil {
		return Wait(at.Sub(now).Seconds())
	}
	return 0
}

// Wait turns the seconds that a stranger names into a wait from 0 to a day.
func Wait(seconds float64) time.Duration {
	if !(seconds > 0) { // NaN too
		return 0
	}
	return time.Duration(min(seconds, mostWait.Seconds()) * float64(time.Second))
}
