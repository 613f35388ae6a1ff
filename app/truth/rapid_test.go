package truth

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Sessions that nobody thought of: threads with frames that are lost, that leave time between them
// and whose clock steps back, calls that recur and go on through frames, counters, what is under
// way beside others of its kind, and sampled stacks. All that panels and reports say of them is
// compared as it is of recordings.
func TestSessionsThatNobodyThoughtOf(t *testing.T) {
	seen, nth, compared := map[string]int{}, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		x := subjectOf("rapid", drawSession(t, false))
		parts := x.parts()
		if len(parts) == 0 {
			return
		}
		p := &parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")]
		if n := p.last - p.first; n >= 0 && rapid.Bool().Draw(t, "other range") {
			track := x.s.Track(p.track)
			p.first = rapid.IntRange(0, track.NumFrames()-1).Draw(t, "first")
			p.last = rapid.IntRange(p.first, min(p.first+n, track.NumFrames()-1)).Draw(t, "last")
			p.t0, p.t1 = p.times(p.track, p.first, p.last)
		}
		nth++
		compared += p.compareReport(t)
		p.compareTables(t, seen)
		p.compareTips(t, rapid.IntRange(0, 94).Draw(t, "where it is pointed at"), seen) // see sweep
		if p.track != model.NoTrack {
			p.checkInvariants(t)
		}
	})
	if nth > 20 && (compared < 500 || len(seen) < 30) {
		t.Errorf("only %d numbers were compared, of %d kinds", compared, len(seen))
	}
}

// Sessions whose frames overlap, and whose frames come in reversed order: the times of frames are of
// what came with them, and reports, tables and tooltips say so.
func TestSessionsWhoseFramesOverlap(t *testing.T) {
	compared, numbers, told := 0, 0, map[string]int{}
	var tree spans.Tree
	rapid.Check(t, func(t *rapid.T) {
		x := subjectOf("overlap", drawSession(t, true))
		parts := x.parts()
		one, nth := rapid.IntRange(0, 9).Draw(t, "part"), rapid.IntRange(0, 94).Draw(t, "where it is pointed at") // see sweep
		for k, p := range parts {
			p.checkInvariants(t)
			numbers += p.compareReport(t)
			if k == one%len(parts) {
				p.compareTables(t, told)
				p.compareTips(t, nth, told)
			}
			for i := p.first; i <= p.last; i++ {
				want, seen := p.insideOf(p.track, i, i), 0
				for _, in := range x.s.FrameTotals(p.track, i, i, &tree, nil) {
					if f := want[in.Collector]; f == nil || f.values[0] != float64(in.Total) {
						t.Errorf("%s: frame %d of %v: %+v, want %+v", &p, i, x.s.Track(p.track).Frame(i), in, f)
					}
					seen++
				}
				if compared += seen; seen != len(want) {
					t.Errorf("%s: frame %d: %d collectors, want %d", &p, i, seen, len(want))
				}
			}
		}
	})
	if compared < 100 || numbers < 500 || len(told) < 30 {
		t.Errorf("only %d and %d numbers were compared, and %v", compared, numbers, told)
	}
}

// writer makes a session.
type writer struct {
	overlap bool // frames overlap, or come in reversed order
	t       *rapid.T
	s       *store.Session
	paths   []model.PathDef
	known   map[[2]int64]model.PathID
}

const (
	names      = 6 // collectors with times, the root among them; a counter and one below it follow
	counterTop = model.CollectorID(names)
)

func drawSession(t *rapid.T, overlap bool) *store.Session {
	w := &writer{overlap: overlap, t: t, s: store.NewSession(), known: map[[2]int64]model.PathID{}}
	w.s.Apply(model.Info{Source: "made", Program: "made", File: true, PID: -1})
	for id := range model.CollectorID(names) {
		parent := model.CollectorID(0)
		if id > 2 {
			parent = model.CollectorID(rapid.IntRange(0, int(id)-1).Draw(t, "named below"))
		}
		name := string(rune('A' + id))
		if id == 0 {
			name = "Frame"
		}
		w.s.Apply(model.CollectorDef{ID: id, Name: name, Parent: parent, Sort: -1})
	}
	w.s.Apply(model.CollectorDef{ID: counterTop, Name: "Count", Parent: 0, Sort: -1, Unit: "things"})
	w.s.Apply(model.CollectorDef{ID: counterTop + 1, Name: "Part", Parent: counterTop, Sort: -1, Unit: "things"})
	framed := overlap || rapid.Bool().Draw(t, "with frames")
	for id := range model.TrackID(rapid.IntRange(1, 3).Draw(t, "threads")) {
		kind := "calls"
		if !framed {
			kind = rapid.SampledFrom([]string{"calls", "samples", "streams"}).Draw(t, "kind")
		}
		switch kind {
		case "samples":
			w.sampled(id)
		case "streams":
			w.streams(id)
		default:
			w.called(id, framed)
		}
	}
	w.s.Apply(model.End{})
	return w.s
}

