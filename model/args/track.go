package args

import (
	"encoding/binary"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// chunkBytes is how long a chunk of entries is; the longest entry is shorter than that.
const chunkBytes = 2 << 10

// Track is the arguments of the spans of one thread. A track without arguments takes nothing but
// this.
type Track struct {
	table *Table
	id    model.TrackID
	lanes []*lane // nil where there are none
}

// lane is the arguments of the spans of a lane, ascending by position.
type lane struct {
	chunks []chunk
	front  columns.Front
	first  int64 // entries of spans before this have left
	behind int64 // position behind the last entry's
}

// chunk is a run of entries: the first position, and the entries, each relative to the one before.
type chunk struct {
	first, last int64
	n           int32 // entries
	data        []byte
}

// Problems counts arguments that were dropped or changed.
type Problems struct {
	Keys, Many, Cut int64 // without room for their key, beyond model.MaxArgs, texts that were cut
}

// Init makes the track ready.
func (t *Track) Init(table *Keeper, id model.TrackID) { t.table, t.id = &table.Table, id }

// Empty reports whether no span has arguments.
func (t *Track) Empty() bool { return t.lanes == nil }

// Append adds arguments to the span at a position of a lane, which has none, or is the lane's last
// that has.
func (t *Track) Append(n int, index int64, list []model.Arg, p *Problems) {
	x := t.table
	x.rev++
	l := t.lane(n)
	cells := x.scratch.cells[:0]
	if index < l.behind { // more of the last one
		c := Cursor{table: x, lane: l}
		if !c.To(index) || c.Index() != index {
			return
		}
		cells = c.Cells(cells)
		for _, v := range cells { // cutting frees it
			x.use(v)
		}
		x.truncate(l, index)
	}
	for i := range list {
		a := &list[i]
		key, ok := x.keyFor(a.Key)
		if !ok {
			p.Keys++
			continue
		}
		v := Cell{Key: key, Kind: a.Value.Kind}
		switch a.Value.Kind {
		case model.ArgInt:
			v.Bits = uint64(a.Value.Int())
		case model.ArgFloat:
			v.Bits = a.Value.Bits()
		default:
			text := a.Value.Text
			if len(text) > model.MaxArgText {
				text = cut(text, model.MaxArgText)
				p.Cut++
			}
			v.Kind, v.Bits = model.ArgText, uint64(x.texts.Use(text))
		}
		if k := slices.IndexFunc(cells, func(c Cell) bool { return c.Key == key }); k >= 0 {
			x.drop(cells[k])
			cells[k] = v
			continue
		}
		if len(cells) == model.MaxArgs {
			x.drop(v)
			p.Many++
			continue
		}
		cells = append(cells, v)
	}
	x.scratch.cells = cells
	if len(cells) > 0 {
		t.push(l, index, cells)
	}
}

func (x *Table) use(c Cell) {
	if c.Kind == model.ArgText {
		x.texts.Use(x.texts.Text(int32(c.Bits)))
	}
}

func (x *Table) drop(c Cell) {
	if c.Kind == model.ArgText {
		x.texts.Drop(int32(c.Bits))
	}
}

// lane returns a lane, a new one if need be.
func (t *Track) lane(n int) *lane {
	x := t.table
	if t.lanes == nil {
		x.tracks = columns.SetSlot(x.acc, x.tracks, t.id, t)
	}
	for len(t.lanes) <= n {
		t.lanes = columns.Push(x.acc, t.lanes, nil)
	}
	if t.lanes[n] == nil {
		t.lanes[n] = &lane{front: columns.Front{Acc: x.acc}}
		x.acc.Add(columns.SizeOf[lane]())
	}
	return t.lanes[n]
}

// push adds an entry behind the last one.
func (t *Track) push(l *lane, index int64, cells []Cell) {
	x := t.table
	shape := x.shapeFor(cells)
	last := len(l.chunks) - 1
	var c *chunk
	before := index
	if last >= 0 {
		c = &l.chunks[last]
		before = c.last
	}
	b := x.encode(uint64(index-before), shape, cells)
	if c == nil || len(c.data)+len(b) > chunkBytes {
		b = x.encode(0, shape, cells)
		columns.Keep(&l.front, &l.chunks, append(l.chunks, chunk{first: index}))
		c = &l.chunks[last+1]
	}
	if len(c.data)+len(b) > cap(c.data) {
		grown := x.room(min(max(2*cap(c.data), len(c.data)+len(b), 32), chunkBytes))
		grown = append(grown, c.data...)
		x.letGo(c.data)
		c.data = grown
	}
	c.data = append(c.data, b...)
	c.last, c.n = index, c.n+1
	l.behind = index + 1
	x.stored++
}

// encode writes an entry into scratch memory.
func (x *Table) encode(ahead uint64, shape int, cells []Cell) []byte {
	b := binary.AppendUvarint(x.scratch.entry[:0], ahead)
	if b = binary.AppendUvarint(b, uint64(shape)); shape == 0 {
		b = binary.AppendUvarint(b, uint64(len(cells)))
		for _, c := range cells {
			b = binary.AppendUvarint(b, uint64(c.Key)<<2|uint64(c.Kind))
		}
	}
	for _, c := range cells {
		switch c.Kind {
		case model.ArgInt:
			b = binary.AppendVarint(b, int64(c.Bits))
		case model.ArgFloat:
			b = binary.LittleEndian.AppendUint64(b, c.Bits)
		default:
			b = binary.AppendUvarint(b, c.Bits)
		}
	}
	x.scratch.entry = b
	return b
}

// room returns an empty list for so many bytes; a whole chunk lies outside the collected heap.
func (x *Table) room(n int) []byte {
	if n == chunkBytes {
		return columns.GetBlock[byte](x.acc, n)
	}
	x.acc.Add(int64(n))
	return make([]byte, 0, n)
}

func (x *Table) letGo(data []byte) {
	if cap(data) == chunkBytes {
		columns.PutBlock(x.acc, data)
	} else {
		columns.LetGo(x.acc, data)
	}
}

// forget frees a chunk.
func (x *Table) forget(c *chunk) {
	x.cut(c, c.first)
	x.letGo(c.data)
	*c = chunk{}
}

// cut takes the entries from a position on off a chunk.
func (x *Table) cut(c *chunk, n int64) {
	e := entry{index: c.first, data: c.data}
	kept, last, at := int32(0), c.first, 0
	for k := int32(0); k < c.n; k++ {
		e.read(x)
		if e.index < n {
			kept, last, at = kept+1, e.index, e.at
			continue
		}
		for _, v := range e.cells {
			x.drop(v)
		}
	}
	x.stored -= int64(c.n - kept)
	c.data, c.last, c.n = c.data[:at], last, kept
}

// Truncate forgets the arguments of spans from position n of a lane on.
func (t *Track) Truncate(lane int, n int64) {
	if lane < len(t.lanes) && t.lanes[lane] != nil && n < t.lanes[lane].behind {
		t.table.rev++
		t.table.truncate(t.lanes[lane], n)
	}
}

func (x *Table) truncate(l *lane, n int64) {
	list := l.chunks
	for k := len(list) - 1; k >= 0 && list[k].last >= n; k-- {
		if c := &list[k]; c.first < n {
			x.cut(c, n)
			break
		}
		x.forget(&list[k])
		list = list[:k]
	}
	columns.Keep(&l.front, &l.chunks, list)
	if l.behind = 0; len(list) > 0 {
		l.behind = list[len(list)-1].last + 1
	}
}

// DropBefore forgets the arguments of spans before a position of a lane.
func (t *Track) DropBefore(lane int, first int64) {
	if lane >= len(t.lanes) || t.lanes[lane] == nil || first <= t.lanes[lane].first {
		return
	}
	t.table.rev++
	l := t.lanes[lane]
	l.first = first
	k := 0
	for ; k < len(l.chunks) && l.chunks[k].last < first; k++ {
		t.table.forget(&l.chunks[k])
	}
	if k > 0 {
		columns.DropFront(&l.front, &l.chunks, k)
	}
}

// Clear frees everything.
func (t *Track) Clear() {
	x := t.table
	for _, l := range t.lanes {
		if l == nil {
			continue
		}
		for k := range l.chunks {
			x.forget(&l.chunks[k])
		}
		columns.ClearList(&l.front, &l.chunks)
		x.acc.Add(-columns.SizeOf[lane]())
	}
	columns.LetGo(x.acc, t.lanes)
	columns.EmptySlot(x.tracks, t.id, t)
	t.lanes = nil
	x.rev++
}
