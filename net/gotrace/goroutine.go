package gotrace

import (
	"cmp"
	"math"
	"strconv"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/trace"
)

// goroutine is the decoder's state of a goroutine.
type goroutine struct {
	id      exptrace.GoID
	name    string // its first function; empty: never seen
	track   model.TrackID
	placed  bool        // it was decided whether it has a track
	fresh   bool        // that is being decided
	refused bool        // there is no track for it
	tracing bool        // it writes the trace, or hands it over
	made    bool        // by one of the program's own, while a trace was on
	place   model.Place // of its function
	// The track that it shares with others, nil if it shares none, and its bars there that go on.
	shared      *rows
	ran, helped open
	ended       bool
	regions     int

	state   state
	since   int64
	running int64
	changes []change        // that are not published
	few     [4]change       // room for these: most goroutines live shortly
	notes   []model.Message // likewise
	marks   []mark
	tasks   []string // of the marks that are opensInTask
	roused  roused
	wakes   []wake // that are not published
	depth   int    // of regions, at the newest mark
	assist  int    // the depth at which it helps to mark, 0: it does not
	born    int64  // time of its first event
	seen    int64  // time of its last event
	on      exptrace.ProcID
	last    [numSeries]float64
	series  [numSeries]model.SeriesID
	states  []state // that its series has, by value
	frames  []*candidate
	line    *trace.StackThread // of the regions; nil: there are none yet
}

// mark is the begin or the end of a region.
type mark struct {
	ns   int64
	c    model.CollectorID
	kind markKind
}

type markKind uint8

const (
	opensInTask markKind = iota
	opens
	openedBefore // the trace
	closes
	closesAll // everything open: the goroutine or the trace has ended
)

// change is a change of state.
type change struct {
	ns   int64
	to   state
	proc int32 // it runs on
}

const noProc = -1

// state is the index of a state in words.states.
type state uint16

const (
	unknown state = iota // or it does not exist
	running
	runnable
	inSyscall
	blocked // likewise, and its P was taken away
	waiting // without a reason; the reasons follow
)

// goroutineOf returns the goroutine that has a number.
func (d *decoder) goroutineOf(id exptrace.GoID) *goroutine {
	if g := d.gs[id]; g != nil && !g.ended {
		return g
	}
	return d.newGoroutine(id)
}

// newGoroutine returns one that was never seen.
func (d *decoder) newGoroutine(id exptrace.GoID) *goroutine {
	g := &goroutine{id: id, track: model.NoTrack, on: exptrace.NoProc, since: math.MinInt64, born: d.now, seen: d.now}
	for i := range g.series {
		g.series[i] = model.NoSeries
	}
	g.changes = g.few[:0]
	d.gs[id] = g
	d.order = append(d.order, g)
	return g
}

// title returns the name of its track.
func (g *goroutine) title() string {
	return g.kin() + " " + strconv.FormatInt(int64(g.id), 10)
}

// kin returns the function that it runs, which it shares with others.
func (g *goroutine) kin() string { return cmp.Or(g.name, "goroutine") }

// state takes the state that a goroutine comes into.
func (d *decoder) state(g *goroutine, at int64, to exptrace.GoState, reason string, p exptrace.ProcID) {
	d.leave(g, at, to == exptrace.GoSyscall || to == exptrace.GoRunning && p == g.on)
	s, proc := unknown, int32(noProc)
	switch to {
	case exptrace.GoRunning:
		s = running
		if p >= 0 && p < maxProcs {
			proc, g.on = int32(p), p
			d.onProc(p, g, at)
		}
	case exptrace.GoRunnable:
		s = runnable
	case exptrace.GoSyscall:
		s = inSyscall
	case exptrace.GoWaiting:
		s = d.words.waiting(reason)
	case exptrace.GoNotExist:
		if g.depth > 0 {
			g.marks = append(g.marks, mark{at, trace.Other, closesAll})
			d.frames.end(g, 1, at, false)
			g.depth, g.assist = 0, 0
		}
		g.ended = true
	}
	g.state, g.since = s, at
	g.changes = append(g.changes, change{at, s, proc})
}

// leave ends the state that a goroutine is in; keeps: the goroutine keeps the P on which it is.
func (d *decoder) leave(g *goroutine, at int64, keeps bool) {
	if g.state == running {
		g.running += at - g.since
	}
	if p := g.on; p != exptrace.NoProc && !keeps {
		g.on = exptrace.NoProc
		d.onProc(p, nil, at)
	}
}

// loses takes the P from a goroutine. In a system call it goes on without.
func (g *goroutine) loses(p exptrace.ProcID, at int64) {
	if g.on != p {
		return
	}
	g.on = exptrace.NoProc
	if g.state == inSyscall {
		g.state, g.since = blocked, at
		g.changes = append(g.changes, change{at, blocked, noProc})
	}
}
