package perfetto

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	mostGroups = 512 // asynchronous tracks; the rest share one
)

// stage is what a thread or a group of tracks has, once it is in order.
type stage struct{ out *output }

// output is a track of the session.
type output struct {
	def    model.TrackDef
	proc   *process     // nil: of the whole machine
	thread *thread      // nil: of no thread
	arrows []model.Flow // that lead to it
	tracks []*track     // of the file, each a line that nests
	timed  []timed      // frames of a timeline, in place of lines
	notes  []note
	ticks  int // instants that may begin frames
}

// stage makes tracks of the session of those of the file.
func (d *decoder) stage() {
	groups := map[groupKey]*output{}
	take := func(t *track, o *output) {
		t.out = o
		nests := false
		for _, l := range t.lists {
			o.notes = l.notes.Drain(o.notes)
			nests = nests || l.rows.N+l.whole.N > 0
		}
		if nests {
			o.tracks = append(o.tracks, t)
		}
	}
	has := func(t *track) bool {
		return slices.ContainsFunc(t.lists, func(l *list) bool { return l.rows.N+l.whole.N+l.notes.N > 0 })
	}
	var threads, others []*output
	for _, t := range d.order {
		th, p := d.owner(t)
		if !has(t) {
			continue
		}
		if th != nil && t.thread == th {
			if th.out == nil {
				th.out = &output{proc: p, thread: th}
				threads = append(threads, th.out)
			}
			take(t, th.out)
			continue
		}
		k := groupKey{p, d.titleOf(t, p)}
		o := groups[k]
		if o == nil {
			if len(others) >= mostGroups {
				k = groupKey{others[0].proc, feed.MoreNames}
				o = groups[k]
			}
			if o == nil {
				o = &output{proc: k.proc, def: model.TrackDef{Name: k.name, Kind: model.TrackOutput}}
				groups[k] = o
				others = append(others, o)
			}
		}
		take(t, o)
		if len(o.tracks) > 0 {
			o.def.Kind = model.TrackAsync
		}
	}
	trace.SortRuns(threads, func(a, b *output) int {
		return trace.SortRunPairs(
			a.proc.sort, b.proc.sort, int64(a.proc.order), int64(b.proc.order), a.thread.sort, b.thread.sort,
			a.thread.notMain(), b.thread.notMain(), int64(a.thread.order), int64(b.thread.order),
		)
	})
	d.outputs = append(threads, d.stageTimeline()...)
	d.outputs = append(d.outputs, others...)
	for _, o := range d.outputs {
		trace.SortRuns(o.notes, func(a, b note) int { return trace.SortRunPairs(a.time, b.time, int64(a.ord), int64(b.ord)) })
	}
	d.stageCounters()
}

type groupKey struct {
	proc *process
	name string
}

// notMain is 0 for the main thread of a process, which has its number.
func (th *thread) notMain() int64 {
	if th.key.tid == int64(int32(th.key.process.pid)) {
		return 0
	}
	return 1
}

// titleOf returns what a track is called that is no thread's.
func (d *decoder) titleOf(t *track, p *process) string {
	switch {
	case t.name != "":
		return t.name
	case t.proc != nil:
		return p.title()
	case t.uuid == 0:
		return "global"
	}
	return fmt.Sprintf("track %d", t.uuid)
}

// title returns the name of a process, or its command line without folders and arguments, except for its type.
// Chromium uses that for a name, too.
func (p *process) title() string {
	name := p.name
	if strings.TrimSpace(name) == "" {
		name = p.cmd
	}
	if name = trace.Program(name); name != "" {
		return name
	}
	return fmt.Sprintf("process %d", int32(p.key.pid))
}

// rowsOf returns the begins and ends of a track, in order of time, and how deep they nest. Of those
// of the same time the order of the file counts. They are valid until it is called again. Ends without
// a begin are counted if they are to be.
func (d *decoder) rowsOf(t *track, counted bool) (rows []Row, depth int) {
	n := 0
	for _, l := range t.lists {
		n += l.rows.N + 2*l.whole.N
	}
	if cap(d.flat) < n {
		d.flat = make([]Row, 0, n)
	}
	out := d.flat[:0]
	var spans []Whole
	var back trace.Tally
	for _, l := range t.lists {
		if l.back.N > 0 {
			back.AddN(l.back.N, l.back.At)
		}
		l.rows.Each(func(time int64, text uint32, end bool, event uint32) {
			if time = l.moved.Maybe(time); end {
				out = append(out, End(time, event))
			} else {
				out = append(out, Row{Time: time, Text: text, Event: event})
			}
		})
		l.whole.Each(func(part []Whole) { spans = append(spans, part...) })
	}
	var overlapping, unpaired int64
	trace.SortRuns(out, func(a, b Row) int { return cmp.Compare(a.Time, b.Time) })
	if len(spans) > 0 {
		spans, unpaired, d.open = Fold(out, spans, d.open)
		out, overlapping = Unfold(out[:0], spans)
	}
	d.flat = out
	depth, more, open := Pair(out, d.open)
	d.open, unpaired = open, unpaired+more
	if counted {
		d.faults[Overlapping].AddN(overlapping, trace.Unknown)
		wrong := min(unpaired, back.N) // others are in their place once all are in order
		if wrong > 0 {
			d.faults[EndsBefore].AddN(wrong, back.At)
		}
		if unpaired > wrong {
			d.faults[Unmatched].AddN(unpaired-wrong, trace.Unknown)
		}
	}
	return out, min(depth, MostRows)
}

// stageTimeline makes tracks of the frame timeline, for each process and kind.
func (d *decoder) stageTimeline() (list []*output) {
	by := map[groupKey]*output{}
	for i := range d.timeline {
		f := &d.timeline[i]
		p := d.processOf(f.pid)
		if p == nil {
			continue
		}
		k := groupKey{p, f.title()}
		o := by[k]
		if o == nil {
			if len(by) >= mostGroups {
				d.faults.Count(NoTrack, trace.Unknown)
				continue
			}
			o = &output{proc: p, def: model.TrackDef{Name: k.name, Kind: model.TrackAsync}}
			by[k] = o
			list = append(list, o)
		}
		o.timed = append(o.timed, *f)
	}
	trace.SortRuns(list, func(a, b *output) int { return cmp.Compare(b.timed[0].kind, a.timed[0].kind) })
	return list
}
