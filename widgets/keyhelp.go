// The overlay of keys and gestures shows the texts that it is given.

package widgets

import (
	"fmt"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// KeyRow is one line of the help: a key or gesture, and its effect. Panel is the ID of its panel;
// empty: none.
type KeyRow struct{ Key, Does, Panel string }

// KeyGroup is a titled run of lines.
type KeyGroup struct {
	Title string
	Rows  []KeyRow
}

// KeyHelp is a visible panel, which gets a card: Does describes its content.
type KeyHelp struct {
	ID, Title, Does string
	Rect            draw.Rect
}

// Help is the overlay of keys and gestures: on each visible panel a card with its own, and one card
// with the rest. While the user types it is a list of matches.
type Help struct {
	Field  TextField
	Groups []KeyGroup

	list     *draw.List
	sum      Sum
	pxX, pxY int // where an input method may put its window

	scroll Scroll
	room   draw.Rect // of a card that is higher than that, which scrolls
	high   float32   // of that card; 0: none is

	links []link // of the cards without room for all of their rows
	whole *link  // the card shown alone; nil: no link was followed
}

// link is the button that shows all rows of a card.
type link struct {
	rect   draw.Rect
	title  string
	groups []KeyGroup
}

// Follow shows all rows of the card with the pressed link; it returns false if none was pressed.
func (h *Help) Follow(in *panel.Input) bool {
	for i := range h.links {
		if l := &h.links[i]; in.Left.Pressed && l.rect.Contains(in.X, in.Y) {
			h.whole = l
			h.Redraw()
			return true
		}
	}
	return false
}

// Scroll takes the wheel and the scroll bar; true: they have the mouse.
func (h *Help) Scroll(env *panel.Env, in *panel.Input) (taken bool) {
	if h.high == 0 {
		h.scroll = Scroll{}
		return false
	}
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
	h.scroll, h.high, h.whole = Scroll{}, 0, nil
	h.Redraw()
}

// Picture returns the list of the overlay: bar is where the field lies, area where panels do.
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
	h.high, h.links = 0, nil
	for _, c := range h.cards(env, area, panels) {
		if room := area.Inset(env.Px(helpGap)); c.h > room.H() {
			h.room, h.high = room, c.h
			h.scroll.Px = max(0, min(h.scroll.Px, c.h-room.H()))
			c.rect.Y0 = room.Y0 - h.scroll.Px
			c.rect.Y1 = c.rect.Y0 + c.h
			l.PushClip(room)
			c.draw(l, env)
			h.scroll.Draw(l, env, room, c.h)
			l.PopClip()
			continue
		}
		c.draw(l, env)
		if !c.link.Empty() {
			h.links = append(h.links, link{c.link, c.title, c.groups})
		}
	}
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
	note := ""
	if h.Field.Text() == "" {
		note = "type to search"
	}
	h.Field.Draw(l, env, field, note)
}

// cards returns the shown cards with their places. Rows that do not fit on their panel join those
// without a panel.
func (h *Help) cards(env *panel.Env, area draw.Rect, panels []KeyHelp) []card {
	if h.Field.Text() != "" {
		h.whole = nil
		return []card{h.found(env, area, panels)}
	}
	if w := h.whole; w != nil {
		return []card{newWholeCard(env, area, w.title, "", w.groups)}
	}
	var out []string // panels without a card
	for {
		cards, without := h.around(env, area, panels, out)
		if without == "" {
			return cards
		}
		out = append(out, without)
	}
}

