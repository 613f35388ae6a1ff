package app

import (
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
)

// Observed is what the viewer says after a tick: what is selected, and what each panel in sight
// tells of it. Tests compare the panels with each other.
type Observed struct {
	Tick      int64
	Track     model.TrackID
	Thread    string
	Span      spans.Bar
	HasSpan   bool
	Collector model.CollectorID
	Name      string // of the collector
	Thing     string // of view.Thing
	// FrameA and FrameB are the numbers of the first and the last selected frame, -1 without one.
	FrameA, FrameB int64
	RangeA, RangeB int64
	Playhead       int64
	Begin, End     float64 // of the visible time
	Live           bool
	Bar            string // what the tool bar says of the frame
	Panels         []ObservedPanel
	// Under is the thing under the mouse, Span of it where Kind says so.
	Under          panel.HitKind
	UnderTrack     model.TrackID
	UnderCollector model.CollectorID
	UnderSpan      spans.Bar
	UnderFrame     int
	UnderLines     []string
	UnderTimeNs    int64
	UnderThing     string // of view.Thing
}

// ObservedPanel is a panel in sight.
type ObservedPanel struct {
	ID, Title, Mode string
	Rect            draw.Rect
}

// observe returns what is seen.
func (g *Game) observe() Observed {
	v, env, hit := g.View(), &g.stage.env, &g.under.hit
	o := Observed{
		Tick: g.stage.tick, Track: v.Track(), Span: v.Span(), HasSpan: v.HasSpan(), Collector: v.Collector(), Thing: v.Thing().String(),
		FrameA: -1, FrameB: -1, RangeA: v.RangeA(), RangeB: v.RangeB(), Playhead: v.Playhead(), Live: v.Live(),
		Begin: v.Time().BeginNs, End: v.Time().EndNs, Bar: g.bars.top.chosenLabel(),
		Under: hit.Kind, UnderTrack: hit.Track, UnderCollector: hit.Collector, UnderSpan: hit.Bar,
		UnderTimeNs: hit.TimeNs, UnderThing: hit.Thing.String(), UnderFrame: hit.Frame, UnderLines: hit.Lines,
	}
	if t := v.Shown(); t != nil {
		o.Thread = t.Title()
		if v.FrameA() >= 0 && v.FrameB() < t.NumFrames() {
			o.FrameA, o.FrameB = t.Frame(v.FrameA()).Number, t.Frame(v.FrameB()).Number
		}
	}
	if o.Collector != model.NoCollector {
		o.Name = v.Session().Collector(o.Collector).Name
	}
	g.desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		o.Panels = append(o.Panels, ObservedPanel{ID: t.ID, Title: t.Panel.Title(env), Mode: t.Panel.Mode(env), Rect: r})
	})
	return o
}
