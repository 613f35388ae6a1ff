package view

import (
	"encoding/binary"

	"framescope/model"
)

// Path is a chain of calls in a flame graph, from the outermost in. The zero value is none. Paths
// are equal when they are the same, so that one can go back to them.
type Path struct {
	// Of is the root of the graph: a collector, NoCollector for everything.
	Of model.CollectorID
	// Track is its thread, NoTrack for several added up.
	Track model.TrackID
	calls string // the collectors, 4 bytes each
}

// PathOf returns a chain of calls as a path, none for an empty one.
func PathOf(of model.CollectorID, track model.TrackID, chain []model.CollectorID) Path {
	if len(chain) == 0 {
		return Path{}
	}
	calls := make([]byte, 0, 4*len(chain))
	for _, c := range chain {
		calls = binary.LittleEndian.AppendUint32(calls, uint32(c))
	}
	return Path{Of: of, Track: track, calls: string(calls)}
}

// None reports whether it is no path.
func (p Path) None() bool { return p.calls == "" }

// Append appends the path's collectors, the outermost first.
func (p Path) Append(dst []model.CollectorID) []model.CollectorID {
	for i := 0; i+4 <= len(p.calls); i += 4 {
		dst = append(dst, p.at(i))
	}
	return dst
}

// Last returns the innermost collector, NoCollector of none.
func (p Path) Last() model.CollectorID {
	if p.None() {
		return model.NoCollector
	}
	return p.at(len(p.calls) - 4)
}

func (p Path) at(i int) model.CollectorID {
	return model.CollectorID(uint32(p.calls[i]) | uint32(p.calls[i+1])<<8 | uint32(p.calls[i+2])<<16 | uint32(p.calls[i+3])<<24)
}

// SelectPath is SelectCollectorOf of the innermost collector of a path on a thread: of its bars in
// a flame graph it is this one from which keys go on.
func (v *View) SelectPath(id model.TrackID, p Path) {
	if p.None() {
		return
	}
	if p != v.path {
		v.chooses(false)
	}
	v.SelectCollectorOf(id, p.Last())
	v.path = p
}

// Path returns the selected call path, or none if another collector is selected now.
func (s *selection) Path() Path {
	if s.path.None() || s.path.Last() != s.Collector() {
		return Path{}
	}
	return s.path
}

// FocusOn fills flame graphs with a path of calls, with everything for none. Back returns.
func (v *View) FocusOn(p Path) {
	if p != v.focus {
		v.chooses(false)
		v.focus = p
	}
}

// Focus returns the path of calls that flame graphs are filled with, none for everything. It
// belongs to the thread that it names: graphs of others show everything.
func (s *selection) Focus() Path { return s.focus }
