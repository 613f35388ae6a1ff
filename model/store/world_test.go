package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/locks"
	"framescope/model/messages"
	"framescope/model/spans"
)

// A world is a store under change beside what it should hold. Each session has a plain twin that
// remembers all that was appended and not taken back. What left memory is read off the store (it
// may choose); a fresh session is then filled with the rest alone, and both must give the same
// answers to every question.
type world struct {
	t        failer
	bars     []spans.Bar // of the last lane, used again
	st       *Store
	sessions []*worldSession
	room     int64 // bytes of data that fit the limit
}

// failer is a test, or one case of a property.
type failer = testkit.T

type worldSession struct {
	rng     *rand.Rand
	s       *Session
	defs    []model.Change
	tracks  []*worldTrack
	samples [worldSeries][]model.Sample
	now     int64
}

type worldTrack struct {
	id     model.TrackID
	framed bool
	jumps  bool // its frames overlap
	game   *game
	frames []*model.Batch
	loose  []*model.Batch // spans of a track without frames
	notes  []worldNote
	locks  []worldLock
	levels map[model.CollectorID][]model.Level // loose ones
	now    int64
}

type worldNote struct {
	model.Message
	frame int64
}

type worldLock struct {
	model.LockEvent
	frame int64
}

const (
	worldSeries = 4 // a value, a state, the stacks of track 0 and its CPU time
	worldPaths  = 20
)

func newWorld(t failer, seed uint64, room int64) *world {
	w := &world{t: t, st: &Store{}, room: room}
	for k := range 2 {
		x := &worldSession{rng: rand.New(rand.NewPCG(seed, uint64(k))), s: w.st.NewSession()}
		recorder := NewSession() // learns the definitions of the games
		for id := range model.TrackID(3) {
			tr := &worldTrack{id: id, framed: id < 2, levels: map[model.CollectorID][]model.Level{}}
			tr.game = newGame(rand.New(rand.NewPCG(seed, 7)), recorder, 10, worldPaths, 4)
			tr.game.rng = rand.New(rand.NewPCG(seed, uint64(id)+20))
			tr.game.spansPerFrame = 12
			tr.jumps = id == 1 && seed&1 != 0
			tr.game.jumps = tr.jumps
			x.tracks = append(x.tracks, tr)
		}
		for c := range model.CollectorID(10) {
			if d := recorder.Collector(c); d.Defined {
				x.defs = append(x.defs, model.CollectorDef{
					ID: c, Name: d.Name, Parent: max(d.Parent, 0), Color: d.Color, Sort: d.Sort,
					Unit: d.Unit, Scale: d.Scale, Factor: d.Factor,
				})
			}
		}
		for p := model.PathID(1); p <= worldPaths; p++ {
			parent, c := recorder.Path(p)
			x.defs = append(x.defs, model.PathDef{ID: p, Parent: parent, Collector: c})
		}
		x.defs = append(x.defs,
			model.SeriesDef{ID: 0, Track: model.NoTrack, Object: model.NoObject}, model.SeriesDef{ID: 1, Kind: model.SeriesState, Track: model.NoTrack, Object: model.NoObject},
			model.SeriesDef{ID: 2, Kind: model.SeriesState, Role: model.RoleStack, Track: 0, Object: model.NoObject}, model.SeriesDef{ID: 3, Kind: model.SeriesCounter, Role: model.RoleCPUTime, Track: 0, Object: model.NoObject})
		for _, d := range x.defs {
			x.s.Apply(d)
		}
		w.sessions = append(w.sessions, x)
	}
	w.st.MemoryLimit = w.st.Memory().Total() + room
	return w
}

// run does what the bytes say: each is a step.
func (w *world) run(steps []byte) {
	for _, b := range steps {
		x := w.sessions[b&1]
		track := x.tracks[int(b>>1&3)%3]
		n := 1 + int(b>>6)*8
		switch b >> 3 & 7 {
		case 0, 1, 2:
			for range n {
				x.append(track)
			}
		case 3:
			x.appendSamples(n)
		case 4, 5:
			x.rewind(track, n)
		case 6:
			w.st.EnforceLimit(time.Time{})
		case 7:
			if b>>6 == 3 {
				w.check(x)
			} else {
				x.ask()
			}
		}
	}
	for _, x := range w.sessions {
		w.check(x)
	}
}

