//go:build unix

package browser

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/tools"
)

// drainStdin is the start of a command that reads its script.
const drainStdin = "cat >/dev/null\n"

func TestResults(t *testing.T) {
	limits := quick
	limits.Deadline = time.Hour
	for _, c := range []struct{ name, script, want string }{
		{"success", drainStdin + `echo hello >&2; echo unseen`, success("hello")},
		{"silent success", drainStdin, success()},
		{"blank lines inside are kept", drainStdin + `printf '\n a\n\nb \n\n' >&2`, success("", " a", "", "b ")},
		{"throws", drainStdin + `echo "Error: no" >&2; echo "exited with code 1" >&2; exit 1`, failure(resultFailed, "Error: no", "exited with code 1")},
		{"silent failure", drainStdin + `exit 3`, failure(resultFailed)},
		{"killed from outside", drainStdin + `echo half >&2; kill -9 $$`, failure(resultFailed, "half")},
		{"deadline", drainStdin + `echo log >&2; echo "[yui] deadline" >&2; echo "exited with code 124" >&2; exit 124`, failure(resultTimeLimit, "log", "[yui] deadline", "exited with code 124")},
		{"deadline at the end of a line", drainStdin + `printf 'x [yui] deadline\r\nmore' >&2; exit 1`, failure(resultTimeLimit, "x [yui] deadline", "more")},
		{"deadline as the last thing", drainStdin + `printf '[yui] deadline' >&2; exit 1`, failure(resultTimeLimit, "[yui] deadline")},
		{"deadline inside a line", drainStdin + `echo "[yui] deadline!" >&2; exit 1`, failure(resultFailed, "[yui] deadline!")},
		{"deadline and success", drainStdin + `echo "[yui] deadline" >&2`, success("[yui] deadline")},
		{"half a character", drainStdin + `printf 'a\343\201 b\343' >&2`, success("a\uFFFD\uFFFD b\uFFFD")},
		{"our own lines", drainStdin + `echo "error: the script failed" >&2; echo "[screenshots] could not be read: 1" >&2; echo "[screenshots] x" >&2`,
			success("error: the script failed", " [screenshots] could not be read: 1", " [screenshots] x")},
		{"terminal control", drainStdin + `printf '\033[2J\rerror: browser is off\0' >&2`, success("\uFFFD[2J", "error: browser is off\uFFFD")},
		{"stdin closed early", `exec 0<&-; echo hi >&2`, success("hi")},
		{"stdin never read", `echo hi >&2; exit 2`, failure(resultFailed, "hi")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, limits, c.script)
			// More code than a pipe holds, so that writing it needs a reader.
			got := b.call(context.Background(), "yui", "//"+strings.Repeat("x", 300_000))
			wantText(t, got, c.want)
			if Failed(got.Text) != strings.HasPrefix(c.want, "error:") {
				t.Errorf("failed: %v", Failed(got.Text))
			}
			if len(got.Images) > 0 {
				t.Error("images of nothing")
			}
		})
	}
}

func TestGuide(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"guide", `[ "$1" = skill ] && echo "# Guide" && echo "noise" >&2`, "# Guide"},
		{"fails", `echo "# Half"; echo "no guide" >&2; exit 4`, "error: ego-browser skill failed: no guide"},
		{"slow", `exec sleep 30`, "error: ego-browser skill timed out"},
		{"slow with a child that holds the pipes", `sleep 3; echo never`, "error: ego-browser skill timed out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			limits := quick
			if strings.HasPrefix(c.name, "slow") {
				limits.Backstop = 300 * time.Millisecond
			}
			wantText(t, newBench(t, limits, c.script).guide(context.Background()), c.want)
		})
	}
	t.Run("long", func(t *testing.T) {
		b := newBench(t, quick, `head -c 200000 /dev/zero | tr '\0' g`)
		got := b.guide(context.Background()).Text
		if len(got) != textLimit || !strings.HasSuffix(got, "g\n[truncated]") {
			t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-20:])
		}
	})
	t.Run("stopped", func(t *testing.T) {
		b := newBench(t, quick, `touch $DIR/started; exec sleep 30`)
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		done := make(chan tools.Result, 1)
		go func() { done <- b.guide(ctx) }()
		b.appears("started")
		stop()
		wantText(t, get(t, done), resultStopped)
	})
	t.Run("not found", func(t *testing.T) {
		wantText(t, newBench(t, quick, "").guide(context.Background()), resultNotFound)
	})
}

