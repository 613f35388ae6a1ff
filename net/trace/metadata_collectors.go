package trace

import (
	"math"
	"strconv"

	"framescope/model"
)

const (
	// Collector is what the text is called that says what a collector is, an object of JSON. Others speak of it by
	// its number.
	Collector = "collector_info"
	// N is its member that has the number, 0 of the one that all lie below. In is the number of the one that it
	// belongs to, which is defined before it.
	N  = "n"
	In = "in"
	// Color is as "#rrggbb", Sort, Scale and Factor are as model.CollectorDef has them; its unit is in Unit, its name
	// in Name.
	Color  = "color"
	Sort   = "sort"
	Scale  = "scale"
	Factor = "factor"
)

// CollectorInfo is the metadata of a collector.
type CollectorInfo struct {
	N, In int
	Name  []byte             // as it stands in the text
	Def   model.CollectorDef // the rest; it has no name
}

// ReadCollector reads the metadata of a collector. ok is false if the number is missing.
func ReadCollector(text []byte) (c CollectorInfo, ok bool) {
	c = CollectorInfo{N: -1, Def: model.CollectorDef{Sort: -1}}
	number := func(value []byte) int {
		n, err := strconv.ParseInt(string(value), 10, 32)
		if err != nil {
			return -1
		}
		return int(n)
	}
	float := func(value []byte) float64 {
		v, err := strconv.ParseFloat(string(value), 64)
		if err != nil || math.IsNaN(v) {
			return 0
		}
		return v
	}
	Members(text, func(key, value []byte) {
		switch string(key) {
		case N:
			c.N = number(value)
		case In:
			c.In = number(value)
		case Name:
			c.Name = value
		case Unit:
			if len(value) <= mostUnit {
				c.Def.Unit = JSONText(value)
			}
		case Sort:
			c.Def.Sort = number(value)
		case Scale:
			c.Def.Scale = float(value)
		case Factor:
			c.Def.Factor = float(value)
		case Color:
			c.Def.Color = colorOf(value)
		}
	})
	return c, c.N >= 0 && c.In >= 0
}

// colorOf reads a colour, none where it is not one.
func colorOf(text []byte) (c model.RGB) {
	if len(text) != 7 || text[0] != '#' {
		return c
	}
	v, err := strconv.ParseUint(string(text[1:]), 16, 32)
	if err != nil {
		return c
	}
	return model.RGB{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), Set: true}
}
