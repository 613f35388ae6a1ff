package gsttrace

import (
	"bytes"
	"math"

	"framescope/model"
)

// mostColored bounds how many elements have colors of their own.
const mostColored = 4096

// elementColors gives elements colors by their names: whatever is done at an element has its
// color, so that what differs between the bars of a thread is where its buffers are. Hues go round
// by the golden angle: elements that were named one after the other, as neighbours in a pipeline
// mostly are, are far apart.
type elementColors struct{ numbers map[string]int }

// colorOf returns the color of an element, none beyond the limit.
func (c *elementColors) colorOf(name []byte) model.RGB {
	n, known := c.numbers[string(name)]
	if !known {
		if len(name) == 0 || len(c.numbers) >= mostColored {
			return model.RGB{}
		}
		n = len(c.numbers)
		model.Put(&c.numbers, string(name), n)
	}
	return hueColor(210 + 137.508*float64(n))
}

// at returns the color of the element of a pad that is written as element:pad, or of an element.
func (c *elementColors) at(object []byte) model.RGB {
	if k := bytes.LastIndexByte(object, ':'); k > 0 {
		object = object[:k]
	}
	return c.colorOf(object)
}

// hueColor returns a color of a hue in degrees.
func hueColor(hue float64) model.RGB {
	const most, least = 210, 110
	part := func(shift float64) uint8 {
		at := math.Mod(hue/60+shift, 6)
		return uint8(most - (most-least)*max(0, min(at, 4-at, 1)))
	}
	return model.RGB{R: part(5), G: part(3), B: part(1), Set: true}
}