// append adds a frame, or some spans, to a track, and what comes with it.
func (x *worldSession) append(tr *worldTrack) {
	b := tr.game.frame()
	b.Track = tr.id
	tr.now = b.End
	x.now = max(x.now, b.End)
	frame := b.Number
	for i := range b.Spans { // what goes on of what has left begins here, as far as anybody knows
		sp := &b.Spans[i]
		if gone, end := x.s.Spans().Kept(tr.id, int(sp.Lane)); sp.Flags&model.SpanContinues != 0 && end > 0 && gone == end {
			sp.Flags = sp.Flags&^model.SpanContinues | model.SpanOpenBegin
		}
	}
	if tr.framed {
		tr.frames = append(tr.frames, b)
	} else {
		b.HasFrame, b.Self, b.Levels, frame = false, nil, nil, model.NoFrame
		for i := range b.Spans { // nothing goes on here
			b.Spans[i].Flags &^= model.SpanContinues
		}
		tr.game.open = tr.game.open[:0]
		tr.loose = append(tr.loose, b)
		if x.rng.IntN(2) == 0 {
			c := model.CollectorID(x.rng.IntN(3))
			v := model.Level{Collector: c, Time: b.End, Value: float64(x.rng.IntN(100))}
			b.Levels = append(b.Levels, v)
			tr.levels[c] = append(tr.levels[c], v)
		}
	}
	if tr.jumps { // messages and lock events are taken in order of time, or nearly
		x.s.Append(b)
		return
	}
	at := b.Begin
	for range x.rng.IntN(4) {
		at += x.rng.Int64N(max((b.End-b.Begin)/4, 1))
		m := model.Message{Time: at, Severity: model.Severity(x.rng.IntN(5) - 2), Text: strings.Repeat("text ", x.rng.IntN(8)) + fmt.Sprint(x.rng.IntN(30)), Category: fmt.Sprint("c", x.rng.IntN(4)), Object: fmt.Sprint("o", x.rng.IntN(20))}
		b.Messages = append(b.Messages, m)
		tr.notes = append(tr.notes, worldNote{m, frame})
	}
	at = b.Begin
	for range x.rng.IntN(8) {
		at += x.rng.Int64N(max((b.End-b.Begin)/8, 1))
		e := model.LockEvent{Time: at, Lock: model.CollectorID(x.rng.IntN(3)), Kind: model.LockKind(x.rng.IntN(6))}
		b.Locks = append(b.Locks, e)
		tr.locks = append(tr.locks, worldLock{e, frame})
	}
	x.s.Append(b)
}

func (x *worldSession) appendSamples(n int) {
	b := &model.Batch{Track: model.NoTrack}
	for range n * 4 {
		x.now += x.rng.Int64N(2000)
		for id := range model.SeriesID(worldSeries) {
			v := model.Sample{Series: id, Time: x.now, Value: float64(x.rng.IntN(50))}
			switch {
			case id == 2:
				v.Value = float64(x.rng.IntN(worldPaths + 2))
			case id == 3:
				v.Value = float64(x.now)
			case x.rng.IntN(9) == 0:
				v.Value = math.NaN()
			}
			b.Samples = append(b.Samples, v)
			x.samples[id] = append(x.samples[id], v)
		}
	}
	x.s.Append(b)
}

