package cli

import (
	"context"
	"fmt"
	"math"
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
	"framescope/net/pstats/gen"
)

// many is the number of spans of the sessions.
const many = 10_000_000

// ofGame is a step that does something with a session of a game, over and over.
func ofGame(name, unit, goal string, o gen.Options, do func(s *store.Session) func()) step {
	return timed(name, unit, goal, ms, func(ctx context.Context) (func(), error) {
		made, err := gen.New(o)
		if err != nil {
			return nil, err
		}
		s := store.NewSession()
		made.Fill(s)
		return do(s), ctx.Err()
	})
}

// manySpans is the game of most of the steps.
var manySpans = gen.Options{Spans: many, Tracks: 4, Depth: 10, Seed: 1}

// allTracks returns the tracks of a session.
func allTracks(s *store.Session) (ids []model.TrackID) {
	for id := range model.TrackID(s.NumTracks()) {
		ids = append(ids, id)
	}
	return ids
}

// screen is a panel of a session on a screen of 1920 x 1080.
type screen struct {
	env   *panel.Env
	rect  draw.Rect
	nowNs int64
	in    panel.Input
}

func newScreen(s *store.Session) *screen {
	theme := assets.Dark()
	return &screen{
		env:  panel.NewEnv(view.New(s), &theme, draw.NewAtlas(1)),
		rect: draw.Rect{X1: 1920, Y1: 900},
	}
}

// tick lets the panels prepare a tick of the screen. The mouse rests elsewhere.
func (s *screen) tick(panels ...panel.Panel) {
	s.nowNs += 16_666_667
	s.env.NowNs = s.nowNs
	s.env.View.Tick(s.nowNs, false)
	for _, p := range panels {
		s.in = panel.Input{X: -1, Y: -1, DtNs: 16_666_667}
		p.Update(s.env, s.rect, &s.in)
	}
}

func liveTimeline() step {
	return ofGame("timeline, 10 M spans, live, all of it", "ms/tick", "≤ 0.5", manySpans, func(s *store.Session) func() {
		begin, end, _ := s.Bounds()
		on := newScreen(s)
		var chart timeline.Timeline
		return func() {
			end = app.Grow(s, end)
			on.env.View.Steer().Set(float64(begin), float64(end), false, 0)
			on.tick(&chart)
		}
	})
}

// brushing is all panels that have something to show, while the range is being chosen.
func brushing() step {
	return ofGame("tick of all panels, 10 M spans, brushing", "ms/tick", "≤ 1", manySpans, func(s *store.Session) func() {
		begin, end, _ := s.Bounds()
		on := newScreen(s)
		on.rect = draw.Rect{X1: 900, Y1: 400}
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
			to := begin + (end-begin)/4 + at%600*(end-begin)/1200
			on.env.View.SelectRange(begin+(end-begin)/5, to)
			on.tick(panels...)
		}
	})
}

func wideFlame() step {
	wide := gen.Options{Spans: many, Tracks: 64, Depth: 10, Seed: 1}
	return ofGame("flame tree over 613 lanes, most of the session", "ms", "≤ 0.5", wide, func(s *store.Session) func() {
		ids := allTracks(s)
		lo, hi, _ := s.Bounds()
		var tree spans.Tree
		at := int64(0)
		return func() {
			at++
			s.Spans().Tree(ids, lo+(hi-lo)/7+at%64*100_000, hi-(hi-lo)/9, &tree)
		}
	})
}

func smoothStrip() step {
	long := gen.Options{Spans: 2_500_000, Tracks: 1, Depth: 8, Seed: 1, FrameSpans: 25}
	return ofGame("strip, smoothed, 100 k frames", "ms", "≤ 1", long, func(s *store.Session) func() {
		lo, hi, _ := s.Bounds()
		var strip modelframes.Strip
		at := int64(0)
		return func() {
			at++
			s.Frames().Strip(modelframes.StripQuery{
				T0: lo + at%64*1000, T1: hi, Columns: 1920, Mode: modelframes.StripSmooth, SmoothNs: (hi - lo) / 300,
			}, &strip)
		}
	})
}

