package gotrace

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// Limits of tracks.
const (
	mostGoroutines = 2048 // that have tracks
	mostMinor      = 64   // of them that live shortly and have neither regions nor logs
	shortLife      = 20e6 // ns
	samplesAtOnce  = 4096
)

// Groups of tracks.
const (
	groupGoroutines = "Goroutines"
	groupTasks      = "Tasks"
	groupRuntime    = "Runtime"
	groupProcs      = "Procs"
	groupShared     = "Short-lived"
)

// flush publishes the gathered events. last means that a trace has ended.
func (d *decoder) flush(last bool) {
	d.fresh = false
	cut := d.frames.settle(d.now, last)
	d.defineTracks(last)
	d.pending = 0
	for _, g := range d.order { // before rows: one of them becomes the main track

		if d.canceled {
			return
		}
		if g.placed {
			d.flushGoroutine(g, cut)
		}
		d.pending += len(g.marks) + len(g.changes) + len(g.wakes)
	}
	for _, r := range d.rows {
		if r.defined && len(r.bars) > 0 && !d.canceled {
			d.flushRows(r, d.now)
		}
		d.flushFlows(r, last)
	}
	if d.pending > maxPending/2 { // a frame has more than memory should hold
		d.frames.giveUp()
	}
	d.flushAt = d.pending + nextBatch
	d.publishSamples(d.samples)
	d.samples = d.samples[:0]
	d.flushed = d.now
	d.order = slices.DeleteFunc(d.order, func(g *goroutine) bool {
		over := g.ended && len(g.marks)+len(g.wakes) == 0
		if over && d.gs[g.id] == g {
			delete(d.gs, g.id)
		}
		if over && d.live && !g.refused && g.shared == nil {
			d.sink.Define(model.TrackEnd{ID: g.track})
		}
		return over
	})
	d.frames.leave()
}

// rank says in which order goroutines are shown: those with regions, others of the program, and those
// of the runtime.
func (d *decoder) rank(g *goroutine) int {
	switch {
	case g == d.frames.of:
		return 0
	case g.regions > 0:
		return 1
	case !strings.HasPrefix(g.name, "runtime.") && !strings.HasPrefix(g.name, "runtime/trace.") && g.name != "":
		return 2
	}
	return 3
}

// defineTracks defines tracks for new rows: first goroutines with regions, then tasks and the runtime's work,
// other goroutines, procs, goroutines of the tracing and of the runtime, and last those that share tracks.
func (d *decoder) defineTracks(last bool) {
	var fresh []*goroutine
	for _, g := range d.order {
		if g.shared != nil && !d.mayShare(g) {
			g.ungather()
		}
		switch {
		case g.placed || !last && d.young(g):
		case d.gathers(g):
			d.gather(g)
		default:
			g.fresh = true
			fresh = append(fresh, g)
		}
	}
	slices.SortStableFunc(fresh, func(a, b *goroutine) int {
		return cmp.Or(d.rank(a)-d.rank(b), cmp.Compare(b.running, a.running), cmp.Compare(a.id, b.id))
	})
	d.chooseMain()
	next := 0
	goroutines := func(rank int) {
		for ; next < len(fresh) && d.rank(fresh[next]) <= rank; next++ {
			d.defineGoroutine(fresh[next], fresh[next] == d.main || fresh[next] == d.frames.of)
		}
	}
	goroutines(1)
	d.defineRows(groupTasks)
	d.defineRows(groupRuntime)
	goroutines(2)
	d.defineRows(groupProcs)
	if r := d.tracing; r != nil && !r.defined && !r.refused {
		d.defineTrack(r)
	}
	goroutines(3)
	d.defineRows(groupShared)
	d.placeShared()
	if g := d.frames.of; g != nil && !d.frames.told && !g.refused {
		d.frames.told = true
		if !g.fresh {
			d.sink.Define(g.def(true))
		}
	}
	for _, g := range fresh {
		g.fresh = false
	}
}

