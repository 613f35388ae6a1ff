package sessions

import (
	"path/filepath"

	"framescope/app/demo"
	"framescope/app/library"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
	"framescope/widgets"
)

// Welcome returns a panel with instructions while there is nothing to show, and else another one.
func (ss *Sessions) Welcome(p panel.Panel) panel.Panel { return &welcome{Panel: p, ss: ss} }

type welcome struct {
	panel.Panel
	ss    *Sessions
	empty widgets.Empty
	blank bool
}

// Update implements panel.Panel.
func (c *welcome) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	s := env.View.Session()
	c.blank = s.NumTracks() == 0 && !c.ss.has.now(s).Any()
	if !c.blank {
		return c.Panel.Update(env, rect, in)
	}
	c.empty.Update(env, rect, in, c.ss, c.ss.emptyState(s), c.ss.offers())
	return panel.Action{}
}

// List implements panel.Panel.
func (c *welcome) List() *draw.List {
	if c.blank {
		return c.empty.List()
	}
	return c.Panel.List()
}

// HitTest implements panel.Panel.
func (c *welcome) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if c.blank {
		return panel.NoHit()
	}
	return c.Panel.HitTest(env, pxX, pxY)
}

// Mode implements panel.Panel.
func (c *welcome) Mode(env *panel.Env) string {
	if c.blank {
		return ""
	}
	return c.Panel.Mode(env)
}

// Tools implements panel.Tooled.
func (c *welcome) Tools(env *panel.Env) []panel.Tool {
	if t, ok := c.Panel.(panel.Tooled); ok && !c.blank {
		return t.Tools(env)
	}
	return nil
}

// Use implements panel.Tooled.
func (c *welcome) Use(env *panel.Env, id, option int) {
	if t, ok := c.Panel.(panel.Tooled); ok {
		t.Use(env, id, option)
	}
}

// Useful implements panel.Modest: that of what is in its place.
func (c *welcome) Useful(env *panel.Env) float32 {
	if m, ok := c.Panel.(panel.Modest); ok && !c.blank {
		return m.Useful(env)
	}
	return 0
}

// emptyState is the text in the middle of the window for a session without data, nil: while there is
// none.
func (ss *Sessions) emptyState(s *store.Session) widgets.EmptyState {
	state := widgets.EmptyState{Demo: ss.opt.Demo}
	if ss.active == nil {
		state.Awaited = ss.sources.awaited
		return state
	}
	own := ss.ownerOf(s)
	state.Session, state.Problem, state.Loading = ss.TitleOf(s), own.problem(), ss.loading(s)
	_, state.Ended = s.Ended()
	e, ok := ss.hub.EntryOf(s)
	if !ok {
		return state
	}
	if state.Session == "" {
		state.Session = filepath.Base(e.Feed.Name())
	}
	if state.Silence = ss.silenceOf(e); state.Silence.Overdue {
		state.Advice = silenceAdvice(own)
	}
	if own.in != nil {
		state.Followed = doing(own.in)
	}
	return state
}

// offers are the recordings that the empty window offers: those opened last, and the newest sessions
// that are not live here.
func (ss *Sessions) offers() (o widgets.Offers) {
	if ss.active != nil {
		return o
	}
	ss.lookAtRecent()
	o.Choose = func() { ss.sources.later(ss.askOpen) }
	o.Files, o.OpenFile = ss.recent.rows, func(path string) { ss.sources.later(func() { ss.OpenFile(path) }) }
	o.Revision = ss.recent.revision << 32
	if !ss.keepsSessions() {
		return o
	}
	all, revision := ss.OnDisk()
	for i := range all {
		if len(o.Rows) == widgets.MaxOffers {
			break
		}
		if ss.disk.sessions[i].State != library.LiveHere {
			o.Rows = append(o.Rows, all[i])
		}
	}
	o.Revision += revision
	o.Open = func(id string) { ss.DoOnDisk(widgets.Open, id) }
	o.All = func() { ss.sources.later(ss.showDisk) }
	return o
}

// Copy implements widgets.Program.
func (ss *Sessions) Copy(text string) { ss.ask.Copy(text) }

// PlayDemo implements widgets.Program: the built-in game plays until the window is closed.
func (ss *Sessions) PlayDemo() {
	at, s := ss.Listening().Address, &ss.sources
	if at == "" || ss.opt.Demo {
		return
	}
	ss.opt.Demo = true
	s.work.Go(func() {
		if err := demo.Run(s.ctx, at, demo.Options{}); err != nil && s.ctx.Err() == nil {
			s.later(func() { ss.ask.Warn(err) })
		}
	})
}
