package tools

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"yui/assets/lang"
	"yui/internal/fuzzmem"
	"yui/internal/protocol"
)

// words is a vocabulary with settable parts.
type words struct {
	emotions, motions []string
	tags              map[string]string
}

func (w *words) EmotionIDs() []string         { return w.emotions }
func (w *words) MotionIDs() []string          { return w.motions }
func (w *words) VoiceTags() map[string]string { return w.tags }

type eyes struct {
	ready, allowed bool
	count, here    int
	err            error
	asked          int
}

func (e *eyes) BodyState() (json.RawMessage, bool) {
	return json.RawMessage(`{"moving":false}`), e.ready
}
func (e *eyes) PerchTargets() (json.RawMessage, bool) {
	return json.RawMessage(`{"windows":[]}`), e.ready
}
func (e *eyes) ScreenAllowed() bool  { return e.allowed }
func (e *eyes) Monitors() (int, int) { return e.count, e.here }
func (e *eyes) Capture(_ context.Context, m int) (image.Image, error) {
	e.asked = m
	return image.NewRGBA(image.Rect(0, 0, 1600, 900)), e.err
}

type limbs struct{ word string }

func (l limbs) Act(context.Context, json.RawMessage) string { return l.word }

func everyTool() []Tool {
	heart := newHeart(Named{"momo", "Momo"})
	return []Tool{NewExpress(&words{emotions: []string{"happy"}, motions: []string{"dance"}}), NewBodyAction(limbs{"ok"}), NewLook(&eyes{}),
		NewRateRelation(heart), NewAddressCharacter(heart),
		NewSeeCamera(lang.In("en"), newShutter(), by(nil)), NewWebSearch(lang.In("en"), canned{}, nil), NewShowEffect(lang.In("en"), &sky{}), NewDiscordShare(lang.In("en"), Webhook{})}
}

// TestCatalog fails while a tool has no row in docs/tools.md (docs/rules/tools.md#declaring).
func TestCatalog(t *testing.T) {
	doc, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllSubmatch(doc, -1) {
		rows[string(m[1])] = true
	}
	for _, tool := range everyTool() {
		if !rows[tool.Name] {
			t.Errorf("docs/tools.md has no row for %s", tool.Name)
		}
	}
	if rows["no_such_tool"] || len(rows) == 0 {
		t.Error("the table could not be read")
	}
}

// TestSchemas compiles each schema and tries arguments against it.
func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		fits       bool
	}{
		{"generate_express", `{}`, true},
		{"generate_express", `{"emotion_id":"happy","motion_id":"dance","emotion_text":"soft","caption":"low"}`, true},
		{"generate_express", `{"emotion_id":"grumpy"}`, false},
		{"generate_express", `{"face":"happy"}`, false},
		{"body_action", `{"action":"stand"}`, true},
		{"body_action", `{"action":"move_to","spot":"center","monitor":1}`, true},
		{"body_action", `{"action":"fly"}`, false},
		{"body_action", `{}`, false},
		{"look", `{"at":"screen","monitor":0}`, true},
		{"look", `{"at":"moon"}`, false},
		{"rate_relation", `{"toward":"user","delta":1,"why":"brought me tea"}`, true},
		{"rate_relation", `{"toward":"Momo","delta":-2,"why":""}`, true},
		{"rate_relation", `{"toward":"Sora","delta":1,"why":"x"}`, false},
		{"rate_relation", `{"toward":"user","delta":0,"why":"x"}`, false},
		{"rate_relation", `{"toward":"user","delta":1}`, false},
		{"address_character", `{"to":"Momo"}`, true},
		{"address_character", `{"to":"user"}`, false},
		{"address_character", `{}`, false},
		{"see_camera", `{}`, true},
		{"see_camera", `{"focus":"the cup"}`, true},
		{"see_camera", `{"focus":3}`, false},
		{"web_search", `{"query":"tea"}`, true},
		{"web_search", `{}`, false},
		{"show_effect", `{"effect":"hearts","reason":"thanks"}`, true},
		{"show_effect", `{"effect":"fireworks"}`, false},
		{"discord_share", `{"title":"a","content":"b","url":"https://a.example"}`, true},
		{"discord_share", `{"title":"a"}`, false},
	} {
		for _, tool := range everyTool() {
			if tool.Name != c.tool {
				continue
			}
			err := validate(t, tool.Define().Parameters, c.args)
			if (err == nil) != c.fits {
				t.Errorf("%s %s: %v, want fit %v", c.tool, c.args, err, c.fits)
			}
		}
	}
}

