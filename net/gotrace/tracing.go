package gotrace

import (
	"slices"
	"strings"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/trace"
)

// A program that serves one trace after another runs new goroutines for each: those of the runtime that write the
// trace, and those of net/http that send it. They share one track; each stretch in which one ran is a span.

// tracingTrack is the name of that track.
const tracingTrack = "Tracing"

// tracingPrefix is what its spans are called after besides the goroutine: the procs have spans of that
// name, which are the same once more.
const tracingPrefix = "tracing: "

// tracers are the functions at the root of goroutines that write traces (runtime/trace2.go,
// runtime/trace/trace.go).
var tracers = []string{
	"runtime.traceStartReadCPU.", "runtime.(*traceAdvancerState).", "runtime/trace.(*traceMultiplexer).", "runtime/trace.Start.",
}

const (
	server    = "net/http.(*conn).serve"                // runs handlers
	handler   = "net/http/pprof.Trace"                  // answers with a trace
	backstage = "net/http.(*connReader).backgroundRead" // runs while a handler does
)

// isTracer reports whether a goroutine with that function at its root writes a trace.
func isTracer(name string) bool {
	return slices.ContainsFunc(tracers, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// learn takes its name from a stack, the function at its root, and whether it hands over a trace.
func (g *goroutine) learn(s exptrace.Stack) {
	if s == exptrace.NoStack || g.name != "" && (g.name != server || g.tracing) {
		return
	}
	root, place := "", model.Place{}
	for f := range s.Frames() {
		root, place = f.Func, trace.Place(f.File, int64(f.Line))
		g.tracing = g.tracing || root == handler
	}
	if g.name == "" {
		g.name, g.place = trace.Shown(cutText(root)), place
		g.tracing = g.tracing || isTracer(g.name)
	}
}

// gathers reports whether a goroutine is one of those that are gathered: it does nothing that is the
// program's own. Of what reads a connection while a handler runs nobody says for which one, unless it
// was made while a trace was on: the one that asks for the trace is there before.
func (d *decoder) gathers(g *goroutine) bool {
	if !d.rounds || g.regions > 0 || len(g.notes) > 0 {
		return false
	}
	return g.tracing || g.name == backstage && !g.made
}

// gather puts a goroutine on the track of the tracing.
func (d *decoder) gather(g *goroutine) {
	if d.tracing == nil {
		d.tracing = d.rowsFor("R\x00", model.TrackDef{Name: tracingTrack, Process: groupRuntime, Kind: model.TrackAsync})
		d.info.Detail = "what runs for the tracing alone is on the track " + tracingTrack
		d.sink.Define(d.info)
	}
	g.placed, g.gathered = true, true
}

// placeGathered gives those that are gathered their track, once it is defined: flows may lead to each of
// them from any.
func (d *decoder) placeGathered() {
	if r := d.tracing; r != nil && !r.defined && !r.refused {
		r.def.ID, r.defined = d.names.Track(r.key, r.def)
		r.refused = !r.defined
	}
	for _, g := range d.order {
		if g.gathered {
			g.track, g.refused = d.tracing.def.ID, d.tracing.refused
		}
	}
}

// ungather gives a goroutine a track of its own, as it does something of the program's after all.
func (g *goroutine) ungather() {
	g.placed, g.gathered, g.track = false, false, model.NoTrack
	g.ran.end(g.seen)
	g.helped.end(g.seen)
}

// open is a bar that goes on, if there is one.
type open struct{ *bar }

func (o *open) end(ns int64) {
	if o.bar != nil {
		o.bar.end = max(ns, o.begin)
		o.bar = nil
	}
}

// flushGathered turns the data of a goroutine into bars of the track of the tracing.
func (d *decoder) flushGathered(g *goroutine) {
	if g.refused {
		d.drop(g)
		return
	}
	r, ran := d.tracing, d.runs(g, tracingPrefix)
	for _, c := range g.changes {
		if g.ran.end(c.ns); c.to == running {
			g.ran.bar = r.add(bar{begin: c.ns, c: ran})
		}
	}
	for _, m := range g.marks { // it helped to mark
		if g.helped.end(m.ns); m.kind <= openedBefore {
			g.helped.bar = r.add(bar{begin: m.ns, c: m.c})
		}
	}
	g.changes, g.marks = g.changes[:0], g.marks[:0]
	d.publishWakes(g)
}
