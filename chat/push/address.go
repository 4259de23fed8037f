package push

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"yui/chat/api"
)

// Address gives the address of the socket: base with http made ws, trailing slashes removed, and /ws behind its path
// (docs/rules/chat.md#push-turns). A base without a scheme is taken as http. The error never quotes base, which may hold a password.
func Address(base string) (string, error) {
	base = strings.TrimSpace(base)
	if base == "" {
		return "", fmt.Errorf("read base_url: it is empty")
	}
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("read base_url: it is no address")
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "ws":
		u.Scheme = "ws"
	case "https", "wss":
		u.Scheme = "wss"
	default:
		return "", fmt.Errorf("read base_url: it must begin with http://, https://, ws:// or wss://")
	}
	if u.Hostname() == "" {
		return "", fmt.Errorf("read base_url: it must name a host")
	}
	if err := api.CheckPort(u); err != nil {
		return "", err
	}
	u.Fragment, u.RawFragment = "", ""
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/") + "/ws"
	u.Path = strings.TrimRight(u.Path, "/") + "/ws"
	return u.String(), nil
}

// NewChatID makes a name for this installation, "yui-3f9a2c1d": eight random hexadecimal digits. It is made once and
// kept.
func NewChatID() string {
	var raw [4]byte
	rand.Read(raw[:]) // never fails; see crypto/rand
	return "yui-" + hex.EncodeToString(raw[:])
}