// rewind takes back some of the newest frames, all that are left now and then, and adds another
// one.
func (x *worldSession) rewind(tr *worldTrack, n int) {
	t := x.s.Track(tr.id)
	if !tr.framed || t == nil || t.NumFrames() == 0 {
		return
	}
	n = min(n, t.NumFrames(), columns.UndoFrames)
	if t.NumFrames() <= columns.UndoFrames && x.rng.IntN(4) == 0 {
		n = t.NumFrames()
	}
	tr.frames = tr.frames[:len(tr.frames)-n]
	tr.game.back(tr.frames)
	number := tr.game.number
	tr.notes = slices.DeleteFunc(tr.notes, func(m worldNote) bool { return m.frame != model.NoFrame && m.frame >= number })
	tr.locks = slices.DeleteFunc(tr.locks, func(e worldLock) bool { return e.frame != model.NoFrame && e.frame >= number })
	x.s.Append(&model.Batch{Track: tr.id, Rewind: true, Number: number})
	x.append(tr)
}

// ask makes what is made by questions: it must not be there any more when what it was made of has
// left.
func (x *worldSession) ask() {
	x.s.Spans().Stats([]model.TrackID{0, 1, 2}, model.MinTime, model.MaxTime, nil)
	x.s.Spans().Longest(0, model.NoCollector, -1, model.MinTime, model.MaxTime, 3, nil)
	x.s.Locks().Arrows(model.MinTime, model.MaxTime, nil)
	x.s.Messages().Find(messages.Query{Text: "1", Limit: 5}, nil)
	for id := range model.TrackID(2) {
		for _, levels := range []bool{false, true} {
			x.s.Frames().AllStats(id, levels, 0, math.MaxInt, nil)
			x.s.Frames().PrepareStats(id, levels, 1000)
		}
	}
	for id := range model.SeriesID(worldSeries) {
		x.s.Series().ByID(id).Stats(model.MinTime, model.MaxTime)
	}
	var tree spans.Tree
	x.s.Spans().TreeOf(spans.MeasureSamples, []model.TrackID{0}, model.MinTime, model.MaxTime, &tree)
	x.s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{0}, model.MinTime, model.MaxTime, &tree)
}

// check compares a session with one that holds only what is left of it.
func (w *world) check(x *worldSession) {
	twin := NewSession()
	for _, d := range x.defs {
		twin.Apply(d)
	}
	for _, tr := range x.tracks {
		if x.s.Track(tr.id) != nil {
			w.twinTrack(x, tr, twin)
		}
	}
	held := &model.Batch{Track: model.NoTrack}
	for id, list := range x.samples {
		first, end := x.s.Series().ByID(model.SeriesID(id)).Positions()
		testkit.MustThat(w.t, int64(len(list)) == end, "series %d: %d samples, want %d", id, end, len(list))
		held.Samples = append(held.Samples, list[first:]...)
	}
	twin.Append(held)
	for _, tr := range x.tracks {
		if x.s.Track(tr.id) != nil {
			w.compareTrack(x, tr, twin)
		}
	}
	w.compareSeries(x, twin)
	w.compareLocks(x)
	w.compareMessages(x, twin)
}

// inRows makes rows of a batch's spans, for all lanes without flagged spans.
func inRows(b *model.Batch) {
	rows, bare, base := map[uint16][]model.Row{}, map[uint16]bool{}, int64(model.MaxTime)
	for _, s := range b.Spans {
		base = min(base, s.Begin)
	}
	for _, s := range b.Spans {
		bare[s.Lane] = bare[s.Lane] || s.Flags != 0
		rows[s.Lane] = append(rows[s.Lane], model.Row{
			Begin: uint32(s.Begin - base), Ns: uint32(s.End - s.Begin), Path: s.Path,
		})
	}
	for _, lane := range slices.Sorted(maps.Keys(rows)) {
		if most := slices.MaxFunc(rows[lane], func(a, b model.Row) int { return cmp.Compare(a.Path, b.Path) }); !bare[lane] {
			b.Rows = append(b.Rows, model.RowRun{Begin: base, Lane: lane, Most: most.Path, Rows: rows[lane]})
		}
	}
	b.Spans = slices.DeleteFunc(b.Spans, func(s model.Span) bool { return !bare[s.Lane] })
}

