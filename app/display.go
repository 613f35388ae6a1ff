// This file reports whether a window can be shown here. It depends on the environment only.

package app

import "os"

// Guest reports whether the program was started as a guest of a virtualization host, which
// needs no display.
func Guest() bool { return guestBuild && os.Getenv("EBITENGINE_VM_ENDPOINT") != "" }
