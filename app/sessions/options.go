package sessions

import (
	"framescope/app/launch"
	"framescope/app/load"
)

// Options are the addresses, files and storage of sessions.
type Options struct {
	// Listen is the address, HOST:PORT, on which PStats clients are awaited; empty: none.
	Listen string
	// Files are recordings to open.
	Files []string
	// Unopened are named files that cannot be opened. They are shown with the reason.
	Unopened []Unopened
	// Inputs bring in recordings while they are being made.
	Inputs []launch.Input
	// Sources says how the kinds of recordings are to be read.
	Sources load.Sources
	// Record is a file for the first live session, from its first data on; the second goes to that name
	// with -2 before its extension, and so on; empty: none. Force allows to replace an existing file.
	Record string
	Force  bool
	// RecordNot are files and folders that are read, and that Force lets nothing replace.
	RecordNot []string
	// DiskLimit is the disk space for all kept sessions, in bytes, 0: none is kept; nil: the setting.
	DiskLimit *int64
	// MemoryLimit bounds the resident memory of the program, in bytes, besides its use with nothing
	// loaded: see app/memory. The oldest data leave first. 0 means the setting, or memory.Default.
	MemoryLimit int64
	// Demo reports that a built-in game is running, so the view waits for it instead of explaining how
	// to connect one. Listening reports where: the demo's client connects to the address passed to
	// Started.
	Demo bool
	// Page reports that the viewer is a page in a browser: no program connects to it, and it keeps no sessions on disk.
	Page bool
	// Started is called once when clients can connect, with the actual address. It must not block. If
	// another program has the address, that is later, on another goroutine, or never.
	Started func(address string)
	// Deterministic makes pictures repeatable: time goes by ticks, files are loaded before the
	// first picture, nothing that is measured by a clock is shown, and nothing is written to disk.
	Deterministic bool
}

// Unopened is a file that cannot be opened.
type Unopened struct {
	Path string
	Err  error
}
