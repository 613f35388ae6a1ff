// File args.go keeps the arguments of a recording's events, in sixteen bytes each, until the
// spans that these become are published: events are numbered, and their order in the file is not that
// of time. Values inside others get keys such as a.b and a[0]. It knows model, feed and JSON.

package trace

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

const maxDepth = 8 // of values inside each other that have keys of their own; deeper ones are texts

// Gathered are the arguments of events.
type Gathered struct {
	// NoRoom, Many and Keys count arguments that are left out: memory has no room, their event has more
	// than model.MaxArgs, there are more than model.MaxArgKeys different keys.
	NoRoom, Many, Keys int64

	room *feed.Names

	keyOf  map[string]uint32
	keys   []string
	raws   []string          // of each key, as it stands in the file
	after  []uint32          // the key that came behind each in its event, and 1; of the first ones in [0]
	before uint32            // the key that came last in this event, and 1
	textOf map[string]uint32 // as they stand in the file
	texts  []string

	events eventSet // ascending
	starts []uint32 // of each event: its block of cells, and the place there in the lower blockBits
	blocks [][]cell // the arguments of an event are in one block
	n      int      // cells
	path   []byte
}

// cell is an argument: key<<2 | kind, and the bits of a number, or the number of a text.
type cell struct {
	key  uint32
	bits uint64
}

const (
	blockBits  = 16
	blockCells = 1 << blockBits
)

// NewGathered returns an empty list that reserves memory from room.
func NewGathered(room *feed.Names) *Gathered {
	return &Gathered{room: room, keyOf: map[string]uint32{}, textOf: map[string]uint32{}, after: []uint32{0}}
}

// Any reports whether an event has arguments.
func (g *Gathered) Any() bool { return g.events.n > 0 }

// Object adds the members of a JSON object to the arguments of an event. Event numbers must not decrease.
func (g *Gathered) Object(event uint32, object []byte) {
	if len(object) < 2 || object[0] != '{' {
		return
	}
	g.path = g.path[:0]
	g.nested(event, object, 0)
}

// JSON adds a JSON value under a key, which may be an object or an array.
func (g *Gathered) JSON(event uint32, key, text []byte) {
	for len(text) > 0 && text[0] <= ' ' {
		text = text[1:]
	}
	text = append(text[:len(text):len(text)], ' ') // a number ends somewhere
	if len(text) > 1 {
		if v, _, deep, got := Value(text, 0); got == Whole && !deep {
			g.path = append(g.path[:0], key...)
			g.value(event, g.path, v, text[0], 0)
			return
		}
	}
	g.Text(event, key, text[:len(text)-1])
}

// nested adds the values of the object or array at g.path.
func (g *Gathered) nested(event uint32, text []byte, depth int) {
	n, at := len(g.path), 0
	EachJSON(text, func(key, value []byte, first byte) {
		switch {
		case key == nil:
			g.path = append(strconv.AppendInt(append(g.path, '['), int64(at), 10), ']')
			at++
		case n > 0:
			g.path = append(append(g.path, '.'), key...)
		default:
			g.path = append(g.path, key...)
		}
		g.value(event, g.path, value, first, depth)
		g.path = g.path[:n]
	})
}

// value adds a value of a text in JSON, which begins with a byte there.
func (g *Gathered) value(event uint32, key, v []byte, first byte, depth int) {
	switch {
	case first == '"':
		g.Text(event, key, v)
	case (first == '{' || first == '[') && len(v) > 2 && depth < maxDepth:
		g.nested(event, v, depth+1)
	case first == '-' || first-'0' <= 9:
		if n, ok := whole(v); ok {
			g.put(event, key, model.ArgInt, uint64(n))
		} else if f, err := strconv.ParseFloat(string(v), 64); err == nil && !hugeInt(v) {
			g.Float(event, key, f)
		} else {
			g.Text(event, key, v)
		}
	case v == nil:
		g.Text(event, key, []byte("null"))
	default:
		g.Text(event, key, v)
	}
}

// whole reads a whole number that an int64 has.
func whole(b []byte) (v int64, ok bool) {
	i := 0
	if b[0] == '-' {
		i = 1
	}
	if len(b) == i || len(b)-i > 18 {
		v, err := strconv.ParseInt(string(b), 10, 64)
		return v, err == nil
	}
	for _, c := range b[i:] {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int64(c)
	}
	if i == 1 {
		v = -v
	}
	return v, true
}

// hugeInt reports whether a number has more digits than fit, and no fraction: it is shown as it is.
func hugeInt(b []byte) bool { return len(b) > 15 && !bytes.ContainsAny(b, ".eE") }

// Int adds a whole number.
func (g *Gathered) Int(event uint32, key []byte, v int64) { g.put(event, key, model.ArgInt, uint64(v)) }

// Float adds a number.
func (g *Gathered) Float(event uint32, key []byte, v float64) {
	a := model.FloatArg(v)
	g.put(event, key, a.Kind, a.Bits())
}

// Text adds a text, which may have the escapes of JSON.
func (g *Gathered) Text(event uint32, key, text []byte) {
	n, ok := g.textOf[string(text)]
	if !ok {
		if !g.room.TakeData(int64(2*min(len(text), MaxText)) + 80) {
			g.NoRoom++
			return
		}
		s := JSONText(text)
		n = uint32(len(g.texts))
		g.texts = append(g.texts, s)
		switch {
		case s == string(text):
			g.textOf[s] = n
		case len(text) <= MaxText:
			g.textOf[string(text)] = n
		}
	}
	g.put(event, key, model.ArgText, uint64(n))
}

