package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// commandName is the program that ego lite installs.
const commandName = "ego-browser"

// Find looks ego-browser up: ~/.local/bin first, then PATH. A file of that name that cannot be executed is returned
// where there is no better one, so that starting it says what is wrong; a folder of that name is none. Folders of PATH
// that are not absolute are passed over.
func Find() (path string, found bool) {
	if home, err := os.UserHomeDir(); err == nil {
		if path := filepath.Join(home, ".local", "bin", commandName); isFile(path) {
			return path, true
		}
	}
	if runtime.GOOS == "windows" { // has extensions, which exec knows
		path, err := exec.LookPath(commandName)
		return path, err == nil
	}
	second := ""
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, commandName)
		if !filepath.IsAbs(path) || !isFile(path) {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o111 != 0 {
			return path, true
		}
		if second == "" {
			second = path
		}
	}
	return second, second != ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