func validate(t *testing.T, schema json.RawMessage, args string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("tool.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(args))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// "generate_express is declared as an OpenAI function schema generated from the loaded vocabulary", "On an enum-mode TTS
// provider, enum = that provider's tag table, with each tag's meaning in the description. On other providers, free
// text", "Every parameter is optional and additionalProperties is false", "When the motion selection is empty, the
// schema omits motion_id and the tool description omits body motion" (docs/rules/tools.md#vocabulary).
func TestExpressFollowsTheVocabulary(t *testing.T) {
	w := &words{emotions: []string{"happy", "sad"}, motions: []string{"dance"}}
	tool := NewExpress(w)
	props := func() map[string]map[string]any {
		var s struct {
			Properties           map[string]map[string]any `json:"properties"`
			AdditionalProperties *bool                     `json:"additionalProperties"`
			Required             []string                  `json:"required"`
		}
		if err := json.Unmarshal(tool.Define().Parameters, &s); err != nil {
			t.Fatal(err)
		}
		if s.AdditionalProperties == nil || *s.AdditionalProperties || len(s.Required) > 0 {
			t.Error("every parameter is optional and additionalProperties is false")
		}
		return s.Properties
	}
	if got := props(); cmp.Diff(got["emotion_id"]["enum"], []any{"happy", "sad"}) != "" || got["emotion_text"]["enum"] != nil {
		t.Errorf("%v", got)
	}
	w.motions, w.tags = nil, map[string]string{"b": "bright", "a": "airy"}
	got := props()
	if _, has := got["motion_id"]; has || strings.Contains(tool.Define().Description, "body") {
		t.Error("an empty motion selection must leave motion_id and the body out")
	}
	if cmp.Diff(got["emotion_text"]["enum"], []any{"a", "b"}) != "" || !strings.Contains(got["emotion_text"]["description"].(string), "a = airy") {
		t.Errorf("voice tags: %v", got["emotion_text"])
	}
	w.emotions = nil
	if _, has := props()["emotion_id"]; has {
		t.Error("an empty enum must be left out")
	}
	if r := tool.Run(context.Background(), Call{Args: []byte(`{"emotion_id":7}`)}); r.Text != "ok" {
		t.Errorf("result %q, want ok", r.Text)
	}
	if c := protocol.ParseCue([]byte(`{"emotion_id":7,"caption":"soft"}`)); c != (protocol.Cue{Caption: "soft"}) {
		t.Errorf("cue %+v", c)
	}
}

func TestLook(t *testing.T) {
	ready := &eyes{ready: true, allowed: true, count: 2, here: 1}
	for _, c := range []struct {
		name, args, want string
		eyes             *eyes
		images           int
	}{
		{"body", `{"at":"body"}`, `{"moving":false}`, ready, 0},
		{"targets ignore the monitor", `{"at":"perch_targets","monitor":99}`, `{"windows":[]}`, ready, 0},
		{"no executor yet", `{"at":"body"}`, "error: unsupported", &eyes{}, 0},
		{"missing", `{}`, "error: invalid field at", ready, 0},
		{"unknown", `{"at":"moon"}`, "error: invalid field at", ready, 0},
		{"not an object", `[1]`, "error: invalid field at", ready, 0},
		{"switch before monitor", `{"at":"screen","monitor":99}`, "error: screen capture is off", &eyes{ready: true, count: 2}, 0},
		{"own display", `{"at":"screen"}`, "screenshot of display 1", ready, 1},
		{"null is omitted", `{"at":"screen","monitor":null}`, "screenshot of display 1", ready, 1},
		{"given display", `{"at":"screen","monitor":0}`, "screenshot of display 0", ready, 1},
		{"too high", `{"at":"screen","monitor":2}`, "error: invalid field monitor", ready, 0},
		{"negative", `{"at":"screen","monitor":-1}`, "error: invalid field monitor", ready, 0},
		{"fraction", `{"at":"screen","monitor":0.5}`, "error: invalid field monitor", ready, 0},
		{"text", `{"at":"screen","monitor":"0"}`, "error: invalid field monitor", ready, 0},
		{"capture fails", `{"at":"screen"}`, "error: capture display 0: black", &eyes{ready: true, allowed: true, count: 1, err: errors.New("capture display 0: black")}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewLook(c.eyes).Run(context.Background(), Call{Args: []byte(c.args)})
			if r.Text != c.want || len(r.Images) != c.images {
				t.Errorf("%q and %d images, want %q and %d", r.Text, len(r.Images), c.want, c.images)
			}
			for _, url := range r.Images {
				data, ok := strings.CutPrefix(url, "data:image/jpeg;base64,")
				if !ok {
					t.Fatalf("not a JPEG data URL: %.40s", url)
				}
				b, err := base64.StdEncoding.DecodeString(data)
				if err != nil {
					t.Fatal(err)
				}
				cfg, err := jpeg.DecodeConfig(bytes.NewReader(b))
				if err != nil || cfg.Width != 1280 || cfg.Height != 720 {
					t.Errorf("picture %dx%d, err %v", cfg.Width, cfg.Height, err)
				}
			}
		})
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if r := NewLook(ready).Run(stopped, Call{Args: []byte(`{"at":"screen"}`)}); r.Text != "error: turn stopped" {
		t.Errorf("a stopped turn: %q", r.Text)
	}
}

func TestBodyAction(t *testing.T) {
	for _, word := range []string{"ok", "not_found", "blocked", "interrupted", "busy", "unsupported", "timeout"} {
		tool := NewBodyAction(limbs{word})
		if r := tool.Run(context.Background(), Call{}); r.Text != word {
			t.Errorf("%q, want %q", r.Text, word)
		}
		if tool.Failed(word) != (word != "ok") {
			t.Errorf("%s: failed is %v", word, tool.Failed(word))
		}
	}
}

func TestRegistry(t *testing.T) {
	boom := Tool{Name: "boom", Run: func(context.Context, Call) Result { panic("out of tea") }}
	r, err := NewRegistry(NewExpress(&words{}), boom)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"generate_express": "ok", "boom": "error: out of tea", "nope": "error: unknown tool"} {
		if got := r.Run(context.Background(), name, Call{}); got.Text != want {
			t.Errorf("%s: %q, want %q", name, got.Text, want)
		}
	}
	if r.Tools()[0].Name != protocol.Express {
		t.Error("generate_express comes first")
	}
	if _, err := NewRegistry(boom, boom); err == nil {
		t.Error("two tools of one name were taken")
	}
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{}`, `{"at":"screen","monitor":1e400}`, `[]`, `{"emotion_id":null}`, "", `{"at":"bod`} {
		f.Add([]byte(s))
	}
	look := NewLook(&eyes{ready: true, allowed: true, count: 1})
	f.Fuzz(func(t *testing.T, args []byte) {
		fuzzmem.Watch(t)
		protocol.ParseCue(args)
		if at, _ := text(fields(args), "at"); at == "screen" {
			return // taking a picture is slow and has its own test
		}
		if r := look.Run(context.Background(), Call{Args: args}); r.Text == "" {
			t.Error("an empty result")
		}
	})
}
