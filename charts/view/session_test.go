package view

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

const ms = int64(1_000_000)

// The collectors and threads of the test sessions.
const (
	cFrame = model.CollectorID(iota)
	cApp
	cGeom
	cDraw
	cNever // defined, but never runs
)

const (
	tMain = model.TrackID(iota)
	tDraw
	tIdle // has a name, and nothing else
)

// gapAfter is the index of the frame before the gap of the test game.
const gapAfter = 40

// define makes a session with the collectors and threads above.
func define(source string) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: source, File: true})
	for id, name := range []string{"Frame", "App", "Geom", "Draw", "Never"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(id + 1), Collector: model.CollectorID(id)})
	}
	for id, name := range []string{"Main", "Draw", "Idle"} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: name})
	}
	return s
}

func span(beginNs, endNs int64, c model.CollectorID, lane uint16) model.Span {
	return model.Span{Begin: beginNs, End: endNs, Path: model.PathID(c + 1), Lane: lane}
}

// appendFrames appends n frames of 10 ms from a number and a time on to the main thread and to that
// which draws, a little later. On the main thread runs App, and in it Geom in every fifth frame; on
// the other Draw.
func appendFrames(s *store.Session, number, at int64, n int) {
	for range n {
		main := model.Batch{Track: tMain, HasFrame: true, Number: number, Begin: at, End: at + 10*ms}
		main.Spans = append(main.Spans, span(at+ms, at+9*ms, cApp, 0))
		if number%5 == 0 {
			main.Spans = append(main.Spans, span(at+2*ms, at+3*ms, cGeom, 1))
		}
		s.Append(&main)
		draw := model.Batch{Track: tDraw, HasFrame: true, Number: number, Begin: at + 4*ms, End: at + 14*ms}
		draw.Spans = append(draw.Spans, span(at+5*ms, at+12*ms, cDraw, 0))
		s.Append(&draw)
		number, at = number+1, at+10*ms
	}
}

// game has 100 frames from 1 s on, numbers 1 to 41 and 51 to 109: there is a gap after the one of
// index gapAfter.
func game() *store.Session {
	s := define("pstats")
	appendFrames(s, 1, 1000*ms, gapAfter+1)
	appendFrames(s, 51, 1500*ms, 59)
	s.Apply(model.End{Reason: "end of file"})
	return s
}

// trace has no frames: calls of App on the main thread every 10 ms, twice as long every tenth time,
// Geom in each, and Draw on the other from 500 ms on.
func trace() *store.Session {
	s := define("trace")
	main, draw := model.Batch{Track: tMain}, model.Batch{Track: tDraw}
	for i := range int64(100) {
		at := i * 10 * ms
		end := at + 3*ms
		if i%10 == 5 {
			end += 3 * ms
		}
		main.Spans = append(main.Spans, span(at, end, cApp, 0), span(at+ms, at+2*ms, cGeom, 1))
		if i >= 50 {
			draw.Spans = append(draw.Spans, span(at, at+ms, cDraw, 0))
		}
	}
	s.Append(&main)
	s.Append(&draw)
	s.Apply(model.End{Reason: "end of file"})
	return s
}

// viewOf returns a view as it is after its first tick.
func viewOf(s *store.Session) *View {
	v := New(s)
	v.Tick(1, false)
	return v
}

// spanOf returns the n-th span of a collector on a thread.
func spanOf(t *testing.T, s *store.Session, track model.TrackID, c model.CollectorID, n int) spans.Bar {
	t.Helper()
	at := int64(-1)
	for {
		b, ok := s.Spans().Next(track, c, at, 1)
		testkit.MustThat(t, ok, "collector %d has no span %d on thread %d", c, n, track)
		if n == 0 {
			return b
		}
		n--
		at = b.Begin
	}
}
