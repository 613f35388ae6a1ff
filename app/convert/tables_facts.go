package convert

import (
	"math"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/why"
)

// Totals are the sums by collector.
var Totals = Table{
	Derived: true, ID: "totals", What: [2]string{"total", "totals"}, Help: "sums of the time of collectors on each thread",
	Columns: append(ofThread(
		Column{Name: "name", Kind: Name, Help: "full name of the collector"},
		Column{Name: "count", Help: "number of spans, recursive ones included"},
		Column{Name: "total_ns", Help: "time with callees, cut to the range; of recursive calls the outermost counts"},
		Column{Name: "self_ns", Null: true, Help: "time without callees; calls and runs only"},
		Column{Name: "shortest_ns", Help: "shortest span, not cut"},
		Column{Name: "longest_ns", Help: "longest span, not cut"},
	), placeColumns...),
	has: func(p *Part) bool { return Spans.has(p) },
	each: func(w *walk) error {
		var list []spans.Stat
		return w.tracks(func(id model.TrackID) error {
			begin, end := w.p.Time(id)
			list = w.p.Session.Spans().Stats([]model.TrackID{id}, begin, end, list[:0])
			for i := range list {
				if err := w.total(id, &list[i]); err != nil {
					return err
				}
			}
			return nil
		})
	},
}

// total writes the sums of a collector.
func (w *walk) total(id model.TrackID, x *spans.Stat) error {
	c := w.p.Session.Collector(x.Collector)
	w.thread(id)
	w.text(c.Title())
	w.int(x.Calls)
	w.int(x.TotalNs)
	w.known(x.SelfNs, w.p.Session.Track(id).Def.Kind.Calls())
	w.int(x.MinNs)
	w.int(x.MaxNs)
	w.place(c.Place)
	return w.end()
}

// Samples are the samples of stacks.
var Samples = Table{
	ID: "samples", What: [2]string{"sample of a stack", "samples of stacks"}, Help: "stacks at a time",
	Columns: append(ofThread(
		Column{Name: "time_ns", Help: "time, on the session's clock"},
		Column{Name: "name", Kind: Name, Null: true, Help: "full name of the innermost collector; empty: none ran"},
		Column{Name: "path", Kind: Name, Null: true, Help: "names from the outermost caller on, separated by ;"},
		Column{Name: "depth", Null: true, Help: "number of callers"},
	), placeColumns...),
	has: func(p *Part) bool { c := p.Session.Contents(); return c.Sampled && !c.Timeless },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			stack := w.p.Session.Spans().Stack(id)
			if stack == nil {
				return nil
			}
			return w.p.Samples(stack, func(v model.Sample) error { return w.sample(id, v) })
		})
	},
}

// sample writes a sample of a stack.
func (w *walk) sample(id model.TrackID, v model.Sample) error {
	x := &way{}
	ok := !math.IsNaN(v.Value) && v.Value > 0
	if ok {
		x = w.names.way(model.PathID(v.Value))
	}
	w.thread(id)
	w.int(v.Time)
	w.maybe(x.name)
	w.maybe(x.path)
	w.known(x.depth, ok)
	w.place(x.place)
	return w.end()
}

// Hitches are the frames that are much longer than those around them.
var Hitches = Table{
	Derived: true, ID: "hitches", What: [2]string{"hitch", "hitches"},
	Help: "frames that are much longer than those around them, and why; buffers on their way too",
	Columns: ofThread(
		Column{Name: "frame", Help: "number of the frame, or of the buffer on its way"},
		Column{Name: "begin_ns", Help: "begin, on the session's clock"},
		Column{Name: "duration_ns", Help: "duration"},
		Column{Name: "typical_ns", Help: "middle of the frames around"},
		Column{Name: "cause_thread_id", Null: true, Help: "number of the thread of the root cause"},
		Column{Name: "cause_thread", Kind: Name, Null: true, Help: "name of the thread of the root cause"},
		Column{Name: "cause", Kind: Name, Null: true, Help: "full name of the collector that is the root cause"},
		Column{Name: "how", Kind: Name, Null: true,
			Help: "how it took longer: longer, more_calls, new, waiting, spread, not_measured or unknown"},
		Column{Name: "excess_ns", Null: true, Help: "how much longer the root cause took than is typical"},
		Column{Name: "unexplained_ns", Help: "excess of the frame that nothing explains"},
	),
	has: func(p *Part) bool { c := p.Session.Contents(); return c.Frames || c.Ways },
	each: func(w *walk) error {
		engine := why.NewEngine(w.p.Session)
		return w.tracks(func(id model.TrackID) error {
			for _, i := range w.p.hitches(engine, id) {
				if err := w.hitch(engine, id, i); err != nil {
					return err
				}
			}
			return nil
		})
	},
}

