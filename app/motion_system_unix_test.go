//go:build unix && !darwin

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

func TestInstant(t *testing.T) {
	for text, want := range map[string]bool{
		"[KDE]\nAnimationDurationFactor=0\n":                                      true,
		"[General]\nx=1\n[KDE]\nSingleClick=false\nAnimationDurationFactor = 0.0": true,
		"[KDE]\nAnimationDurationFactor=0.5\n":                                    false,
		"[KDE]\nAnimationDurationFactor=1\n":                                      false,
		"[KDE]\nAnimationDurationFactor=\n":                                       false,
		"[Other]\nAnimationDurationFactor=0\n":                                    false,
		"":                                                                        false,
	} {
		if got := instant(strings.NewReader(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The desktop is asked by its own program; where that is not there, things move.
func TestDesktopIsAsked(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if reduced() {
		t.Error("nothing moves though nobody was asked")
	}
	for _, says := range []string{"true", "false"} {
		script := "#!/bin/sh\n[ \"$*\" = 'get org.gnome.desktop.interface enable-animations' ] && echo " + says + "\n"
		if err := os.WriteFile(filepath.Join(dir, "gsettings"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := reduced(); got != (says == "false") {
			t.Errorf("enable-animations %s: %v", says, got)
		}
	}
}
