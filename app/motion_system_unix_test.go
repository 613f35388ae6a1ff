//go:build unix && !darwin

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
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
		testkit.Equal(t, instant(strings.NewReader(text)), want, "%q", text)
	}
}

// The desktop is asked by its own program; where that is not there, things move.
func TestDesktopIsAsked(t *testing.T) {
	testkit.SetXDG(t, "XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	testkit.That(t, !reduced(), "nothing moves though nobody was asked")
	for _, says := range []string{"true", "false"} {
		script := "#!/bin/sh\n[ \"$*\" = 'get org.gnome.desktop.interface enable-animations' ] && echo " + says + "\n"
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "gsettings"), []byte(script), 0o755))
		testkit.Equal(t, reduced(), says == "false", "enable-animations %s", says)
	}
}
