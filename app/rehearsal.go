package app

import (
	"context"
	"image"
	"sync/atomic"
	"time"

	"framescope/app/launch"
	"framescope/app/sessions"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats/gen"
)

// Rehearsal is the window without a display: what its ticks cost, and how many pixels they paint.
type Rehearsal struct {
	g      *Game
	canvas *image.RGBA
	end    int64 // of the newest frame
}

// Rehearse makes the window. The options say what it opens; it keeps no session and no settings.
func Rehearse(o sessions.Options, width, height int) (*Rehearsal, error) {
	o.DiskLimit = new(int64)
	g, err := NewGame(Options{SettingsPath: "-", Inside: true, Options: o})
	if err != nil {
		return nil, err
	}
	g.stage.width, g.stage.height = width, height
	g.paint.still = true // Run paces it
	return &Rehearsal{g: g, canvas: image.NewRGBA(image.Rect(0, 0, width, height))}, nil
}

// NewRehearsal makes the window with a live session that was made, and returns when all of it was taken in.
func NewRehearsal(o gen.Options, width, height int) (*Rehearsal, error) {
	session, err := gen.New(o)
	if err != nil {
		return nil, err
	}
	made := &madeInput{session: session}
	r, err := Rehearse(sessions.Options{Deterministic: true, Inputs: []launch.Input{made}}, width, height)
	if err != nil {
		return nil, err
	}
	for !made.fed.Load() || r.g.ss.HasMore() || r.g.View().None() {
		r.g.takeData()
	}
	_, r.end, _ = r.g.View().Session().Bounds()
	for range settleTicks {
		r.Tick(-1, -1)
	}
	return r, nil
}

// Ticked is what a tick of Run took.
type Ticked struct {
	Took  time.Duration // without the painting
	Shown time.Duration // from the begin of Run until its picture was painted
	Spans bool          // the session has data by then
}

// Run ticks as often as a window that nobody touches, until a time, or, where that is zero, until a file is loaded.
func (r *Rehearsal) Run(until time.Time) (ticks []Ticked) {
	g := r.g
	for began, ended := time.Now(), false; !ended; {
		tick := time.Now()
		g.stage.env.Calm = g.paint.calm
		g.tickAt(-1, -1)
		t := Ticked{Took: time.Since(tick)}
		g.ticked(t.Took)
		_, whole := g.View().Session().Ended()
		_, _, t.Spans = g.View().Session().Bounds()
		if ended = whole && !g.ss.HasMore(); !until.IsZero() {
			ended = tick.After(until)
		}
		if !ended {
			g.ss.Ticked()
		}
		r.paint()
		t.Shown = time.Since(began)
		ticks = append(ticks, t)
		time.Sleep(time.Second/time.Duration(g.paint.newsPace(tick, fullTPS)) - time.Since(tick))
	}
	return ticks
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
	r.g.tickAt(x, y)
	return r.paint()
}

// paint paints what changed, and returns how many pixels that were.
func (r *Rehearsal) paint() (pixels int) {
	g := r.g
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
	live    bool // it publishes each frame when that ends, not at once
	fed     atomic.Bool
}

// Playing brings in a session that is made while it goes on, by its own clock.
func Playing(o gen.Options) (launch.Input, error) {
	session, err := gen.New(o)
	return &madeInput{session: session, live: true}, err
}

// Title implements launch.Input.
func (*madeInput) Title() string { return "made" }

// Run implements launch.Input.
func (m *madeInput) Run(ctx context.Context, open launch.Opener) error {
	to := endless{Sink: open(&launch.Recording{Name: "made", Wait: true})}
	if m.live {
		to.began = time.Now().Add(-time.Second) // its first frame begins after a second
	}
	err := m.session.Feed(ctx, to)
	m.fed.Store(true)
	<-ctx.Done()
	return err
}

// endless is a sink of a session that goes on.
type endless struct {
	feed.Sink
	began time.Time // when the session began; if set, Publish waits until the end of each frame
}

// Publish implements feed.Sink.
func (e endless) Publish(b *model.Batch) bool {
	if !e.began.IsZero() {
		time.Sleep(time.Until(e.began.Add(time.Duration(b.End))))
	}
	return e.Sink.Publish(b)
}

// Define implements feed.Sink.
func (e endless) Define(c model.Change) {
	if _, ended := c.(model.End); !ended {
		e.Sink.Define(c)
	}
}
