package tracy

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// plot is a series of values.
type plot struct {
	def  model.SeriesDef
	full bool // there is no room for it
}

// power is a counter of energy, which is shown as the power since its value before.
type power struct {
	plot *plot
	last int64
	some bool
}

// memory is a pool of memory.
type memory struct {
	plot    *plot
	name    string
	live    map[uint64]int64 // bytes by address
	bytes   int64
	samples *sampled // its allocations with a stack; nil: there was none
}

// The kinds of plots that a program can ask for.
const (
	plotMemory  = 1
	plotPercent = 2
)

// series defines a series of no thread.
func (d *decoder) series(def model.SeriesDef) *plot {
	if !d.hasRoom() {
		return &plot{full: true}
	}
	def.Track, def.Name = model.NoTrack, cmp.Or(def.Name, def.Group)
	p := &plot{def: def}
	p.def.ID = d.lines.Series(def)
	p.def.Object, p.def.Peer = model.NoObject, model.NoObject
	return p
}

// renameSeries gives a series another name.
func (d *decoder) renameSeries(p *plot, name string) {
	if name != "" && !p.full {
		p.def.Group, p.def.Name = name, name
		d.sink.Define(p.def)
	}
}

// plotOf returns the plot of a name.
func (d *decoder) plotOf(name uint64) *plot {
	p := d.plots[name]
	if p == nil {
		p = d.series(model.SeriesDef{Group: fmt.Sprintf("plot %#x", name), Kind: model.SeriesGauge})
		if p.full {
			return p
		}
		d.plots[name] = p
		d.names.want(askPlot, name, func(text string) { d.renameSeries(p, text) })
	}
	return p
}

// plotEvent takes a value of a plot.
func (d *decoder) plotEvent(r *record) {
	switch r.is {
	case plotConfig:
		p := d.plotOf(r.uint("name"))
		switch r.uint("type") {
		case plotMemory:
			p.def.Unit = "B"
		case plotPercent:
			p.def.Unit = "%"
		}
		if !p.full {
			d.sink.Define(p.def)
		}
		return
	case systemLoad:
		if d.load == nil {
			d.load = d.series(model.SeriesDef{
				Group: "processor load", Unit: "%", Kind: model.SeriesGauge, Max: 100, HasRange: true,
				Description: "share of all processors that the whole system used",
			})
		}
		d.add(d.load, d.absolute(r.int("time")), float64(math.Float32frombits(uint32(r.uint("value")))))
		return
	case systemPower:
		d.powerEvent(r)
		return
	case vsync:
		d.absolute(r.int("time"))
		return
	}
	at, value := d.relative(&d.ofThread, r.int("time")), float64(0)
	switch r.is {
	case plotInt:
		value = float64(r.int("value"))
	case plotFloat:
		value = float64(math.Float32frombits(uint32(r.uint("value"))))
	case plotDouble:
		value = math.Float64frombits(r.uint("value"))
	}
	d.add(d.plotOf(r.uint("name")), at, value)
}

func (d *decoder) add(p *plot, at int64, v float64) {
	if !p.full {
		d.value(p.def.ID, at, v)
	}
}

// powerEvent takes the energy, in microjoules, that something used since its value before.
func (d *decoder) powerEvent(r *record) {
	name, at := r.uint("name"), d.absolute(r.int("time"))
	p := d.power[name]
	if p == nil {
		p = &power{plot: d.series(model.SeriesDef{Group: "power", Name: "power", Unit: "W", Kind: model.SeriesGauge})}
		if p.plot.full {
			return
		}
		d.power[name] = p
		d.names.want(askText, name, func(text string) {
			if text != "" && !p.plot.full {
				p.plot.def.Name = text
				d.sink.Define(p.plot.def)
			}
		})
	}
	if p.some && at > p.last {
		d.add(p.plot, at, float64(r.uint("value"))*1000/float64(at-p.last))
	}
	p.last, p.some = at, true
}

// title is that of the track with its allocations.
func (m *memory) title() string { return strings.TrimSpace(m.name + " allocations") }

// liveBytes is the memory for each live allocation.
const liveBytes = 48

// memoryEvent takes an allocation, or that one was freed.
func (d *decoder) memoryEvent(r *record) {
	at, name := d.relative(&d.ofSerial, r.int("time")), d.pool
	if d.pool = 0; r.is == memDiscard {
		name = r.uint("name")
	}
	m := d.pools[name]
	if m == nil {
		m = &memory{live: map[uint64]int64{}, plot: d.series(model.SeriesDef{
			Group: "memory", Name: "allocated", Unit: "B", Kind: model.SeriesGauge,
			Description: "bytes that were allocated and not yet freed",
		})}
		if m.plot.full {
			return
		}
		d.pools[name] = m
		if name != 0 {
			d.names.want(askText, name, func(text string) {
				m.name, m.plot.def.Name = text, text
				d.sink.Define(m.plot.def)
				if m.samples != nil {
					m.samples.rename(d, m.title())
				}
			})
		}
	}
	ptr := r.uint("ptr")
	switch r.is {
	case memAlloc, memAllocStack:
		size := int64(r.uint("size"))
		if _, known := m.live[ptr]; !known && !d.room.TakeData(liveBytes) {
			d.bad.Bad(trace.NoMemory, d.at)
			return
		}
		m.bytes += size - m.live[ptr]
		m.live[ptr] = size
		if r.is == memAllocStack && len(d.stacks.now) > 0 {
			d.stacks.allocation(d, name, m, stackSample{at: at, bytes: size})
		}
	case memFree:
		size, known := m.live[ptr]
		if !known {
			if ptr != 0 {
				d.bad.Bad(trace.NoBegin, d.at)
			}
			return
		}
		m.bytes -= size
		delete(m.live, ptr)
		d.room.GiveData(liveBytes)
	case memDiscard:
		d.room.GiveData(liveBytes * int64(len(m.live)))
		clear(m.live)
		m.bytes = 0
	}
	d.add(m.plot, at, float64(m.bytes))
}