// twinTrack fills a track of the twin with what is left.
func (w *world) twinTrack(x *worldSession, tr *worldTrack, twin *Session) {
	t := x.s.Track(tr.id)
	p := &plainTrack{frames: tr.frames}
	if !tr.framed {
		p.frames = tr.loose
	}
	p.build()
	first := int(t.frames.End()) - t.NumFrames()
	testkit.MustThat(w.t, !tr.framed || first+t.NumFrames() == len(tr.frames),
		"track %d: %d frames after %d, want %d", tr.id, t.NumFrames(), first, len(tr.frames))
	cut := int64(math.MinInt64)
	if first > 0 && first < len(tr.frames) {
		cut = tr.frames[first].Begin
	}
	began := p.began
	spans := make([][]model.Span, len(p.frames)+1) // by frame; those that began before what is left come first
	for n, list := range p.lanes {
		gone, end := x.s.Spans().Kept(tr.id, n)
		testkit.MustThat(w.t, end == 0 || end == int64(len(list)),
			"track %d, lane %d: %d spans, want %d", tr.id, n, end, len(list))
		for i, sp := range list {
			if int64(i) >= gone {
				k := 0
				if tr.framed && began[n][i] >= first {
					k = began[n][i] + 1
				}
				spans[k] = append(spans[k], model.Span{Begin: sp.begin, End: sp.end, Path: sp.path, Lane: uint16(n), Flags: sp.flags})
				for _, m := range sp.moves {
					spans[k] = append(spans[k], model.Span{Begin: m.begin, End: sp.end, Path: m.path, Lane: uint16(n), Flags: sp.flags | model.SpanMoves})
				}
			} else if tr.framed && !tr.jumps && sp.end > cut {
				w.t.Fatalf("track %d, lane %d: a span that ended at %d left, but not the frame at %d", tr.id, n, sp.end, cut)
			}
		}
	}
	b := &model.Batch{Track: tr.id, Spans: spans[0]}
	for c, list := range tr.levels {
		if first, ok := t.frames.FirstLoose(c); ok {
			b.Levels = append(b.Levels, list[first:]...)
		}
	}
	twin.Append(b)
	if tr.framed {
		for i, b := range tr.frames[min(first, len(tr.frames)):] {
			c := *b
			c.Spans, c.Messages, c.Locks = spans[first+i+1], nil, nil
			inRows(&c)
			twin.Append(&c)
		}
	}
	slices.SortStableFunc(tr.notes, func(a, b worldNote) int { return cmp.Compare(a.Time, b.Time) })
	oldest, stored := t.messages.Positions()
	testkit.MustEqual(w.t, stored, int64(len(tr.notes)), "track %d: messages, want %d", tr.id, len(tr.notes))
	b = &model.Batch{Track: tr.id}
	for _, m := range tr.notes[oldest:] {
		b.Messages = append(b.Messages, m.Message)
	}
	twin.Append(b)
}

func (w *world) same(what string, want, got any, opts ...gocmp.Option) {
	w.t.Helper()
	w.near(what, want, got, 1e-9, 1e-12, opts...)
}

// near compares, floating-point numbers to a fraction or a margin.
func (w *world) near(what string, want, got any, fraction, margin float64, opts ...gocmp.Option) {
	w.t.Helper()
	if reflect.DeepEqual(want, got) { // much quicker, and mostly so
		return
	}
	d := gocmp.Diff(want, got, append(opts, cmpopts.EquateNaNs(), cmpopts.EquateApprox(fraction, margin))...)
	testkit.MustThat(w.t, d == "", "%s: (- what is left alone, + the store)\n%s", what, d)
}

// times returns two times within what a track has left.
func (x *worldSession) times(t *Track) (t0, t1 int64) {
	lo, hi, _ := t.Bounds()
	a, b := lo+x.rng.Int64N(hi-lo+1), lo+x.rng.Int64N(hi-lo+1)
	switch x.rng.IntN(4) {
	case 0:
		return lo, hi + 1
	case 1:
		return a, a + (hi-lo)/50 + 1
	}
	return min(a, b), max(a, b) + 1
}

