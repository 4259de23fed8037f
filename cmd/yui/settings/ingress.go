package settings

import (
	"encoding/json"
	"fmt"
	"math"

	"yui/chat/ingress"
)

// KeyIngress is the setting of the loopback listener, {"enabled": false, "port": 8770}; KeyPresence is after how many
// milliseconds without a touch of mouse or keyboard the person counts as away.
const (
	KeyIngress  = "yui.agentNotify"
	KeyPresence = "yui.presence"
)

// Ingress is the value of KeyIngress.
type Ingress struct {
	Enabled bool `json:"enabled"`
	Port    int  `json:"port"`
}

// ParseIngress reads a value of KeyIngress; a port that is left out is the usual one.
func ParseIngress(raw json.RawMessage) (Ingress, error) {
	v := struct {
		Enabled bool     `json:"enabled"`
		Port    *float64 `json:"port"`
	}{}
	if err := json.Unmarshal(raw, &v); err != nil {
		return Ingress{}, fmt.Errorf("read setting %s: it must look like %s", KeyIngress, defaults[KeyIngress])
	}
	s := Ingress{v.Enabled, ingress.Port}
	if v.Port != nil {
		if p := *v.Port; p != math.Trunc(p) || p < ingress.MinPort || p > ingress.MaxPort {
			return Ingress{}, fmt.Errorf("read setting %s: port must be a whole number from %d to %d", KeyIngress, ingress.MinPort, ingress.MaxPort)
		}
		s.Port = int(*v.Port)
	}
	return s, nil
}
