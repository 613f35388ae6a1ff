package trace

import (
	"strings"

	"framescope/model"
)

// Files gives the files of functions collectors of their own, below which the functions stand.
type Files struct {
	Names *Table
	paths map[string]string // by what they are shown as
}

// Collector returns the collector of a file, a path or URL as it stands in a JSON text, and what it is
// shown as. It is Root where there is none.
func (x *Files) Collector(path []byte) (c model.CollectorID, shown string) {
	if len(path) == 0 {
		return Root, ""
	}
	shown = x.shown(JSONText(path))
	c = x.Names.Group(path, func() string { return shown })
	if c == Other {
		c = Root
	}
	return c, shown
}

// shown is what a file is called: its name alone, where no other has it.
func (x *Files) shown(url string) string {
	path := strings.TrimPrefix(url, "file://")
	base, _, _ := strings.Cut(path, "?")
	if at := strings.LastIndexByte(base, '/'); at >= 0 && at+1 < len(base) && !strings.HasPrefix(base, "node:") {
		base = base[at+1:]
	}
	if x.paths == nil {
		x.paths = map[string]string{}
	}
	if of, ok := x.paths[base]; ok && of != url {
		return path
	}
	x.paths[base] = url
	return base
}