func (w *world) compareTrack(x *worldSession, tr *worldTrack, twin *Session) {
	s, t, o := x.s, x.s.Track(tr.id), twin.Track(tr.id)
	first := func(lane int) int64 {
		first, _ := s.Spans().Kept(tr.id, lane)
		return first
	}
	refs := gocmp.Transformer("ref", func(r spans.Ref) [3]int64 { return [3]int64{int64(r.Track), int64(r.Lane), r.Index} })
	shift := func(bars []spans.Bar) []spans.Bar {
		for i := range bars {
			bars[i].Ref.Index -= first(int(bars[i].Ref.Lane))
		}
		return bars
	}
	ids := []model.TrackID{tr.id}
	if _, _, ok := t.Bounds(); !ok {
		return
	}
	n, all := t.NumFrames(), &plainTrack{frames: tr.frames}
	all.build()
	for range 3 {
		t0, t1 := x.times(t)
		for lane := range t.Lanes() {
			w.same("bars", twin.Spans().Visible(tr.id, lane, t0, t1, 0, nil), shift(s.Spans().Visible(tr.id, lane, t0, t1, 0, nil)), refs)
			spansOf := func(s *Session) (count int64) {
				minNs := int64(5000)
				last := int64(math.MinInt64)
				w.bars = s.Spans().Visible(tr.id, lane, model.MinTime, model.MaxTime, minNs, w.bars[:0])
				for _, b := range w.bars {
					testkit.MustThat(w.t, b.Begin >= last && b.End >= b.Begin && b.Count >= 1, "bar %+v", b)
					last, count = b.End, count+int64(b.Count)
				}
				return count
			}
			if a, b := spansOf(twin), spansOf(s); a != b {
				w.t.Fatalf("lane %d: bars of %d spans, want %d", lane, b, a)
			}
			a, okA := twin.Spans().At(tr.id, lane, t0, 300)
			b, okB := s.Spans().At(tr.id, lane, t0, 300)
			b.Ref.Index -= first(lane)
			testkit.MustThat(w.t, okA == okB && (!okA || a == b), "at %d: %+v %v, want %+v %v", t0, b, okB, a, okA)
		}
		var want, got spans.Tree
		twin.Spans().Tree(ids, t0, t1, &want)
		s.Spans().Tree(ids, t0, t1, &got)
		w.same("call tree", want.Nodes, got.Nodes)
		stats := s.Spans().Stats(ids, t0, t1, nil)
		for i := range stats {
			stats[i].Longest.Index -= first(int(stats[i].Longest.Lane))
		}
		// Of equally long calls the one that is found first may differ: the rows are the same, but
		// the blocks that they are looked up in lie elsewhere.
		plain := twin.Spans().Stats(ids, t0, t1, nil)
		if leftInForce(s, ids, t0) { // one sample more than the twin ever had
			for _, list := range [][]spans.Stat{plain, stats} {
				for i := range list {
					list[i].Samples, list[i].OfSamples = 0, 0
				}
			}
		}
		w.same("calls", plain, stats, refs)
		w.same("longest", twin.Spans().Longest(tr.id, model.NoCollector, -1, t0, t1, 5, nil), shift(s.Spans().Longest(tr.id, model.NoCollector, -1, t0, t1, 5, nil)), refs)
		for c := range model.CollectorID(10) {
			for _, dir := range []int{-1, 1} {
				a, okA := twin.Spans().Next(tr.id, c, t0, dir)
				b, okB := s.Spans().Next(tr.id, c, t0, dir)
				testkit.MustThat(w.t, okA == okB && (!okA || a.Begin == b.Begin && a.Collector == b.Collector),
					"next of %d from %d by %d: %+v %v, want %+v %v", c, t0, dir, b, okB, a, okA)
			}
		}
		calls := func(s *Session) (list []spans.Call) {
			var c spans.CallSearch
			c.Start(s.Spans(), spans.CallQuery{Tracks: ids, T0: t0, T1: t1, Wanted: []bool{true, false, true, false, true}, Limit: 4})
			for !c.Step(50) {
			}
			for _, call := range c.Calls() {
				if call.Ref, call.Stack = (spans.Ref{}), 0; tr.jumps {
					call.SelfNs = 0 // what goes on from frame to frame tells the twin nothing of itself
				}
				list = append(list, call)
			}
			return list
		}
		w.same("call search", calls(twin), calls(s))
		if !tr.jumps {
			w.compareByTime(x, tr, twin, t0, t1)
		}
		for _, minNs := range []int64{3000, 1e6, 1e12} {
			w.same("marks", twin.Messages().Marks(tr.id, t0, t1, minNs, nil), w.shiftMarks(t, s.Messages().Marks(tr.id, t0, t1, minNs, nil)))
		}
		if n == 0 {
			continue
		}
		i := x.rng.IntN(n)
		w.same("frame", o.Frame(i), t.Frame(i))
		w.same("alone", twin.Frames().Self(tr.id, i, nil), s.Frames().Self(tr.id, i, nil))
		w.same("levels", twin.Frames().Levels(tr.id, i, nil), s.Frames().Levels(tr.id, i, nil))
		of, at := twin, i
		if tr.jumps {
			of, at = tr.alone(x.defs), i+len(tr.frames)-n
			for i := range n {
				checkFrames(w.t, s, tr.id, all, i, i, len(tr.frames)-n)
			}
		}
		// An instant at the border of two frames came with the first and is shown in the second, if that
		// follows. Where a frame that jumps stood there once, and was taken back, it may have left.
		kept := func(runs []spans.Run) []spans.Run {
			return slices.DeleteFunc(runs, func(r spans.Run) bool {
				return tr.jumps && i == 0 && r.Begin == r.End && r.Begin == t.Frame(0).Begin
			})
		}
		w.same("piano", kept(of.PianoRuns(tr.id, at, nil)), kept(s.PianoRuns(tr.id, i, nil)))
		w.same("frame bars", twin.Frames().Bars(tr.id, i, 3, 9, nil), s.Frames().Bars(tr.id, i, 3, 9, nil))
		w.same("slowest", twin.Frames().Slowest(tr.id, 0, n, 5, nil), s.Frames().Slowest(tr.id, 0, n, 5, nil))
		w.same("slowest of some", twin.Frames().Slowest(tr.id, i, n-1, 2, nil), s.Frames().Slowest(tr.id, i, n-1, 2, nil))
		checkExactTotals(w.t, s, tr.id, i/2, n-1)
		for _, levels := range []bool{false, true} {
			approx := cmpopts.IgnoreFields(frames.Stats{}, "Median", "P95", "P99")
			w.same("statistics", twin.Frames().AllStats(tr.id, levels, i/2, n-1, nil), s.Frames().AllStats(tr.id, levels, i/2, n-1, nil), approx)
		}
	}
	if n > 0 {
		w.same("missing", o.Missing(), t.Missing())
	}
}

