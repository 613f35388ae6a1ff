package cli

import (
	"fmt"
	"math"
	"slices"
	"time"

	"framescope/app"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/locks"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/find"
	modelframes "framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats/gen"
)

const (
	// nsSpan is the unit of figures that have a share of wire.
	nsSpan = "ns/span"
	// wireName is the figure that others are a share of: the bytes of frames, read and checked.
	wireName = "wire"
)

// Sessions of a game: the one of most measurements, one of many threads, and one of many frames.
var (
	manySpans = gen.Options{Spans: 10_000_000, Tracks: 4, Depth: 10, Seed: 1}
	wide      = gen.Options{Spans: 10_000_000, Tracks: 64, Depth: 10, Seed: 1}
	long      = gen.Options{Spans: 2_500_000, Tracks: 1, Depth: 8, Seed: 1, FrameSpans: 25}
)

// measurements are all, in the order of the table. Those of other processes come first, while this one is small:
// Linux counts some of its memory as theirs.
var measurements = []measurement{
	{"open", []Figure{
		{Name: "open a file", Unit: "s wall"},
		{Name: "open a file, all processors", Unit: "ns CPU/span"},
		{Name: "open a file, wall by CPU", Unit: "ratio", Goal: "≤ 0.55 on two"},
		{Name: "resident, whole process", Unit: "B/span", Goal: "≤ 11"},
	}, opening},
	single("memory, copied", "GB/s", "", copying),
	ofFrames(wireName, nsSpan, "", 100, 1, nil),
	ofFrames("decode", nsSpan, "", 100, 1, func() (feed.Sink, func()) { return &gen.Into{}, func() {} }),
	ofFrames("decode to store", nsSpan, "≥ 0.30 × wire", 100, 1, intoStore),
	ofFrames("decode to store, sparse frames", "ns/event", "≤ 25", 11, 2, intoStore), // of 22 events
	ofGame("timeline, 10 M spans, live, all of it", "ms/tick", "≤ 0.5", manySpans, liveTimeline),
	ofGame("tick of all panels, 10 M spans, brushing", "ms/tick", "≤ 1", manySpans, brushing),
	ofGame("flame tree over 613 lanes, most of the session", "ms", "≤ 0.5", wide, flameTree),
	ofGame("strip, smoothed, 100 k frames", "ms", "≤ 1", long, smoothStrip),
	single("locks, 1 M uses, live, all of it", "ms/tick", "≤ 1", liveLocks),
	single("first text search in 1 M messages, longest tick", "ms", "≤ 8", textSearch),
	ofGame("search of 10 M spans, calls>10", "ms", "≤ 100", manySpans, search),
	single("client, start and stop", "ns", "≤ 30", clientPair),
	{"window, 10 M spans", []Figure{
		{Name: "window, 10 M spans, paused", Unit: "ms/tick"}, {Name: "window, 10 M spans, paused", Unit: "Mpixel/tick"},
		{Name: "window, 10 M spans, live", Unit: "ms/tick"}, {Name: "window, 10 M spans, live", Unit: "Mpixel/tick"},
		{Name: "window, 10 M spans, scrubbing", Unit: "ms/tick"}, {Name: "window, 10 M spans, scrubbing",
			Unit: "Mpixel/tick"},
	}, windowTicks},
	{"window opens a file", append([]Figure{
		{Name: "window opens a file", Unit: "s wall"}, {Name: "window opens a file, by opening", Unit: "ratio",
			Goal: "≤ 1.2"},
		{Name: "window opens a file, first picture", Unit: "s", Goal: "≤ 0.3"},
	}, tickFigures("window opens a file", "", "≤ 50")...), windowOpens},
	windowLive("window, live at 480 k spans/s", 480_000, "", ""),
	windowLive("window, live at 2 M spans/s", 2_000_000, "≤ 8", "≤ 16"),
	windowShape("window, 3.3 M call paths", "stacks.folded", stacks),
	windowShape("window, 50,000 threads", "threads.json", threads),
}

