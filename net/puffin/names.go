package puffin

import (
	"encoding/binary"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxText   = 255 // how much of a name counts, in bytes: a scope of a stream can't have more
	nameBytes = 96  // of memory that a name takes besides its text
)

// scopeNames gives scopes their collectors: by their number, whenever it is said what it means, or by name and place.
type scopeNames struct {
	table    *trace.Table
	sink     feed.Sink
	room     *feed.Names
	bad      *trace.Diagnostics
	byNumber map[uint32]*scopeName
	recent   [256]*scopeName   // lookups, by a part of the number
	firsts   map[string]*first // by name
	key      []byte
}

// scopeName holds the name and the collector of a scope's number.
type scopeName struct {
	id          uint32
	collector   model.CollectorID // 0: it was not used yet
	defined     bool
	name, place string
	uses        int64 // before it was defined
}

// first is the first scope of a name. Its place becomes part of its title as soon as there is another.
type first struct {
	collector model.CollectorID
	place     string
	told      bool
}

func newScopeNames(sink feed.Sink, room *feed.Names, bad *trace.Diagnostics) *scopeNames {
	return &scopeNames{
		table: trace.NewTable(sink, room, "All scopes"), sink: sink, room: room, bad: bad,
		byNumber: map[uint32]*scopeName{}, firsts: map[string]*first{},
	}
}

// define takes a definition. The first one counts.
func (n *scopeNames) define(d *scopeDef) {
	s := n.number(d.id)
	if s == nil || s.defined || d.id == 0 {
		return
	}
	name, place := clip(d.name), clip(d.file)
	if len(d.name) == 0 {
		name = clip(d.function)
	}
	if place != "" && d.line > 0 {
		place = fmt.Sprintf("%s:%d", place, d.line)
	}
	if !n.take(len(name) + len(place)) {
		return
	}
	s.defined, s.name, s.place = true, name, place
	if c := s.collector; c > trace.Other { // it was used before
		n.sink.Define(model.CollectorDef{ID: c, Name: n.title(name, place, c), Sort: -1, Place: trace.PlaceOf(place)})
	}
}

// number returns the scope of a number, nil if there is no room.
func (n *scopeNames) number(id uint32) *scopeName {
	slot := &n.recent[id%uint32(len(n.recent))]
	if s := *slot; s != nil && s.id == id {
		return s
	}
	s := n.byNumber[id]
	if s == nil && n.take(0) {
		s = &scopeName{id: id}
		n.byNumber[id] = s
	}
	*slot = s
	return s
}

func (n *scopeNames) take(bytes int) bool {
	ok := n.room.Take(int64(bytes + nameBytes))
	if !ok {
		n.bad.Bad(trace.NoMemoryForNames, trace.Unknown)
	}
	return ok
}

// numbered returns the collector of a scope by its number.
func (n *scopeNames) numbered(id uint32) model.CollectorID {
	s := n.number(id)
	if s == nil {
		return trace.Other
	}
	if s.collector == 0 && s.defined {
		s.collector = n.placed([]byte(s.name), []byte(s.place))
	} else if s.collector == 0 {
		n.key = binary.LittleEndian.AppendUint32(append(n.key[:0], 0), id)
		s.collector = n.table.Keyed(n.key, func() model.CollectorDef {
			return model.CollectorDef{Name: fmt.Sprintf("scope#%d", id)}
		})
	}
	if !s.defined && s.collector != trace.Other {
		s.uses++
	}
	return s.collector
}

// placed returns the collector of a scope by its name and place.
func (n *scopeNames) placed(name, place []byte) model.CollectorID {
	n.key = append(append(append(n.key[:0], name...), 0), place...)
	return n.table.Keyed(n.key, func() model.CollectorDef {
		next := trace.Other + 1 + model.CollectorID(n.table.NumNames())
		return model.CollectorDef{Name: n.title(clip(name), clip(place), next), Place: trace.PlaceOf(clip(place))}
	})
}

// title returns what a collector is called: its name, and its place where others are called so.
func (n *scopeNames) title(name, place string, c model.CollectorID) string {
	f := n.firsts[name]
	switch {
	case f == nil || f.collector == c: // the table had no room for that one, perhaps
		if f != nil || n.take(len(name)+len(place)) {
			n.firsts[name] = &first{collector: c, place: place}
		}
		return name
	case f.place == place:
		return name
	case !f.told:
		f.told = true
		n.sink.Define(model.CollectorDef{
			ID: f.collector, Name: titleAt(name, f.place), Sort: -1, Place: trace.PlaceOf(f.place),
		})
	}
	return titleAt(name, place)
}

// titleAt is a name with the place, short.
func titleAt(name, place string) string {
	if place == "" {
		return name
	}
	return name + " (" + path.Base(strings.ReplaceAll(place, `\`, "/")) + ")"
}

// clip returns what counts of a text.
func clip(b []byte) string { return trace.Shown(string(valid(b[:min(len(b), maxText)]))) }

// valid returns the longest begin of a text that is UTF-8: old writers may have cut a character in two (spec/puffin.md,
// Stream of one thread).
func valid(b []byte) []byte {
	for n := 0; n < len(b); {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			return b[:n]
		}
		n += size
	}
	return b
}

// unnamed returns how many scopes that ran have no name, and how often they ran.
func (n *scopeNames) unnamed() (scopes int, calls int64) {
	for _, s := range n.byNumber {
		if !s.defined && s.uses > 0 {
			scopes, calls = scopes+1, calls+s.uses
		}
	}
	return scopes, calls
}
