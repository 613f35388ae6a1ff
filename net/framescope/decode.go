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

func tagOf(t reflect.Type) uint64 { return uint64(slices.Index(definitionTypes, t)) + firstDefinition }

var (
	errShort   = errors.New("ends within an item")
	errText    = errors.New("refers to a text that is not there")
	errUnknown = errors.New("holds an item of an unknown kind")
)

// decoder reads the items of a chunk. The first error ends it: all values read after it are zero.
type decoder struct {
	b     []byte
	at    int
	texts []string
	err   error

	columns [numColumns][]uint64 // what is left of them
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.at = len(d.b)
}

func (d *decoder) uint() uint64 {
	if d.at < len(d.b) && d.b[d.at] < 0x80 { // most of them
		d.at++
		return uint64(d.b[d.at-1])
	}
	v, n := binary.Uvarint(d.b[d.at:])
	if n <= 0 {
		d.fail(errShort)
		return 0
	}
	d.at += n
	return v
}

func (d *decoder) int() int64 {
	return unzigzag(d.uint())
}

func (d *decoder) byte() byte {
	if d.at >= len(d.b) {
		d.fail(errShort)
		return 0
	}
	d.at++
	return d.b[d.at-1]
}

func (d *decoder) float() float64 {
	if len(d.b)-d.at < 8 {
		d.fail(errShort)
		return 0
	}
	d.at += 8
	return math.Float64frombits(binary.LittleEndian.Uint64(d.b[d.at-8:]))
}

func (d *decoder) text() string {
	at := d.uint()
	if at > 0 {
		if at > uint64(len(d.texts)) {
			d.fail(errText)
			return ""
		}
		return d.texts[at-1]
	}
	n := d.uint()
	if n > uint64(len(d.b)-d.at) {
		d.fail(errShort)
		return ""
	}
	s := string(d.b[d.at : d.at+int(n)])
	d.at += int(n)
	d.texts = append(d.texts, s)
	return s
}

// count reads the length of a list with so many bytes at least for each entry.
func (d *decoder) count(bytes int) int {
	n := d.uint()
	if n > uint64((len(d.b)-d.at)/bytes) {
		d.fail(errShort)
		return 0
	}
	return int(n)
}

// define reads a definition with a tag.
func (d *decoder) define(tag uint64) model.Change {
	if tag < firstDefinition || tag-firstDefinition >= uint64(len(definitionTypes)) {
		d.fail(errUnknown)
		return nil
	}
	v := reflect.New(definitionTypes[tag-firstDefinition]).Elem()
	d.value(v)
	return v.Interface().(model.Change)
}

// value reads the fields of a definition. Those that a file of an earlier version lacks stay zero; of a
// later version, which has more, nothing is known.
func (d *decoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		n := d.count(1)
		if n > v.NumField() {
			d.fail(fmt.Errorf("holds a %s of a later version of Framescope", v.Type().Name()))
			return
		}
		for i := range n {
			d.value(v.Field(i))
		}
	case reflect.Slice:
		n := d.count(1)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			d.value(v.Index(i))
		}
	case reflect.String:
		v.SetString(d.text())
	case reflect.Bool:
		v.SetBool(d.uint() != 0)
	case reflect.Float64:
		v.SetFloat(d.float())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uint())
	default:
		v.SetInt(d.int())
	}
}

// batch reads a batch into one that is empty.
func (d *decoder) batch(b *model.Batch) {
	flags := d.uint()
	b.HasFrame, b.Open = flags&flagFrame != 0, flags&flagOpen != 0
	b.Rewind, b.Anew = flags&flagRewind != 0, flags&flagAnew != 0
	b.Track = model.TrackID(d.int())
	b.Bytes = int(d.int())
	b.Number = d.int()
	b.Begin = d.int()
	b.End = b.Begin + d.int()
	b.Spans = d.spans(b.Spans, b.Begin)
	d.args(b)
	b.Self = d.self(b.Self)
	d.notes(b)
}

