// Package headless does the viewer's work without a window: pictures of panels by the software
// renderer, and a recording of the built-in game.
package headless

import (
	"errors"
	"fmt"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// PictureOptions describe a picture.
type PictureOptions struct {
	// Chart is one of Panels.
	Panel string
	// Range is the shown range: by default the whole recording, and for the piano roll, which shows one
	// frame, the slowest one. Figures of a topology are of it; messages are shown from where it begins.
	Range place.TimeRange
	// Thread is the name or number of the thread with the frames to count and show; empty: the main
	// one. If set, only its messages are shown.
	Thread string
	// Group is the group of series that is shown; empty: the one that one looks at first.
	Group string
	// Collector is the full name of the collector that flame graphs and strip charts look into; empty:
	// the whole frame. For levels: the first that has any.
	Collector string
	// Width and Height in pixels; 0: 1280 at scale 1, and as high as the content.
	Width, Height int
	// Scale is the size of text and lines, 1 for ordinary displays. 0: 1.
	Scale float64
	// Theme is one of assets.ThemeNames; empty: the default.
	Theme string
}

// Limits of a picture's size in pixels.
const (
	minSide   = 64
	maxSide   = 16384
	maxPixels = 64 << 20
)

// Limits of PictureOptions.Scale.
const (
	MinScale = 0.5
	MaxScale = 8.0
)

// Picture draws a panel of a session.
func Picture(s *store.Session, o PictureOptions) (*draw.Picture, error) {
	d, err := defOf(o.Panel)
	if err != nil {
		return nil, err
	}
	fitted, err := o.size(&d)
	if err != nil {
		return nil, err
	}
	if !has(d, s) {
		return nil, nothingFor(s, d)
	}
	env, err := o.env(s)
	if err != nil {
		return nil, err
	}
	track, err := findTrack(env.View, o.Thread)
	if err != nil {
		return nil, err
	}
	chart, err := prepare(env, &o, d, track)
	if err != nil {
		return nil, err
	}
	if fitted {
		fit(env, chart, &o)
	}
	return paint(env, chart, &o), nil
}

// size fills in a missing size, and reports whether the height follows from the content.
func (o *PictureOptions) size(d *panel.Def) (fitted bool, err error) {
	if o.Scale == 0 {
		o.Scale = 1
	}
	if !(o.Scale >= MinScale && o.Scale <= MaxScale) {
		return false, fmt.Errorf("scale %v: it must be from %v to %v", o.Scale, MinScale, MaxScale)
	}
	if o.Width == 0 {
		o.Width = int(1280 * o.Scale)
	}
	fitted = o.Height == 0
	if fitted {
		o.Height = int(float64(d.PictureHeight()) * o.Scale)
	}
	if o.Width < minSide || o.Height < minSide || o.Width > maxSide || o.Height > maxSide || o.Width*o.Height > maxPixels {
		return false, fmt.Errorf("a picture of %dx%d pixels: each side must be from %d to %d, and all together at most "+
			"%d megapixels", o.Width, o.Height, minSide, maxSide, maxPixels>>20)
	}
	return fitted, nil
}

// env returns a window without a display that shows a session.
func (o *PictureOptions) env(s *store.Session) (*panel.Env, error) {
	theme, known := assets.ThemeNamed(o.Theme)
	if !known && o.Theme != "" {
		return nil, fmt.Errorf("unknown theme %q; choose one of %s", o.Theme, strings.Join(assets.ThemeNames(), ", "))
	}
	env := panel.NewEnv(view.New(s), &theme, draw.NewAtlas(o.Scale))
	env.View.Follow(false)
	env.View.Tick(env.NowNs, false)
	return env, nil
}

// findTrack makes the thread of a name the view's; without a name the first one, as numbers of frames are its: the view
// itself may have followed a cause to another thread.
func findTrack(v *view.View, name string) (track model.TrackID, err error) {
	if track = v.Session().FirstTrack(); name != "" {
		if track, err = place.FindTrack(v.Session(), name); err != nil {
			return track, err
		}
	}
	v.SetTrack(track)
	return v.Track(), nil
}

// prepare makes the panel and points the view at the range.
func prepare(env *panel.Env, o *PictureOptions, d panel.Def, track model.TrackID) (panel.Panel, error) {
	v := env.View
	focus, err := findCollector(v.Session(), o.Collector)
	if err != nil {
		return nil, err
	}
	ask := panel.Ask{Env: env, Track: track, Named: o.Thread != "", Collector: focus, Group: o.Group, Whole: o.Range.All()}
	ask.BeginNs, ask.EndNs, err = o.Range.Resolve(v.Session(), track)
	if errors.Is(err, place.ErrNoFrames) && !o.Range.All() && !o.Range.Times {
		return nil, fmt.Errorf("%w: give times instead of frame numbers, such as 1.5s:2.5s", err)
	}
	if err != nil {
		return nil, err
	}
	if d.Whole && !ask.Whole {
		return nil, fmt.Errorf("%s always shows the whole recording: leave out the range", d.ID)
	}
	v.Steer().PlaceTime(ask.BeginNs, ask.EndNs)
	if d.Frames {
		if ask.First, ask.Last, err = o.Range.Frames(v.Session(), track); err != nil {
			return nil, err
		}
	} else if d.ID == "timeline" && o.Range.Times {
		v.SelectRange(ask.BeginNs, ask.EndNs)
	} else if d.ID == "timeline" && !ask.Whole {
		if first, last, err := o.Range.Frames(v.Session(), track); err == nil { // else the labels are of the first frame
			v.SelectFrames(first, last)
			v.Steer().PlaceTime(ask.BeginNs, ask.EndNs)
		}
	} else if d.ID != "timeline" {
		v.ClearSelection() // the first frame of a recording just opened: figures are of all that is shown
	}
	if d.Draw == nil {
		return d.New(), nil
	}
	return d.Draw(&ask)
}

// findCollector returns the collector of a full name, NoCollector for an empty one.
func findCollector(s *store.Session, name string) (model.CollectorID, error) {
	if name == "" {
		return model.NoCollector, nil
	}
	for c := range model.CollectorID(s.Collectors().Len()) {
		if col := s.Collector(c); col != nil && strings.EqualFold(col.Title(), name) {
			return c, nil
		}
	}
	return model.NoCollector, fmt.Errorf("no collector %q; `report --stats` lists them", name)
}

// Bounds of the height of a picture that fits its content, at scale 1.
const (
	leastFitted = 110
	mostFitted  = 1440
)

// fit makes the picture as high as the panel's content, if the panel knows its height.
func fit(env *panel.Env, chart panel.Panel, o *PictureOptions) {
	sized, ok := chart.(panel.Sized)
	if !ok {
		return
	}
	settlePanel(env, chart, draw.Rect{Y0: env.Px(headHeight), X1: float32(o.Width), Y1: env.Px(mostFitted)})
	if h := sized.Extent(env, float32(o.Width)); h > 0 {
		o.Height = int(env.Px(headHeight) + min(max(h, env.Px(leastFitted)), env.Px(mostFitted)) + 0.999)
		o.Height = max(minSide, min(o.Height, maxSide, maxPixels/o.Width))
	}
}

// headHeight is the height of the row with the title, at scale 1.
const headHeight = 24

// settleTicks is the number of ticks for a panel to come to rest: layouts may depend on the previous
// tick.
const settleTicks = 4

// settlePanel lets the panel come to rest in a rectangle.
func settlePanel(env *panel.Env, chart panel.Panel, rect draw.Rect) {
	for range settleTicks {
		env.NowNs += 16_000_000
		env.View.Tick(env.NowNs, false)
		chart.Update(env, rect, &panel.Input{X: -1, Y: -1})
	}
}

// paint lays the panel out under a row with its title.
func paint(env *panel.Env, chart panel.Panel, o *PictureOptions) *draw.Picture {
	all := draw.Rect{X1: float32(o.Width), Y1: float32(o.Height)}
	row, body := all, all
	row.Y1 = env.Px(headHeight)
	body.Y0 = row.Y1
	settlePanel(env, chart, body)
	head := draw.NewList(env.Atlas)
	head.Reset(all)
	head.Rect(all, draw.Color(env.Theme.Panel))
	head.Rect(row, draw.Color(env.Theme.PanelTitle))
	text := row
	text.X0 += env.Px(8)
	text.X1 -= env.Px(8)
	head.TextIn(draw.Medium, text, draw.Left, chart.Title(env), draw.Color(env.Theme.Text))
	text.X0 += env.Atlas.Measure(draw.Medium, chart.Title(env)) + env.Px(12)
	head.TextIn(draw.Regular, text, draw.Right, chart.Mode(env), draw.Color(env.Theme.Text2))
	return &draw.Picture{Seen: all, Lists: []*draw.List{head, chart.List()}}
}