// TestScript is what the command gets: the argument, and the script on stdin, code from line 6.
func TestScript(t *testing.T) {
	b := newBench(t, Limits{}, `echo "$#$1"; cat >$DIR/script; ls -ld "$(sed -n 's/.*path: .\(.*\)\/\${String.*/\1/p' $DIR/script)" >&2`)
	got := b.call(context.Background(), `odd"id`, "await x();\nlast() // no line feed")
	if !strings.HasPrefix(got.Text, untrusted+"\ndrwx------ ") {
		t.Errorf("the screenshot folder is not there, or not ours alone: %q", got.Text)
	}
	script, err := os.ReadFile(filepath.Join(b.dir, "script"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(script), "\n")
	folder := lines[4][strings.Index(lines[4], "`")+1 : strings.Index(lines[4], "/${")]
	want := []string{
		`const __yuiDeadline = setTimeout(() => { console.error("[yui] deadline"); process.exit(124); }, 25000);`,
		`try {`,
		`  const task = await taskSpace("yui-odd\"id");`,
		`  let __yuiShot = 0;`,
		"  const screenshot = (page) => page.screenshot({ path: `" + folder + "/${String(++__yuiShot).padStart(3, \"0\")}.png` });",
		`await x();`,
		`last() // no line feed`,
		`} catch (e) {`,
		`  console.error(String(e?.stack ?? e));`,
		`  process.exit(1);`,
		`} finally {`,
		`  clearTimeout(__yuiDeadline);`,
		`}`,
		``,
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the script is\n%s", got)
	}
	parts := strings.Split(filepath.Base(folder), "-")
	if filepath.Dir(folder) != b.temp || len(parts) != 5 || strings.Join(parts[:2], "-") != "yui-browser" || parts[2] != strconv.Itoa(os.Getpid()) || parts[4] != "1" {
		t.Errorf("the folder is %s", folder)
	}
	if l := (Limits{}).filled(); l != (Limits{25 * time.Second, 28 * time.Second, 32 * time.Second, 500 * time.Millisecond}) {
		t.Errorf("the limits are %v", l)
	}
}

func TestEscapeTemplate(t *testing.T) {
	if got := escapeTemplate("C:\\a`b${c}"); got != "C:\\\\a\\`b\\${c}" {
		t.Error(got)
	}
}

// TestStopped: a stopped turn answers at once, its run goes on, the space stays locked until it ends, and nothing of its
// result is seen.
func TestStopped(t *testing.T) {
	b := newBench(t, quick, `cat >$DIR/in.$$; if grep -q first $DIR/in.$$; then touch $DIR/started; while ! [ -e $DIR/go ]; do sleep 0.05; done; touch $DIR/finished; echo first >&2; else echo other >&2; fi`)
	ctx, stop := context.WithCancel(context.Background())
	first := b.later(ctx, "yui", "first")
	b.appears("started")
	stop()
	wantText(t, get(t, first), resultStopped)
	if b.has("finished") {
		t.Fatal("the run had ended")
	}
	second := b.later(context.Background(), "yui", "second")
	wantText(t, b.call(context.Background(), "momo", "another space is free"), success("other"))

	waiting, stopWaiting := context.WithCancel(context.Background())
	third := b.later(waiting, "yui", "third")
	time.Sleep(50 * time.Millisecond)
	stopWaiting()
	wantText(t, get(t, third), resultStopped)
	select {
	case r := <-second:
		t.Fatalf("the space was free: %q", r.Text)
	default:
	}
	b.put("go")
	wantText(t, get(t, second), success("other"))
	if !b.has("finished") {
		t.Error("the stopped turn's run did not go on to its end")
	}
}

// TestParallel: one preset's calls one at a time, two presets' at once.
func TestParallel(t *testing.T) {
	b := newBench(t, quick, `cat >$DIR/in.$$; s=$(sed -n 's/.*taskSpace("\(.*\)").*/\1/p' $DIR/in.$$)
mkdir $DIR/$s || { echo overlap >&2; exit 1; }
touch $DIR/seen.$s; n=0
if grep -q meet $DIR/in.$$; then while [ $n -lt 200 ] && ! { [ -e $DIR/seen.yui-a ] && [ -e $DIR/seen.yui-b ]; }; do sleep 0.05; n=$((n+1)); done; fi
[ $n -lt 200 ] && echo met >&2; sleep 0.1; rmdir $DIR/$s`)
	ctx := context.Background()
	calls := []<-chan tools.Result{b.later(ctx, "a", "meet"), b.later(ctx, "b", "meet"), b.later(ctx, "a", ""+"again"), b.later(ctx, "a", "again")}
	for _, c := range calls {
		wantText(t, get(t, c), success("met"))
	}
}

// TestBackstop: a killed command is unknown, with what it printed; the next call in the space is told, once.
func TestBackstop(t *testing.T) {
	b := newBench(t, quick, `cat >$DIR/in; trap '' TERM INT HUP; if grep -q hang $DIR/in; then grep -q say $DIR/in && echo so far >&2; exec sleep 30; fi; echo fine >&2`)
	// What is to be killed has little time, what is to end of itself all that a slow machine needs.
	call := func(preset, code string, backstop time.Duration) tools.Result {
		b.relay.limits.Backstop = backstop
		return b.call(context.Background(), preset, code)
	}
	const soon, later = 500 * time.Millisecond, 3 * time.Second
	wantText(t, call("yui", "hang", soon), resultUnknown)
	wantText(t, call("momo", "ok", quick.Backstop), success("fine"))
	wantText(t, call("yui", "ok", quick.Backstop), overlapNote+"\n"+success("fine"))
	wantText(t, call("yui", "ok", quick.Backstop), success("fine"))
	wantText(t, call("yui", "hang, say", later), failure(resultUnknown, "so far"))
	wantText(t, call("yui", "hang, say", later), resultUnknown+"\n"+overlapNote+"\n"+success("so far"))
	wantText(t, call("yui", "ok", quick.Backstop), overlapNote+"\n"+success("fine"))
	if !Failed(resultUnknown) {
		t.Error("unknown is no failure")
	}
}

// TestWait: the call's wait passes while the run goes on, and while another call holds the space.
func TestWait(t *testing.T) {
	limits := quick
	limits.Wait = time.Second
	b := newBench(t, limits, drainStdin+`echo run >>$DIR/runs; while ! [ -e $DIR/go ]; do sleep 0.05; done; echo late >&2`)
	ctx := context.Background()
	first := b.later(ctx, "yui", "x")
	b.appears("runs")
	second := b.later(ctx, "yui", "x")
	wantText(t, get(t, first), resultUnknown)
	wantText(t, get(t, second), resultUnknown)
	b.put("go")
	b.until("the space is free", func() bool { return len(b.relay.space("yui-yui").turn) == 1 })
	if runs, _ := os.ReadFile(filepath.Join(b.dir, "runs")); string(runs) != "run\n" {
		t.Errorf("a call that had answered ran all the same: %q", runs)
	}
}

// TestSwitch: read when the call runs, and again when the space is free.
func TestSwitch(t *testing.T) {
	b := newBench(t, quick, drainStdin+`touch $DIR/started; while ! [ -e $DIR/go ]; do sleep 0.05; done; echo ran >&2`)
	on := make(chan bool, 1)
	on <- true
	enabled := func() bool { v := <-on; on <- v; return v }
	tool := New(Options{Relay: b.relay, Preset: "yui", Enabled: enabled})
	run := func() <-chan tools.Result {
		done := make(chan tools.Result, 1)
		go func() { done <- tool.Run(context.Background(), tools.Call{Args: codeArgs("x")}) }()
		return done
	}
	first := run()
	b.appears("started")
	second := run()
	time.Sleep(50 * time.Millisecond)
	<-on
	on <- false
	b.put("go")
	wantText(t, get(t, first), success("ran"))
	wantText(t, get(t, second), resultOff)
	for _, args := range []string{``, `{}`, `{"code":"x"}`, `{"guide":true}`, `{"guide":true,"code":"x"}`} {
		wantText(t, tool.Run(context.Background(), tools.Call{Args: []byte(args)}), resultOff)
	}
	wantText(t, New(Options{Relay: b.relay}).Run(context.Background(), tools.Call{Args: codeArgs("x")}), resultOff)
}

// asker answers as the test says.
type asker func(ctx context.Context, q tools.Question) bool

func (f asker) Ask(ctx context.Context, q tools.Question) bool { return f(ctx, q) }

// TestAsk: a script that the person is asked for, by the one mechanism of package tools.
func TestAsk(t *testing.T) {
	b := newBench(t, quick, drainStdin+`echo ran >>$DIR/runs`)
	answer := true
	asked := make(chan string, 10)
	var taint tools.Taint
	on := func() bool { return true }
	tool := tools.Guard{Asker: asker(func(_ context.Context, q tools.Question) bool {
		asked <- q.Body
		return answer
	})}.GuardedBy(b.tool("yui"), tools.BrowserRules(lang.In("en"), on, &taint)...)
	run := func(ctx context.Context, code string) tools.Result {
		return tool.Run(ctx, tools.Call{Args: codeArgs(code)})
	}
	wantText(t, run(context.Background(), "unasked"), success())
	taint.Mark(tools.FromSearch)
	wantText(t, run(context.Background(), "one"), success())
	answer = false
	wantText(t, run(context.Background(), "two"), "error: declined by the user")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	wantText(t, run(ctx, "three"), resultStopped)
	if runs, _ := os.ReadFile(filepath.Join(b.dir, "runs")); string(runs) != "ran\nran\n" {
		t.Errorf("ran %q", runs)
	}
	if one, two := <-asked, <-asked; one != "one" || two != "two" {
		t.Errorf("asked %q, then %q", one, two)
	}
}

// TestAskWait: the asking is inside the call's own wait (docs/rules/tools.md#asking). An answer after its end starts nothing.
func TestAskWait(t *testing.T) {
	limits := quick
	limits.Wait = time.Second
	b := newBench(t, limits, drainStdin+`echo run >>$DIR/runs`)
	var taint tools.Taint
	taint.Mark(tools.FromCamera)
	tool := tools.Guard{Asker: asker(func(context.Context, tools.Question) bool {
		time.Sleep(limits.Wait + 10*time.Millisecond)
		return true
	})}.GuardedBy(b.tool("yui"), tools.BrowserRules(lang.In("en"), func() bool { return true }, &taint)...)
	wantText(t, tool.Run(context.Background(), tools.Call{Args: codeArgs("x")}), resultUnknown)
	if b.has("runs") {
		t.Error("a script ran after its call's wait")
	}
}

// TestClose: nothing is left of runs that go on, and later calls are refused.
func TestClose(t *testing.T) {
	b := newBench(t, quick, drainStdin+`touch $DIR/started; exec sleep 30`)
	run := b.later(context.Background(), "yui", "x")
	b.appears("started")
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	if err := b.relay.Close(ctx); err != nil {
		t.Fatal(err)
	}
	get(t, run)
	b.wantNoFolders()
	wantText(t, b.call(context.Background(), "yui", "x"), resultStopped)
	wantText(t, b.guide(context.Background()), resultStopped)
}
