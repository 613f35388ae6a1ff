package app

import (
	"io/fs"

	"framescope/app/sessions"

	"framescope/charts/view"
)

// await sets the requested recordings as sides once they are read. It drops unreadable and closed ones:
// their errors were reported.
func (c *Sides) await() {
	for side := range c.awaited {
		a := &c.awaited[side]
		if !a.some() {
			continue
		}
		switch s, read := c.SS.SessionOf(a.of); {
		case s == nil && a.seen, read && s.NumTracks() == 0:
			*a = awaited{}
		case read:
			*a = awaited{}
			c.set(side, view.MarkWhole(s, c.SS.TitleOf(s)))
			if b, both := c.State.Marked(view.SideB); both { // whichever was read last
				c.SS.Select(b.Side.Session)
			}
		case s != nil:
			a.seen = true
		}
	}
}

// Open compares recordings that are being opened as soon as they are read: the first is A and the
// second B; a single one is B, and A the shown session.
func (c *Sides) Open(list []sessions.Opening) {
	c.open(c.SS.View(), list)
}

func (c *Sides) open(shown *view.View, list []sessions.Opening) {
	switch {
	case len(list) == 0:
		return
	case len(list) > 1:
		c.State.Stop()
		c.awaited = [2]awaited{{of: list[0]}, {of: list[1]}}
		if n := len(list) - 2; n > 0 {
			c.Ask.Tell("Two recordings are compared; the others open beside them")
		}
		return
	}
	if m, ok := view.MarkChosen(shown, c.SS.TitleOf(shown.Session())); ok {
		c.State.Stop()
		c.awaited[view.SideA] = awaited{}
		c.set(view.SideA, m)
	} else {
		c.Ask.Tell("Nothing to compare with: the recording opens as B")
	}
	c.awaited[view.SideB] = awaited{of: list[0]}
}

// Drop opens files that were dropped on the window, and with Shift compares them.
func (c *Sides) Drop(files fs.FS, shift bool) {
	shown := c.SS.View()
	if list := c.SS.OpenDropped(files); shift {
		c.open(shown, list)
	}
}

// AskB asks for a recording and opens it as B.
func (c *Sides) AskB() {
	c.SS.AskFile("Open as B of a comparison", func(path string) {
		v := c.SS.View()
		c.open(v, []sessions.Opening{c.SS.OpenFile(path)})
	}, nil)
}
