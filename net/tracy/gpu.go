package tracy

import (
	"fmt"
	"math"
	"math/bits"

	"framescope/model"
	"framescope/net/trace"
)

// gpuKinds are the kinds of contexts, by number.
var gpuKinds = [...]string{
	"GPU", "OpenGL", "Vulkan", "OpenCL", "Direct3D 12", "Direct3D 11", "Metal", "GPU", "CUDA", "ROCm", "WebGPU",
}

const calibrates = 1 // flag of a context: its clock is compared with the processor's again and again

// gpu is a context of a graphics processor.
type gpu struct {
	kind     string
	bound    bool                // its zones are of one thread
	threads  map[uint32]*thread  // its zones, by the thread that asked for them
	queries  map[uint16]gpuQuery // without their times yet
	period   float64             // ns of a tick
	diff     float64             // ns from its clock to the session's
	fixed    bool                // it is compared again and again
	gpuAt    float64             // ns, when it was
	cpuAt    float64
	rate     float64 // ns of the session for one of its own
	last     int64
	overflow int64
	wraps    int64
	name     string
}

// gpuQuery is a begin or an end of a zone.
type gpuQuery struct {
	thread *thread
	place  *location // nil: an end
}

// gpuEvent takes an event of a context.
func (d *decoder) gpuEvent(r *record) {
	id := r.uint("context")
	g := d.contexts[id]
	if r.is == gpuContext {
		d.contexts[id] = d.newContext(r)
		return
	}
	if g == nil {
		d.bad.Bad(trace.BadReference, d.at)
		return
	}
	switch r.is {
	case gpuContextName:
		g.name = trace.Shown(string(d.first))
		for id, t := range g.threads {
			d.rename(t, g.title(d, id))
		}
	case gpuBegin, gpuBeginSerial:
		d.gpuZone(g, r, d.names.location(r.uint("srcloc")))
	case gpuBeginPayload, gpuBeginPayloadSerial:
		if d.payload != nil {
			d.gpuZone(g, r, d.payload)
		}
		d.payload = nil
	case gpuEnd, gpuEndSerial:
		d.gpuZone(g, r, nil)
	case gpuTime:
		d.gpuTime(g, r)
	case gpuCalibration:
		at, cpu := g.period*float64(r.int("gpu")), float64(d.absolute(r.int("time")))
		if passed := at - g.gpuAt; passed > 0 {
			g.rate = float64(r.int("delta")) / passed
		}
		g.gpuAt, g.cpuAt = at, cpu
	case gpuTimeSync:
		g.diff = float64(d.absolute(r.int("time"))) - g.period*float64(r.int("gpu"))
		g.last, g.overflow, g.wraps = 0, 0, 0
	}
}

// newContext takes a new context.
func (d *decoder) newContext(r *record) *gpu {
	period := float64(math.Float32frombits(uint32(r.uint("period"))))
	if !(period > 0) || math.IsInf(period, 0) {
		d.bad.Bad(trace.BadNumber, d.at)
		period = 1
	}
	at, cpu := period*float64(r.int("gpu")), float64(d.absolute(r.int("time")))
	kind := gpuKinds[0]
	if k := r.uint("type"); k < uint64(len(gpuKinds)) {
		kind = gpuKinds[k]
	}
	return &gpu{
		kind: kind, bound: r.uint("thread") != 0, threads: map[uint32]*thread{}, queries: map[uint16]gpuQuery{},
		period: period, diff: cpu - at, fixed: r.uint("flags")&calibrates != 0, gpuAt: at, cpuAt: cpu, rate: 1,
	}
}

// title is the name of the zones of a thread.
func (g *gpu) title(d *decoder, id uint32) string {
	title := g.kind
	if g.name != "" {
		title += ": " + g.name
	}
	if t := d.threads[id]; !g.bound && t != nil {
		title += " (" + t.def.Name + ")"
	}
	return title
}

// gpuZone takes the begin of a zone, or the end of the newest one. When that was on the graphics processor is to come.
func (d *decoder) gpuZone(g *gpu, r *record, place *location) {
	queue := &d.ofThread
	if r.is == gpuBeginSerial || r.is == gpuBeginPayloadSerial || r.is == gpuEndSerial {
		queue = &d.ofSerial
	}
	d.relative(queue, r.int("time"))
	id := uint32(r.uint("thread"))
	if g.bound {
		id = 0
	}
	t := g.threads[id]
	if t == nil {
		if id != 0 {
			d.thread(id)
		}
		if !d.hasRoom() {
			return
		}
		t = &thread{key: fmt.Sprintf("g%d.%d", r.uint("context"), id), def: model.TrackDef{
			Name: g.title(d, id), Kind: model.TrackGPU, Index: int(id),
		}}
		g.threads[id] = t
	}
	g.queries[uint16(r.uint("query"))] = gpuQuery{t, place}
}

// gpuTime takes when a begin or an end was.
func (d *decoder) gpuTime(g *gpu, r *record) {
	d.ofGPU += r.int("gpu")
	ticks := d.ofGPU
	if ticks < g.last-1<<31 { // it began again at 0
		if g.overflow == 0 {
			g.overflow = 1 << (64 - bits.LeadingZeros64(uint64(g.last)))
		}
		g.wraps++
	}
	g.last = ticks
	ns := g.period * float64(ticks+g.overflow*g.wraps)
	if g.fixed {
		ns = (ns-g.gpuAt)*g.rate + g.cpuAt
	} else {
		ns += g.diff
	}
	at := int64(min(max(ns, -model.MaxTime), model.MaxTime-1))
	query := uint16(r.uint("query"))
	q, known := g.queries[query]
	if !known {
		d.bad.Bad(trace.BadReference, d.at)
		return
	}
	delete(g.queries, query)
	d.zone(q.thread, zoneEvent{at: at, place: q.place})
}

// lines returns the lines of a context, nil of none.
func (g *gpu) lines() map[uint32]*thread {
	if g == nil {
		return nil
	}
	return g.threads
}
