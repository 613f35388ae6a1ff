// File shell.go is what the commands of the command line share: what they print to and how they fail,
// what their flags say of memory, disk and recordings, how recordings are read and games listened to.
// It knows no command.

package cli

import (
	"io"
	"sync/atomic"

	"framescope/model/store"
)

// Streams are what a command prints to, and what its flags say.
type Streams struct {
	Out     *Output
	Err     io.Writer
	Profile string
	Memory  string
	Disk    string
	store   *store.Store // of recordings that are read whole
	told    bool         // what is wrong with the settings
	left    bool         // what viewers that were killed have left is told: see TellLeft
	damaged atomic.Bool  // see Damaged
	unread  []string     // what was told of it
}