// path returns the path of a collector below another.
func (w *writer) path(parent model.PathID, c model.CollectorID) model.PathID {
	key := [2]int64{int64(parent), int64(c)}
	if w.known[key] == 0 {
		w.known[key] = model.PathID(len(w.known) + 1)
		w.s.Apply(model.PathDef{ID: w.known[key], Parent: parent, Collector: c})
	}
	return w.known[key]
}

// calls makes calls in [begin, end), each within its caller.
func (w *writer) calls(begin, end int64, parent model.PathID, lane uint16, out []model.Span) []model.Span {
	if lane > 4 {
		return out
	}
	for range rapid.IntRange(0, 3).Draw(w.t, "calls") {
		if end-begin < 2 {
			break
		}
		from := rapid.Int64Range(begin, end-1).Draw(w.t, "from")
		to := rapid.Int64Range(from, end).Draw(w.t, "to")
		path := w.path(parent, model.CollectorID(rapid.IntRange(1, names-1).Draw(w.t, "collector")))
		out = append(out, model.Span{Begin: from, End: to, Path: path, Lane: lane})
		out = w.calls(from, to, path, lane+1, out)
		begin = max(to, from+1)
	}
	return out
}

// called makes a thread with calls, in frames or without.
func (w *writer) called(id model.TrackID, framed bool) {
	w.s.Apply(model.TrackDef{ID: id, Name: "thread " + string(rune('a'+id)), Index: int(id)})
	if !framed {
		b := model.Batch{Track: id, Spans: w.calls(0, 1_000_000, model.PathRoot, 0, nil)}
		slices.SortStableFunc(b.Spans, func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		w.s.Append(&b)
		return
	}
	at, number := int64(1_000_000), int64(rapid.IntRange(0, 3).Draw(w.t, "first number"))
	reversed := w.overlap && rapid.Bool().Draw(w.t, "reversed") // numbers count down while time goes on
	overlap := w.overlap && !reversed
	var until [64 * 6]int64 // by lane
	var list []*model.Batch
	for range rapid.IntRange(1, 12).Draw(w.t, "frames") {
		switch rapid.IntRange(0, 6).Draw(w.t, "before it") {
		case 0: // some are lost
			number += int64(rapid.IntRange(1, 3).Draw(w.t, "lost"))
			at += 20_000
		case 1: // time that is in none
			at += rapid.Int64Range(1, 20_000).Draw(w.t, "between")
		case 2, 3:
			if overlap { // it begins before the one before ended, or its clock went back
				at -= rapid.Int64Range(1, 30_000).Draw(w.t, "back")
			}
		}
		length := rapid.Int64Range(1, 20_000).Draw(w.t, "length")
		if reversed {
			at -= length
		}
		b := &model.Batch{HasFrame: true, Track: id, Number: number, Begin: at, End: at + length}
		lane := uint16(0) // below those of frames that have not ended
		for slices.ContainsFunc(until[lane:lane+6], func(end int64) bool { return end > b.Begin }) {
			lane += 6
		}
		b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End, Path: w.path(model.PathRoot, 0)})
		b.Spans = w.calls(b.Begin, b.End, b.Spans[0].Path, 1, b.Spans)
		for i := range b.Spans {
			b.Spans[i].Lane += lane
			until[b.Spans[i].Lane] = max(until[b.Spans[i].Lane], b.Spans[i].End)
		}
		slices.SortStableFunc(b.Spans, func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		b.Self = w.alone(b.Spans)
		if rapid.Bool().Draw(w.t, "counter") {
			part := float64(rapid.IntRange(0, 40).Draw(w.t, "part"))
			b.Levels = append(b.Levels, model.Level{Collector: counterTop, Time: at, Value: part + float64(rapid.IntRange(0, 9).Draw(w.t, "own"))},
				model.Level{Collector: counterTop + 1, Time: at, Value: part})
		}
		list = append(list, b)
		if number++; !reversed {
			at = b.End
		}
	}
	if !reversed {
		for _, b := range list {
			w.s.Append(b)
		}
		return
	}
	for i := range slices.Backward(list) { // each comes after all that follow it, which come again
		for k, b := range list[i:] {
			b.Rewind = k == 0
			w.s.Append(b)
		}
	}
}

