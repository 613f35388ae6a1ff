package widgets

import (
	"fmt"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Sizes of cards at scale 1.
const (
	helpGap     = 8   // between cards, and around them
	helpPad     = 10  // inside
	helpRow     = 17  // of a line
	helpLeast   = 150 // narrowest words beside the keys
	helpKeyGap  = 12  // between a key and its words
	helpColumns = 22  // between columns
	helpField   = 120 // narrowest field beside the rest of its row
	helpMost    = 560 // widest head of a card
	helpNarrow  = 90  // narrowest words in a card of one column
	endless     = 1e6 // the room of scrolled content, in physical pixels
	helpMain    = 158 // left of the largest panel for its own card
)

// unit is a row of a card in as many lines as its words take, or the head of a group.
type unit struct {
	head, key string
	words     []string
}

func (u *unit) lines() int { return max(1, len(u.words)) }

// card is a card: its rows stand in columns.
type card struct {
	title       string
	beside      bool     // the words stand beside the title
	does        []string // the description of the panel, in lines
	units       []unit
	starts      []int // of the columns
	keyW, wordW float32
	w, h        float32
	rows, left  int // all of them, and those that are left out
	rect        draw.Rect
	groups      []KeyGroup
	link        draw.Rect // of the row with the number of rows left out
}

// newCard makes a card of a limited size. Rows without room are left out, as the last one notes.
// False: there is no room for the head and a first row.
func newCard(env *panel.Env, title, does string, groups []KeyGroup, mostW, mostH float32) (c card, ok bool) {
	a, pad, row := env.Atlas, env.Px(helpPad), env.Px(helpRow)
	inW := mostW - 2*pad
	c.title, c.groups = title, groups
	if inW < env.Px(helpNarrow) {
		return c, false
	}
	total := 0
	for _, g := range groups {
		total += len(g.Rows)
	}
	c.rows = total
	headW := a.Measure(draw.Medium, title)
	if headW > inW {
		return c, false
	}
	if w := headW + env.Px(helpKeyGap) + a.Measure(draw.Regular, does) + 1; does != "" && total > 0 && w <= inW {
		c.beside, c.does, headW = true, []string{does}, w
	} else if does != "" {
		c.does = panel.WrapWords(a, draw.Regular, does, min(inW, env.Px(helpMost)))
		for _, s := range c.does {
			headW = max(headW, a.Measure(draw.Regular, s))
		}
	}
	natural := float32(0)
	for _, g := range groups {
		for _, r := range g.Rows {
			c.keyW = max(c.keyW, a.Measure(draw.Regular, r.Key)+env.Px(helpKeyGap))
			natural = max(natural, a.Measure(draw.Regular, r.Does)+1)
		}
	}
	room := int((mostH - 2*pad - row*float32(c.headLines())) / row)
	if total == 0 {
		c.w, c.h = headW+2*pad, 2*pad+row*float32(c.headLines())
		return c, room >= 0
	}
	if room < 1 || inW < c.keyW+env.Px(helpNarrow) {
		return c, false
	}
	most := max(1, int((inW+env.Px(helpColumns))/(c.keyW+env.Px(helpLeast)+env.Px(helpColumns))))
	high, n := 0, 1
	if mostH >= endless { // then as low as can be
		n = most
	}
	for ; n <= most; n++ {
		c.wordW = min(natural, (inW-env.Px(helpColumns)*float32(n-1))/float32(n)-c.keyW)
		c.units = c.units[:0]
		for _, g := range groups {
			if g.Title != "" {
				c.units = append(c.units, unit{head: g.Title})
			}
			for _, r := range g.Rows {
				c.units = append(c.units, unit{key: r.Key, words: panel.WrapWords(a, draw.Regular, r.Does, c.wordW)})
			}
		}
		if high = c.share(n, room); high > 0 {
			break
		}
	}
	if high == 0 {
		high = c.shorten(most, room, total)
	}
	cols := float32(len(c.starts))
	c.w = max(headW, cols*(c.keyW+c.wordW)+(cols-1)*env.Px(helpColumns)) + 2*pad
	c.h = 2*pad + row*float32(c.headLines()+high)
	return c, true
}

// headLines returns how many lines the head takes.
func (c *card) headLines() int {
	if c.beside {
		return 1
	}
	return 1 + len(c.does)
}

// share breaks the rows into so many columns, as low as can be, and returns how many lines high they
// are; 0: higher than there is room for.
func (c *card) share(columns, room int) int {
	all := 0
	for i := range c.units {
		all += c.units[i].lines()
	}
	for high := (all + columns - 1) / columns; high <= room; high++ {
		if c.fill(high); len(c.starts) <= columns {
			return high
		}
	}
	return 0
}

// fill breaks the rows into columns that are so many lines high at most. No head is the last of one.
func (c *card) fill(high int) {
	c.starts = append(c.starts[:0], 0)
	used := 0
	for i := range c.units {
		need := c.units[i].lines()
		with := need
		if c.units[i].head != "" && i+1 < len(c.units) {
			with += c.units[i+1].lines()
		}
		if used > 0 && used+with > high {
			c.starts = append(c.starts, i)
			used = 0
		}
		used += need
	}
}

// shorten leaves rows out at the end until the rest fits, and writes how many.
func (c *card) shorten(columns, room, total int) int {
	for len(c.units) > 0 {
		c.units = c.units[:len(c.units)-1]
		rows := 0
		for i := range c.units {
			if c.units[i].head == "" {
				rows++
			}
		}
		kept := c.units
		if n := len(kept); n > 0 && kept[n-1].head != "" {
			continue
		}
		c.units = append(kept[:len(kept):len(kept)], unit{key: fmt.Sprintf("Show %d more", total-rows)})
		if high := c.share(columns, room); high > 0 {
			c.left = total - rows
			return high
		}
		c.units = kept
	}
	return 0
}

// at places the card in the middle of a rectangle, on whole pixels, and keeps it inside a room.
func (c *card) at(room, in draw.Rect) {
	x := float32(int((in.X0 + in.X1 - c.w) / 2))
	y := float32(int((in.Y0 + in.Y1 - c.h) / 2))
	x = max(room.X0, min(x, room.X1-c.w))
	y = max(room.Y0, min(y, room.Y1-c.h))
	c.rect = draw.Rect{X0: x, Y0: y, X1: x + c.w, Y1: y + c.h}
}

// draw paints the card.
func (c *card) draw(l *draw.List, env *panel.Env) {
	t, pad, row := env.Theme, env.Px(helpPad), env.Px(helpRow)
	l.Rect(c.rect, draw.Color(t.Panel))
	l.Outline(c.rect, env.Px(1), draw.Color(t.Accent))
	in := c.rect.Inset(pad)
	line := func(f draw.Face, x, y, w float32, s string, color draw.Color) {
		l.TextIn(f, draw.Rect{X0: x, Y0: y, X1: x + w, Y1: y + row}, draw.Left, s, color)
	}
	line(draw.Medium, in.X0, in.Y0, in.W(), c.title, draw.Color(t.Text))
	y := in.Y0 + row
	if c.beside {
		x := in.X0 + env.Atlas.Measure(draw.Medium, c.title) + env.Px(helpKeyGap)
		line(draw.Regular, x, in.Y0, in.X1+1-x, c.does[0], draw.Color(t.Text2))
	}
	for _, s := range c.does {
		if c.beside {
			break
		}
		line(draw.Regular, in.X0, y, in.W()+1, s, draw.Color(t.Text2))
		y += row
	}
	for k, from := range c.starts {
		to := len(c.units)
		if k+1 < len(c.starts) {
			to = c.starts[k+1]
		}
		x, yy := in.X0+float32(k)*(c.keyW+c.wordW+env.Px(helpColumns)), y
		for _, u := range c.units[from:to] {
			switch {
			case u.head != "":
				line(draw.Medium, x, yy, c.keyW+c.wordW, u.head, draw.Color(t.Text2))
			case u.words == nil:
				c.link = draw.Rect{X0: x, Y0: yy, X1: x + min(c.keyW+c.wordW, env.Atlas.Measure(draw.Regular, u.key)), Y1: yy + row}
				line(draw.Regular, x, yy, c.keyW+c.wordW, u.key, draw.Color(t.Accent))
			default:
				line(draw.Regular, x, yy, c.keyW, u.key, draw.Color(t.Text))
			}
			for i, s := range u.words {
				line(draw.Regular, x+c.keyW, yy+row*float32(i), c.wordW+1, s, draw.Color(t.Text2))
			}
			yy += row * float32(u.lines())
		}
	}
}
