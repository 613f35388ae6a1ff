package client

import (
	"strings"

	"framescope/net/pstats"
)

// Collector identifies a collector. It is an index into its client's table and costs nothing to copy.
// The zero value is the frame itself, which is always measured: starting and stopping it does nothing.
type Collector uint16

// maxCollectors is how many collectors events can name (section 9).
const maxCollectors = 1 << 15

// definition is a collector as sent to the viewer.
type definition struct {
	wire   pstats.CollectorDef
	name   string  // full name
	factor float64 // of levels; wire.Factor is it rounded
	queued bool    // waiting to be sent to the current session
}

// newDefinition applies what the official client applies: units, scale and factor are the parent's,
// then the built-in table's (section 3.4).
func newDefinition(index, parent Collector, name, fullName string, of *definition) definition {
	d := definition{name: fullName, factor: 1}
	d.wire = pstats.CollectorDef{Index: int16(index), Parent: int16(parent), Name: name, Sort: -1, Factor: 1}
	if of != nil {
		d.wire.Units, d.wire.Scale, d.wire.Factor, d.factor = of.wire.Units, of.wire.Scale, of.wire.Factor, of.factor
	}
	if p, ok := presets()[fullName]; ok {
		d.wire.Sort, d.wire.R, d.wire.G, d.wire.B = p.sort, p.r, p.g, p.b
		if p.units != inheritedUnits {
			d.wire.Units = p.units
		}
		if p.scale != 0 {
			d.wire.Scale = p.scale
		}
		if p.factor != 0 {
			d.wire.Factor, d.factor = float32(p.factor), p.factor
		}
	}
	return d
}

// Collector returns the collector of a full name, such as "Draw:Opaque", and creates it, and the
// ones above it, when they do not exist yet. Empty components are skipped, a component equal to the
// one above it is that one, and an empty name is "Unnamed" (VIEWER.md section 16.3). Names that the
// official client knows ("App", "Cull", "Draw", "System memory", …) get its colors, order and
// units; Set… change them. There can be 32767 collectors; beyond that the zero Collector is
// returned, which measures nothing.
//
// It takes a lock: call it once for each collector, not in the loop.
func (c *Client) Collector(fullName string) Collector {
	c.mu.Lock()
	defer c.mu.Unlock()
	if col, ok := c.byName[fullName]; ok {
		return col
	}
	var parent Collector
	full, last := "", ""
	for part := range strings.SplitSeq(fullName, ":") {
		if part == "" || part == last {
			continue
		}
		if last = part; full == "" {
			full = part
		} else {
			full += ":" + part
		}
		if parent = c.child(parent, part, full); parent == 0 && full != "Frame" {
			return 0
		}
	}
	if full == "" {
		parent = c.child(0, "Unnamed", "Unnamed")
	}
	c.byName[fullName] = parent // the next look-up needs no splitting
	return parent
}

func (c *Client) child(parent Collector, name, fullName string) Collector {
	if col, ok := c.byName[fullName]; ok {
		return col
	}
	if len(c.defs) >= maxCollectors {
		return 0
	}
	col := Collector(len(c.defs))
	c.defs = append(c.defs, newDefinition(col, parent, name, fullName, &c.defs[parent]))
	c.byName[fullName] = col
	c.announce(col)
	return col
}

// announce queues the definition for the current session, if any. c.mu is held.
func (c *Client) announce(col Collector) {
	if s := c.current; s != nil && !c.defs[col].queued {
		c.defs[col].queued = true
		s.newDefs = append(s.newDefs, col)
		s.poke()
	}
}

func (c *Client) redefine(col Collector, change func(d *definition)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(col) < len(c.defs) {
		change(&c.defs[col])
		c.announce(col)
	}
}

// SetColor suggests a color to the viewer: linear red, green and blue from 0 to 1. Black means
// that the viewer chooses.
func (c *Client) SetColor(col Collector, r, g, b float32) {
	c.redefine(col, func(d *definition) { d.wire.R, d.wire.G, d.wire.B = r, g, b })
}

// SetSort suggests a place among the collector's siblings: higher is drawn lower and listed first,
// -1 is indifferent.
func (c *Client) SetSort(col Collector, sort int16) {
	c.redefine(col, func(d *definition) { d.wire.Sort = sort })
}

// SetUnits sets the units of the collector's levels, such as "MB", and the factor from values given to
// Level to these units, such as 1.0/(1<<20). Collectors that are created below it later inherit both.
func (c *Client) SetUnits(col Collector, units string, factor float64) {
	c.redefine(col, func(d *definition) { d.wire.Units, d.wire.Factor, d.factor = units, float32(factor), factor })
}

// SetScale suggests the full height of charts of the collector: in seconds for times, in units for
// levels. Collectors that are created below it later inherit it.
func (c *Client) SetScale(col Collector, scale float32) {
	c.redefine(col, func(d *definition) { d.wire.Scale = scale })
}
