package browser

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // a script may write pictures of its own
	_ "image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"yui/tools"
)

const (
	folderPrefix = "yui-browser-"
	shotsKept    = 4
	shotBytes    = 64 << 20 // a file over this is not read: a script may write anything
	shotPixels   = 40 << 20 // nor a picture over this; a 4K screen at double density has 33 million
	nameLimit    = 80       // code points of a file name that a note shows
	// leftoverAge is older than any run can be, whichever process has the id in the folder's name by now.
	leftoverAge = 10 * time.Minute
)

// makeFolder makes the screenshot folder of a call, for the user alone.
func (r *Relay) makeFolder() (string, error) {
	name := fmt.Sprintf("%s%d-%d-%d", folderPrefix, os.Getpid(), time.Now().UnixNano(), r.made.Add(1))
	path, err := filepath.Abs(filepath.Join(r.temp, name))
	if err != nil {
		return "", err
	}
	return path, os.Mkdir(path, 0o700)
}

// removeFolder removes a folder, those in it that a script locked too.
func removeFolder(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700) // before it is read
		}
		return nil
	})
	return os.RemoveAll(path)
}

// shots is what a run left in its folder.
type shots struct {
	images     []string // data URLs
	dropped    int
	unreadable []string // names
}

// collect reads a folder in the order of file names and keeps the last four. It follows no link and opens nothing but
// regular files.
func collect(folder string) shots {
	var s shots
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.unreadable = append(s.unreadable, "the folder")
	}
	files := make([]fs.DirEntry, 0, len(entries))
	for _, e := range entries {
		if !e.IsDir() {
			files = append(files, e)
		}
	}
	s.dropped = max(0, len(files)-shotsKept)
	for _, e := range files[s.dropped:] {
		url, err := picture(filepath.Join(folder, e.Name()))
		if err != nil {
			s.unreadable = append(s.unreadable, e.Name())
			continue
		}
		s.images = append(s.images, url)
	}
	return s
}

// notes says what the pictures do not show. File names are a script's to choose: they are quoted, so that none can look
// like a line of ours.
func (s shots) notes() []string {
	var notes []string
	switch {
	case s.dropped == 1:
		notes = append(notes, "1 earlier screenshot was dropped: the last 4 are kept")
	case s.dropped > 1:
		notes = append(notes, strconv.Itoa(s.dropped)+" earlier screenshots were dropped: the last 4 are kept")
	}
	if len(s.unreadable) > 0 {
		names := make([]string, len(s.unreadable))
		for i, name := range s.unreadable {
			short := []rune(strings.ToValidUTF8(name, "\uFFFD"))
			if len(short) > nameLimit {
				short = append(short[:nameLimit-1], '…')
			}
			names[i] = strconv.Quote(string(short))
		}
		notes = append(notes, "could not be read: "+strings.Join(names, ", "))
	}
	return notes
}

// picture reads a file as a JPEG data URL.
func picture(path string) (url string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("decode picture: %v", p)
		}
	}()
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > shotBytes {
		return "", errors.New("read picture: not a file, or too large")
	}
	file, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, shotBytes)) // it may still grow
	if err != nil {
		return "", err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > shotPixels/config.Height {
		return "", fmt.Errorf("decode picture: %d by %d pixels", config.Width, config.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	return tools.PictureURL(onWhite(img))
}

// onWhite puts a picture with transparent parts on white, as a page would be; JPEG would make them black.
func onWhite(img image.Image) image.Image {
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return img
	}
	white := image.NewRGBA(img.Bounds())
	draw.Draw(white, white.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(white, white.Bounds(), img, img.Bounds().Min, draw.Over)
	return white
}

// CleanUp removes the screenshot folders that dead runs left in a temp folder (the system's where it is ""), and returns
// how many. A folder of another process that lives is kept, since two instances may share a temp folder
// (docs/rules/tools.md#browser), unless it is older than any run. To be called at start, before the first call.
func CleanUp(temp string) (removed int, err error) {
	if temp == "" {
		temp = os.TempDir()
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		return 0, fmt.Errorf("read temp folder: %w", err)
	}
	var failures []error
	for _, e := range entries {
		pid, made, ok := parseFolder(e.Name())
		if !ok || !e.IsDir() {
			continue
		}
		old := time.Since(made) > leftoverAge
		if pid != os.Getpid() && !old && alive(pid) {
			continue
		}
		if err := removeFolder(filepath.Join(temp, e.Name())); err != nil {
			failures = append(failures, fmt.Errorf("remove leftover folder: %w", err))
			continue
		}
		removed++
	}
	return removed, errors.Join(failures...)
}

// parseFolder reads a folder's name.
func parseFolder(name string) (pid int, made time.Time, ok bool) {
	rest, ok := strings.CutPrefix(name, folderPrefix)
	parts := strings.Split(rest, "-")
	if !ok || len(parts) != 3 {
		return 0, time.Time{}, false
	}
	pid, err1 := strconv.Atoi(parts[0])
	nanos, err2 := strconv.ParseInt(parts[1], 10, 64)
	_, err3 := strconv.ParseUint(parts[2], 10, 64)
	if err := errors.Join(err1, err2, err3); err != nil || pid <= 0 {
		return 0, time.Time{}, false
	}
	return pid, time.Unix(0, nanos), true
}
