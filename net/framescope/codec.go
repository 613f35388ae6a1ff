package framescope

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"framescope/model"
)

// definitionTypes are the types of definitions; the tag of one is its place plus 2. New ones are added
// at the end.
var definitionTypes = []reflect.Type{
	reflect.TypeFor[model.Info](), reflect.TypeFor[model.CollectorDef](), reflect.TypeFor[model.TrackDef](),
	reflect.TypeFor[model.TrackEnd](), reflect.TypeFor[model.PathDef](), reflect.TypeFor[model.SeriesDef](),
	reflect.TypeFor[model.ObjectDef](), reflect.TypeFor[model.LinkDef](), reflect.TypeFor[model.ResourceDef](),
	reflect.TypeFor[model.RefEvent](), reflect.TypeFor[model.FlowDef](), reflect.TypeFor[model.Loss](),
	reflect.TypeFor[model.Warning](),
}

const firstDefinition = tagBatch + 1

var (
	errShort   = errors.New("ends within an item")
	errText    = errors.New("refers to a text that is not there")
	errUnknown = errors.New("holds an item of an unknown kind")
)

// codec writes the items of a chunk, or reads them: each of its methods does the one or the other with the value
// that it is given, so that an item is described once. Texts are written once in a chunk; later ones refer to the
// first. The first error ends reading: all values read after it are zero.
type codec struct {
	reads   bool
	buf     []byte
	columns [numColumns][]uint64 // when it reads, what is left of them
	rows    *rowCodec

	known map[string]uint64 // numbers of the texts that were written
	texts []string          // that were read
	at    int               // of the next item in buf that is read
	err   error
}

func newEncoder() codec { return codec{known: map[string]uint64{}, rows: new(rowCodec)} }

func (c *codec) reset() {
	c.buf = c.buf[:0]
	clear(c.known)
	for k := range c.columns {
		c.columns[k] = c.columns[k][:0]
	}
	c.rows.reset()
}

// size measures the content of the chunk.
func (c *codec) size() int {
	return len(c.buf) + spanBytes*(len(c.columns[columnBegin])+len(c.rows.columns[rowGap])) +
		selfBytes*len(c.columns[columnCollector])
}

func (c *codec) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.at = len(c.buf)
}

// take reads the next n bytes; none where there are fewer.
func (c *codec) take(n uint64) []byte {
	if n > uint64(len(c.buf)-c.at) {
		c.fail(errShort)
		return nil
	}
	c.at += int(n)
	return c.buf[c.at-int(n) : c.at]
}

func (c *codec) read() uint64 {
	if c.at < len(c.buf) && c.buf[c.at] < 0x80 { // most of them
		c.at++
		return uint64(c.buf[c.at-1])
	}
	v, n := binary.Uvarint(c.buf[c.at:])
	if n <= 0 {
		c.fail(errShort)
		return 0
	}
	c.at += n
	return v
}

// uint is a number without a sign.
func (c *codec) uint(v uint64) uint64 {
	if c.reads {
		return c.read()
	}
	c.buf = binary.AppendUvarint(c.buf, v)
	return v
}

// int is a number with a sign.
func (c *codec) int(v int64) int64 {
	if c.reads {
		return unzigzag(c.read())
	}
	c.buf = binary.AppendVarint(c.buf, v)
	return v
}

func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// signed is a number with a sign of any type, unsigned one without.
func signed[T ~int | ~int8 | ~int32 | ~int64](c *codec, v *T) { *v = T(c.int(int64(*v))) }

func unsigned[T ~uint16 | ~uint32](c *codec, v *T) { *v = T(c.uint(uint64(*v))) }

// time is a time, by its distance from the last one.
func (c *codec) time(v, last *int64) {
	*v = *last + c.int(*v-*last)
	*last = *v
}

func (c *codec) byte(v byte) byte {
	if !c.reads {
		c.buf = append(c.buf, v)
		return v
	}
	for _, v = range c.take(1) {
		return v
	}
	return 0
}

func (c *codec) float(v float64) float64 {
	if !c.reads {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(v))
		return v
	}
	if b := c.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// text is a text: 0, its length and bytes, or how many texts of the chunk it is behind the first.
func (c *codec) text(s string) string {
	if c.reads {
		return c.readText()
	}
	at, known := c.known[s]
	c.uint(at)
	if !known {
		c.known[s] = uint64(len(c.known)) + 1
		c.uint(uint64(len(s)))
		c.buf = append(c.buf, s...)
	}
	return s
}

