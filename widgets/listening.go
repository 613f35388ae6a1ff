package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Listening describes the address on which the viewer awaits clients, or why there is none.
type Listening struct {
	// Address is the one that is listened on, HOST:PORT; empty: none is.
	Address string
	// Problem is why a configured address is not listened on, in a few words; empty: all is well, or
	// none is configured.
	Problem string
	// Short is the problem in fewer words.
	Short string
	// Remedy is the advice on the problem, in words.
	Remedy string
	// Page reports that the viewer is a page in a browser, to which no program can connect.
	Page bool
	// Doors are all addresses on which programs are awaited, or would be; those without a For are none.
	Doors [MaxDoors]Door
}

// MaxDoors bounds the number of shown addresses.
const MaxDoors = 4

// Door is an address on which programs are awaited.
type Door struct {
	// For names its clients in a few words, and Flag is its flag on the command line.
	For, Flag string
	// Address is where it listens, HOST:PORT; empty: it does not. Then Problem is the reason, in a
	// few words; empty: it is not configured.
	Address, Problem string
}

// listenAgain is the words of the button, and the name of the command, that tries a closed address
// once more.
const listenAgain = "Listen again"

// closedStrip is the part of the list of sessions that warns if a configured address is not
// listened on.
type closedStrip struct {
	rect   draw.Rect // empty: no problem
	again  button
	detail Listening
}

// closedHeight is the strip's at scale 1.
const closedHeight = 30

// place takes the strip off the lower end of a panel if there is a problem, and returns the rest.
func (c *closedStrip) place(env *panel.Env, rect draw.Rect, now Listening) draw.Rect {
	c.detail = now
	c.rect = draw.Rect{}
	if now.Problem == "" {
		c.again.rect = draw.Rect{}
		return rect
	}
	c.rect = rect
	c.rect.Y0 = max(rect.Y0, rect.Y1-env.Px(closedHeight))
	rect.Y1 = c.rect.Y0
	return rect
}

// draw paints the strip.
func (c *closedStrip) draw(env *panel.Env, l *draw.List) {
	if c.rect.Empty() {
		return
	}
	t := env.Theme
	l.Rect(c.rect, draw.Color(t.Panel))
	l.HLine(c.rect.X0, c.rect.X1, c.rect.Y0, 1, draw.Color(t.Separator))
	line := c.rect
	line.X0, line.X1 = line.X0+env.Px(9), line.X1-env.Px(8)
	y := float32(int((c.rect.Y0 + c.rect.Y1 - env.Px(buttonHeight)) / 2))
	c.again.draw(env, l, line.X1-c.again.width(env, listenAgain), y, listenAgain)
	line.X1 = c.again.rect.X0 - env.Px(6)
	l.TextIn(draw.Small, line, draw.Left, c.detail.Short, draw.Color(t.Over))
}

// hit describes the hovered item.
func (c *closedStrip) hit(pxX, pxY float32) (panel.Hit, bool) {
	if !c.rect.Contains(pxX, pxY) {
		return panel.NoHit(), false
	}
	hit := panel.NoHit()
	hit.Kind, hit.Rect = panel.HitLabel, c.rect
	hit.Lines = append(hit.Lines, "Not listening: "+c.detail.Problem, c.detail.Remedy)
	return hit, true
}