// alone works out own times: of each span what no span of the next lane covers.
func (w *writer) alone(list []model.Span) []model.CollectorTime {
	var of [names]model.CollectorTime
	for i, sp := range list {
		_, c := w.s.Path(sp.Path)
		of[c].Count++
		of[c].Ns += sp.End - sp.Begin
		for k, in := range list {
			if k != i && in.Lane == sp.Lane+1 && in.Begin >= sp.Begin && in.End <= sp.End && in.End > in.Begin {
				of[c].Ns -= in.End - in.Begin
			}
		}
	}
	var out []model.CollectorTime
	for c := range of {
		if of[c].Collector = model.CollectorID(c); of[c].Count > 0 {
			out = append(out, of[c])
		}
	}
	return out
}

// streams makes a way through the program on which much is under way at a time.
func (w *writer) streams(id model.TrackID) {
	w.s.Apply(model.TrackDef{ID: id, Name: "way " + string(rune('a'+id)), Index: int(id), Kind: model.TrackStream})
	path := w.path(model.PathRoot, model.CollectorID(rapid.IntRange(1, names-1).Draw(w.t, "collector")))
	b, at, until := model.Batch{Track: id}, int64(0), [8]int64{}
	for range rapid.IntRange(1, 30).Draw(w.t, "passages") {
		at += rapid.Int64Range(0, 10_000).Draw(w.t, "after")
		end := at + rapid.Int64Range(1, 40_000).Draw(w.t, "length")
		for lane := range until {
			if until[lane] <= at {
				until[lane] = end
				b.Spans = append(b.Spans, model.Span{Begin: at, End: end, Path: path, Lane: uint16(lane)})
				break
			}
		}
	}
	w.s.Append(&b)
}

// sampled makes a thread whose stack is sampled: a span for each run of samples with the same path.
func (w *writer) sampled(id model.TrackID) {
	w.s.Apply(model.TrackDef{ID: id, Name: "thread " + string(rune('a'+id)), Index: int(id)})
	series := model.SeriesID(id)
	for k := range series + 1 { // ids are dense
		if w.s.Series().ByID(k) == nil {
			w.s.Apply(model.SeriesDef{
				ID: k, Name: "stack " + string(rune('a'+k)), Group: "samples", Role: model.RoleStack, Kind: model.SeriesEvent, Track: model.TrackID(k),
				Object: model.NoObject, Peer: model.NoObject,
			})
		}
	}
	b, at := model.Batch{Track: id}, int64(0)
	var stack []model.PathID // of the sample before
	var open []int           // their spans
	for range rapid.IntRange(2, 30).Draw(w.t, "samples") {
		keep := rapid.IntRange(0, len(stack)).Draw(w.t, "callers that stay")
		next := slices.Clone(stack[:keep])
		for range rapid.IntRange(0, 4-min(len(next), 4)).Draw(w.t, "new ones") {
			parent := model.PathRoot
			if n := len(next); n > 0 {
				parent = next[n-1]
			}
			next = append(next, w.path(parent, model.CollectorID(rapid.IntRange(1, names-1).Draw(w.t, "collector"))))
		}
		same := 0
		for same < min(len(stack), len(next)) && stack[same] == next[same] {
			same++
		}
		open = open[:same]
		for lane := same; lane < len(next); lane++ {
			open = append(open, len(b.Spans))
			b.Spans = append(b.Spans, model.Span{Begin: at, Path: next[lane], Lane: uint16(lane)})
		}
		innermost := model.PathRoot
		if len(next) > 0 {
			innermost = next[len(next)-1]
		}
		b.Samples = append(b.Samples, model.Sample{Series: series, Time: at, Value: float64(innermost)})
		at += rapid.Int64Range(1_000, 20_000).Draw(w.t, "distance")
		for _, i := range open {
			b.Spans[i].End = at
		}
		stack = next
	}
	b.Samples = append(b.Samples, model.Sample{Series: series, Time: at, Value: 0})
	w.s.Append(&b)
}
