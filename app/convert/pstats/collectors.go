package pstats

import (
	"framescope/app/convert"
	"framescope/assets"
	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/wire"
)

// collectors are those of a session, in its order, but each behind the one that it lies below; where they
// are too many those that are used in the part.
type collectors struct {
	p     *convert.Part
	index map[model.CollectorID]int16
	list  []model.CollectorID
}

func newCollectors(p *convert.Part) *collectors {
	c := &collectors{p: p, index: map[model.CollectorID]int16{0: 0}, list: []model.CollectorID{0}}
	if table := p.Session.Collectors(); table.Len() <= most {
		for k := range table.Tree().All {
			c.of(table.Tree().All[k].ID)
		}
	}
	return c
}

// of returns what a collector is in the file; false where there is no room for it.
func (c *collectors) of(id model.CollectorID) (index int16, ok bool) {
	if index, ok = c.index[id]; ok {
		return index, true
	}
	def := c.p.Session.Collector(id)
	if def == nil {
		return 0, false
	}
	if _, ok := c.of(def.Parent); !ok || len(c.list) == most {
		return 0, false
	}
	index = int16(len(c.list))
	c.index[id], c.list = index, append(c.list, id)
	return index, true
}

// defs returns the definitions.
func (c *collectors) defs() (out []wire.CollectorDef) {
	for k, id := range c.list {
		d := wire.CollectorDef{Index: int16(k), Name: "Frame", Sort: -1, Factor: 1}
		if def := c.p.Session.Collector(id); def != nil {
			// In PStats collector 0 is the frame, with all in it that nothing else is charged with.
			if id != 0 || c.p.Session.Info().Clock.Float32Seconds && def.Defined {
				d.Name = pstats.Short(def.Name, pstats.MaxName)
			}
			d.Parent = c.index[def.Parent]
			d.Sort, d.Units = int16(min(max(def.Sort, -1<<15), 1<<15-1)), def.Unit
			d.Scale = float32(def.Scale)
			if def.Factor != 0 {
				d.Factor = float32(def.Factor)
			}
			if def.Color.Set {
				r, g, b := assets.SRGBToLinear(def.Color.R, def.Color.G, def.Color.B)
				d.R, d.G, d.B = float32(r), float32(g), float32(b)
			}
		}
		out = append(out, d)
	}
	return out
}
