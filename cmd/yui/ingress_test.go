//go:build !windows && !darwin

package main_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// door is the ingress of an instance, as another program sees it.
type door struct {
	t    *testing.T
	base string
}

// ask sends a request and gives status and body.
func (d door) ask(method, path, body string) (int, string) {
	d.t.Helper()
	req, err := http.NewRequest(method, d.base+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{Timeout: commandWait, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func (d door) want(method, path, body string, status int, answer string) {
	d.t.Helper()
	if got, text := d.ask(method, path, body); got != status || text != answer {
		d.t.Errorf("%s %s %s: %d %q, want %d %q", method, path, body, got, text, status, answer)
	}
}

// freePort is a port that nobody had a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// opens switches the ingress on and waits until it listens.
func (y *instance) opens(port int) door {
	y.t.Helper()
	y.must("set", "yui.agentNotify", fmt.Sprintf(`{"enabled":true,"port":%d}`, port))
	address := fmt.Sprintf("127.0.0.1:%d", port)
	y.waitState(settleWait, "the ingress to listen", func(s state) bool { return s.Ingress.Enabled && s.Ingress.Address == address })
	return door{y.t, "http://" + address}
}

// event is the body of a report.
func event(tool, phase, summary string) string {
	return fmt.Sprintf(`{"tool":%q,"project":"kettle","cwd":"/kettle","phase":%q,"summary":%q,"ts":%d}`, tool, phase, summary, time.Now().UnixMilli())
}

// context is the client context of a request.
func (r chatRequest) context() string {
	for _, m := range r.Messages {
		if strings.HasPrefix(m.text(), "client_context:") {
			return m.text()
		}
	}
	return ""
}

// TestIngress reports to her and moves her from outside, as other programs do.
func TestIngress(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	server := newFakeServer(t, secret)
	y := prepare(t, desk)
	y.config(server.config())
	y.start()
	y.must("set", "yui.proactive-pacer-gap", "0") // else what comes second waits ten minutes
	desk.MovePointer(5, 5)
	asked := func(y *instance, what string) chatRequest {
		y.t.Helper()
		var r chatRequest
		desktoptest.WaitFor(y.t, settleWait, "the model to be told of "+what, func() bool {
			r = server.last()
			return strings.Contains(r.context(), what)
		})
		return r
	}
	t.Run("off until it is switched on", func(t *testing.T) {
		y := y.as(t)
		if s := y.state(); s.Ingress.Enabled || s.Ingress.Address != "" {
			t.Errorf("%+v", s.Ingress)
		}
		for _, port := range []string{"1023", "65536", "0", `"8770"`, "8770.5"} {
			if r := y.run("set", "yui.agentNotify", `{"enabled":true,"port":`+port+`}`); r.code == 0 {
				t.Errorf("port %s was taken", port)
			}
		}
		if s := y.state(); s.Ingress.Enabled {
			t.Error("a bad port switches it on")
		}
	})
	d := y.opens(freePort(t))
	t.Run("a report and a signal become turns", func(t *testing.T) {
		y, d := y.as(t), door{t, d.base}
		d.want("POST", "/agent-event", event("claude", "done", "All tests pass."), 200, "")
		r := asked(y, "\ntrigger: agent claude done, project \"kettle\" (0min ago)\nagent note: All tests pass.")
		if r.said() != "(A program that works for the user has finished.)" {
			t.Errorf("the marker is %q", r.said())
		}
		y.wait(settleWait, "her words", func(p pet) bool { return p.Talk.Bubble != "" })
		d.want("POST", "/signals", `{"signals":["The kettle is on."]}`, 200, "")
		asked(y, "\nsignal: someone (0min ago): The kettle is on.")
		d.want("POST", "/signals", "{", 400, "read body: no JSON at byte 1\n")
	})
	t.Run("away", func(t *testing.T) {
		y, d := y.as(t), door{t, d.base}
		y.must("set", "yui.presence", "10000")
		y.wait(settleWait, "her to be done", func(p pet) bool { return !p.Turn.Running })
		time.Sleep(12 * time.Second) // nobody touches anything: that is what is waited for
		d.want("POST", "/agent-event", event("claude", "needs_input", "May I?"), 200, "")
		d.want("POST", "/agent-event", event("codex", "done", "Built."), 200, "")
		time.Sleep(3 * time.Second)
		if c := server.last().context(); strings.Contains(c, "May I?") || strings.Contains(c, "Built.") {
			t.Errorf("told while nobody is there:\n%s", c)
		}
		desk.MovePointer(60, 60)
		r := asked(y, "\ntrigger: agent catchup (2 events)\n")
		if !strings.Contains(r.said(), "claude, codex") || strings.Count(r.context(), "\nagent event: ") != 2 {
			t.Errorf("%s\n%s", r.said(), r.context())
		}
		y.must("set", "yui.presence", "180000")
	})
	t.Run("moves her", func(t *testing.T) { testPuppet(y.as(t), d) })
	t.Run("another port, and off", func(t *testing.T) {
		y := y.as(t)
		next := y.opens(freePort(t))
		if c, err := net.Dial("tcp", strings.TrimPrefix(d.base, "http://")); err == nil {
			c.Close()
			t.Error("the old port is still open")
		}
		if status, _ := next.ask("GET", "/avatar/state", ""); status != 200 {
			t.Error(status)
		}
		taken, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		y.must("set", "yui.agentNotify", fmt.Sprintf(`{"enabled":true,"port":%d}`, taken.Addr().(*net.TCPAddr).Port))
		y.waitState(settleWait, "the error", func(s state) bool { return strings.Contains(s.Ingress.Error, "in use") })
		if r := y.run("doctor"); !strings.Contains(r.out, "warn  ingress ") || !strings.Contains(r.out, "yui set yui.agentNotify") {
			t.Errorf("doctor says nothing of it:\n%s", r.out)
		}
		y.must("set", "yui.agentNotify", "false")
		y.waitState(settleWait, "it to be off", func(s state) bool { return !s.Ingress.Enabled && s.Ingress.Address == "" && s.Ingress.Error == "" })
	})
}

// testPuppet moves her from outside; a hand that holds her wins.
func testPuppet(y *instance, d door) {
	t := y.t
	d.t = t
	term := y.desk.XTerm(t, "notes", 250, 380, 70, 12)
	desktoptest.WaitFor(t, settleWait, "the window to be listed", func() bool {
		status, body := d.ask("GET", "/avatar/perch-targets", "")
		return status == 200 && strings.Contains(body, `"title":"notes"`) && strings.Contains(body, `"edges":["left","right"]`)
	})
	d.want("POST", "/avatar/command", `{"action":"sit_on_window","app":"XTerm"}`, 200, `{"ok":true}`)
	y.sits(term)
	if status, body := d.ask("GET", "/avatar/state", ""); status != 200 || !strings.Contains(body, `"posture":{"state":"sitting","perched_on":{"app":"XTerm","window_title":"notes"}}`) {
		t.Errorf("%d %s", status, body)
	}
	d.want("POST", "/avatar/command", `{"action":"sit_on_window","app":"nobody"}`, 200, `{"ok":false,"reason":"not_found"}`)
	d.want("POST", "/avatar/command", `{"action":"sit_on_window"}`, 400, "it is no command of body_action\n")
	d.want("GET", "/avatar/pose", "", 404, "there is no such path\n")
	d.want("POST", "/avatar/command", `{"action":"stand"}`, 200, `{"ok":true}`)
	x, at := belly(y.onFloor(0))
	y.desk.MovePointer(x, at)
	y.desk.Press(1)
	for i := 1; i <= 30; i++ {
		y.desk.MovePointer(x+(700-x)*i/30, at+(300-at)*i/30)
		time.Sleep(10 * time.Millisecond) // as a hand does
	}
	y.posture("dragging")
	d.want("POST", "/avatar/command", `{"action":"go_to_bed"}`, 200, `{"ok":false,"reason":"interrupted"}`)
	y.desk.Release(1)
}
