package scan

import (
	"encoding/json"
	"testing"

	"yui/internal/fuzzmem"
)

// What the scanner takes is JSON, and its strings and small numbers mean what they mean to encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{"a":"x\n\u3042\ud83d\ude00","n":12}`, `{"a":null,"b":[1,-2.5e3,{"y":[true,false,null]}]}`, `{"n":01}`, `{"n":1e2}`, `{"a":"\ud83d"}`,
		"{\"a\":\"\xff\"}", `{"a":"x"}x`, `{"A":1}`, `{"a":1,}`, `{`, ``, `{"b":"\q"}`, `{"n":123}`, `{"n":-0.0}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		s := New(raw)
		var text string
		var number, texts, numbers int
		s.Object(func(key []byte) {
			switch string(key) {
			case "a":
				texts++
				text = s.TextOrNull()
			case "n":
				numbers++
				number = s.Small()
			default:
				s.Skip()
			}
		})
		if !s.Good() {
			return
		}
		var want struct {
			A string `json:"a"`
			N int    `json:"n"`
		}
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("accepted %q: %v", raw, err)
		}
		if texts == 1 && want.A != text || numbers == 1 && want.N != number {
			t.Fatalf("%q: %q and %d, want %q and %d", raw, text, number, want.A, want.N)
		}
	})
}

func TestScanTakesTheCommon(t *testing.T) {
	s := New([]byte(` {"a" : "x\u3042\/", "n":7, "b":[1.5e-3,{"c":{}},[]], "d":{"e":true}} `))
	var a string
	var n int
	s.Object(func(key []byte) {
		switch string(key) {
		case "a":
			a = s.Decode()
		case "n":
			n = s.Small()
		default:
			s.Skip()
		}
	})
	if !s.Good() || a != "xあ/" || n != 7 {
		t.Errorf("%v, %q, %d", s.Good(), a, n)
	}
}
