// Package framescope writes and reads Framescope's own session files (.framescope): the
// definitions and batches of a source, in order of arrival. A file holds a session of any source,
// whole or in part.
//
// The file is a journal (see net/journal) of the source Kind; FORMAT.md describes the records in it.
package framescope

import "path/filepath"

// Kind is the Source in the description (journal.Meta) of such a journal.
const Kind = "framescope"

// Extension is what names of session files end in.
const Extension = ".framescope"

// IsName reports whether a file of that name is, or is to be, a session file.
func IsName(path string) bool { return filepath.Ext(path) == Extension }

// The keys of attachments of a session, each in the form of a file of its own.
const (
	Bookmarks = "bookmarks" // as beside a recording (see model/place)
	Budgets   = "budgets"   // a budget file (see model/budget)
	Workspace = "workspace" // as the window saves one (see app/workspace)
)

// version is the first byte of a chunk.
const version = 3

// The items of a chunk. Definitions have the tag of their type in definitionTypes.
const tagBatch = 1

// Flags of a batch.
const (
	flagFrame = 1 << iota
	flagOpen
	flagRewind
	flagAnew
)

const (
	chunkBytes = 128 << 10 // of items and columns, after which a chunk is written
	firstBytes = 32 << 10  // of the first chunk
	// part of all that was written which a chunk has at most: a lost one leaves the rest of a small file
	chunkShare = 2
	spanBytes  = 16        // that a span counts for
	selfBytes  = 8         // that a self time counts for
	mostChunk  = 256 << 20 // bytes of a chunk that a reader takes, unless its memory is limited
	chunkParts = 32        // of the memory limit that a chunk may take
	mostTracks = 1 << 16   // whose frames are followed
)
