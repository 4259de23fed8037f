//go:build !windows && !darwin

package main_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"yui/platform/desktoptest"
)

// told waits for a bubble that holds all of the words.
func (y *instance) told(words ...string) {
	y.t.Helper()
	var bubble string
	desktoptest.WaitFor(y.t, settleWait, "a bubble with "+strings.Join(words, ", "), func() bool {
		bubble = y.state().Presets[0].Talk.Bubble
		for _, w := range words {
			if !strings.Contains(bubble, w) {
				return false
			}
		}
		return true
	})
}

// TestStartsThatGoWrong has files as they must not be. Whoever starts YUI from a menu sees no terminal.
func TestStartsThatGoWrong(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true})
	desk.StartNotifications(t)
	t.Run("settings that do not read", func(t *testing.T) {
		y := prepare(t, desk, "LANG=ko_KR.UTF-8")
		y.config("[chat]\nbase_url = = 'x'\n")
		y.rules("[[rule]]\nx = 1\n")
		if err := os.Mkdir(filepath.Join(y.home, ".env"), 0o700); err != nil {
			t.Fatal(err)
		}
		y.spawn()
		desktoptest.WaitFor(t, startWait, "an answer", func() bool { _, err := y.ask("state"); return err == nil || !y.alive() })
		y.told("설정에 잘못된 곳이", "config.toml: line 2", ".env: is a directory", "rules.toml: line 1")
		if y.state().Backend.API != "companion" {
			t.Error("the defaults do not hold")
		}
		y.quit()
	})
	t.Run("an address that is none", func(t *testing.T) {
		const sentence = "The address of the chat server does not read as one"
		y := prepare(t, desk)
		y.config("[chat]\nbase_url = 'ftp://person:secret@host'\n[window]\ntheme = 'pink'\n")
		y.start()
		y.told(sentence, "window.theme")
		if r := y.run("say", "hello"); r.code != 1 || !strings.Contains(r.err, sentence) {
			t.Errorf("%+v", r)
		}
		if s := y.state(); s.Backend.Ready || !strings.Contains(s.Backend.Error, sentence) {
			t.Errorf("%+v", s.Backend)
		}
		if r := y.run("doctor"); r.code != 1 || !regexp.MustCompile(`(?m)^fail  chat .*ftp://host`).MatchString(r.out) || strings.Contains(r.out, "secret") {
			t.Errorf("%+v", r)
		}
		y.quit()
	})
	t.Run("a database that another program keeps locked", func(t *testing.T) {
		y := launch(t, desk)
		y.must("say", "hello")
		y.quit()
		unlock := y.lockStore()
		y.start()
		y.told("Another program keeps it locked")
		if y.state().Store.Error == "" {
			t.Error("yui state does not say it")
		}
		if y.must("say", "hello") == "" {
			t.Error("she does not answer")
		}
		unlock()
		if r := y.run("doctor"); !strings.Contains(r.out, "warn  database") || r.code != 0 {
			t.Errorf("%+v", r)
		}
		y.quit()
		y.start()
		if got := y.must("history"); strings.Count(got, "user: hello") != 1 {
			t.Errorf("what was in the file: %s", got)
		}
		y.quit()
	})
	t.Run("a database that is locked in the middle", func(t *testing.T) {
		y := launch(t, desk)
		y.expected = append(y.expected, regexp.MustCompile(`msg="save .*database is locked`))
		y.must("say", "hello")
		unlock := y.lockStore()
		y.must("say", "the red kite")
		y.told("it is tried again with the next turn")
		unlock()
		y.must("say", "and now")
		if got := y.must("history", "red kite"); !strings.Contains(got, "the red kite") {
			t.Errorf("lost: %s", got)
		}
		y.quit()
	})
	t.Run("a database of a newer version", func(t *testing.T) {
		y := launch(t, desk)
		y.quit()
		db := y.openStore()
		if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"); err != nil {
			t.Fatal(err)
		}
		db.Close()
		y.start()
		y.told("A newer YUI has written it")
		y.quit()
	})
	for name, env := range map[string]string{"no display": "DISPLAY=", "a display that is not there": "DISPLAY=:4711"} {
		t.Run(name, func(t *testing.T) {
			before := desk.Notifications()
			if r := prepare(t, desk, env).run(); r.code != 1 || r.err == "" {
				t.Errorf("%+v", r)
			}
			desktoptest.WaitFor(t, settleWait, "a notification", func() bool { return desk.Notifications() == before+1 })
		})
	}
	t.Run("a folder that takes nothing", func(t *testing.T) {
		y := prepare(t, desk)
		file := filepath.Join(y.home, "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		y.home = file // no folder, whoever asks
		before := desk.Notifications()
		if r := y.run(); r.code != 1 || !strings.Contains(r.err, syscall.ENOTDIR.Error()) {
			t.Errorf("%+v", r)
		}
		desktoptest.WaitFor(t, settleWait, "a notification", func() bool { return desk.Notifications() == before+1 })
	})
	t.Run("presets that are no folder", func(t *testing.T) {
		y := prepare(t, desk)
		if err := os.WriteFile(filepath.Join(y.home, "presets"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		y.start()
		y.told("presets", syscall.ENOTDIR.Error())
		y.quit()
	})
}

func (y *instance) openStore() *sql.DB {
	y.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(y.home, "yui.db")+"?_busy_timeout=5000")
	if err != nil {
		y.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// lockStore does as a backup program does that holds the database for long.
func (y *instance) lockStore() (unlock func()) {
	y.t.Helper()
	db := y.openStore()
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		y.t.Fatal(err)
	}
	return func() {
		if _, err := db.Exec("ROLLBACK"); err != nil {
			y.t.Error(err)
		}
		db.Close()
	}
}
