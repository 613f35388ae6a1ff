package framescope

import (
	"encoding/binary"
	"math"
	"reflect"

	"framescope/model"
)

// encoder appends items to a chunk. Texts are written once in a chunk; later ones refer to the first.
type encoder struct {
	buf     []byte
	texts   map[string]uint64
	columns [numColumns][]uint64
}

func newEncoder() encoder { return encoder{texts: map[string]uint64{}} }

func (e *encoder) reset() {
	e.buf = e.buf[:0]
	clear(e.texts)
	for k := range e.columns {
		e.columns[k] = e.columns[k][:0]
	}
}

// size is a measure of what is in the chunk.
func (e *encoder) size() int {
	return len(e.buf) + spanBytes*len(e.columns[columnBegin]) + selfBytes*len(e.columns[columnCollector])
}

// add appends a number to a column, in zigzag.
func (e *encoder) add(column int, v int64) {
	e.columns[column] = append(e.columns[column], zigzag(v))
}

func (e *encoder) uint(v uint64) { e.buf = binary.AppendUvarint(e.buf, v) }
func (e *encoder) int(v int64)   { e.buf = binary.AppendVarint(e.buf, v) }

func (e *encoder) float(v float64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(v))
}

// text writes a text: 0, its length and bytes, or how many texts of the chunk it is behind the first.
func (e *encoder) text(s string) {
	if at, known := e.texts[s]; known {
		e.uint(at)
		return
	}
	e.texts[s] = uint64(len(e.texts)) + 1
	e.uint(0)
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// define writes a definition: the tag of its type, the number of its fields, and these in order.
func (e *encoder) define(c model.Change) {
	v := reflect.ValueOf(c)
	e.uint(tagOf(v.Type()))
	e.value(v)
}

// value writes the fields of a definition, those of structs in it as a list of their own.
func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		e.uint(uint64(v.NumField()))
		for i := range v.NumField() {
			e.value(v.Field(i))
		}
	case reflect.Slice:
		e.uint(uint64(v.Len()))
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.String:
		e.text(v.String())
	case reflect.Bool:
		e.uint(0)
		if v.Bool() {
			e.buf[len(e.buf)-1] = 1
		}
	case reflect.Float64:
		e.float(v.Float())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.uint(v.Uint())
	default:
		e.int(v.Int())
	}
}

// batch writes a batch.
func (e *encoder) batch(b *model.Batch) {
	var flags uint64
	for i, is := range [...]bool{b.HasFrame, b.Open, b.Rewind, b.Anew} {
		if is {
			flags |= 1 << i
		}
	}
	e.uint(tagBatch)
	e.uint(flags)
	e.int(int64(b.Track))
	e.int(int64(b.Bytes))
	e.int(b.Number)
	e.int(b.Begin)
	e.int(b.End - b.Begin)
	e.spans(b)
	e.args(b.Args)
	e.uint(uint64(len(b.Self)))
	last := int64(0)
	for _, s := range b.Self {
		e.add(columnCollector, int64(s.Collector)-last)
		e.add(columnNs, s.Ns)
		e.add(columnStarts, int64(s.Count))
		last = int64(s.Collector)
	}
	e.notes(b)
}

// spans writes how many spans there are and when the first begins; the rest is in columns.
func (e *encoder) spans(b *model.Batch) {
	e.uint(uint64(len(b.Spans)))
	if len(b.Spans) == 0 {
		return
	}
	begin, path := b.Spans[0].Begin, int64(0)
	e.int(begin - b.Begin)
	for i := range b.Spans {
		s := &b.Spans[i]
		e.add(columnBegin, s.Begin-begin)
		e.add(columnLength, s.End-s.Begin)
		e.add(columnPath, int64(s.Path)-path)
		e.columns[columnLane] = append(e.columns[columnLane], uint64(s.Lane))
		e.columns[columnFlags] = append(e.columns[columnFlags], uint64(s.Flags))
		begin, path = s.Begin, int64(s.Path)
	}
}

func zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

func (e *encoder) args(list []model.Arg) {
	e.uint(uint64(len(list)))
	span := int32(0)
	for i := range list {
		a := &list[i]
		e.int(int64(a.Span - span))
		e.text(a.Key)
		e.buf = append(e.buf, byte(a.Value.Kind))
		switch a.Value.Kind {
		case model.ArgInt:
			e.int(a.Value.Int())
		case model.ArgFloat:
			e.float(a.Value.Float())
		default:
			e.text(a.Value.Text)
		}
		span = a.Span
	}
}

// notes writes the levels, messages, events of locks, samples and flows of a batch.
func (e *encoder) notes(b *model.Batch) {
	e.uint(uint64(len(b.Levels)))
	at := b.Begin
	for _, l := range b.Levels {
		e.int(int64(l.Collector))
		e.int(l.Time - at)
		e.float(l.Value)
		at = l.Time
	}
	e.uint(uint64(len(b.Messages)))
	for i := range b.Messages {
		m := &b.Messages[i]
		e.int(m.Time - at)
		e.int(int64(m.Severity))
		e.text(m.Text)
		e.text(m.Category)
		e.text(m.Object)
		at = m.Time
	}
	e.uint(uint64(len(b.Locks)))
	for _, l := range b.Locks {
		e.int(l.Time - at)
		e.int(int64(l.Lock))
		e.buf = append(e.buf, byte(l.Kind))
		at = l.Time
	}
	e.uint(uint64(len(b.Samples)))
	for _, s := range b.Samples {
		e.int(int64(s.Series))
		e.int(s.Time - at)
		e.float(s.Value)
		at = s.Time
	}
	e.uint(uint64(len(b.Flows)))
	for i := range b.Flows {
		f := &b.Flows[i]
		e.int(f.To - at)
		e.int(f.From - f.To)
		e.int(int64(f.FromTrack))
		e.int(int64(f.Name))
		e.uint(uint64(f.Chain))
		e.uint(uint64(f.FromLane))
		e.uint(uint64(f.ToLane))
		at = f.To
	}
}
