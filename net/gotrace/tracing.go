package gotrace

import (
	"slices"
	"strings"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/trace"
)

// Goroutines without regions share tracks where they would take too many; each stretch in which one ran is a span.
// A program that serves one trace after another runs new goroutines for each: those of the runtime that write the
// trace, and those of net/http that send it. They share one track. Short-lived goroutines of one function share
// another.

// tracingTrack is the name of that track.
const tracingTrack = "Tracing"

// The spans of shared tracks are called after the goroutine, with a prefix: the procs have spans without it,
// which are the same once more.
const (
	tracingPrefix = "tracing: "
	sharedPrefix  = "goroutine: "
)

// tracers are the functions at the root of goroutines that write traces (runtime/trace2.go,
// runtime/trace/trace.go).
var tracers = []string{
	"runtime.traceStartReadCPU.", "runtime.(*traceAdvancerState).", "runtime/trace.(*traceMultiplexer).",
	"runtime/trace.Start.",
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

// gathers reports whether a goroutine belongs on the track of the tracing: it does nothing that is the
// program's own. Of what reads a connection while a handler runs nobody says for which one, unless it
// was made while a trace was on: the one that asks for the trace is there before.
func (d *decoder) gathers(g *goroutine) bool {
	return d.rounds && g.plain() && (g.tracing || g.name == backstage && !g.made)
}

// plain reports whether a goroutine has neither regions nor logs.
func (g *goroutine) plain() bool { return g.regions == 0 && len(g.notes) == 0 }

// mayShare reports whether a goroutine stays on the track that it shares.
func (d *decoder) mayShare(g *goroutine) bool {
	return g.plain() && (g.shared != d.tracing || d.gathers(g))
}

// gather puts a goroutine on the track of the tracing.
func (d *decoder) gather(g *goroutine) {
	if d.tracing == nil {
		d.tracing = d.rowsFor("R\x00", model.TrackDef{Name: tracingTrack, Process: groupRuntime, Kind: model.TrackAsync})
		d.info.Detail = "what runs for the tracing alone is on the track " + tracingTrack
		d.sink.Define(d.info)
	}
	g.placed, g.shared = true, d.tracing
}

// share puts a goroutine without a track of its own on that of its function, or of others if there are many.
func (d *decoder) share(g *goroutine) {
	key := "S" + g.kin()
	def := model.TrackDef{Name: g.kin() + ", short-lived", Kin: g.kin(), Process: groupShared, Kind: model.TrackAsync}
	if d.rowsOf[key] == nil {
		if d.sharing++; d.sharing > mostKind {
			key, def.Name, def.Kin = "S", "other goroutines, short-lived", ""
		}
	}
	g.shared = d.rowsFor(key, def)
}

// placeShared gives goroutines the tracks that they share, once these are defined: flows may lead to each of
// them from any.
func (d *decoder) placeShared() {
	for _, g := range d.order {
		if r := g.shared; r != nil {
			g.track, g.refused = r.def.ID, r.refused
		}
	}
}

// ungather gives a goroutine a track of its own, as it does something of the program's after all.
func (g *goroutine) ungather() {
	g.placed, g.shared, g.track = false, nil, model.NoTrack
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

// flushShared turns the data of a goroutine into bars of the track that it shares.
func (d *decoder) flushShared(g *goroutine) {
	if g.refused {
		d.drop(g)
		return
	}
	r, prefix := g.shared, tracingPrefix
	if r != d.tracing {
		prefix = sharedPrefix
	}
	ran := d.runs(g, prefix)
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
