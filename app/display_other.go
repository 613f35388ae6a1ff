//go:build !((linux && !android) || freebsd || netbsd || openbsd)

package app

import "os"

// guestOfHost tells whether the program was started as a guest of a virtualization host, which
// needs no display.
func guestOfHost() bool { return vmGuestBuild && os.Getenv("EBITENGINE_VM_ENDPOINT") != "" }

// displayPresent returns nil: on these systems a window can always be asked for.
func displayPresent() error { return nil }
