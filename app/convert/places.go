package convert

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// Rowed reports whether the spans of a track need explicit rows and callers: they are calls, and do not
// nest so that a reader could derive them.
func (p *Part) Rowed(id model.TrackID) bool {
	rowed, known := p.rowed[id]
	if t := p.Session.Track(id); !known && t != nil && t.Def.Kind.Calls() {
		rowed = p.overlaps(id)
		if p.rowed == nil {
			p.rowed = map[model.TrackID]bool{}
		}
		p.rowed[id] = rowed
	}
	return rowed
}

// overlaps reports whether a span of a track is not the callee of the innermost that has not ended, in the row below it.
func (p *Part) overlaps(id model.TrackID) bool {
	var open []Span
	m := p.merge(id)
	for s := m.next(); s != nil; s = m.next() {
		n := len(open)
		for n > 0 && open[n-1].End <= s.Begin {
			n--
		}
		open = open[:n]
		caller, _ := p.Session.Path(s.Path)
		of := model.PathRoot
		if n > 0 {
			of = open[n-1].Path
		}
		if caller != of || int(s.Lane) != n || n > 0 && open[n-1].End < s.End || s.Flags&model.SpanMoves != 0 {
			return true
		}
		open = append(open, *s)
	}
	return false
}

// Marks appends the flags of a span without a place, if one of its ends is open (trace.Marks).
func Marks(dst []byte, s *Span) []byte {
	if s.Flags&trace.Open == 0 {
		return dst
	}
	return trace.AppendMarks(dst, s.Flags&(trace.Open|model.SpanUncertain))
}

// Unmarked reports whether Marks leaves out a flag of the span.
func Unmarked(s *Span) bool { return s.Flags&model.SpanUncertain != 0 && s.Flags&trace.Open == 0 }

// Places computes the places of the spans of a track, which come in the order of Part.Spans.
type Places struct {
	p     *Part
	rows  []Span // the newest of each
	below []int  // scratch
}

// Places returns a Places for the spans of one track.
func (p *Part) Places() *Places { return &Places{p: p} }

// Append appends the place of a span (trace.SpanPlace).
func (x *Places) Append(dst []byte, s *Span) []byte {
	for len(x.rows) <= int(s.Lane) {
		x.rows = append(x.rows, Span{Span: model.Span{Begin: math.MinInt64, End: math.MinInt64}})
	}
	place := trace.SpanPlace{
		Row: int(s.Lane), Flags: s.Flags & (model.SpanOpenBegin | model.SpanOpenEnd | model.SpanUncertain | model.SpanMoves),
	}
	x.below = x.below[:0]
	caller, _ := x.p.Session.Path(s.Path)
	for place.Caller = x.rowOf(caller, s.Begin); place.Caller < 0 && caller != model.PathRoot; place.Caller = x.rowOf(caller, s.Begin) {
		up, c := x.p.Session.Path(caller)
		x.below = append(x.below, x.p.numbers[c])
		caller = up
	}
	slices.Reverse(x.below)
	place.Below = x.below
	x.rows[s.Lane] = *s
	return place.Append(dst)
}

// rowOf returns the row with its newest span on a call path, preferably one that runs at a time; -1:
// none.
func (x *Places) rowOf(path model.PathID, at int64) int {
	best := -1
	for row := range x.rows {
		if r := &x.rows[row]; path != model.PathRoot && r.Path == path && (best < 0 || r.End >= at) {
			best = row
		}
	}
	return best
}
