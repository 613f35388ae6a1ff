//go:build unix && !darwin

package app

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// patience is how long the desktop's settings may take to answer.
const patience = 2 * time.Second

// reduced asks KDE's settings file and GNOME's settings, which other desktops share.
func reduced() bool {
	if f, err := os.Open(filepath.Join(xdg.ConfigHome, "kdeglobals")); err == nil {
		defer f.Close()
		if instant(f) {
			return true
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "gsettings", "get", "org.gnome.desktop.interface", "enable-animations").Output()
	return err == nil && strings.TrimSpace(string(out)) == "false"
}

// instant reports whether KDE's settings ask that animations take no time.
func instant(r io.Reader) bool {
	section := ""
	for lines := bufio.NewScanner(io.LimitReader(r, 1<<20)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if section == "[KDE]" && strings.TrimSpace(name) == "AnimationDurationFactor" {
			return strings.Trim(strings.TrimSpace(value), "0.") == "" && strings.Contains(value, "0")
		}
	}
	return false
}
