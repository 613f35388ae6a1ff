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

// maxText is how much of a name counts, in bytes: a scope of a stream can't have more.
const maxText = 255

// dense bounds the numbers of scopes that are looked up in a list; others are in a map.
const dense = 1 << 16

// scopeNames gives scopes their collectors: by their number, whenever it is said what it means, or
// by name and place.
type scopeNames struct {
	table *trace.Table
	sink  feed.Sink
	room  *feed.Names
	list  []model.CollectorID // by number; 0: not used yet
	more  map[uint32]model.CollectorID
	defs  map[uint32]said
	uses  map[uint32]int64 // of numbers without a definition
	alike map[string]*first
	key   []byte

	refused int64 // definitions that there was no room for
}

// said is what a definition said of a scope.
type said struct{ name, place string }

// first is the first scope of a name. Its place becomes part of its title as soon as there is another.
type first struct {
	collector model.CollectorID
	place     string
	told      bool
}

func newScopeNames(sink feed.Sink, room *feed.Names) *scopeNames {
	return &scopeNames{
		table: trace.New(sink, room, "All scopes"), sink: sink, room: room, more: map[uint32]model.CollectorID{},
		defs: map[uint32]said{}, uses: map[uint32]int64{}, alike: map[string]*first{},
	}
}

// define takes a definition. The first one counts.
func (n *scopeNames) define(d *scopeDef) {
	if _, known := n.defs[d.id]; known || d.id == 0 {
		return
	}
	name := d.name
	if len(name) == 0 {
		name = d.function
	}
	x := said{name: clip(name)}
	if len(d.file) > 0 {
		if x.place = clip(d.file); d.line > 0 {
			x.place = fmt.Sprintf("%s:%d", x.place, d.line)
		}
	}
	if !n.room.Take(int64(len(x.name) + len(x.place) + 96)) {
		n.refused++
		return
	}
	n.defs[d.id] = x
	if c := n.of(d.id); c != 0 { // it was used before
		if c != trace.Other {
			n.sink.Define(model.CollectorDef{ID: c, Name: n.title(x, c), Sort: -1})
		}
		delete(n.uses, d.id)
	}
}

// of returns the collector that a number has got, 0 if none.
func (n *scopeNames) of(id uint32) model.CollectorID {
	if id >= dense {
		return n.more[id]
	}
	if int(id) < len(n.list) {
		return n.list[id]
	}
	return 0
}

// numbered returns the collector of a scope by its number.
func (n *scopeNames) numbered(id uint32) model.CollectorID {
	c := n.of(id)
	if c == 0 {
		c = n.begin(id)
	}
	if len(n.uses) > 0 {
		if _, unknown := n.uses[id]; unknown {
			n.uses[id]++
		}
	}
	return c
}

// begin gives a number its collector.
func (n *scopeNames) begin(id uint32) (c model.CollectorID) {
	if x, ok := n.defs[id]; ok {
		c = n.named(x)
	} else {
		n.key = binary.LittleEndian.AppendUint32(append(n.key[:0], 0), id)
		c = n.table.Keyed(n.key, func() model.CollectorDef { return model.CollectorDef{Name: fmt.Sprintf("scope#%d", id)} })
		if c != trace.Other {
			n.uses[id] = 0
		}
	}
	if id >= dense {
		if c != trace.Other { // no room for the name means none for the number
			n.more[id] = c
		}
		return c
	}
	for len(n.list) <= int(id) {
		n.list = append(n.list, 0)
	}
	n.list[id] = c
	return c
}

// named returns the collector of a scope by its name and place.
func (n *scopeNames) named(x said) model.CollectorID {
	n.key = append(append(append(n.key[:0], x.name...), 0), x.place...)
	return n.keyed(func() said { return x })
}

// placed is named for scopes that say themselves what they are called and where they are.
func (n *scopeNames) placed(name, place []byte) model.CollectorID {
	n.key = append(append(append(n.key[:0], name...), 0), place...)
	return n.keyed(func() said { return said{clip(name), clip(place)} })
}

// keyed returns the collector of the key; what says what it is for the first time.
func (n *scopeNames) keyed(what func() said) model.CollectorID {
	next := trace.Other + 1 + model.CollectorID(n.table.NumNames())
	var x said
	c := n.table.Keyed(n.key, func() model.CollectorDef {
		x = what()
		return model.CollectorDef{Name: n.title(x, next)}
	})
	if f := n.alike[x.name]; c == trace.Other && f != nil && f.collector == next { // another will be next
		delete(n.alike, x.name)
	}
	return c
}

// title returns what a collector is called: its name, and its place where others are called so.
func (n *scopeNames) title(x said, c model.CollectorID) string {
	f := n.alike[x.name]
	if f == nil {
		if n.room.Take(int64(len(x.name) + len(x.place) + 96)) {
			n.alike[x.name] = &first{collector: c, place: x.place}
		}
		return x.name
	}
	if f.place == x.place {
		return x.name
	}
	if !f.told {
		f.told = true
		n.sink.Define(model.CollectorDef{ID: f.collector, Name: at(x.name, f.place), Sort: -1})
	}
	return at(x.name, x.place)
}

// at is a name with the place, short.
func at(name, place string) string {
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
	if utf8.Valid(b) {
		return b
	}
	n := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		n += size
	}
	return b[:n]
}

// unnamed returns how many scopes that ran have no name, and how often they ran.
func (n *scopeNames) unnamed() (scopes int, calls int64) {
	for _, uses := range n.uses {
		calls += uses
	}
	return len(n.uses), calls
}

// tell reports the names that did not fit.
func (n *scopeNames) tell() {
	n.table.Tell()
	if n.refused > 0 {
		n.sink.Define(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: n.refused,
			Detail: "no room for the names of all scopes: some are shown by their number"})
	}
}