// lockSession is of four threads that use eight locks, n times in all.
func lockSession(n int) *store.Session {
	s := store.NewSession()
	for id := range model.CollectorID(8) {
		s.Apply(model.CollectorDef{ID: id, Name: fmt.Sprintf("lock %d", id)})
	}
	for track := range model.TrackID(4) {
		s.Apply(model.TrackDef{ID: track, Name: fmt.Sprintf("thread %d", track)})
		b := model.Batch{Track: track}
		for i := range int64(n / 4) {
			at, lock := i*4000+int64(track)*1000, model.CollectorID((i*7+int64(track))%8)
			b.Locks = append(b.Locks, lockUse(lock, at, at+100+i%7*30, at+900)...)
		}
		s.Append(&b)
	}
	return s
}

// lockUse is a try, when it succeeded, and the release.
func lockUse(lock model.CollectorID, try, got, gave int64) []model.LockEvent {
	return []model.LockEvent{
		{Time: try, Lock: lock, Kind: model.LockTry}, {Time: got, Lock: lock, Kind: model.LockAcquired},
		{Time: gave, Lock: lock, Kind: model.LockReleased},
	}
}

func liveLocks() step {
	return timed("locks, 1 M uses, live, all of it", "ms/tick", "≤ 1", ms, func(context.Context) (func(), error) {
		s := lockSession(1_000_000)
		begin, end, _ := s.Bounds()
		on := newScreen(s)
		var chart locks.Chart
		return func() {
			s.Append(&model.Batch{Locks: lockUse(1, end+10, end+110, end+910)})
			end += 910
			on.env.View.Steer().Set(float64(begin), float64(end), false, 0)
			on.tick(&chart)
		}, nil
	})
}

// textSearch is the longest tick of a search for a text that was not looked for before.
func textSearch() step {
	const name = "first text search in 1 M messages, longest tick"
	return benchOnce(name, "ms", "≤ 8", func(context.Context) (func() (float64, error), error) {
		s := store.NewSession()
		b := &model.Batch{}
		const n = 1_000_000
		for i := range n {
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
		return func() (float64, error) {
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
			return ms(longest), nil
		}, nil
	})
}

// search is looking for calls in all of a session.
func search() step {
	return ofGame("search of 10 M spans, calls>10", "ms", "≤ 100", manySpans, func(s *store.Session) func() {
		e, _ := find.Parse("calls>10")
		ids := allTracks(s)
		var c spans.CallSearch
		return func() {
			c.Start(s.Spans(), e.Query(s, ids, math.MinInt64, math.MaxInt64))
			for !c.Step(50_000) {
			}
		}
	})
}

// windowTicks are the ticks of the whole window, with the painting in software of what they change.
func windowTicks() step {
	const name = "window, 10 M spans"
	var figures []Figure
	states := []string{"paused", "live", "scrubbing"}
	for _, state := range states {
		figures = append(figures, Figure{Name: name + ", " + state, Unit: "ms/tick"},
			Figure{Name: name + ", " + state, Unit: "Mpixel/tick"})
	}
	return step{name, figures, func(context.Context, *Options) (func() ([]float64, error), func(), error) {
		r, err := app.NewRehearsal(manySpans, 1920, 1080)
		if err != nil {
			return nil, nil, err
		}
		return func() (values []float64, err error) {
			for _, state := range states {
				r.Follow(state == "live")
				ticks, pixels := 0, 0
				took := perCall(func() {
					if ticks++; state == "scrubbing" {
						r.Show(ticks)
					} else {
						r.Go()
					}
					pixels += r.Tick(-1, -1)
				})
				values = append(values, ms(took), float64(pixels)/float64(ticks)/1e6)
			}
			return values, nil
		}, func() { r.Close() }, nil
	}}
}
