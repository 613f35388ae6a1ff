// Package args holds the arguments of calls: for each lane those of its spans, by their positions, in a
// few bytes each. Most spans have none, and those that have any mostly have the same keys as others.
// Table answers; Keeper and Track change the data for the session. It knows the model and columns, but
// no times, lanes and sessions.
//
// A span's entry is how far its position lies behind that of the entry before, the number of its shape
// (its keys and the types of their values: every session has few of them), and the values: whole numbers
// and numbers of texts in as many bytes as they need, others in eight. Entries follow each other in
// chunks of about two thousand bytes; each chunk begins with a position of its own, so that a span is
// found by a binary search and by reading a part of one chunk.
package args

import (
	"encoding/binary"
	"strings"

	"framescope/model"
	"framescope/model/columns"
)

const (
	maxKey = 256 // bytes
	// maxShapes bounds the shapes that have a number. An entry of another one has its shape in it.
	maxShapes = 1 << 12
)

// KeyID is the number of a key of a session, dense from 0.
type KeyID int32

// Table knows the arguments of all tracks of a session.
type Table struct {
	keys    []string
	keyOf   map[string]KeyID
	shapes  [][]column
	shapeOf map[string]int // one more than the number
	texts   columns.Interns
	tracks  []*Track
	stored  int64 // entries
	defs    int64 // bytes of keys and shapes
	rev     uint64
	acc     *columns.Account
	scratch scratch
}

// column is a key of a shape, and the type of its value: key<<2 | kind.
type column uint32

func (c column) key() KeyID          { return KeyID(c >> 2) }
func (c column) kind() model.ArgKind { return model.ArgKind(c & 3) }

// scratch is working memory of appending.
type scratch struct {
	cells []Cell
	shape []byte
	entry []byte
}

// Cell is an argument as it is kept. Bits are those of a number, or the number of a text.
type Cell struct {
	Key  KeyID
	Kind model.ArgKind
	Bits uint64
}

// Keeper is a table with the methods that change it.
type Keeper struct{ Table }

// Init makes the table ready.
func (x *Keeper) Init(acc *columns.Account) {
	x.acc, x.texts.Acc = acc, acc
}

// Size returns the bytes that keys and shapes take.
func (x *Keeper) Size() int64 { return x.defs }

// ofEntry is about the size of an entry of a map, with the headers of its string and its list.
const ofEntry = 96

// Clear frees everything but the tracks' own parts, which are cleared before.
func (x *Keeper) Clear() {
	x.texts.Clear()
	columns.LetGo(x.acc, x.tracks)
	x.tracks = nil
	x.keys, x.keyOf, x.shapes, x.shapeOf, x.scratch = nil, nil, nil, nil, scratch{}
	x.defs = 0
	x.rev++
}

// Any reports whether a span that is kept has arguments.
func (x *Table) Any() bool { return x.stored > 0 }

// Stored returns how many spans have arguments.
func (x *Table) Stored() int64 { return x.stored }

// Revision changes with the stored data.
func (x *Table) Revision() uint64 { return x.rev }

// Keys returns the keys by their numbers. Those of spans that left memory are among them. The slice
// is the table's own.
func (x *Table) Keys() []string { return x.keys }

// Texts returns the number behind the greatest one that a text has.
func (x *Table) Texts() int { return x.texts.Len() }

// Value returns the value of a cell.
func (x *Table) Value(c Cell) model.ArgValue {
	switch c.Kind {
	case model.ArgInt:
		return model.IntArg(int64(c.Bits))
	case model.ArgFloat:
		return model.FloatBits(c.Bits)
	}
	return model.TextArg(x.texts.Text(int32(c.Bits)))
}

// Of appends to out the arguments of a span, in the order in which they came. Their Span is 0.
// Cost: O(log spans with arguments).
func (x *Table) Of(track model.TrackID, lane int, index int64, out []model.Arg) []model.Arg {
	c := x.Cursor(track, lane)
	if !c.To(index) || c.Index() != index {
		return out
	}
	var few [8]Cell
	for _, v := range c.Cells(few[:0]) {
		out = append(out, model.Arg{Key: x.keys[v.Key], Value: x.Value(v)})
	}
	return out
}

// keyFor returns the number of a key; false where there is none for one more.
func (x *Table) keyFor(key string) (KeyID, bool) {
	if len(key) > maxKey {
		key = cut(key, maxKey)
	}
	k, ok := x.keyOf[key]
	if ok || len(x.keys) >= model.MaxArgKeys {
		return k, ok
	}
	if x.keyOf == nil {
		x.keyOf = map[string]KeyID{}
	}
	k = KeyID(len(x.keys))
	key = strings.Clone(key) // the sender's may be a piece of something large
	x.keyOf[key] = k
	x.keys = append(x.keys, key)
	x.defs += ofEntry + int64(len(key))
	return k, true
}

// cut shortens a text that is too long, at the end of a letter.
func cut(text string, most int) string {
	const mark = "…"
	n := most - len(mark)
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + mark
}

// shapeFor returns one more than the number of the shape that cells have, 0 where it has none.
func (x *Table) shapeFor(cells []Cell) int {
	b := x.scratch.shape[:0]
	for _, c := range cells {
		b = binary.AppendUvarint(b, uint64(c.Key)<<2|uint64(c.Kind))
	}
	x.scratch.shape = b
	n, ok := x.shapeOf[string(b)]
	if ok || len(x.shapes) >= maxShapes {
		return n
	}
	if x.shapeOf == nil {
		x.shapeOf = map[string]int{}
	}
	shape := make([]column, len(cells))
	for i, c := range cells {
		shape[i] = column(c.Key)<<2 | column(c.Kind)
	}
	x.shapes = append(x.shapes, shape)
	x.defs += ofEntry + int64(len(b)+4*len(shape))
	x.shapeOf[string(b)] = len(x.shapes)
	return len(x.shapes)
}