// single is a measurement of one figure.
func single(name, unit, goal string, prepare func(b *bench) (func() float64, error)) measurement {
	return measurement{name, []Figure{{Name: name, Unit: unit, Goal: goal}}, func(b *bench) (func() ([]float64, error),
		error) {
		once, err := prepare(b)
		return func() ([]float64, error) { return []float64{once()}, nil }, err
	}}
}

// ofGame does something with a session of a game, over and over.
func ofGame(name, unit, goal string, o gen.Options, prepare func(s *store.Session) func()) measurement {
	return single(name, unit, goal, func(b *bench) (func() float64, error) {
		made, err := gen.New(o)
		if err != nil {
			return nil, err
		}
		s := store.NewSession()
		made.Fill(s)
		do := prepare(s)
		return func() float64 { return ms(perCall(do)) }, b.ctx.Err()
	})
}

// copySize is the number of bytes to copy: more than the processor's caches hold.
var copySize = 256 << 20

// copying measures how fast one core copies memory.
func copying(*bench) (func() float64, error) {
	from, to := slices.Repeat([]byte{1}, copySize), make([]byte, copySize)
	return func() float64 { return float64(copySize) / ns(perCall(func() { copy(to, from) })) }, nil
}

// allTracks returns the tracks of a session.
func allTracks(s *store.Session) (ids []model.TrackID) {
	for id := range model.TrackID(s.NumTracks()) {
		ids = append(ids, id)
	}
	return ids
}

// screen returns a function that lets panels of a session on a screen of 1920 x 1080 prepare a tick. The mouse rests
// elsewhere.
func screen(s *store.Session, width, height float32) (v *view.View, tick func(panels ...panel.Panel)) {
	theme := assets.Dark()
	env := panel.NewEnv(view.New(s), &theme, draw.NewAtlas(1))
	var in panel.Input
	return env.View, func(panels ...panel.Panel) {
		const tickNs = 16_666_667
		env.NowNs += tickNs
		env.View.Tick(env.NowNs, false)
		for _, p := range panels {
			in = panel.Input{X: -1, Y: -1, DtNs: tickNs}
			p.Update(env, draw.Rect{X1: width, Y1: height}, &in)
		}
	}
}

func liveTimeline(s *store.Session) func() {
	begin, end, _ := s.Bounds()
	v, tick := screen(s, 1920, 900)
	var chart timeline.Timeline
	return func() {
		end = app.Grow(s, end)
		v.Steer().Set(float64(begin), float64(end), false, 0)
		tick(&chart)
	}
}

// brushing is all panels that have something to show, while the range is being chosen.
func brushing(s *store.Session) func() {
	begin, end, _ := s.Bounds()
	v, tick := screen(s, 900, 400)
	var panels []panel.Panel
	has := s.Contents()
	for _, d := range registry.All() {
		if d.Has == nil || d.Has(has) {
			panels = append(panels, d.New())
		}
	}
	at := int64(0)
	return func() {
		at++
		v.SelectRange(begin+(end-begin)/5, begin+(end-begin)/4+at%600*(end-begin)/1200)
		tick(panels...)
	}
}

func flameTree(s *store.Session) func() {
	ids := allTracks(s)
	lo, hi, _ := s.Bounds()
	var tree spans.Tree
	at := int64(0)
	return func() {
		at++
		s.Spans().Tree(ids, lo+(hi-lo)/7+at%64*100_000, hi-(hi-lo)/9, &tree)
	}
}

func smoothStrip(s *store.Session) func() {
	lo, hi, _ := s.Bounds()
	var strip modelframes.Strip
	at := int64(0)
	return func() {
		at++
		s.Frames().Strip(modelframes.StripQuery{
			T0: lo + at%64*1000, T1: hi, Columns: 1920, Mode: modelframes.StripSmooth, SmoothNs: (hi - lo) / 300,
		}, &strip)
	}
}