// around lays the cards but for those of some panels. without is a panel that has no room for its
// card beside the others; empty: all have.
func (h *Help) around(
	env *panel.Env, area draw.Rect, panels []KeyHelp, out []string,
) (cards []card, without string) {
	main, has := area, false
	largest, largestID := float32(0), ""
	var shown []KeyHelp
	for _, p := range panels {
		in := !slices.Contains(out, p.ID)
		if in {
			shown = append(shown, p)
		}
		if r := p.Rect.Intersect(area); r.W()*r.H() > largest {
			largest, main, has = r.W()*r.H(), r, in
			largestID = p.ID
		}
	}
	if len(shown) == 0 {
		main = area
	}
	var rest []KeyGroup
	for _, g := range h.Groups {
		g.Rows = slices.DeleteFunc(slices.Clone(g.Rows), func(r KeyRow) bool {
			return slices.ContainsFunc(shown, func(p KeyHelp) bool { return p.ID == r.Panel })
		})
		if len(g.Rows) > 0 {
			rest = append(rest, g)
		}
	}
	room := main.Inset(env.Px(helpGap))
	if has {
		room.Y0 = room.Y1 - float32(int(max(room.H()*0.5, room.H()-env.Px(helpMain))))
	}
	common, ok := newCard(env, "Everywhere", "", rest, room.W(), room.H())
	if n := len(shown); n > 0 && (!ok || 2*common.left > common.rows) {
		if has { // then it has all of that
			return nil, largestID
		}
		return nil, shown[n-1].ID
	}
	if len(shown) == 0 && common.left > 0 { // it scrolls
		common, _ = newCard(env, "Everywhere", "", rest, room.W(), endless)
	}
	common.at(room, draw.Rect{X0: room.X0, Y0: room.Y1, X1: room.X1, Y1: room.Y1})
	cards = append(cards, common)
	for _, p := range shown {
		place := p.Rect.Inset(env.Px(helpGap))
		for _, c := range cards {
			place = beside(place, c.rect, env.Px(helpGap))
		}
		title, rows := h.own(&p)
		c, ok := newCard(env, title, p.Does, []KeyGroup{{Rows: rows}}, place.W(), place.H())
		if !ok || 2*c.left > len(rows) {
			return nil, p.ID
		}
		c.at(place, place)
		cards = append(cards, c)
	}
	return cards, ""
}

// own returns the title of a panel's card, with the key that brings the panel to the front, and its
// other rows.
func (h *Help) own(p *KeyHelp) (title string, rows []KeyRow) {
	title = p.Title
	for _, g := range h.Groups {
		for _, r := range g.Rows {
			switch about, found := strings.CutPrefix(r.Does, p.Title+": "); {
			case r.Panel != p.ID:
				continue
			case r.Does == p.Title:
				title += " (" + r.Key + ")"
				continue
			case found:
				r.Does = about
			}
			rows = append(rows, r)
		}
	}
	return title, rows
}

// beside returns the largest part of a rectangle that another does not cover.
func beside(r, o draw.Rect, gap float32) draw.Rect {
	if r.Intersect(o).Empty() {
		return r
	}
	best := draw.Rect{}
	for _, c := range [...]draw.Rect{
		{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: o.Y0 - gap}, {X0: r.X0, Y0: o.Y1 + gap, X1: r.X1, Y1: r.Y1},
		{X0: r.X0, Y0: r.Y0, X1: o.X0 - gap, Y1: r.Y1}, {X0: o.X1 + gap, Y0: r.Y0, X1: r.X1, Y1: r.Y1},
	} {
		if !c.Empty() && c.W()*c.H() > best.W()*best.H() {
			best = c
		}
	}
	return best
}

// found is the card of all matches of the typed text.
func (h *Help) found(env *panel.Env, area draw.Rect, panels []KeyHelp) card {
	m := NewMatcher(h.Field.Text())
	var hits []KeyGroup
	n := 0
	take := func(title string, rows []KeyRow) {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r KeyRow) bool {
			return m.Rank(strings.ToLower(r.Does), strings.ToLower(r.Key+" "+title), nil) == None
		})
		if n += len(rows); len(rows) > 0 {
			hits = append(hits, KeyGroup{Title: title, Rows: rows})
		}
	}
	for _, g := range h.Groups {
		take(g.Title, g.Rows)
	}
	var shows []KeyRow
	for _, p := range panels {
		shows = append(shows, KeyRow{Key: p.Title, Does: p.Does})
	}
	take("What panels show", shows)
	title, does := "Found: "+fmt.Sprint(n), ""
	if n == 0 {
		title, does = "No match", "Try other words, or fewer letters."
	}
	return newWholeCard(env, area, title, does, hits)
}

// newWholeCard makes a card of all rows at the top of a rectangle; it scrolls where it is higher.
func newWholeCard(env *panel.Env, area draw.Rect, title, does string, groups []KeyGroup) card {
	room := area.Inset(env.Px(helpGap))
	c, _ := newCard(env, title, does, groups, room.W(), room.H())
	if c.left > 0 {
		c, _ = newCard(env, title, does, groups, room.W(), endless)
	}
	c.at(room, draw.Rect{X0: room.X0, Y0: room.Y0, X1: room.X1, Y1: room.Y0})
	return c
}