// chooseMain chooses the main track: the goroutine with the frames, else the one with most regions, else the
// program's own. A goroutine without regions is replaced by a later one with regions.
func (d *decoder) chooseMain() {
	if d.main != nil && d.main.regions > 0 || d.frames.of != nil && d.tracks > 0 {
		return
	}
	was := d.main
	for _, g := range d.order {
		if !g.placed && !g.fresh || g.refused || g.shared != nil {
			continue
		}
		more := d.main == nil || g.regions > d.main.regions
		if d.rank(g) == 0 || d.rank(g) == 1 && more || d.main == nil && g.name == "main.main" {
			if d.main = g; d.rank(g) == 0 {
				break
			}
		}
	}
	if was == d.main {
		return
	}
	if was != nil {
		d.sink.Define(was.def(false))
	}
	if d.main.placed {
		d.sink.Define(d.main.def(true))
	}
}

// young reports whether g may still turn out to be short-lived.
func (d *decoder) young(g *goroutine) bool {
	return !g.ended && g.regions == 0 && len(g.notes) == 0 && d.now-g.born < shortLife
}

func (g *goroutine) def(main bool) model.TrackDef {
	return model.TrackDef{
		ID: g.track, Name: g.title(), Kin: g.kin(), Index: int(g.id), Process: groupGoroutines, Main: main,
	}
}

func (d *decoder) defineGoroutine(g *goroutine, main bool) {
	g.placed = true
	minor := g.ended && g.plain()
	ok := d.tracks < mostGoroutines && (!minor || d.minor < mostMinor)
	if ok {
		def := g.def(main)
		def.Kind = model.TrackThread
		d.keys++
		g.track, ok = d.names.Track("G"+strconv.Itoa(d.keys), def)
	}
	if !ok && g.plain() {
		d.share(g)
		return
	}
	if g.refused = !ok; !ok {
		d.bad.Explain(trace.ManyThreads, trace.Unknown, "goroutines; when they ran stands on the procs alone")
		return
	}
	if d.tracks++; minor {
		d.minor++
	}
}

// defineRows defines the tracks of a group that are new, in order of their names.
func (d *decoder) defineRows(group string) {
	var list []*rows
	for _, r := range d.rows {
		if !r.defined && !r.refused && r.def.Process == group && r != d.tracing {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b *rows) int {
		return cmp.Or(cmp.Compare(a.def.Index, b.def.Index), cmp.Compare(a.key, b.key))
	})
	for _, r := range list {
		d.defineTrack(r)
	}
}

func (d *decoder) defineTrack(r *rows) {
	r.def.ID, r.defined = d.names.Track(r.key, r.def)
	r.refused = !r.defined
}

// flushGoroutine publishes the data of a goroutine. Regions that begin with cut or later wait.
func (d *decoder) flushGoroutine(g *goroutine, cut int64) {
	if g.shared != nil {
		d.flushShared(g)
		return
	}
	if g.refused {
		d.drop(g)
		return
	}
	publishAll(d, g.track, g.notes, func(b *model.Batch) *[]model.Message { return &b.Messages })
	g.notes = nil
	d.publishChanges(g)
	d.publishWakes(g)
	d.replay(g, cut)
}

// drop counts the data of a goroutine without a track.
func (d *decoder) drop(g *goroutine) {
	for _, m := range g.marks {
		if m.kind <= openedBefore {
			d.bad.Bad(trace.ManyThreads, trace.Unknown)
		}
	}
	d.bad.BadN(trace.ManyThreads, int64(len(g.notes)), trace.Unknown)
	d.bad.BadN(trace.FlowWithoutTrack, int64(len(g.wakes)), trace.Unknown)
	g.marks, g.notes, g.changes, g.tasks, g.wakes = nil, nil, nil, nil, nil
}

// The series of a goroutine.
const (
	stateSeries = iota
	loadSeries
	procSeries
	numSeries
)