// lockUse is a try, when it succeeded, and the release.
func lockUse(lock model.CollectorID, try, got, gave int64) []model.LockEvent {
	return []model.LockEvent{
		{Time: try, Lock: lock, Kind: model.LockTry}, {Time: got, Lock: lock, Kind: model.LockAcquired},
		{Time: gave, Lock: lock, Kind: model.LockReleased},
	}
}

// liveLocks is a chart of four threads that use eight locks.
func liveLocks(*bench) (func() float64, error) {
	s := store.NewSession()
	for id := range model.CollectorID(8) {
		s.Apply(model.CollectorDef{ID: id, Name: fmt.Sprintf("lock %d", id)})
	}
	for track := range model.TrackID(4) {
		s.Apply(model.TrackDef{ID: track, Name: fmt.Sprintf("thread %d", track)})
		b := model.Batch{Track: track}
		for i := range int64(250_000) {
			at, lock := i*4000+int64(track)*1000, model.CollectorID((i*7+int64(track))%8)
			b.Locks = append(b.Locks, lockUse(lock, at, at+100+i%7*30, at+900)...)
		}
		s.Append(&b)
	}
	begin, end, _ := s.Bounds()
	v, tick := screen(s, 1920, 900)
	var chart locks.Chart
	return func() float64 {
		return ms(perCall(func() {
			s.Append(&model.Batch{Locks: lockUse(1, end+10, end+110, end+910)})
			end += 910
			v.Steer().Set(float64(begin), float64(end), false, 0)
			tick(&chart)
		}))
	}, nil
}

// textSearch is the longest tick of a search for a text that was not looked for before.
func textSearch(*bench) (func() float64, error) {
	s := store.NewSession()
	b := &model.Batch{}
	for i := range 1_000_000 {
		b.Track = model.TrackID(i / 1000 % 4)
		b.Messages = append(b.Messages, model.Message{
			Time: int64(i) * 1000, Category: fmt.Sprintf("GST_CATEGORY_%d", i%30), Object: fmt.Sprintf("element%d:src", i%200),
			Text: fmt.Sprintf("caps event %d of the pipeline was not handled by element sink%d", i, i%100),
		})
		if i%1000 == 999 {
			s.Append(b)
			b.Reset()
		}
	}
	text, hits := 0, []messages.Hit(nil)
	return func() float64 {
		text++
		longest := time.Duration(0)
		for share := 0.0; share < 1; {
			begin := time.Now()
			s.Messages().Step(messages.StepWork)
			hits, _, share = s.Messages().FindSoFar(messages.Query{
				MinSeverity: model.SeverityTrace, Text: fmt.Sprint("sink", text), Limit: 50,
			}, hits[:0])
			longest = max(longest, time.Since(begin))
		}
		return ms(longest)
	}, nil
}

// search is looking for calls in all of a session.
func search(s *store.Session) func() {
	e, _ := find.Parse("calls>10")
	ids := allTracks(s)
	var c spans.CallSearch
	return func() {
		c.Start(s.Spans(), e.Query(s, ids, math.MinInt64, math.MaxInt64))
		for !c.Step(50_000) {
		}
	}
}

// windowTicks are the ticks of the whole window, with the painting in software of what they change.
func windowTicks(b *bench) (func() ([]float64, error), error) {
	r, err := app.NewRehearsal(manySpans, 1920, 1080)
	if err != nil {
		return nil, err
	}
	b.after = func() { r.Close() }
	return func() (values []float64, err error) {
		for _, next := range []func(tick int){func(int) { r.Go() }, func(int) { r.Go() }, r.Show} {
			r.Follow(len(values) == 2)
			ticks, pixels := 0, 0
			took := perCall(func() {
				ticks++
				next(ticks)
				pixels += r.Tick(-1, -1)
			})
			values = append(values, ms(took), float64(pixels)/float64(ticks)/1e6)
		}
		return values, nil
	}, nil
}
