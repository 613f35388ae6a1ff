// The page of keys and gestures shows the texts that it is given.

package widgets

import (
	"fmt"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// KeyRow is one line of the help: a key or gesture, and its effect. Panel is the ID of its panel;
// empty: none.
type KeyRow struct{ Key, Does, Panel string }

// KeyGroup is a section of the help: its title, what it is about, and its lines.
type KeyGroup struct {
	Title, About string
	Rows         []KeyRow
}

// KeyHelp is a visible panel, which gets a section: Does describes its content.
type KeyHelp struct{ ID, Title, Does string }

// Help is the page of keys and gestures: a section for each visible panel, and sections with the rest. While
// the user types it shows what matches.
type Help struct {
	Field  TextField
	Groups []KeyGroup

	list     *draw.List
	sum      Sum
	pxX, pxY int // where an input method may put its window

	scroll Scroll
	room   draw.Rect // of the sections
	high   float32   // of all of them
}

// Sizes of the page at scale 1.
const (
	helpGap    = 8   // around the page
	helpPad    = 16  // inside, and between columns
	helpRow    = 20  // of a line
	helpKeyGap = 10  // between a key and its words
	helpWide   = 400 // width of a column
	helpMost   = 4   // columns
	helpField  = 120 // narrowest field beside the rest of its row
	endless    = 1e6 // the room of scrolled content, in physical pixels
)

// Scroll takes the wheel and the scroll bar; true: they have the mouse.
func (h *Help) Scroll(env *panel.Env, in *panel.Input) (taken bool) {
	h.scroll.Update(env, h.room, in, h.high)
	return h.scroll.Taken
}

// By scrolls by so many lines.
func (h *Help) By(env *panel.Env, lines float32) { h.scroll.Px += lines * env.Px(helpRow) }

// Type takes a tick's typing.
func (h *Help) Type(keys []Stroke, board Clipboard) {
	h.Field.Type(h.pxX, h.pxY, keys, board)
}

// Redraw makes the next Picture anew.
func (h *Help) Redraw() { h.list = nil }

// Close clears the typed text.
func (h *Help) Close() {
	h.Field.Focus(false)
	h.Field.SetText("")
	h.scroll, h.high = Scroll{}, 0
	h.Redraw()
}

// Picture returns the list of the page: bar is where the field lies, area where the sections do.
func (h *Help) Picture(env *panel.Env, window, bar, area draw.Rect, panels []KeyHelp) *draw.List {
	f := &h.Field
	var sum Sum
	f.Sum(&sum)
	sum.Text(fmt.Sprint(window, bar, area, panels, h.scroll.Px))
	if h.list != nil && h.list.Atlas() == env.Atlas && h.sum == sum {
		return h.list
	}
	h.sum, h.list = sum, draw.NewList(env.Atlas)
	l, t := h.list, env.Theme
	l.Reset(window)
	l.Rect(window, draw.Color(t.Ground.WithAlpha(130)))
	h.head(env, bar)
	page := area.Inset(env.Px(helpGap))
	h.room = page.Inset(env.Px(helpPad))
	sections := h.sections(panels)
	if h.Field.Text() != "" {
		sections = h.found(sections)
	}
	n := min(max(1, int((h.room.W()+env.Px(helpPad))/env.Px(helpWide+helpPad))), helpMost)
	wide := float32(int((h.room.W() - float32(n-1)*env.Px(helpPad)) / float32(n)))
	var heights []float32
	blocks := make([]helpBlock, len(sections))
	for i := range sections {
		blocks[i] = newHelpBlock(env, &sections[i], wide)
		heights = append(heights, float32(len(blocks[i].lines))*env.Px(helpRow))
	}
	placed := layCards(heights, n, wide, env.Px(helpPad), 0)
	h.high = placed.high
	page.Y1 = min(page.Y1, page.Y0+h.high+2*env.Px(helpPad))
	h.room.Y1 = max(h.room.Y0, page.Y1-env.Px(helpPad))
	h.scroll.Px = max(0, min(h.scroll.Px, h.high-h.room.H()))
	l.Rect(page, draw.Color(t.Panel))
	l.Outline(page, env.Px(1), draw.Color(t.Separator))
	l.PushClip(h.room)
	for i, r := range placed.places {
		blocks[i].draw(l, env, h.room.X0+r.X0, h.room.Y0-h.scroll.Px+r.Y0, wide)
	}
	l.PopClip()
	bars := h.room
	bars.X1 = page.X1 - env.Px(2)
	h.scroll.Draw(l, env, bars, h.high)
	return l
}

// head draws the field in the place of the tool bar.
func (h *Help) head(env *panel.Env, bar draw.Rect) {
	const title, closes = "Keys and mouse", "Esc, F1, ? or a click closes"
	l, t := h.list, env.Theme
	l.Rect(bar, draw.Color(t.Panel))
	l.HLine(bar.X0, bar.X1, bar.Y1-1, 1, draw.Color(t.Accent))
	in := bar.Inset(env.Px(6))
	in.X0, in.X1 = in.X0+env.Px(8), in.X1-env.Px(8)
	side := max(env.Atlas.Measure(draw.Medium, title), env.Atlas.Measure(draw.Regular, closes)) + env.Px(16)
	w, field := in.W()-2*side, in
	if w >= env.Px(helpField) { // else the field has all of the row
		w = min(env.Px(420), w)
		l.TextIn(draw.Medium, in, draw.Left, title, draw.Color(t.Text))
		l.TextIn(draw.Regular, in, draw.Right, closes, draw.Color(t.Text2))
		field.X0 = float32(int((in.X0 + in.X1 - w) / 2))
		field.X1 = field.X0 + w
	}
	h.pxX, h.pxY = int(field.X0), int(field.Y1)
	note := format.Pick(h.Field.Text() == "", "type to search", "")
	h.Field.Draw(l, env, field, note)
}

// sections returns the first group, those of the panels that have keys, the rest, and what the other panels show.
func (h *Help) sections(panels []KeyHelp) (all []KeyGroup) {
	others := KeyGroup{Title: "Other panels in sight"}
	for i := range panels {
		p := &panels[i]
		if rows := h.own(p); len(rows) > 0 {
			all = append(all, KeyGroup{Title: p.Title, About: p.Does, Rows: rows})
		} else {
			others.Rows = append(others.Rows, KeyRow{Key: p.Title, Does: p.Does})
		}
	}
	for i, g := range h.Groups {
		g.Rows = slices.DeleteFunc(slices.Clone(g.Rows), func(r KeyRow) bool {
			return slices.ContainsFunc(panels, func(p KeyHelp) bool { return p.ID == r.Panel })
		})
		switch {
		case len(g.Rows) == 0:
		case i == 0:
			all = slices.Insert(all, 0, g)
		default:
			all = append(all, g)
		}
	}
	if len(others.Rows) > 0 {
		all = append(all, others)
	}
	return all
}

// own returns the rows of a panel's section.
func (h *Help) own(p *KeyHelp) (rows []KeyRow) {
	for _, g := range h.Groups {
		for _, r := range g.Rows {
			switch about, found := strings.CutPrefix(r.Does, p.Title+": "); {
			case r.Panel != p.ID:
				continue
			case r.Does == p.Title:
				r.Does = "Bring this panel to the front"
				rows = slices.Insert(rows, 0, r)
				continue
			case found:
				r.Does = strings.ToUpper(about[:1]) + about[1:]
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// found returns what matches the typed text.
func (h *Help) found(sections []KeyGroup) (hits []KeyGroup) {
	m := NewMatcher(h.Field.Text())
	for _, g := range sections {
		other := func(r KeyRow) bool {
			return m.Rank(strings.ToLower(r.Does), strings.ToLower(r.Key+" "+g.Title+":")) == None
		}
		about := m.Rank(strings.ToLower(g.About), strings.ToLower(g.Title)) != None
		if g.Rows = slices.DeleteFunc(slices.Clone(g.Rows), other); len(g.Rows) > 0 || about {
			hits = append(hits, g)
		}
	}
	if len(hits) == 0 {
		return []KeyGroup{{Title: "No match", About: "Try other words, or fewer letters."}}
	}
	return hits
}

// helpLine is a line of a section: a title, words below it, or a key with words; of further lines of one only words.
type helpLine struct{ title, about, key, words string }

// helpBlock is the lines of a section. keys is how wide its keys are.
type helpBlock struct {
	lines []helpLine
	keys  float32
}

// helpKeys is how much of a column keys take at most.
const helpKeys = 0.36

// newHelpBlock breaks a section into lines of a width.
func newHelpBlock(env *panel.Env, g *KeyGroup, wide float32) (c helpBlock) {
	c.lines = append(c.lines, helpLine{title: g.Title})
	if g.About != "" {
		for _, s := range panel.WrapWords(env.Atlas, draw.Small, g.About, wide) {
			c.lines = append(c.lines, helpLine{about: s})
		}
	}
	for _, r := range g.Rows {
		c.keys = max(c.keys, min(env.Atlas.Measure(draw.Regular, r.Key)+env.Px(helpKeyGap+8), wide*helpKeys))
	}
	for _, r := range g.Rows {
		for i, s := range panel.WrapWords(env.Atlas, draw.Regular, r.Does, wide-c.keys) {
			key := format.Pick(i > 0, "", r.Key)
			c.lines = append(c.lines, helpLine{key: key, words: s})
		}
	}
	return c
}

// draw paints the section.
func (c *helpBlock) draw(l *draw.List, env *panel.Env, x, y, wide float32) {
	t := env.Theme
	for _, s := range c.lines {
		r := draw.Rect{X0: x, Y0: y, X1: x + wide, Y1: y + env.Px(helpRow)}
		y = r.Y1
		switch {
		case s.title != "":
			l.TextIn(draw.Medium, r, draw.Left, s.title, draw.Color(t.Text))
			end := x + env.Atlas.Measure(draw.Medium, s.title) + env.Px(8)
			l.HLine(end, r.X1, panel.Snap((r.Y0+r.Y1)/2), 1, draw.Color(t.Separator))
		case s.about != "":
			l.TextIn(draw.Small, r, draw.Left, s.about, draw.Color(t.Text2))
		case s.key != "":
			box := r.Inset(env.Px(2))
			box.X0, box.X1 = x, x+env.Atlas.Measure(draw.Regular, s.key)+env.Px(8)
			l.Rect(box, draw.Color(t.Button))
			l.TextIn(draw.Regular, box, draw.Center, s.key, draw.Color(t.Text))
		}
		r.X0 += c.keys
		l.TextIn(draw.Regular, r, draw.Left, s.words, draw.Color(t.Text2))
	}
}