// compareByTime compares what finds frames by time. Where a clock went back they count as beginning
// no earlier than those before them, also than those that left.
func (w *world) compareByTime(x *worldSession, tr *worldTrack, twin *Session, t0, t1 int64) {
	s, t, o := x.s, x.s.Track(tr.id), twin.Track(tr.id)
	w.same("frame at", o.FrameAt(t0), t.FrameAt(t0))
	w.same("gaps", o.Gaps(t0, t1, nil), t.Gaps(t0, t1, nil))
	for mode := range frames.StripMode(3) {
		for _, levels := range []bool{false, true} {
			q := frames.StripQuery{Track: tr.id, T0: t0, T1: t1, Columns: 1 + x.rng.IntN(40), Mode: mode, Levels: levels, SmoothNs: 20_000}
			var want, got frames.Strip
			twin.Frames().Strip(q, &want)
			s.Frames().Strip(q, &got)
			w.near("strip", want.Columns, got.Columns, 1e-4, 1e-10)
			w.same("strip bands", want.Bands, got.Bands)
			w.near("strip values", want.Values, got.Values, 1e-4, 1e-10)
		}
	}
}

// alone is a session with the frames of the track, none of which left.
func (tr *worldTrack) alone(defs []model.Change) *Session {
	s := NewSession()
	for _, d := range defs {
		s.Apply(d)
	}
	for _, b := range tr.frames {
		c := *b
		c.Messages, c.Locks = nil, nil
		s.Append(&c)
	}
	return s
}