// put adds a value.
func (g *Gathered) put(event uint32, key []byte, kind model.ArgKind, bits uint64) {
	if g.events.n == 0 || g.events.newest != event {
		if event < g.events.newest || !g.room.TakeData(8) {
			g.NoRoom++
			return
		}
		if n := len(g.blocks); n == 0 || cap(g.blocks[n-1])-len(g.blocks[n-1]) < model.MaxArgs {
			g.blocks = append(g.blocks, make([]cell, 0, min(max(256, 2*g.n), blockCells)))
		}
		block := len(g.blocks) - 1
		g.events.add(event)
		g.starts = append(g.starts, uint32(block<<blockBits|len(g.blocks[block])))
		g.before = 0
	}
	block := &g.blocks[len(g.blocks)-1]
	if len(*block)-int(g.starts[g.events.n-1]%blockCells) >= model.MaxArgs {
		g.Many++
		return
	}
	k := g.after[g.before] - 1 // most events have the same keys as others
	if int(k) >= len(g.raws) || g.raws[k] != string(key) {
		ok := false
		if k, ok = g.keyFor(key); !ok {
			return
		}
		g.after[g.before] = k + 1
	}
	g.before = k + 1
	if !g.room.TakeData(16) {
		g.NoRoom++
		return
	}
	*block = append(*block, cell{k<<2 | uint32(kind), bits})
	g.n++
}

// keyFor returns the number of a key; false where it has none, which is counted.
func (g *Gathered) keyFor(key []byte) (k uint32, ok bool) {
	if k, ok = g.keyOf[string(key)]; ok {
		return k, true
	}
	if len(g.keys) >= model.MaxArgKeys {
		g.Keys++
		return 0, false
	}
	if !g.room.TakeData(int64(3*len(key)) + 128) {
		g.NoRoom++
		return 0, false
	}
	k = uint32(len(g.keys))
	name, raw := JSONText(key), string(key)
	name = cmp.Or(name, "(no name)")
	g.keys, g.raws, g.after = append(g.keys, name), append(g.raws, raw), append(g.after, 0)
	g.keyOf[raw] = k
	return k, true
}

// Append appends the arguments of an event as those of a span of a batch.
func (g *Gathered) Append(dst []model.Arg, span int, event uint32) []model.Arg {
	i, ok := g.events.find(event)
	if !ok {
		return dst
	}
	for _, c := range g.of(i) {
		dst = append(dst, model.Arg{Span: int32(span), Key: g.keys[c.key>>2], Value: g.valueOf(c)})
	}
	return dst
}

// Adds reports whether an event has arguments that another one does not have as well.
func (g *Gathered) Adds(event, to uint32) bool {
	i, ok := g.events.find(event)
	if !ok {
		return false
	}
	k, has := g.events.find(to)
	return !has || !slices.Equal(g.of(i), g.of(k))
}

// of returns the arguments of the event at a position.
func (g *Gathered) of(i int) []cell {
	start := g.starts[i]
	block := g.blocks[start>>blockBits]
	if i+1 < len(g.starts) && g.starts[i+1]>>blockBits == start>>blockBits {
		block = block[:g.starts[i+1]%blockCells]
	}
	return block[start%blockCells:]
}

func (g *Gathered) valueOf(c cell) model.ArgValue {
	switch model.ArgKind(c.key & 3) {
	case model.ArgInt:
		return model.IntArg(int64(c.bits))
	case model.ArgFloat:
		return model.FloatBits(c.bits)
	}
	return model.TextArg(g.texts[c.bits])
}

// Texts makes strings of bytes that come again and again. The zero value is empty.
type Texts struct {
	known map[string]string
	bytes int
}

// mostKnown is how many bytes of texts are kept for the case that they come again.
const mostKnown = 1 << 20

// Of returns bytes of a file as a text that can be shown.
func (t *Texts) Of(b []byte) string {
	if s, ok := t.known[string(b)]; ok {
		return s
	}
	if t.bytes += len(b) + 64; t.known == nil || t.bytes > mostKnown {
		t.known, t.bytes = map[string]string{}, len(b)+64
	}
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	t.known[string(b)] = s
	return s
}

// Plain returns a text that has no escapes as it stands in JSON, as the methods of Gathered take it.
func Plain(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	return []byte(quoting.Replace(string(text[:min(len(text), MaxText)])))
}

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Order puts spans in order of their begin, callers first, and their arguments with them.
func Order(spans []model.Span, args []model.Arg) {
	before := func(a, b model.Span) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Lane, b.Lane)) }
	if len(args) == 0 {
		slices.SortStableFunc(spans, before)
		return
	}
	order := make([]int32, len(spans))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return before(spans[a], spans[b]) })
	was, to := slices.Clone(spans), make([]int32, len(spans))
	for i, k := range order {
		spans[i], to[k] = was[k], int32(i)
	}
	for i := range args {
		args[i].Span = to[args[i].Span]
	}
	slices.SortStableFunc(args, func(a, b model.Arg) int { return cmp.Compare(a.Span, b.Span) })
}
