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
	clock  Clock

	// The next sample is the use from one reading to another. It is published with the next reading, as long after
	// that: the last one reaches to the last reading.
	from, to Reading
	whole    bool // there is to

	// The first reading is held back until the second reports whether it is of the same clock.
	read *groupSeries
	held bool

	// Added to readings: a clock that went back is that of another thread with the same number, and the use of both
	// belongs to the track, each once.
	before int64
}

// rusage takes a reading of the CPU time for its series, and derives the load from it, since the one
// in the record divides by the time since the process began. A sample of the load lies where the time
// begins that it is of: it holds until the next.
func (c *recordAt) rusage(g *group, read *groupSeries, cpuNs uint64) {
	cpu := g.cpu
	if cpu == nil {
		cpu = &cpuCurve{read: read, held: true}
		g.cpu, c.m.loads = cpu, append(c.m.loads, cpu)
		cpu.clock.OfProcess = g.at == nil
	}
	now := Reading{TimeNs: c.timeNs, CPUNs: int64(min(cpuNs, math.MaxInt64))}
	before, first := cpu.clock.Last, cpu.clock.N == 0
	anew := cpu.clock.Read(now)
	if first {
		cpu.from = now
		return
	}
	if cpu.held && (!anew || now.CPUNs < before.CPUNs) { // else it is of no clock that anybody reads again
		c.m.out.Sample(read.id, before.TimeNs, float64(before.CPUNs))
	}
	cpu.held = false
	if anew && now.CPUNs < before.CPUNs && now.CPUNs <= now.TimeNs-before.TimeNs && !cpu.clock.OfProcess {
		cpu.before += before.CPUNs // else it was read a little late, or is no thread's
	}
	c.m.out.Sample(read.id, now.TimeNs, float64(cpu.before)+float64(now.CPUNs))
	switch {
	case anew: // another clock: the use in between is unknown
		cpu.end(c.m, before)
		cpu.from, cpu.whole = now, false
	case !cpu.whole && now.TimeNs-cpu.from.TimeNs >= cpuStepNs:
		if !cpu.series.made {
			g.make(&cpu.series, model.SeriesDef{
				Group: "cpu load", Role: model.RoleCPULoad,
				Description: "CPU time used ÷ time passed; 1 is one processor fully used", Max: 1, HasRange: g.at != nil,
			}, "")
		}
		cpu.to, cpu.whole = now, true
	case cpu.whole && now.TimeNs-cpu.to.TimeNs >= cpuStepNs:
		cpu.addLoad(c.m, cpu.to)
		cpu.from, cpu.to = cpu.to, now
	}
}

// addLoad adds the load until a reading.
func (cpu *cpuCurve) addLoad(m *mapper, to Reading) {
	load := float64(to.CPUNs-cpu.from.CPUNs) / float64(to.TimeNs-cpu.from.TimeNs)
	m.out.Sample(cpu.series.id, cpu.from.TimeNs, load)
}

// end adds the load until the last reading, and a gap from there on.
func (cpu *cpuCurve) end(m *mapper, last Reading) {
	if cpu.whole {
		cpu.addLoad(m, last)
		m.out.Sample(cpu.series.id, last.TimeNs, math.NaN())
	}
}

// endLoads ends the loads at their last readings, and adds single readings.
func (m *mapper) endLoads() {
	for _, cpu := range m.loads {
		if cpu.held {
			m.out.Sample(cpu.read.id, cpu.from.TimeNs, float64(cpu.from.CPUNs))
		}
		cpu.end(m, cpu.clock.Last)
	}
}
