package app

import (
	"math"
	"time"

	"framescope/app/settings"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// framesHeight is how high the strip of the frames is, in pixels at scale 1.
const framesHeight = 64

// stage is the window as panels see it: its size, scale, colors, glyphs and clock.
type stage struct {
	env           panel.Env
	settings      *settings.Settings
	deterministic bool
	still         bool // nothing is animated
	wish          MotionWish
	theme         assets.Theme
	atlasScale    float64 // of the atlas; 0: a new one is needed
	device        float64
	width, height int // physical pixels
	tick          int64
	start         time.Time
	lastNs, dtNs  int64 // the clock at the last tick, and since the one before
}

func newStage(o *Options, p *settings.Settings) *stage {
	s := &stage{
		settings: p, deterministic: o.Deterministic, still: o.NoAnimation || o.Deterministic && !o.Inside,
		device: 1, start: time.Now(),
	}
	if o.Deterministic {
		s.env.MemoryOf = func(*store.Session) int64 { return 1 << 20 }
	}
	if !o.Deterministic {
		s.wish.Ask()
	}
	s.setTheme()
	return s
}

// setTheme takes the colors of the settings. A new atlas makes every panel paint itself again.
func (s *stage) setTheme() {
	s.atlasScale = 0
	s.theme, _ = assets.ThemeNamed(s.settings.Theme)
}

// scale returns how many physical pixels a pixel of the design is.
func (s *stage) scale() float64 {
	// Steps of a twentieth keep the number of font sizes small.
	return math.Round(s.device*s.settings.Scale*20) / 20
}

// now returns a clock for animations, in ns.
func (s *stage) now() int64 {
	if s.deterministic {
		return s.tick * int64(time.Second) / 60
	}
	return int64(time.Since(s.start))
}

// begin begins a tick: it updates the panels' environment, except for the view and the number of ticks.
func (s *stage) begin() {
	e := &s.env
	if scale := s.scale(); scale != s.atlasScale {
		e.Atlas, e.Scale, s.atlasScale = draw.NewAtlas(scale), float32(scale), scale
	}
	e.Theme = &s.theme
	e.Compact = float32(s.width) < 1400*e.Scale
	e.NowNs = s.now()
	e.Paced = !s.still
	e.Animate = s.moves() && !s.still
	s.dtNs, s.lastNs = e.NowNs-s.lastNs, e.NowNs
}

// moves reports whether jumps are animated.
func (s *stage) moves() bool {
	switch s.settings.Motion {
	case settings.MotionOn:
		return true
	case settings.MotionOff:
		return false
	}
	return !s.wish.Reduced()
}

// window is all of the window.
func (s *stage) window() draw.Rect { return draw.Rect{X1: float32(s.width), Y1: float32(s.height)} }

// regions cuts the window into tool bar, frame strip, panes, and status line; where it is too low
// for all of them, the panes and then the strip have nothing.
func (s *stage) regions() (bar, frames, area, status draw.Rect) {
	full := s.window()
	bar, frames, area, status = full, full, full, full
	bar.Y1 = min(s.env.Px(ToolbarHeight), full.Y1)
	status.Y0 = max(full.Y1-s.env.Px(22), bar.Y1)
	frames.Y0, frames.Y1 = bar.Y1, min(bar.Y1+s.env.Px(framesHeight), status.Y0)
	area.Y0 = min(frames.Y1+s.env.Px(2), status.Y0)
	area.Y1 = max(status.Y0-1, area.Y0)
	return
}
