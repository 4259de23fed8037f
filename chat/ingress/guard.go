package ingress

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// guard refuses what a web page could send: a Host that is not this computer (a name that was bound anew to
// 127.0.0.1), an Origin from elsewhere, and what a browser says was asked for across sites. It gives the status to refuse with, or 0.
func guard(r *http.Request) int {
	if len(r.Host) > 255 || !loopbackHost(r.Host) {
		return http.StatusMisdirectedRequest
	}
	if origins, ok := r.Header["Origin"]; ok && (len(origins) != 1 || !loopbackOrigin(origins[0])) {
		return http.StatusForbidden
	}
	// A GET of an image or a script carries no Origin; who asked for it is told by browsers all the same.
	if slices.ContainsFunc(r.Header["Sec-Fetch-Site"], func(site string) bool { return strings.EqualFold(site, "cross-site") }) {
		return http.StatusForbidden
	}
	return 0
}

// loopbackHost says whether a Host header names this computer, with any port: a tunnel may lead here from another.
func loopbackHost(host string) bool {
	name, port := host, ""
	switch {
	case strings.HasPrefix(host, "["):
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return false
		}
		name, port = host[1:end], host[end+1:]
		if name != "::1" {
			return false
		}
	case host == "::1":
	default:
		if i := strings.IndexByte(host, ':'); i >= 0 {
			name, port = host[:i], host[i:]
		}
		if name == "::1" {
			return false
		}
	}
	if port != "" && !validPort(port) {
		return false
	}
	return name == "127.0.0.1" || name == "::1" || strings.EqualFold(name, "localhost")
}

// validPort reads ":8770". A port of other characters hides another name ("127.0.0.1:80@evil.test").
func validPort(port string) bool {
	digits, ok := strings.CutPrefix(port, ":")
	if !ok || len(digits) > 5 || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(digits)
	return err == nil && n > 0 && n < 65536
}

// loopbackOrigin says whether an Origin is a page of this computer: "http://localhost:3000", never "null".
func loopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" {
		return false
	}
	return origin == u.Scheme+"://"+u.Host && loopbackHost(u.Host)
}

// plainJSON says whether a body is declared as JSON, in UTF-8 and not packed. Anything else a page may send without
// asking first: text/plain, a form, or a body without a type.
func plainJSON(h http.Header) bool {
	if types := h["Content-Type"]; len(types) != 1 {
		return false
	}
	if len(h["Content-Encoding"]) > 0 && !strings.EqualFold(h.Get("Content-Encoding"), "identity") {
		return false
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return false
	}
	charset, ok := params["charset"]
	return !ok || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
