package spans

import (
	"cmp"
	"slices"

	"framescope/model"
)

// States of sampled threads. No sampler that we read records the state of a thread, so the innermost
// call decides it, for as long as it was innermost. For code that neither waits nor enters the
// kernel, a sample cannot show whether it ran, was ready to run, or stood at a monitor; the thread's
// CPU clock, if there is one, gives its total running time.

// State is the state of a sampled thread.
type State uint8

// The states. The first comes never from a sample, but from the clock, for a time.
const (
	StateRunning State = iota // on a processor
	StateReady                // neither waiting nor running: ready, or at a monitor; without a clock it may have run, too
	StateIO                   // in a call that reads or writes a socket or a file
	StateBlocked              // parked, in line for a lock
	StateWaiting              // parked otherwise, asleep, in a monitor until notified, at a selector
	StateUnknown              // its stack was empty and it need not have been idle, or it was not sampled
	NumStates
)

// String returns the name of the state in reports.
func (s State) String() string {
	return [...]string{"running", "ready or at a monitor", "socket or file", "blocked", "waiting", "unknown"}[s]
}

// StateOf returns the state of a thread with a call path as its stack: StateReady for code, which may
// run.
func (x *Table) StateOf(p model.PathID) State {
	_, id := x.host.Paths.ByID(p)
	c := x.host.Collectors.ByID(id)
	switch {
	case p == model.PathRoot || c == nil:
		return x.withoutStack()
	case c.Act == model.ActIO:
		return StateIO
	case !c.Waits:
		return StateReady
	}
	for c != nil && c.Act == model.ActParks {
		if p, id = x.callerOf(p); p == model.PathRoot {
			return StateWaiting
		}
		c = x.host.Collectors.ByID(id)
	}
	if c != nil && c.Act == model.ActLocks {
		return StateBlocked
	}
	return StateWaiting
}

// withoutStack is the state of a thread that has no stack.
func (x *Table) withoutStack() State {
	if x.host.Idle() {
		return StateWaiting
	}
	return StateUnknown
}

// callerOf returns the path that calls a path, and its collector.
func (x *Table) callerOf(p model.PathID) (model.PathID, model.CollectorID) {
	p, _ = x.host.Paths.ByID(p)
	_, c := x.host.Paths.ByID(p)
	return p, c
}

// Activity is the times of a sampled thread by state in a range.
type Activity struct {
	LivedNs int64            // that it was there
	Ns      [NumStates]int64 // of it, by state: they add up to LivedNs
	HasCPU  bool             // its clock is known; else nothing is known to have run
	Samples int64            // of its stack
	Able    int64            // those of them in which it neither waited nor was in the kernel for I/O
}

// Share returns the part of the thread's time in a state.
func (a *Activity) Share(s State) float64 { return float64(a.Ns[s]) / float64(max(a.LivedNs, 1)) }

// Activity returns the states of a sampled thread in [t0, t1). A stack is taken to last until the
// next sample, as in Tree. ok is false if it was not sampled then, or by samples that stand for no time, such as
// allocations. Cost: that of two queries of TreeOf.
func (x *Table) Activity(track model.TrackID, t0, t1 int64) (a Activity, ok bool) {
	stack, _ := x.sampledSeries(track)
	begin, end, lived := x.Life(track, t0, t1)
	if stack == nil || !lived || x.weighsBytes(track) {
		return a, false
	}
	a.LivedNs = end - begin
	a.Samples = stack.From(model.ClampTime(t1)) - stack.From(model.ClampTime(t0))
	w := &x.host.Work.acts
	w.track[0] = track
	x.Tree(w.track[:], t0, t1, &w.tree)
	known := int64(0)
	for i := range w.tree.Nodes {
		if n := &w.tree.Nodes[i]; n.Self > 0 {
			a.Ns[x.StateOf(n.Path)] += n.Self
			known += n.Self
		}
	}
	a.Ns[x.withoutStack()] += max(a.LivedNs-known, 0)
	a.LivedNs = max(a.LivedNs, known)
	var cpu float64
	if cpu, a.HasCPU = x.CPUTime(track, t0, t1); a.HasCPU {
		a.Ns[StateRunning] = min(int64(cpu), a.Ns[StateReady])
		a.Ns[StateReady] -= a.Ns[StateRunning]
	}
	a.Able = x.Whole(MeasureSamples, w.track[:], t0, t1).all
	return a, true
}

// activityWork is the working memory of queries on activity.
type activityWork struct {
	track [1]model.TrackID
	tree  Tree
	bins  []SeriesBin
}

// Wait is a reason of a thread's waits: neither running nor ready.
type Wait struct {
	Collector model.CollectorID // the nearest caller outside the runtime; without one the innermost
	State     State
	Ns        int64
}

// Waits appends the waits of a sampled thread in [t0, t1), with their states, the longest first.
// Cost: that of Tree.
func (x *Table) Waits(track model.TrackID, t0, t1 int64, out []Wait) []Wait {
	w, from := &x.host.Work.acts, len(out)
	w.track[0] = track
	x.Tree(w.track[:], t0, t1, &w.tree)
	for i := range w.tree.Nodes {
		n := &w.tree.Nodes[i]
		state := StateReady
		if n.Self > 0 {
			state = x.StateOf(n.Path)
		}
		if state < StateIO || state > StateWaiting {
			continue
		}
		of := Wait{x.waiter(int32(i)), state, n.Self}
		k := slices.IndexFunc(out[from:], func(y Wait) bool { return y.Collector == of.Collector && y.State == of.State })
		if k < 0 {
			out = append(out, of)
		} else {
			out[from+k].Ns += of.Ns
		}
	}
	slices.SortStableFunc(out[from:], func(a, b Wait) int { return cmp.Compare(b.Ns, a.Ns) })
	return out
}

// waiter returns the collector that a wait at a node of the tree is charged to.
func (x *Table) waiter(node int32) model.CollectorID {
	nodes := x.host.Work.acts.tree.Nodes
	for i := node; i >= 0; i = nodes[i].Parent {
		if c := x.host.Collectors.ByID(nodes[i].Collector); c != nil && !c.Runtime && !c.Waits {
			return c.ID
		}
	}
	return nodes[node].Collector
}