// publishChanges publishes the states of a goroutine: as states, as the share of a processor that it
// took, and as the P on which it ran.
func (d *decoder) publishChanges(g *goroutine) {
	if len(g.changes) == 0 || !d.defineSeries(g) {
		g.changes = g.changes[:0]
		return
	}
	out := d.scratch[:0]
	for i := range g.changes {
		c := &g.changes[i]
		if len(out) > samplesAtOnce-numSeries {
			d.publishSamples(out)
			out = out[:0]
		}
		values := [numSeries]float64{math.NaN(), 0, math.NaN()}
		if i := slices.Index(g.states, c.to); i >= 0 {
			values[stateSeries] = float64(i)
		}
		switch {
		case c.to == unknown:
			values[loadSeries] = math.NaN()
		case c.to == running:
			values[loadSeries] = 100
			if c.proc != noProc {
				values[procSeries] = float64(c.proc)
			}
		}
		for k, v := range values {
			if g.series[k] == model.NoSeries {
				continue
			}
			if k == stateSeries || v != g.last[k] && !(math.IsNaN(v) && math.IsNaN(g.last[k])) {
				out = append(out, model.Sample{Series: g.series[k], Time: c.ns, Value: v})
				g.last[k] = v
			}
		}
	}
	d.publishSamples(out)
	d.scratch = out
	g.changes = g.changes[:0]
}

// defineSeries defines the series of a goroutine, or states that are new to it. It reports whether it
// has any.
func (d *decoder) defineSeries(g *goroutine) bool {
	known, ran := len(g.states), false
	for i := range g.changes {
		ran = ran || g.changes[i].proc != noProc
		if s := g.changes[i].to; s != unknown && !slices.Contains(g.states, s) {
			g.states = append(g.states, s)
		}
	}
	if g.series[stateSeries] != model.NoSeries && len(g.states) == known && (g.series[procSeries] != model.NoSeries ||
		!ran) {
		return true
	}
	for k, def := range d.seriesOf(g) {
		isNew := g.series[k] == model.NoSeries
		switch {
		case isNew && (k != procSeries || ran):
			if !d.room.Admit(def) {
				d.bad.Bad(trace.ManyCounters, trace.Unknown)
				return false
			}
			g.series[k], g.last[k] = d.series, math.Inf(1)
			d.series++
		case k != stateSeries || len(g.states) == known:
			continue
		}
		def.ID = g.series[k]
		d.sink.Define(def)
	}
	return true
}

// seriesOf describes the series of a goroutine.
func (d *decoder) seriesOf(g *goroutine) (defs [numSeries]model.SeriesDef) {
	defs[stateSeries] = model.SeriesDef{
		Group: "goroutine state", Kind: model.SeriesState, Description: "what the goroutine does, or what it waits for",
	}
	for _, s := range g.states {
		defs[stateSeries].States = append(defs[stateSeries].States, d.words.states[s])
	}
	defs[loadSeries] = model.SeriesDef{
		Group: "CPU load", Kind: model.SeriesValue, Role: model.RoleCPULoad, Unit: "%", Max: 100, HasRange: true,
		Description: "100 % while the goroutine runs, 0 while it does not",
	}
	defs[procSeries] = model.SeriesDef{
		Group: "proc", Kind: model.SeriesState, Role: model.RoleProcessor, Description: "the P on which the goroutine runs",
	}
	for k := range defs {
		defs[k].Name, defs[k].Track, defs[k].Object, defs[k].Peer = g.title(), g.track, model.NoObject, model.NoObject
	}
	return defs
}

// publishSamples publishes samples of series, in order of time.
func (d *decoder) publishSamples(samples []model.Sample) {
	publishAll(d, model.NoTrack, samples, func(b *model.Batch) *[]model.Sample { return &b.Samples })
}

// publishAll publishes data of a track, in batches; where says where in them.
func publishAll[T any](d *decoder, track model.TrackID, data []T, where func(b *model.Batch) *[]T) {
	for list := range slices.Chunk(data, samplesAtOnce) {
		b := d.sink.Begin()
		b.Track = track
		*where(b) = append(*where(b), list...)
		d.publish(b)
	}
}
