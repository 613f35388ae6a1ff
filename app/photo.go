package app

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"framescope/app/layout"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/place"
)

// PhotoOptions describe a picture of the whole window.
type PhotoOptions struct {
	// File is the recording; empty: none, but the window that waits for a first program.
	File string
	// Before is another recording that is compared with File: it is A, File B; empty: none.
	Before string
	// Sources says how the kinds of recordings are to be read.
	Sources load.Sources
	// MemoryLimit is the memory limit of the recording, in bytes, as of a window; 0: the default.
	MemoryLimit int64
	// Width and Height are the window's, in physical pixels.
	Width, Height int
	// Scale is the size of text and lines, 1 for ordinary displays. 0: 1.
	Scale float64
	// Theme is one of assets.ThemeNames; empty: the default.
	Theme string
	// Workspace is one of Workspaces, in any case; empty: the one for sessions of this kind.
	Workspace string
	// Thread is the name or number of the thread that is selected; empty: the main one.
	Thread string
	// Range is selected and brought near, the zero value leaves all in view and the end selected.
	Range place.TimeRange
	// Commands are typed one after another into the search of all commands; for each, the first hit is
	// run.
	Commands []string
	// Find is text for the search field, with its list open; empty: it is closed.
	Find string
	// Help shows the keys over the window.
	Help bool
}

// Bounds of a picture of the window: its size at scale 1, and all its pixels.
const (
	leastPhotoW, leastPhotoH = 640, 400
	mostPhoto                = 64 << 20
)

// Photo draws the whole window as on a screen, without a display. The program's notices on the
// recording come as warnings, not in the picture.
func Photo(o PhotoOptions) (p *draw.Picture, warnings []string, err error) {
	if o.Scale == 0 {
		o.Scale = 1
	}
	if float64(o.Width) < leastPhotoW*o.Scale || float64(o.Height) < leastPhotoH*o.Scale ||
		o.Width > mostPhoto/max(o.Height, 1) {
		return nil, nil, fmt.Errorf("a window of %dx%d pixels at scale %v: give at least %vx%v, and at most %d megapixels",
			o.Width, o.Height, o.Scale, leastPhotoW*o.Scale, leastPhotoH*o.Scale, mostPhoto>>20)
	}
	if o.Theme != "" && !slices.Contains(assets.ThemeNames(), o.Theme) {
		return nil, nil, fmt.Errorf("unknown theme %q; choose one of %s", o.Theme, strings.Join(assets.ThemeNames(), ", "))
	}
	options := Options{SettingsPath: "-", Options: sessions.Options{
		Deterministic: true, Sources: o.Sources, MemoryLimit: o.MemoryLimit,
	}}
	if o.File != "" {
		options.Files = []string{o.File}
		if o.Before != "" {
			options.Files = []string{o.Before, o.File}
		}
	} else {
		options.Listen = "127.0.0.1:0"
	}
	g, err := NewGame(options)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	by := photographer{g: g}
	if err := by.arrange(&o); err != nil {
		return nil, nil, err
	}
	if err := by.waitForRest(); err != nil {
		return nil, nil, err
	}
	return by.g.picture(), by.told, nil
}

// Workspaces are the names that PhotoOptions.Workspace knows.
func Workspaces() (names []string) {
	for _, p := range layout.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// photographer brings a window without a window system into a state, and draws it.
type photographer struct {
	g    *Game
	told []string
}

// arrange makes everything as the options have it.
func (p *photographer) arrange(o *PhotoOptions) error {
	g := p.g
	g.settings.Scale = o.Scale
	if o.Theme != "" {
		g.settings.Theme = o.Theme
	}
	g.stage.setTheme()
	g.stage.width, g.stage.height = o.Width, o.Height
	if err := p.waitForRest(); err != nil {
		return err
	}
	if o.Before != "" {
		if err := p.compare(); err != nil {
			return err
		}
	}
	v := g.View()
	if o.File != "" && !v.Session().Contents().Any() {
		return errors.New(cmp.Or(strings.Join(p.told, "; "), o.File+" has nothing to show"))
	}
	if err := p.use(o.Workspace); err != nil {
		return err
	}
	if !v.None() {
		if err := choose(v, o); err != nil {
			return err
		}
	}
	for _, words := range o.Commands {
		if err := p.do(words); err != nil {
			return err
		}
	}
	if o.Find != "" {
		g.find.open()
		g.find.field.SetText(o.Find)
	}
	if o.Help {
		g.openHelp()
	}
	return nil
}

// compare marks the two sessions as the sides of a comparison.
func (p *photographer) compare() error {
	if len(p.g.ss.Named) != 2 {
		return errors.New(cmp.Or(strings.Join(p.told, "; "), "there are no two recordings to compare"))
	}
	for side, o := range p.g.ss.Named { // not in the order in which they were read
		s, _ := p.g.ss.SessionOf(o)
		p.g.ss.Select(s)
		if err := p.waitForRest(); err != nil {
			return err
		}
		if t := p.g.View().Shown(); t != nil && t.NumFrames() > 0 { // else all of the time
			p.g.View().SelectFrames(0, t.NumFrames()-1)
		}
		p.g.compare.Mark(side)
		for p.g.ask.Notices.Dismiss() { // which side is which is in the picture
		}
	}
	for p.g.compare.State.Result() == nil {
		p.g.compare.Tick(false)
	}
	return p.waitForRest()
}

// use shows a workspace.
func (p *photographer) use(name string) error {
	if name == "" {
		return nil
	}
	for _, known := range Workspaces() {
		if strings.EqualFold(known, name) {
			p.g.spaces.use(known)
			return nil
		}
	}
	return fmt.Errorf("no workspace %q; choose one of: %s", name, strings.Join(Workspaces(), ", "))
}

// choose selects a thread and a range, and brings that near.
func choose(v *view.View, o *PhotoOptions) error {
	track := v.Track()
	if o.Thread != "" {
		var err error
		if track, err = place.FindTrack(v.Session(), o.Thread); err != nil {
			return err
		}
		v.SetTrack(track)
	}
	if o.Range.All() {
		return nil
	}
	begin, end, err := o.Range.Resolve(v.Session(), track)
	if err != nil {
		return err
	}
	if o.Range.Times || track == model.NoTrack {
		v.SelectRange(begin, end)
		v.Steer().ZoomTo(begin, end)
		return nil
	}
	first, last, err := o.Range.Frames(v.Session(), track)
	if err != nil {
		return err
	}
	v.SelectFrames(first, last)
	v.Steer().ZoomAround(begin, end)
	return nil
}

// do looks a command up and runs it.
func (p *photographer) do(words string) error {
	g := p.g
	g.find.commands()
	list := g.ask.Dialog()
	list.Text().SetText(words)
	if list.Hits() == 0 {
		list.Close()
		return fmt.Errorf("there is no %q", words)
	}
	list.Enter()
	return p.waitForRest()
}

// settleTicks is the number of ticks for the window to come to rest: places may depend on the previous
// tick, and lists follow the mouse at a pace.
const settleTicks = 90

// waitForRest lets the window come to rest. It collects the notices and removes them from the window.
func (p *photographer) waitForRest() error {
	g := p.g
	for range settleTicks {
		if err := g.tickAt(-1, -1); err != nil {
			return err
		}
		for _, n := range g.ask.Notices.Shown() {
			p.told = append(p.told, n.Text)
		}
		for g.ask.Notices.Dismiss() {
		}
	}
	return nil
}
