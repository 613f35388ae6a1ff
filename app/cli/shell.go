// Shared parts of the commands: their output and errors, their flags for memory, disk and recordings,
// and how they read recordings and listen to games. This code depends on no command.

package cli

import (
	"io"
	"sync/atomic"

	"framescope/model/store"
)

// Streams are the outputs of a command, and its common flags.
type Streams struct {
	Out     *Output
	Err     io.Writer
	Profile string
	Memory  string
	Disk    string
	Strict  bool         // what a limit left out, or a recorder lost, is a failure
	store   *store.Store // of recordings that are read whole
	told    bool         // the problems of the settings were reported
	left    bool         // the sessions of killed viewers were reported: see TellLeft
	damaged atomic.Bool  // see Damaged
	unread  []string     // the reports on that
}
