package chrometrace

import (
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// frameNames are usual names of spans that are frames, but need not be (spec/chrome-trace.md, Mapping).
var frameNames = []string{"frame", "Frame", "update", "RunLoop", "doFrame", "BeginFrame"}

const (
	leastNamed   = 10 // so many of a thread may be frames,
	deepestNamed = 3  // in this row or a higher one
)

// framesOf makes frames of the spans of a name, in each process those of the thread that has most of
// them. Time between two is of none; one inside another of the name is a part of it. It returns the
// thread to look at first, nil where no span is called so.
func (d *decoder) framesOf(name string) (main *thread) {
	called := d.called([]string{name})
	for _, th := range d.threads {
		if called == nil {
			break
		}
		d.settled(th)
		var list []border
		for i := range th.spans {
			s := &th.spans[i]
			if n := len(list); called[s.text] > 0 && s.end > s.begin && (n == 0 || s.begin >= list[n-1].End) {
				b := border{Number: int64(n), Begin: s.begin, End: s.end}
				if s.flags&model.SpanOpenEnd != 0 {
					b.End, b.Open = th.proc.last, true
				}
				list = append(list, b)
			}
		}
		if p := th.proc; len(list) > len(p.borders) {
			p.borders, p.main = list, th
			if main == nil || len(list) > len(main.proc.borders) || main.proc == p {
				main = th
			}
		}
	}
	return main
}

// called returns for every text which of some names it is, from 1 on; nil where none is there.
func (d *decoder) called(list []string) (of []uint8) {
	for n, text := range d.texts.list {
		if i := slices.Index(list, text); i >= 0 {
			if of == nil {
				of = make([]uint8, len(d.texts.list))
			}
			of[n] = uint8(i + 1)
		}
	}
	return of
}

// settled brings the spans of a thread in order, whole.
func (d *decoder) settled(th *thread) {
	if th.settled {
		return
	}
	th.spans, th.marks, th.settled = d.pair(th.spans, th.marks), nil, true
	order(th.spans)
	slack := int64(wholeMicros)
	if d.fine {
		slack = 1
	}
	trace.EvenRows(th.spans, slack, func(s *span) (int64, *int64) { return s.begin, &s.end })
}

// suggest proposes the spans of one name as frames if nothing marks frames: of the usual names the most frequent
// on one thread.
func (d *decoder) suggest() {
	called := d.called(frameNames)
	if called == nil {
		return
	}
	name, most := "", leastNamed-1
	for _, th := range d.threads {
		d.settled(th)
		for i, l := range alike(th.spans, called) {
			if !l.no && l.n > most {
				name, most = frameNames[i], l.n
			}
		}
	}
	if name != "" {
		d.sink.Define(trace.MayBeFrames(name, most))
	}
}

// likeness is how many spans a thread has of a name, and whether they can be its frames.
type likeness struct {
	n    int
	last int64 // end of the last one
	no   bool  // one is called deep, or within another
}

// alike returns it for the spans of a thread, by name.
func alike(spans []span, called []uint8) []likeness {
	of := make([]likeness, len(frameNames))
	var ends []int64 // of the spans around
	for i := range spans {
		s := &spans[i]
		for len(ends) > 0 && ends[len(ends)-1] <= s.begin {
			ends = ends[:len(ends)-1]
		}
		ends = append(ends, s.end)
		if at := called[s.text]; at > 0 {
			l := &of[at-1]
			l.no = l.no || len(ends) > deepestNamed || l.n > 0 && s.begin < l.last
			l.n, l.last = l.n+1, s.end
		}
	}
	return of
}
