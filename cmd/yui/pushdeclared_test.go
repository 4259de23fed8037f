//go:build !windows && !darwin

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"yui/platform/desktoptest"
	"yui/tools/mcp/mcptest"
)

// TestPushDeclares compares the bytes that hello declares for the main pet and for another one over every switch, that of
// an MCP server included: a switch decides what a call answers, never what is declared.
func TestPushDeclares(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	backend := &puppets{links: make(chan *puppet, 20)}
	server := httptest.NewServer(backend)
	defer server.Close()
	y := prepare(t, desk)
	argv, err := json.Marshal(append(mcptest.Everything(t), "stdio"))
	if err != nil {
		t.Fatal(err)
	}
	y.config(fmt.Sprintf("language = \"en\"\n[chat]\napi = \"push\"\nbase_url = %q\n[mcp.everything]\ncommand = %s\n", server.URL, argv))
	y.start()
	y.must("open", "momo")
	y.must("set", "yui.mcp_everything", "true")
	y.wait(commandWait, "the server", func(p pet) bool { return strings.HasPrefix(p.Talk.Bubble, "everything is on, with ") })
	y.quit()
	y.start()
	links := []*puppet{backend.next(t), backend.next(t)}
	greeted := func() string { // every connection is cut, and each pet greets anew
		for _, p := range links {
			_ = p.conn.CloseNow()
		}
		links = []*puppet{backend.next(t), backend.next(t)}
		slices.SortFunc(links, func(a, b *puppet) int { return strings.Compare(fmt.Sprint(a.lists), fmt.Sprint(b.lists)) })
		return links[0].tools + "\n" + links[1].tools
	}
	before := greeted()
	if strings.Count(before, `"rate_relation"`) != 2 || !strings.Contains(before, `"mcp_everything_echo"`) {
		t.Fatalf("hello declares %s", before)
	}
	for _, key := range []string{"yui.look_screen", "yui.browser", "yui.camera", "yui.relations", "yui.mcp_everything"} {
		was := y.must("get", key)
		y.must("set", key, map[bool]string{true: "false", false: "true"}[strings.Contains(was, "true")])
		if y.must("get", key) == was || greeted() != before {
			t.Errorf("%s changed what hello declares, or did not change", key)
		}
		y.must("set", key, was)
	}
	if greeted() != before {
		t.Error("a server that is on again changes what hello declares")
	}
}
