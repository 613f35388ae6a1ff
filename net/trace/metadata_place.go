package trace

import (
	"bytes"
	"strconv"

	"framescope/model"
)

const (
	// Place is the argument of a span of a thread whose spans do not lie inside each other in the way that readers find
	// out (Rows): its row, that of its caller, -1 for none, and letters for what else is known of it, "3 2 m". Where
	// its caller is in no row, that of one further up is, and the numbers of collectors lead on from there: "3 1/17".
	Place = "span_place"
	// Rows is the member of Track that is true of such a thread; Beside is true of what has more spans of the thread
	// that it belongs to.
	Rows   = "rows"
	Beside = "beside"
	// Marks is the argument of any other span of which more is known than when it began and ended: the letters of
	// Place for that, "be" of what goes beyond both ends of a range.
	Marks = "span_marks"
)

// Open are the flags of spans with a begin or end that was not received, or lies outside.
const Open = model.SpanOpenBegin | model.SpanOpenEnd

// placeFlags are the letters of flags, in order.
var placeFlags = [...]struct {
	letter byte
	flag   model.SpanFlags
}{{'b', model.SpanOpenBegin}, {'e', model.SpanOpenEnd}, {'u', model.SpanUncertain}, {'m', model.SpanMoves}}

// SpanPlace is the position metadata of a span.
type SpanPlace struct {
	Row, Caller int   // rows, Caller -1: none
	Below       []int // numbers of collectors (Collector) that lead from that to the caller
	Flags       model.SpanFlags
}

// Append appends the text of a place.
func (p SpanPlace) Append(dst []byte) []byte {
	dst = strconv.AppendInt(append(strconv.AppendInt(dst, int64(p.Row), 10), ' '), int64(p.Caller), 10)
	for _, n := range p.Below {
		dst = strconv.AppendInt(append(dst, '/'), int64(n), 10)
	}
	if p.Flags != 0 {
		dst = AppendMarks(append(dst, ' '), p.Flags)
	}
	return dst
}

// AppendMarks appends the letters of flags.
func AppendMarks(dst []byte, flags model.SpanFlags) []byte {
	for _, f := range placeFlags {
		if flags&f.flag != 0 {
			dst = append(dst, f.letter)
		}
	}
	return dst
}

// ReadMarks reads the letters of flags; others are passed over.
func ReadMarks(text []byte) (flags model.SpanFlags) {
	for _, f := range placeFlags {
		if bytes.IndexByte(text, f.letter) >= 0 {
			flags |= f.flag
		}
	}
	return flags
}

// ReadPlace reads a place with rows below most. ok is false for any other text.
func ReadPlace(text []byte, most int) (p SpanPlace, ok bool) {
	row, rest, _ := bytes.Cut(text, []byte(" "))
	callers, flags, _ := bytes.Cut(rest, []byte(" "))
	caller, below, more := bytes.Cut(callers, []byte("/"))
	var err, err2 error
	p.Row, err = strconv.Atoi(string(row))
	p.Caller, err2 = strconv.Atoi(string(caller))
	for more && len(p.Below) < mostPath {
		var name []byte
		name, below, more = bytes.Cut(below, []byte("/"))
		n, err := strconv.Atoi(string(name))
		if err != nil || n < 0 {
			return p, false
		}
		p.Below = append(p.Below, n)
	}
	p.Flags = ReadMarks(flags)
	return p, err == nil && err2 == nil && p.Row >= 0 && p.Row < most && p.Caller >= -1 && p.Caller < most
}

// Rowed puts the spans of a thread into the rows of their places. The zero value is empty.
type Rowed struct {
	paths []model.PathID // of the newest span of each row
	ends  []int64
}

// Put gives a span, of those of a thread in order of time and row, its call path and its flags; path returns the one of
// what is called as a collector is, by its number, below another, of what is called as the span is for -1.
func (r *Rowed) Put(
	p SpanPlace, begin, end int64, path func(parent model.PathID, collector int) model.PathID,
) (model.PathID, model.SpanFlags) {
	for len(r.paths) <= max(p.Row, p.Caller) {
		r.paths, r.ends = append(r.paths, model.PathRoot), append(r.ends, model.MinTime)
	}
	parent := model.PathRoot
	if p.Caller >= 0 {
		parent = r.paths[p.Caller]
	}
	if r.ends[p.Row] != begin || r.paths[p.Row] == model.PathRoot {
		p.Flags &^= model.SpanMoves // there is nothing that goes on in it
	}
	for _, n := range p.Below {
		parent = path(parent, n)
	}
	of := path(parent, -1)
	r.paths[p.Row], r.ends[p.Row] = of, end
	return of, p.Flags
}
