package trace

const (
	// Groups is what the text is called that says what a category of spans is: an object of JSON.
	Groups = "group_info"
	// Cat is its member that has the category, and Path the names that lead to what functions of it belong to, from
	// the outermost on: files, libraries, groups of names.
	Cat  = "cat"
	Path = "path"
	// SpanGroup is the argument of a span beside threads, at its ends, that has what the category of others is: its own
	// says with which others it nests.
	SpanGroup = "span_group"
)

const mostPath = 64

// ReadGroup reads a category and its path, in texts as they stand in the file. ok is false if either is missing.
func ReadGroup(text []byte) (cat []byte, path [][]byte, ok bool) {
	EachJSON(Member(text, Path), func(_, value []byte, _ byte) {
		if len(path) < mostPath {
			path = append(path, value)
		}
	})
	cat = Member(text, Cat)
	return cat, path, len(cat) > 0 && len(path) > 0
}
