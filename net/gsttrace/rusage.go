package gsttrace

import (
	"math"

	"framescope/model"
)

// cpuStepNs is the least time between two samples of the load: CPU times are too coarse for less
// (FORMAT.md section 6.3).
const cpuStepNs = 10e6

// cpuCurve is the load of a thread or process by differences of its CPU time.
type cpuCurve struct {
	series groupSeries
	seen   int
	timeNs int64 // of the sample that the next one is compared with
	cpuNs  uint64
}

// rusage derives the load from the CPU time, since the one in the record divides by the time since
// the process began. A sample lies where the time begins that it is of: it holds until the next. The
// first record of a thread is left out: CPU time from before GStreamer's clock began is subtracted
// from it and, on the main thread, not from those after it, so that the difference would be a jump.
func (c *recordAt) rusage(g *group) {
	used := c.of("time")
	if !used.Present {
		return
	}
	if g.cpu == nil {
		g.cpu = &cpuCurve{}
	}
	cpu, now := g.cpu, used.Unsigned()
	cpu.seen++
	switch {
	case cpu.seen <= 2:
		cpu.timeNs, cpu.cpuNs = c.timeNs, now
		return
	case c.timeNs-cpu.timeNs < cpuStepNs: // or of another thread, which wrote it late
		return
	case now < cpu.cpuNs: // another clock: what it took meanwhile nobody knows
		if cpu.series.made {
			c.m.out.Sample(cpu.series.id, cpu.timeNs, math.NaN())
		}
		cpu.timeNs, cpu.cpuNs = c.timeNs, now
		return
	}
	if !cpu.series.made {
		g.make(&cpu.series, model.SeriesDef{
			Group: "cpu load", Role: model.RoleCPULoad, Description: "CPU time used ÷ time passed; 1 is one processor fully used", Max: 1, HasRange: g.at != nil,
		}, "")
		c.m.loads = append(c.m.loads, cpu)
	}
	c.m.out.Sample(cpu.series.id, cpu.timeNs, float64(now-cpu.cpuNs)/float64(c.timeNs-cpu.timeNs))
	cpu.timeNs, cpu.cpuNs = c.timeNs, now
}

// endLoads tells up to when the loads are known.
func (m *mapper) endLoads() {
	for _, cpu := range m.loads {
		m.out.Sample(cpu.series.id, cpu.timeNs, math.NaN())
	}
}
