//go:build !windows && !darwin

package main_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestStorm opens and closes 200 windows, some of them odd, while she sits on one that stays.
func TestStorm(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := launch(t, desk)
	desk.MovePointer(5, 5)
	term := desk.XTerm(t, "notes", 60, 420, 50, 12)
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
	y.sits(term)
	before := y.memory()

	const windows, alive = 200, 12
	odd := []desktoptest.Spec{
		{Title: "plain", Class: "Plain"}, {Title: "\xff\xfe broken \xc3", Class: "Bro\xffken"}, {Title: strings.Repeat("long ", 20000), Class: "Long"},
		{Title: "two\nlines\x00and", Class: "Lines"}, {}, {Override: true, Title: "override"}, {NoDecor: true, Class: "Bare"},
		{Type: "_NET_WM_WINDOW_TYPE_UTILITY", Title: "utility"}, {GTKFrame: []uint32{20, 20, 16, 24}, NoDecor: true, Class: "Shadow"},
	}
	var open []*desktoptest.Window
	for i := range windows {
		spec := odd[i%len(odd)]
		spec.X, spec.Y, spec.W, spec.H, spec.Colour = 560+(i*37)%400, 20+(i*53)%500, 120+i%90, 80+i%70, uint32(0x203040+i*0x010307)
		w, err := desk.OpenWindow(spec)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, w)
		switch i % 9 {
		case 3:
			open[0].SetTitle(fmt.Sprint("title ", i))
		case 5:
			w.Minimise()
		case 7:
			open[len(open)/2].Nudge(600+i, 30+i)
		}
		if len(open) > alive {
			open[0].Close()
			open = open[1:]
		}
		if i%50 == 49 {
			if p := y.pet(); !seated(p, term.Frame()) {
				t.Fatalf("after %d windows she is %+v", i+1, p)
			}
		}
	}
	if got := y.must("call", "look", `{"at":"perch_targets"}`); !strings.Contains(got, `"XTerm"`) {
		t.Errorf("perch targets in the storm: %.300s", got)
	}
	for _, w := range open {
		w.Close()
	}
	y.sits(term)
	if grown := y.memory() - before; !raceBinary() && grown > 60<<20 {
		t.Errorf("the storm cost %d MB of memory", grown>>20)
	}
	if targets := y.must("call", "look", `{"at":"perch_targets"}`); strings.Count(targets, `"rect"`) != 1 {
		t.Errorf("after the storm: %.500s", targets)
	}
}

// memory is the resident memory of the process in bytes.
func (y *instance) memory() int {
	y.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", y.cmd.Process.Pid))
	if err != nil {
		y.t.Skip("no /proc: ", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(b))[1])
	if err != nil {
		y.t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