func (c *codec) readText() string {
	at := c.read()
	switch {
	case at > uint64(len(c.texts)):
		c.fail(errText)
		return ""
	case at > 0:
		return c.texts[at-1]
	}
	s := string(c.take(c.read()))
	if c.err == nil {
		c.texts = append(c.texts, s)
	}
	return s
}

// count is the length of a list with so many bytes at least for each entry.
func (c *codec) count(n, bytes int) int {
	long := c.uint(uint64(n))
	if c.reads && long > uint64((len(c.buf)-c.at)/bytes) {
		c.fail(errShort)
		return 0
	}
	return int(long)
}

// list is the length of a list of a batch, which gets as long when it is read.
func list[T any](c *codec, of *[]T, bytes int) int {
	n := c.count(len(*of), bytes)
	if c.reads {
		*of = slices.Grow((*of)[:0], n)[:n]
	}
	return n
}

// define writes a definition: the tag of its type, the number of its fields, and these in order.
func (c *codec) define(x model.Change) {
	v := reflect.ValueOf(x)
	c.uint(uint64(slices.Index(definitionTypes, v.Type())) + firstDefinition)
	c.value(v)
}

// defined reads a definition with a tag.
func (c *codec) defined(tag uint64) model.Change {
	if tag < firstDefinition || tag-firstDefinition >= uint64(len(definitionTypes)) {
		c.fail(errUnknown)
		return nil
	}
	v := reflect.New(definitionTypes[tag-firstDefinition]).Elem()
	c.value(v)
	return v.Interface().(model.Change)
}

// value is the fields of a definition, those of structs in it as a list of their own. Those that a file of an
// earlier version lacks stay zero; of a later version, which has more, nothing is known.
func (c *codec) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		n := c.count(v.NumField(), 1)
		if n > v.NumField() {
			c.fail(fmt.Errorf("holds a %s of a later version of Framescope", v.Type().Name()))
			return
		}
		for i := range n {
			c.value(v.Field(i))
		}
	case reflect.Slice:
		n := c.count(v.Len(), 1)
		if c.reads {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range n {
			c.value(v.Index(i))
		}
	case reflect.String:
		if text := c.text(v.String()); c.reads {
			v.SetString(text)
		}
	case reflect.Bool:
		if is := c.bool(v.Bool()); c.reads {
			v.SetBool(is)
		}
	case reflect.Float64:
		if f := c.float(v.Float()); c.reads {
			v.SetFloat(f)
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := c.uint(v.Uint()); c.reads {
			v.SetUint(n)
		}
	default:
		if n := c.int(v.Int()); c.reads {
			v.SetInt(n)
		}
	}
}

func (c *codec) bool(is bool) bool {
	var v uint64
	if is {
		v = 1
	}
	return c.uint(v) != 0
}

// batch is a batch, with its tag when it is written. It is read into one that is empty.
func (c *codec) batch(b *model.Batch) {
	if !c.reads {
		c.uint(tagBatch)
	}
	var flags uint64
	for i, is := range [...]bool{b.HasFrame, b.Open, b.Rewind, b.Anew} {
		if is {
			flags |= 1 << i
		}
	}
	flags = c.uint(flags)
	b.HasFrame, b.Open = flags&flagFrame != 0, flags&flagOpen != 0
	b.Rewind, b.Anew = flags&flagRewind != 0, flags&flagAnew != 0
	signed(c, &b.Track)
	signed(c, &b.Bytes)
	signed(c, &b.Number)
	signed(c, &b.Begin)
	b.End = b.Begin + c.int(b.End-b.Begin)
	c.allSpans(b)
	c.args(b)
	c.self(b)
	c.notes(b)
}

// spans are how many spans there are and when the first begins; the rest is in columns.
func (c *codec) spans(b *model.Batch) {
	n := c.uint(uint64(len(b.Spans)))
	if n == 0 {
		return
	}
	begin := b.Begin
	if !c.reads {
		begin = b.Spans[0].Begin
		c.int(begin - b.Begin)
		c.addSpans(b.Spans, begin)
		return
	}
	begin += c.int(0)
	of := c.next(n, columnBegin, columnFlags+1)
	if c.err == nil {
		b.Spans = slices.Grow(b.Spans, int(n))[:n]
		takeSpans(b.Spans, begin, &of)
	}
}

// add appends a number to a column, in zigzag.
func (c *codec) add(column int, v int64) {
	c.columns[column] = append(c.columns[column], zigzag(v))
}