// columnsOf returns the next n numbers of columns.
func (d *decoder) columnsOf(n int, first, behind int) (of [numColumns][]uint64) {
	for k := first; k < behind; k++ {
		if n > len(d.columns[k]) {
			d.fail(errShort)
			return of
		}
		of[k], d.columns[k] = d.columns[k][:n], d.columns[k][n:]
	}
	return of
}

// spans reads the spans of a batch with a begin into an empty list.
func (d *decoder) spans(list []model.Span, begin int64) []model.Span {
	n := d.uint()
	if n == 0 {
		return list
	}
	begin += d.int()
	if n > uint64(len(d.columns[columnBegin])) {
		d.fail(errShort)
		return list
	}
	of := d.columnsOf(int(n), columnBegin, columnFlags+1)
	if d.err != nil {
		return list
	}
	list = slices.Grow(list, int(n))[:n]
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
	return list
}

// self reads the self times of a batch into an empty list.
func (d *decoder) self(list []model.CollectorTime) []model.CollectorTime {
	n := d.uint()
	if n > uint64(len(d.columns[columnCollector])) {
		d.fail(errShort)
		return list
	}
	of := d.columnsOf(int(n), columnCollector, columnStarts+1)
	if d.err != nil {
		return list
	}
	list = slices.Grow(list, int(n))[:n]
	collector := int64(0)
	for i := range list {
		collector += unzigzag(of[columnCollector][i])
		list[i] = model.CollectorTime{
			Collector: model.CollectorID(collector),
			Ns:        unzigzag(of[columnNs][i]), Count: int32(unzigzag(of[columnStarts][i])),
		}
	}
	return list
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

func (d *decoder) args(b *model.Batch) {
	n := d.count(4)
	b.Args = slices.Grow(b.Args, n)
	span := int64(0)
	for range n {
		span += d.int()
		a := model.Arg{Span: int32(span), Key: d.text()}
		switch model.ArgKind(d.byte()) {
		case model.ArgInt:
			a.Value = model.IntArg(d.int())
		case model.ArgFloat:
			a.Value = model.FloatBits(math.Float64bits(d.float()))
		default:
			a.Value = model.TextArg(d.text())
		}
		if span < 0 || span >= int64(len(b.Spans)) || a.Key == "" {
			d.fail(errors.New("holds an argument of no span"))
			return
		}
		b.Args = append(b.Args, a)
	}
}

// notes reads the levels, messages, events of locks, samples and flows of a batch.
func (d *decoder) notes(b *model.Batch) {
	at := b.Begin
	n := d.count(10)
	b.Levels = slices.Grow(b.Levels, n)
	for range n {
		c := model.CollectorID(d.int())
		at += d.int()
		b.Levels = append(b.Levels, model.Level{Collector: c, Time: at, Value: d.float()})
	}
	n = d.count(5)
	b.Messages = slices.Grow(b.Messages, n)
	for range n {
		at += d.int()
		b.Messages = append(b.Messages, model.Message{
			Time: at, Severity: model.Severity(d.int()), Text: d.text(), Category: d.text(), Object: d.text(),
		})
	}
	n = d.count(3)
	b.Locks = slices.Grow(b.Locks, n)
	for range n {
		at += d.int()
		b.Locks = append(b.Locks, model.LockEvent{
			Time: at, Lock: model.CollectorID(d.int()), Kind: model.LockKind(d.byte()),
		})
	}
	n = d.count(10)
	b.Samples = slices.Grow(b.Samples, n)
	for range n {
		series := model.SeriesID(d.int())
		at += d.int()
		b.Samples = append(b.Samples, model.Sample{Series: series, Time: at, Value: d.float()})
	}
	n = d.count(7)
	b.Flows = slices.Grow(b.Flows, n)
	for range n {
		at += d.int()
		b.Flows = append(b.Flows, model.Flow{
			To: at, From: at + d.int(), FromTrack: model.TrackID(d.int()), Name: model.FlowID(d.int()),
			Chain: uint32(d.uint()), FromLane: uint16(d.uint()), ToLane: uint16(d.uint()),
		})
	}
}
