package app

import (
	"cmp"

	"framescope/widgets"
)

// lately is the choices in the palette, for as long as the program runs.
type lately struct {
	count int
	last  map[string]int // by group and name
}

// follow notes on an item how lately it was chosen, and records when it is chosen again.
func (c *lately) follow(it *widgets.PaletteItem) {
	key := it.Group + "\x00" + cmp.Or(it.Same, it.Name)
	if at := c.last[key]; at > c.count-6 { // the six last ones
		it.Recent = at
	}
	run := it.Run
	it.Run = func() {
		if c.last == nil {
			c.last = map[string]int{}
		}
		c.count++
		c.last[key] = c.count
		run()
	}
}
