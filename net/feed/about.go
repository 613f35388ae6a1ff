package feed

// About describes a source for lists of formats: README's table of formats and the help of the command
// open. It does not cover abilities: sources and recordings report those themselves.
type About struct {
	// Title is the name of the format; a page of docs/sources with this title describes it.
	Title string
	// Writers are the programs and libraries that write the format, by the names that their users
	// know.
	Writers string
	// Ends are the usual endings of file names, the most usual first, without those of compression.
	// They are for people: files are recognised by content, not by name. nil: it is a folder, or no
	// name is usual.
	Ends []string
	// Live is the rest of the command after "framescope " that shows programs as they run; empty:
	// there is none.
	Live string
	// Chosen reports whether frames can be made of the calls of a name (Frames).
	Chosen bool
}