// leftInForce tells whether a stack that left memory is still in force at a time.
func leftInForce(s *Session, tracks []model.TrackID, timeNs int64) bool {
	for _, id := range tracks {
		for _, y := range s.Series().ByTrack(id) {
			stack := s.Series().ByID(y)
			if stack.Def.Role != model.RoleStack || stack.Len() == 0 {
				continue
			}
			first, _ := stack.Positions()
			if _, ok := stack.Before(first); ok && stack.Row(first).Time > timeNs {
				return true
			}
		}
	}
	return false
}

func (w *world) shiftMarks(t *Track, marks []messages.Mark) []messages.Mark {
	first, _ := t.messages.Positions()
	for i := range marks {
		marks[i].Index -= first
	}
	return marks
}

func (w *world) compareSeries(x *worldSession, twin *Session) {
	for id := range model.SeriesID(worldSeries) {
		a, b := twin.Series().ByID(id), x.s.Series().ByID(id)
		lo, hi, ok := b.Bounds()
		if !ok {
			continue
		}
		for range 3 {
			t0 := lo + x.rng.Int64N(hi-lo+1)
			t1 := t0 + x.rng.Int64N(hi-lo+1) + 1
			held := cmpopts.IgnoreFields(spans.SeriesBin{}, "Before", "HasBefore")
			w.same("bins", a.Bins(lo, hi+1, 7, nil), b.Bins(lo, hi+1, 7, nil), held)
			w.same("bins", a.Bins(t0, t1, 7, nil), b.Bins(t0, t1, 7, nil), held)
			w.same("samples", a.Samples(t0, t1, 0, nil), b.Samples(t0, t1, 0, nil))
			w.near("statistics of samples", a.Stats(t0, t1), b.Stats(t0, t1), 0.02, 1e-6)
			p, okP := a.At(t0)
			q, okQ := b.At(t0)
			w.same("at", okP, okQ)
			w.same("at", p, q)
			p, okP = a.Nearest(t0, 5000)
			q, okQ = b.Nearest(t0, 5000)
			w.same("nearest", okP, okQ)
			w.same("nearest", p, q)
		}
		first, _ := b.Positions()
		if before, ok := b.Before(first); ok && before != (spans.SeriesRow{}) {
			want := x.samples[id][first-1]
			testkit.MustThat(w.t, before.Time == want.Time && (before.Value == want.Value || math.IsNaN(want.Value)),
				"series %d: %+v is in force, want %+v", id, before, want)
		}
	}
	stack, clock := x.s.Series().ByID(2), x.s.Series().ByID(3)
	if lo, hi, ok := stack.Bounds(); ok {
		begin, _, _ := clock.Bounds()
		for _, m := range []spans.Measure{spans.MeasureSamples, spans.MeasureCPU} {
			t0 := max(lo, begin) + x.rng.Int64N(hi-lo+1)
			var want, got spans.Tree
			twin.Spans().TreeOf(m, []model.TrackID{0}, t0, hi, &want)
			x.s.Spans().TreeOf(m, []model.TrackID{0}, t0, hi, &got)
			w.same("measured tree", want.Nodes, got.Nodes)
		}
	}
}