func (c *codec) addSpans(list []model.Span, begin int64) {
	path := int64(0)
	for i := range list {
		s := &list[i]
		c.add(columnBegin, s.Begin-begin)
		c.add(columnLength, s.End-s.Begin)
		c.add(columnPath, int64(s.Path)-path)
		c.columns[columnLane] = append(c.columns[columnLane], uint64(s.Lane))
		c.columns[columnFlags] = append(c.columns[columnFlags], uint64(s.Flags))
		begin, path = s.Begin, int64(s.Path)
	}
}

func takeSpans(list []model.Span, begin int64, of *[numColumns][]uint64) {
	path := int64(0)
	begins, lengths, paths := of[columnBegin][:len(list)], of[columnLength][:len(list)], of[columnPath][:len(list)]
	lanes, flags := of[columnLane][:len(list)], of[columnFlags][:len(list)]
	for i := range list {
		begin += unzigzag(begins[i])
		path += unzigzag(paths[i])
		list[i] = model.Span{
			Begin: begin, End: begin + unzigzag(lengths[i]), Path: model.PathID(path),
			Lane: uint16(lanes[i]), Flags: model.SpanFlags(flags[i]),
		}
	}
}

// next reads the next n numbers of columns.
func (c *codec) next(n uint64, first, behind int) (of [numColumns][]uint64) {
	for k := first; k < behind; k++ {
		if n > uint64(len(c.columns[k])) {
			c.fail(errShort)
			return of
		}
		of[k], c.columns[k] = c.columns[k][:n], c.columns[k][n:]
	}
	return of
}

// self is how many self times there are; they are in columns.
func (c *codec) self(b *model.Batch) {
	n := c.uint(uint64(len(b.Self)))
	collector := int64(0)
	if !c.reads {
		for _, s := range b.Self {
			c.add(columnCollector, int64(s.Collector)-collector)
			c.add(columnNs, s.Ns)
			c.add(columnStarts, int64(s.Count))
			collector = int64(s.Collector)
		}
		return
	}
	of := c.next(n, columnCollector, columnStarts+1)
	if c.err != nil {
		return
	}
	b.Self = slices.Grow(b.Self, int(n))[:n]
	for i := range b.Self {
		collector += unzigzag(of[columnCollector][i])
		b.Self[i] = model.CollectorTime{
			Collector: model.CollectorID(collector),
			Ns:        unzigzag(of[columnNs][i]), Count: int32(unzigzag(of[columnStarts][i])),
		}
	}
}

func (c *codec) args(b *model.Batch) {
	span := int64(0)
	for i := range list(c, &b.Args, 4) {
		a := &b.Args[i]
		span += c.int(int64(a.Span) - span)
		a.Span, a.Key = int32(span), c.text(a.Key)
		switch v := &a.Value; model.ArgKind(c.byte(byte(v.Kind))) {
		case model.ArgInt:
			*v = model.IntArg(c.int(v.Int()))
		case model.ArgFloat:
			*v = model.FloatBits(math.Float64bits(c.float(v.Float())))
		default:
			*v = model.TextArg(c.text(v.Text))
		}
		if c.reads && (span < 0 || span >= int64(len(b.Spans)) || a.Key == "") {
			c.fail(errors.New("holds an argument of no span"))
			return
		}
	}
}

// notes are the levels, messages, events of locks, samples and flows of a batch.
func (c *codec) notes(b *model.Batch) {
	at := b.Begin
	for i := range list(c, &b.Levels, 10) {
		l := &b.Levels[i]
		signed(c, &l.Collector)
		c.time(&l.Time, &at)
		l.Value = c.float(l.Value)
	}
	for i := range list(c, &b.Messages, 5) {
		m := &b.Messages[i]
		c.time(&m.Time, &at)
		signed(c, &m.Severity)
		m.Text, m.Category, m.Object = c.text(m.Text), c.text(m.Category), c.text(m.Object)
	}
	for i := range list(c, &b.Locks, 3) {
		l := &b.Locks[i]
		c.time(&l.Time, &at)
		signed(c, &l.Lock)
		l.Kind = model.LockKind(c.byte(byte(l.Kind)))
	}
	for i := range list(c, &b.Samples, 10) {
		s := &b.Samples[i]
		signed(c, &s.Series)
		c.time(&s.Time, &at)
		s.Value = c.float(s.Value)
	}
	for i := range list(c, &b.Flows, 7) {
		f := &b.Flows[i]
		c.time(&f.To, &at)
		f.From = f.To + c.int(f.From-f.To)
		signed(c, &f.FromTrack)
		signed(c, &f.Name)
		unsigned(c, &f.Chain)
		unsigned(c, &f.FromLane)
		unsigned(c, &f.ToLane)
	}
}
