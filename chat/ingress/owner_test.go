package ingress

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

func TestOwner(t *testing.T) {
	me, other := os.Getuid(), os.Getuid()+1
	peer, here := netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("127.0.0.1:8770")
	const p4, h4 = "0100007F:9C40", "0100007F:2242"
	const p6, h6 = "0000000000000000FFFF00000100007F:9C40", "0000000000000000FFFF00000100007F:2242"
	line := func(from, to string, uid, inode int) string {
		return fmt.Sprintf("   1: %s %s 01 00000000:00000000 00:00000000 00000000 %5d        0 %d 1 0000000000000000 20 4 30 10 -1\n", from, to, uid, inode)
	}
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	for _, c := range []struct {
		name, tcp, tcp6 string
		want            bool
	}{
		{"mine", line(p4, h4, me, 7), "", true},
		{"another's", line(p4, h4, other, 7), "", false},
		{"mine, of an IPv6 socket", "", line(p6, h6, me, 7), true},
		{"another's, of an IPv6 socket", "", line(p6, h6, other, 7), false},
		{"our end of the connection, which is ours always", line(h4, p4, me, 7), "", false},
		{"my other connections", line("0100007F:9C41", h4, me, 7) + line(p4, "0100007F:2243", me, 7) + line("0200007F:9C40", h4, me, 7), "", false},
		{"another's among mine", line("0100007F:9C41", h4, me, 7) + line(p4, h4, other, 7), line(p6, "0100007F:2243", me, 7), false},
		{"closed by its owner", line(p4, h4, me, 0), "", false},
		{"nobody's", "", "", false},
		{"a line that is cut", strings.TrimSpace(line(p4, h4, me, 7))[:60], "", false},
	} {
		proc := fstest.MapFS{"net/tcp": {Data: []byte(head + c.tcp)}, "net/tcp6": {Data: []byte(head + c.tcp6)}}
		if got := ours(proc, peer, here); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if ours(fstest.MapFS{}, peer, here) {
		t.Error("without /proc a stranger is let in")
	}
}

// Another user of the computer reads no window title and brings no signal, by IPv4 or IPv6.
func TestOtherUserIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user for a moment")
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	r := newRig(t, nil)
	_, port, _ := net.SplitHostPort(r.Status().Address)
	const nobody = 65534
	for _, c := range []struct {
		uid  uint32
		args []string
		want string
	}{
		{0, []string{r.base + "/avatar/perch-targets"}, "200"},
		{nobody, []string{r.base + "/avatar/perch-targets"}, "403"},
		{nobody, []string{"-d", sigBody, "-H", "Content-Type: application/json", r.base + "/signals"}, "403"},
		{0, []string{"http://[::ffff:127.0.0.1]:" + port + "/avatar/state", "-H", "Host: localhost"}, "200"},
		{nobody, []string{"http://[::ffff:127.0.0.1]:" + port + "/avatar/state", "-H", "Host: localhost"}, "403"},
	} {
		cmd := exec.Command(curl, append([]string{"-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}"}, c.args...)...)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: c.uid, Gid: c.uid}}
		out, err := cmd.Output()
		if string(out) != c.want {
			t.Errorf("user %d, %v: %s (%v), want %s", c.uid, c.args, out, err, c.want)
		}
	}
	if len(r.turns) != 0 {
		t.Error("a signal of another user became a turn")
	}
}

func TestCrossSiteIsRefused(t *testing.T) {
	r := newRig(t, nil)
	for site, want := range map[string]int{"cross-site": 403, "Cross-Site": 403, "same-origin": 200, "same-site": 200, "none": 200} {
		if got, _ := r.ask(t, "GET", "/avatar/state", "", "Sec-Fetch-Site", site); got != want {
			t.Errorf("%s: %d", site, got)
		}
	}
	if got, _ := r.ask(t, "GET", "/avatar/state", "", "Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"); got != 403 {
		t.Error("two of them:", got)
	}
}

// socketOf serves a rig over a Unix socket, as the control socket does.
func socketOf(t *testing.T, r *rig, path string) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.AcceptUnix()
			if err != nil {
				return
			}
			in := bufio.NewReader(c)
			_, _ = in.Peek(1)
			r.Take(c, in)
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
}

// The socket takes the same requests, with the same guards, also where the port is taken.
func TestUnixSocket(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	r := &rig{turns: make(chan Turn, 10), avatar: &doll{}}
	r.Server = New(Options{Port: taken.Addr().(*net.TCPAddr).Port, Avatar: r.avatar, Turns: r, Presence: r})
	r.Start(context.Background())
	defer r.Close()
	path := filepath.Join(t.TempDir(), "s")
	socketOf(t, r, path)
	client := http.Client{Timeout: limit, Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	for _, c := range []struct {
		method, url, body, origin string
		want                      int
	}{
		{"GET", "http://localhost/avatar/state", "", "", 200},
		{"POST", "http://localhost/signals", sigBody, "", 200},
		{"GET", "http://evil.test/avatar/state", "", "", 421},
		{"GET", "http://localhost/avatar/state", "", "http://evil.test", 403},
		{"POST", "http://localhost/signals", strings.Repeat("x", maxBody+1), "", 400},
	} {
		req, err := http.NewRequest(c.method, c.url, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if c.origin != "" {
			req.Header.Set("Origin", c.origin)
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.url, res.StatusCode, c.want)
		}
	}
	if got := r.turn(t); len(got.Lines) != 1 {
		t.Errorf("%+v", got)
	}
	r.Close()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(limit))
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\n\r\n"); err == nil {
		if _, err := io.ReadAll(c); os.IsTimeout(err) {
			t.Error("a server that has ended keeps connections")
		}
	}
}

// A report goes to the socket of the pet, and where she does not run to nobody: whoever has her port hears nothing.
func TestHookPrefersSocket(t *testing.T) {
	path := toolsOf(t, "jq")
	r := newRig(t, nil)
	report := func(env ...string) {
		t.Helper()
		event, err := os.ReadFile("testdata/claude-stop.json")
		if err != nil {
			t.Fatal(err)
		}
		full, err := filepath.Abs(filepath.Join(scripts, "claude-code.sh"))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(full)
		cmd.Stdin, cmd.Env = bytes.NewReader(event), append([]string{"PATH=" + path}, env...)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v, said %q", env, err, out)
		}
	}
	home, run, data := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(run, "yui"), filepath.Join(data, "yui")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		socket string
		env    []string
	}{
		{filepath.Join(home, "yui.sock"), []string{"YUI_HOME=" + home, "XDG_RUNTIME_DIR=" + run}},
		{filepath.Join(run, "yui", "yui.sock"), []string{"XDG_RUNTIME_DIR=" + run, "HOME=" + home}},
		{filepath.Join(data, "yui", "yui.sock"), []string{"XDG_RUNTIME_DIR=/nowhere", "XDG_DATA_HOME=" + data}},
	} {
		socketOf(t, r, c.socket)
		report(c.env...)
		if got := r.turn(t); got.Event != "agent.done" {
			t.Errorf("%v: %+v", c.env, got)
		}
	}
	l, err := net.Listen("tcp4", "127.0.0.1:8770")
	if err != nil {
		t.Skip("the usual port is taken")
	}
	heard := make(chan struct{}, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			c.Close()
			heard <- struct{}{}
		}
		close(heard)
	}()
	report("XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+home)
	l.Close()
	if _, ok := <-heard; ok {
		t.Error("the report went to whoever has the port")
	}
}