// compareLocks compares the uses of locks with those of a session from which nothing left, as far
// as both know of them.
func (w *world) compareLocks(x *worldSession) {
	all := NewSession()
	from := int64(model.MinTime)
	for _, tr := range x.tracks {
		slices.SortStableFunc(tr.locks, func(a, b worldLock) int { return cmp.Compare(a.Time, b.Time) })
		t := x.s.Track(tr.id)
		if t == nil {
			continue
		}
		k := &t.locks
		left, end := k.Positions()
		testkit.MustEqual(w.t, end, int64(len(tr.locks)), "track %d: lock events, want %d", tr.id, len(tr.locks))
		b := &model.Batch{Track: tr.id}
		for i, e := range tr.locks {
			b.Locks = append(b.Locks, e.LockEvent)
			if int64(i) < left {
				from = max(from, e.Time+1)
			}
		}
		if len(b.Locks) > 0 {
			all.Append(b)
			all.tracks[tr.id].locks.Horizon = k.Horizon
		}
	}
	if all.NumTracks() == 0 {
		return
	}
	_, hi, _ := x.s.Bounds()
	for id := range all.NumTracks() { // what is open ends there
		all.Append(&model.Batch{Track: model.TrackID(id), Messages: []model.Message{{Time: hi}}})
	}
	list := func(s *Session, lock model.CollectorID) (out []locks.Use) {
		for _, u := range s.Locks().Uses(lock, from, hi, nil) {
			if u.OpenEnd {
				u.End = 0
			}
			if u.OpenBegin {
				u.Begin = 0
			}
			out = append(out, u)
		}
		slices.SortFunc(out, func(a, b locks.Use) int {
			open := func(x, y bool) int {
				switch {
				case x == y:
					return 0
				case y:
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Track, b.Track), cmp.Compare(a.Kind, b.Kind),
				cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.End, b.End), open(a.OpenBegin, b.OpenBegin))
		})
		return out
	}
	for lock := range model.CollectorID(3) {
		w.same("lock uses", list(all, lock), list(x.s, lock))
		// Sums and bars of a range are those of its uses.
		uses := x.s.Locks().Uses(lock, from, hi, nil)
		var held, count, tries int64
		for _, u := range uses {
			switch {
			case u.Kind == locks.Holding && u.Depth == 0:
				held += min(u.End, hi) - max(u.Begin, from)
				count++
			case u.Kind == locks.Waiting:
				tries++
			}
		}
		for _, row := range x.s.Locks().Stats(from, hi, nil) {
			if row.Lock == lock && (row.Holds != count || row.HoldNs != held || row.Waits > tries) {
				w.t.Fatalf("lock %d: %d holds of %d ns, want %d of %d, and of %d tries %d waits",
					lock, row.Holds, row.HoldNs, count, held, tries, row.Waits)
			}
		}
		for _, bar := range x.s.Locks().Bars(lock, from, hi, 2000, nil) {
			testkit.MustThat(w.t, bar.Count >= 1 && bar.End >= bar.Begin, "bar %+v", bar)
		}
	}
	for _, a := range x.s.Locks().Arrows(model.MinTime, model.MaxTime, nil) {
		testkit.MustThat(w.t, a.FromTime > a.WaitBegin && a.FromTime <= a.ToTime && a.FromTrack != a.ToTrack,
			"arrow %+v", a)
	}
}

func (w *world) compareMessages(x *worldSession, twin *Session) {
	hits := func(s *Session, q messages.Query) []messages.Hit {
		list, total := s.Messages().Find(q, nil)
		testkit.MustThat(w.t, q.Limit != 1000 || total <= len(list) || total > 1000,
			"%d of %d messages", len(list), total)
		for i := range list {
			if s == x.s {
				first, _ := s.Track(list[i].Track).messages.Positions()
				list[i].Index -= first
			}
		}
		return list
	}
	for _, q := range []messages.Query{{MinSeverity: model.SeverityTrace, Limit: 1000}, {Text: "1", Limit: 1000}, {Categories: []string{"c1"}, Limit: 1000}, {Object: "o1", Text: "te", First: 2, Limit: 4}} {
		w.same("messages", hits(twin, q), hits(x.s, q))
	}
	w.same("categories", twin.Messages().Categories(nil), x.s.Messages().Categories(nil))
	w.same("severities", twin.Messages().Severities(), x.s.Messages().Severities())
}

// Appending, taking back, evicting and asking in any order: what is left always answers as if
// nothing else had ever been there.
func TestWorldEqualsPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		room := rapid.SampledFrom(worldRooms).Draw(rt, "room")
		steps := rapid.SliceOfN(rapid.Byte(), 1, 80).Draw(rt, "steps")
		newWorld(rt, seed, room).run(steps)
	})
}
