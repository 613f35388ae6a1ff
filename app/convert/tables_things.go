package convert

import (
	"math"
	"slices"

	"framescope/model"

	"framescope/model/frames"
	"framescope/model/spans"
)

// Frames is the table of threads' frames.
var Frames = Table{
	ID: "frames", What: [2]string{"frame", "frames"}, Help: "when each frame of each thread began, and how long it took",
	Columns: ofThread(
		Column{Name: "frame", Help: "its number"},
		Column{Name: "begin_ns", Help: "when it began, on the session's clock"},
		Column{Name: "duration_ns", Help: "how long it took"},
		Column{Name: "spans", Help: "how many spans began in it"},
		Column{Name: "missing", Help: "how many numbers right before it never came"},
	),
	has: func(p *Part) bool { return p.Session.Contents().Frames },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			return w.p.EachFrame(id, func(f frames.Frame) error {
				w.thread(id)
				w.int(f.Number)
				w.int(f.Begin)
				w.int(f.End - f.Begin)
				w.int(int64(f.Spans))
				w.int(f.Missing)
				return w.end()
			})
		})
	},
}

// Counters are the levels of frames.
var Counters = Table{
	ID: "counters", What: [2]string{"value of a counter", "values of counters"}, Help: "what counters stood at, in each frame",
	Columns: ofThread(
		Column{Name: "frame", Help: "number of the frame of the thread"},
		Column{Name: "time_ns", Help: "when, on the session's clock"},
		Column{Name: "name", Kind: Name, Help: "the counter, with the names above it"},
		Column{Name: "unit", Kind: Name, Null: true, Help: "of the value, in the words of the source"},
		Column{Name: "value", Kind: Float, Help: "the value"},
	),
	has: func(p *Part) bool { return p.Session.Contents().Levels },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			t := w.p.Session.Track(id)
			return w.p.Levels(id, func(frame int, l *model.Level) error {
				w.thread(id)
				w.int(t.FrameNumber(frame))
				w.int(l.Time)
				c := w.p.Session.Collector(l.Collector)
				w.text(c.Title())
				w.maybe(c.UnitHere)
				w.float(l.Value)
				return w.end()
			})
		})
	},
}

// Messages is the table of log messages.
var Messages = Table{
	ID: "messages", What: [2]string{"message", "messages"}, Help: "log messages and marks",
	Columns: ofThread(
		Column{Name: "time_ns", Help: "when, on the session's clock"},
		Column{Name: "severity", Kind: Name, Help: "trace, log, debug, info, fixme, warning or error"},
		Column{Name: "category", Kind: Name, Null: true, Help: "what part of the program speaks"},
		Column{Name: "object", Kind: Name, Null: true, Help: "of what it speaks"},
		Column{Name: "text", Kind: Text, Help: "what it says"},
	),
	has: func(p *Part) bool { return p.Session.Contents().Messages },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			return w.p.Messages(id, func(m *model.Message) error {
				w.thread(id)
				w.int(m.Time)
				w.text(m.Severity.Word())
				w.maybe(m.Category)
				w.maybe(m.Object)
				w.text(m.Text)
				return w.end()
			})
		})
	},
}

// Series is the table of series samples.
var Series = Table{
	ID: "series", What: [2]string{"sample of a series", "samples of series"}, Help: "values over time",
	Columns: []Column{
		{Name: "series_id", Help: "which series: several may have a name"},
		{Name: "name", Kind: Name, Help: "on what it was measured"},
		{Name: "group", Kind: Name, Null: true, Help: "what was measured"},
		{Name: "kind", Kind: Name, Help: "how values are to be read: value, gauge, counter, state or event"},
		{Name: "unit", Kind: Name, Null: true, Help: "of the value"},
		{Name: "thread", Kind: Name, Null: true, Help: "the thread that it belongs to"},
		{Name: "object", Kind: Name, Null: true, Help: "the object that it belongs to"},
		{Name: "time_ns", Help: "when, on the session's clock"},
		{Name: "value", Kind: Float, Null: true, Help: "the value; none where nothing is known from here on"},
		{Name: "state", Kind: Name, Null: true, Help: "of a state: its name"},
	},
	has: func(p *Part) bool { return len(p.Series()) > 0 },
	each: func(w *walk) error {
		for _, x := range w.p.Series() {
			d := &x.Def
			thread, object := "", ""
			if t := w.p.Session.Track(d.Track); t != nil {
				thread = t.Title()
			}
			if o, ok := w.p.Session.Topology().Object(d.Object); ok {
				object = o.Name
			}
			err := w.p.Samples(x, func(v model.Sample) error {
				w.int(int64(d.ID))
				w.text(d.Name)
				w.maybe(d.Group)
				w.text(d.Kind.Word())
				w.maybe(d.Unit)
				w.maybe(thread)
				w.maybe(object)
				w.int(v.Time)
				state := ""
				if math.IsNaN(v.Value) {
					w.null()
				} else {
					if i := int(v.Value); d.Kind == model.SeriesState && i >= 0 && i < len(d.States) {
						state = d.States[i]
					}
					w.float(v.Value)
				}
				w.maybe(state)
				return w.end()
			})
			if err != nil {
				return err
			}
		}
		return nil
	},
}

