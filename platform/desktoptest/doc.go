//go:build !windows && !darwin

// Package desktoptest starts a private virtual desktop: X server, session bus, window manager, compositor, tray host and
// wallpaper, with a home folder of its own. Tests get one by Start; programs (the demonstration) by Launch.
//
//	d := desktoptest.Start(t, desktoptest.Options{WM: "openbox", Compositor: true, Tray: desktoptest.TrayPanel})
//	term := d.XTerm(t, "notes", 200, 150, 60, 20) // a real xterm, mapped and framed
//	term.MoveTo(400, 200)
//	d.Click(410, 230, 1)
//	picture, err := d.Screenshot()
//
// Nothing of the calling process's environment is changed unless a test asks for it by Setenv. Only processes that the
// desktop itself started are ever ended, by their process group; they also end when the calling process dies.
package desktoptest
