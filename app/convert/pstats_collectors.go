package convert

import (
	"cmp"
	"math"

	"framescope/assets"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/net/pstats"
)

// pstatsCollectors are the collectors of a session, in its order, but each behind its parent; if there
// are too many, only those used in the part.
type pstatsCollectors struct {
	p     *Part
	index map[model.CollectorID]int16
	defs  []pstats.CollectorDef
}

func newCollectors(p *Part) *pstatsCollectors {
	c := &pstatsCollectors{p: p, index: map[model.CollectorID]int16{}}
	c.add(0, p.Session.Collector(0), 0)
	if all := p.Session.Collectors(); all.Len() <= most {
		for k := range all.Tree().All {
			c.indexOf(all.Tree().All[k].ID)
		}
	}
	return c
}

// indexOf returns the index of a collector in the file; false if there is no room for it.
func (c *pstatsCollectors) indexOf(id model.CollectorID) (index int16, ok bool) {
	if index, ok = c.index[id]; ok {
		return index, true
	}
	def := c.p.Session.Collector(id)
	if def == nil {
		return 0, false
	}
	parent, ok := c.indexOf(def.Parent)
	if !ok || len(c.defs) == most {
		return 0, false
	}
	return c.add(id, def, parent), true
}

// add makes the definition of a collector.
func (c *pstatsCollectors) add(id model.CollectorID, def *model.Collector, parent int16) (index int16) {
	d := pstats.CollectorDef{Name: "Frame", Parent: parent, Sort: -1, Factor: 1}
	if def != nil {
		// In PStats collector 0 is the frame, with all in it that nothing else is charged with.
		if id != 0 || c.p.Session.Info().Clock.Float32Seconds && def.Defined {
			d.Name = def.Name
		}
		d.Sort, d.Units = int16(min(max(def.Sort, math.MinInt16), math.MaxInt16)), def.Unit
		d.Scale, d.Factor = float32(def.Scale), cmp.Or(float32(def.Factor), 1)
		if def.Color.Set {
			r, g, b := assets.SRGBToLinear(def.Color.R, def.Color.G, def.Color.B)
			d.R, d.G, d.B = float32(r), float32(g), float32(b)
		}
	}
	c.index[id] = c.put(d)
	return c.index[id]
}

func (c *pstatsCollectors) put(d pstats.CollectorDef) int16 {
	d.Index, d.Name = int16(len(c.defs)), pstats.Short(d.Name, pstats.MaxName)
	c.defs = append(c.defs, d)
	return d.Index
}

// ofSeries returns the collector of a series: a separate counter, as a child of another counter would
// count as a part of that; false where there is no room for it.
func (c *pstatsCollectors) ofSeries(d *model.SeriesDef) (index int16, ok bool) {
	if len(c.defs) == most {
		return 0, false
	}
	def := pstats.CollectorDef{Name: seriesName(d), Sort: -1, Factor: 1, Units: d.Unit}
	if d.HasRange {
		def.Scale = float32(d.Max)
	}
	return c.put(def), true
}

// seriesName is the name of the counter of a series.
func seriesName(d *model.SeriesDef) string {
	if d.Group == "" || d.Group == d.Name {
		return d.Name
	}
	return d.Group + " " + d.Name
}

// numbers is a series that becomes a counter: each frame has its value at the frame's end.
type numbers struct {
	*spans.Series
	collector int16
	lastNs    int64 // of the sample that was written last
	written   int64
}

// findSeries chooses the numeric series: a thread with its own frames keeps its series, the main thread
// gets the others. States and events are not numeric.
func (x *pstatsWriter) findSeries() {
	x.series = map[model.TrackID][]*numbers{}
	for _, s := range x.p.Series() {
		of := s.Def.Track
		if t := x.p.Session.Track(of); t == nil || !t.HasFrames() || !t.Def.Kind.Calls() {
			of = x.main
		}
		c, ok := int16(0), false
		if s.Def.Kind != model.SeriesState && s.Def.Kind != model.SeriesEvent {
			c, ok = x.collectors.ofSeries(&s.Def)
		}
		if !ok {
			x.left.series++
			continue
		}
		x.series[of] = append(x.series[of], &numbers{Series: s, collector: c, lastNs: math.MinInt64})
		x.p.Samples(s, func(model.Sample) error { x.left.samples++; return nil })
	}
}

// addSeries writes the values of series at the end of a frame.
func (m *framer) addSeries(f *frames.Frame) {
	for _, n := range m.x.series[m.t.id] {
		v, ok := n.At(max(f.Begin, f.End-1))
		if !ok || math.IsNaN(v.Value) {
			continue
		}
		if v.Time > n.lastNs {
			n.lastNs = v.Time
			n.written++
		}
		m.frame.Levels = append(m.frame.Levels, pstats.Level{Collector: uint16(n.collector), Value: float32(v.Value)})
		m.x.hasLevels(int(n.collector), m.index)
	}
}

// hasLevels notes that a thread has levels of a collector.
func (x *pstatsWriter) hasLevels(collector, thread int) {
	if x.levels[collector] == nil {
		x.levels[collector] = map[int]bool{}
	}
	x.levels[collector][thread] = true
}
