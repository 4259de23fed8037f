//go:build linux

package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// keeperThatGoes plays keepers that end while somebody connects, and counts how often the first question is asked.
const keeperThatGoes = `
const { createServer } = await import('node:net');
const { begin, connected } = await import(process.argv[1] + '/link.mjs');
const { keeperAddress } = await import(process.argv[1] + '/home.mjs');
let answers, asked;
const server = createServer((c) => c.on('data', () => { const a = answers[asked++]; a ? c.write(JSON.stringify(a) + '\n') : c.destroy(); }).on('error', () => {}));
await new Promise((resolve) => server.listen(keeperAddress().socket, resolve));
for (answers of [[{ n: 1 }], [null, { n: 2 }], [null, null, { n: 3 }], [{ error: 'no' }, { n: 4 }]]) {
  asked = 0;
  let got;
  try {
    const { link, answer } = await begin(connected, { op: 'open' });
    got = answer.n;
    link.close();
  } catch (e) { got = e.message; }
  console.log(asked, got);
}
await new Promise((resolve) => server.close(resolve));
console.log(await begin(connected, { op: 'open' }));
`

// The first question of a link is asked again once where the keeper went away, and never where it has answered.
func TestKeeperEndsMeanwhile(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	lib, err := filepath.Abs("../../contrib/ego-browser/lib")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", keeperThatGoes, lib)
	cmd.Env = append(os.Environ(), "YUI_EGO_HOME="+home, "XDG_RUNTIME_DIR="+home)
	out, err := cmd.CombinedOutput()
	const want = "1 1\n2 2\n2 ask keeper: it is gone\n1 no\nnull\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// Nobody else on this computer finds the browser: it listens at no port, and its sockets are the person's alone.
func TestChromiumListensNowhere(t *testing.T) {
	b := chromium(t, ample)
	wantText(t, b.call(context.Background(), "yui", `await task.page()`), success())
	out, err := exec.Command("pgrep", "-f", adapter.home).Output()
	if err != nil {
		t.Fatal(err)
	}
	listening := map[string]string{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(table)
		if err != nil {
			continue // no IPv6 here
		}
		for line := range bytes.Lines(b) {
			if f := strings.Fields(string(line)); len(f) > 9 && f[3] == "0A" {
				listening["socket:["+f[9]+"]"] = f[1]
			}
		}
	}
	looked := 0
	for _, pid := range strings.Fields(string(out)) {
		files, err := filepath.Glob("/proc/" + pid + "/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			to, err := os.Readlink(file)
			if err != nil {
				continue
			}
			looked++
			if at, is := listening[to]; is {
				t.Errorf("process %s listens at %s", pid, at)
			}
		}
	}
	if looked < 20 {
		t.Errorf("only %d files of it were looked at", looked)
	}
	sockets, err := filepath.Glob(filepath.Join(adapter.home, "run", "yui-ego-browser", "*"))
	if err != nil || len(sockets) < 2 {
		t.Fatalf("%v %v", sockets, err)
	}
	for _, path := range sockets {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", path, info, err)
		}
	}
}
