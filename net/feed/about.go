package feed

// About is what lists of formats say of a source: README's table of formats and the help of the
// command open. What a source can do is no part of it: that is asked of the source, or of recordings.
type About struct {
	// Title is what the format is called; a page of docs/sources with this title describes it.
	Title string
	// Writers are the programs and libraries that write it, as those who use them call them.
	Writers string
	// Ends are how names of such files usually end, the most usual first, without what a compressed
	// one ends with. They are for people: what a file is, is told by its content. nil: it is a folder,
	// or no name is usual.
	Ends []string
	// Live is what follows "framescope " in the command that shows programs as they run; empty: there
	// is none.
	Live string
	// Chosen tells that frames can be made of the calls of a name (Frames).
	Chosen bool
}

// Growing reports whether a source reads recordings also while they are being written.
func Growing(s Source) bool {
	switch s.(type) {
	case Streamer, FolderFollower:
		return true
	}
	return false
}

// Folders reports whether recordings of a source are folders.
func Folders(s Source) bool {
	_, ok := s.(FolderSource)
	return ok
}