// hitches returns the indices of the hitches of a track that are in the part.
func (p *Part) hitches(engine *why.Engine, id model.TrackID) (out []int) {
	if t := p.Session.Track(id); t.Def.Kind != model.TrackStream {
		if first, end := p.Frames(id); first < end {
			out = p.Session.Frames().Hitches(id, first, end-1, nil)
		}
		return out
	}
	begin, end := p.Time(id)
	for _, i := range engine.Late(id, nil) {
		if b, _ := engine.ThingAt(id, i); b.Begin >= begin && b.Begin < end {
			out = append(out, i)
		}
	}
	return out
}

// hitch writes a hitch.
func (w *walk) hitch(engine *why.Engine, id model.TrackID, i int) error {
	var a why.Answer
	var begin int64
	if t := w.p.Session.Track(id); t.Def.Kind == model.TrackStream {
		b, _ := engine.ThingAt(id, i)
		begin = b.Begin
		engine.Thing(id, i, &a)
	} else {
		begin = t.Frame(i).Begin
		engine.Frame(id, i, &a)
	}
	w.thread(id)
	w.int(a.Number)
	w.int(begin)
	w.int(a.DurationNs)
	w.int(a.TypicalNs)
	w.cause(&a)
	w.int(a.UnexplainedNs)
	return w.end()
}

// cause writes the root cause of a hitch.
func (w *walk) cause(a *why.Answer) {
	root, ok := a.Root()
	if !ok {
		w.known(0, false)
		w.maybe("")
		w.maybe("")
		w.maybe("")
		w.known(0, false)
		return
	}
	w.thread(root.Track)
	w.maybe(w.p.Session.Collector(root.Collector).Title())
	w.text(root.How.String())
	w.int(root.ExcessNs)
}

// Losses is the account of what is missing.
var Losses = Table{
	Derived: true, ID: "losses", What: [2]string{"loss", "losses"},
	Help: "what is missing in the session, and the faults of its recording",
	Columns: []Column{
		{Name: "loss", Kind: Name, Help: "kind of loss, as `report --stats --json` names it: lost_on_the_way, …"},
		{Name: "reason", Kind: Name, Help: "what happened"},
		{Name: "count", Help: "how many things, or how often"},
		{Name: "frames", Kind: Name, Null: true, Help: "`yes`: it counts frames"},
		{Name: "place", Kind: Name, Null: true, Help: "of a fault: where in the recording the first is"},
		{Name: "example", Kind: Text, Null: true, Help: "of a fault: the first"},
	},
	has: func(p *Part) bool { return !p.Some },
	each: func(w *walk) error {
		ledger := w.p.Session.Ledger()
		for _, line := range ledger.Lines(nil) {
			if !line.Missing() {
				continue
			}
			frames := ""
			if line.OfFrames() {
				frames = "yes"
			}
			if err := w.loss(line.Key, line.Label, line.N, frames, "", ""); err != nil {
				return err
			}
		}
		for _, d := range w.p.Session.Diagnostics() {
			if err := w.loss(d.Kind, d.Detail, d.N, "", d.Place, d.Example); err != nil {
				return err
			}
		}
		return nil
	},
}

// loss writes a loss.
func (w *walk) loss(kind, reason string, n int64, frames, place, example string) error {
	w.text(kind)
	w.text(reason)
	w.int(n)
	w.maybe(frames)
	w.maybe(place)
	w.maybe(example)
	return w.end()
}

// Processes are the processes that the threads belong to.
var Processes = Table{
	Derived: true, ID: "processes", What: [2]string{"process", "processes"}, Help: "processes of the threads",
	Columns: []Column{
		{Name: "process", Kind: Name, Null: true, Help: "name of the process"},
		{Name: "pid", Null: true, Help: "number of the process, if it is known"},
		{Name: "threads", Help: "number of its threads and other tracks"},
		{Name: "frames_thread_id", Null: true, Help: "number of the thread with the frames of the process"},
	},
	has: func(p *Part) bool { return len(p.Tracks) > 0 },
	each: func(w *walk) error {
		procs, threads := w.p.Threads()
		counts := make([]int64, len(procs))
		for i := range threads {
			counts[threads[i].Process]++
		}
		for i := range procs {
			w.maybe(procs[i].Name)
			w.known(procs[i].PID, procs[i].Known)
			w.int(counts[i])
			host := procs[i].Host
			w.known(w.numberOf(host), host != model.NoTrack)
			if err := w.end(); err != nil {
				return err
			}
		}
		return nil
	},
}

// numberOf returns the number of a thread, 0 of none.
func (w *walk) numberOf(id model.TrackID) int64 {
	if id == model.NoTrack {
		return 0
	}
	return w.names.numbers.Of(w.p.Session, id)
}
