package app

import (
	"context"
	"image"
	"sync/atomic"

	"framescope/app/launch"
	"framescope/app/sessions"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats/gen"
)

// Rehearsal is the window without a display, with a live session that was made: what its ticks cost, and how
// many pixels they paint.
type Rehearsal struct {
	g      *Game
	canvas *image.RGBA
	made   *madeInput
	end    int64 // of the newest frame
}

// NewRehearsal makes the session and the window, and returns when all of it was taken in.
func NewRehearsal(o gen.Options, width, height int) (*Rehearsal, error) {
	session, err := gen.New(o)
	if err != nil {
		return nil, err
	}
	r := &Rehearsal{made: &madeInput{session: session}, canvas: image.NewRGBA(image.Rect(0, 0, width, height))}
	r.g, err = NewGame(Options{SettingsPath: "-", Inside: true, Options: sessions.Options{
		Deterministic: true, Inputs: []launch.Input{r.made},
	}})
	if err != nil {
		return nil, err
	}
	r.g.stage.width, r.g.stage.height = width, height
	for !r.made.fed.Load() || r.g.ss.HasMore() || r.g.View().None() {
		r.g.takeData()
	}
	_, r.end, _ = r.g.View().Session().Bounds()
	for range settleTicks {
		r.Tick(-1, -1)
	}
	return r, nil
}

// Close ends it.
func (r *Rehearsal) Close() error { return r.g.Close() }

// Go receives a frame in each thread.
func (r *Rehearsal) Go() { r.end = Grow(r.g.View().Session(), r.end) }

// Grow appends a frame with one span in each lane to all threads, behind the time end.
func Grow(s *store.Session, end int64) (newEnd int64) {
	newEnd = end + 16_000_000
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		b := model.Batch{Track: id, HasFrame: true, Number: t.FrameNumber(t.NumFrames()-1) + 1, Begin: end, End: newEnd}
		for lane := range t.Lanes() {
			b.Spans = append(b.Spans, model.Span{Lane: uint16(lane), Path: 1, Begin: end, End: newEnd})
		}
		s.Append(&b)
	}
	return newEnd
}

// Follow shows the newest data, or stays where it is.
func (r *Rehearsal) Follow(live bool) { r.g.View().Follow(live) }

// Show selects a frame of the main thread, counted from the newest.
func (r *Rehearsal) Show(back int) {
	v := r.g.View()
	v.StepFrame(v.Shown().NumFrames() - 1 - back - v.FrameA())
}

// Tick is a tick with the mouse at a place, and the painting of what changed by it. It returns how many pixels
// were painted.
func (r *Rehearsal) Tick(x, y float32) (pixels int) {
	g := r.g
	g.tickAt(x, y)
	size, before := r.canvas.Rect.Size(), g.paint.cost.Pixels
	if g.paint.begin(g.seen(size.X, size.Y), g.stage.tick, 0) == paintIt {
		for _, part := range g.paint.changed(g.lists) {
			render(r.canvas, pixelsOf(part), rgba(g.stage.env.Theme.Ground), g.paint.lists)
		}
	}
	return g.paint.cost.Pixels - before
}

// madeInput brings in a session that was made, and never ends.
type madeInput struct {
	session *gen.Session
	fed     atomic.Bool
}

// Title implements launch.Input.
func (*madeInput) Title() string { return "made" }

// Run implements launch.Input.
func (m *madeInput) Run(ctx context.Context, open launch.Opener) error {
	err := m.session.Feed(ctx, endless{open(&launch.Recording{Name: "made", Wait: true})})
	m.fed.Store(true)
	<-ctx.Done()
	return err
}

// endless is a sink of a session that goes on.
type endless struct{ feed.Sink }

// Define implements feed.Sink.
func (e endless) Define(c model.Change) {
	if _, ended := c.(model.End); !ended {
		e.Sink.Define(c)
	}
}
