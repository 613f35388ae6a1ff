package convert

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/net/trace"
)

// Figures is the text on figures at the begin of a frame (see package trace), empty where there is
// none.
type Figures struct {
	Net, Levels []byte

	alone  []model.CollectorTime
	levels []model.Level
}

// figures fills out with the figures of a frame: its counter values, and self times by collector where
// spans give other figures. It skips collectors without a number (see Collectors).
func (p *Part) figures(id model.TrackID, at int, f *frames.Frame, out *Figures) {
	out.Net, out.Levels = out.Net[:0], out.Levels[:0]
	if p.numbers == nil {
		return
	}
	if p.oddFrames(id)[f.Number] {
		out.alone = p.Session.Frames().Self(id, at, out.alone[:0])
		for _, x := range out.alone {
			if n, ok := p.numbers[x.Collector]; ok {
				out.Net = trace.AppendShare(out.Net, trace.Share{Collector: n, Ns: x.Ns, Starts: x.Count})
			}
		}
		if len(out.Net) == 0 {
			out.Net = append(out.Net, ' ') // there are none
		}
	}
	out.levels = p.Session.Frames().Levels(id, at, out.levels[:0])
	for _, l := range out.levels {
		if n, ok := p.numbers[l.Collector]; ok {
			out.Levels = trace.AppendLevel(out.Levels, trace.ToldframesLevel{Collector: n, After: l.Time - f.Begin, Value: l.Value})
		}
	}
}

// oddFrames returns the numbers of the frames of a track with figures that differ from the sums of its
// spans in the export. The last frame is always among them: its figures depend on the rest of the file.
func (p *Part) oddFrames(id model.TrackID) map[int64]bool {
	if odd, known := p.odd[id]; known {
		return odd
	}
	x := summer{p: p, spans: p.merge(id), odd: map[int64]bool{}}
	var list []trace.ToldframesFrame
	p.eachFrame(id, func(at int, f frames.Frame) error {
		list = append(list, trace.ToldframesFrame{Number: f.Number, Begin: f.Begin, End: f.End})
		x.alone = p.Session.Frames().Self(id, at, x.alone)
		x.ends = append(x.ends, len(x.alone))
		return nil
	})
	if len(list) > 0 {
		x.next = x.spans.next()
		trace.Frames(&x, &x.sums, list, 0, math.MinInt64, true, true)
		x.odd[list[len(list)-1].Number] = true
	}
	if p.odd == nil {
		p.odd = map[model.TrackID]map[int64]bool{}
	}
	p.odd[id] = x.odd
	return x.odd
}

// summer sums up the spans of a track as a reader of the export does, and compares with the session.
type summer struct {
	p     *Part
	spans *merger
	next  *Span // nil: none
	sums  trace.SelfTimes
	alone []model.CollectorTime // of all frames, in their order
	ends  []int                 // ends of each frame's part
	at    int                   // frame
	got   []model.CollectorTime
	odd   map[int64]bool
}

// Loose implements framecut.Publisher.
func (x *summer) Loose(before int64) {
	for ; x.next != nil && x.next.Begin < before; x.next = x.spans.next() {
		x.sums.Run(x.next.Collector, x.next.End)
	}
}

// Frame implements framecut.Publisher.
func (x *summer) Frame(f trace.ToldframesFrame, to int64) {
	x.sums.Frame(f.Begin, f.End)
	for ; x.next != nil && x.next.Begin < to; x.next = x.spans.next() {
		starts := int32(1)
		if x.next.Flags&model.SpanMoves != 0 {
			starts = 0
		}
		x.sums.Start(x.next.Collector, x.next.Begin, x.next.End, starts)
	}
	x.got = x.sums.End(x.got[:0])
	from := 0
	if x.at > 0 {
		from = x.ends[x.at-1]
	}
	if !slices.Equal(x.alone[from:x.ends[x.at]], x.got) {
		x.odd[f.Number] = true
	}
	x.at++
}

// Idle implements framecut.Publisher: all frames are published.
func (x *summer) Idle(int64) bool { return false }

// Refuse implements framecut.Publisher.
func (x *summer) Refuse() bool { return false }

// Cancelled implements framecut.Publisher.
func (x *summer) Cancelled() bool { return false }