// Locks is the table of lock events.
var Locks = Table{
	ID: "locks", What: [2]string{"event of a lock", "events of locks"}, Help: "what threads did with locks and conditions",
	Columns: ofThread(
		Column{Name: "time_ns", Help: "when, on the session's clock"},
		Column{Name: "lock", Kind: Name, Help: "the lock, with the names above it"},
		Column{Name: "event", Kind: Name, Help: "try, acquired, released; of conditions wait, signal, woken"},
	),
	has: func(p *Part) bool { return p.Session.Contents().Locks },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			begin, end := w.p.Time(id)
			for _, e := range w.p.Session.Locks().Events(id, begin, end, nil) {
				w.thread(id)
				w.int(e.Time)
				w.text(w.p.Session.Collector(e.Lock).Title())
				w.text(e.Kind.Word())
				if err := w.end(); err != nil {
					return err
				}
			}
			return nil
		})
	},
}

// Flows are the arrows from span to span.
var Flows = Table{
	ID: "flows", What: [2]string{"flow", "flows"}, Help: "arrows from span to span: work handed over, threads woken",
	Columns: []Column{
		{Name: "name", Kind: Name, Help: "what such flows are called"},
		{Name: "chain", Null: true, Help: "number of the chain that it is part of: arrows that follow each other have one"},
		{Name: "from_thread_id", Help: "the thread on which it begins"},
		{Name: "from_thread", Kind: Name, Help: "its name"},
		{Name: "from_ns", Help: "when it begins, on the session's clock"},
		{Name: "from_name", Kind: Name, Null: true, Help: "the span in which it begins"},
		{Name: "to_thread_id", Help: "the thread on which it ends"},
		{Name: "to_thread", Kind: Name, Help: "its name"},
		{Name: "to_ns", Help: "when it ends"},
		{Name: "to_name", Kind: Name, Null: true, Help: "the span to which it leads"},
	},
	has: func(p *Part) bool { return p.Session.Contents().Flows },
	each: func(w *walk) error {
		table, list := w.p.Session.Flows(), w.p.Session.Spans()
		return w.tracks(func(id model.TrackID) error {
			return w.p.Flows(id, func(a *spans.Arrow) error {
				w.text(table.Name(a.Name))
				if a.Chain != 0 {
					w.int(int64(a.Chain))
				} else {
					w.null()
				}
				w.thread(a.FromTrack)
				w.int(a.From)
				w.bar(a.Begin(list))
				w.thread(id)
				w.int(a.To)
				w.bar(a.End(list))
				return w.end()
			})
		})
	},
}

// bar writes the name of a span, if there is one.
func (w *walk) bar(b spans.Bar, ok bool) {
	if !ok {
		w.null()
		return
	}
	w.text(w.names.way(b.Path).name)
}

// Threads are the threads and other lines of a session.
var Threads = Table{
	ID: "threads", What: [2]string{"thread", "threads"}, Help: "the threads and what else has a line of its own",
	Columns: append(slices.Clone(threadColumns),
		Column{Name: "process", Kind: Name, Null: true, Help: "its process, where there are several"},
		Column{Name: "kind", Kind: Name, Help: "what it is: thread, path, element, output or task"},
		Column{Name: "index", Help: "its number in the words of the source, which threads of several processes may share"},
		Column{Name: "begin_ns", Null: true, Help: "when the first of it was received, in the range"},
		Column{Name: "end_ns", Null: true, Help: "when the last of it was received, in the range"},
		Column{Name: "frames", Help: "how many frames of it are in the range"},
	),
	has: func(p *Part) bool { return len(p.Tracks) > 0 },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			t := w.p.Session.Track(id)
			w.thread(id)
			w.maybe(t.Def.Process)
			w.text(t.Def.Kind.String())
			w.int(int64(t.Def.Index))
			if from, to, ok := t.Bounds(); ok {
				begin, end := w.p.Time(id)
				w.int(max(from, begin))
				w.int(min(to, end))
			} else {
				w.null()
				w.null()
			}
			first, behind := w.p.Frames(id)
			w.int(int64(behind - first))
			return w.end()
		})
	},
}

// tracks calls fn with each track of the part.
func (w *walk) tracks(fn func(id model.TrackID) error) error {
	for _, id := range w.p.Tracks {
		if err := fn(id); err != nil {
			return err
		}
	}
	return nil
}
