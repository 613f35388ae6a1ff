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
	ID: "frames", What: [2]string{"frame", "frames"}, Help: "begin and duration of each frame of each thread",
	Columns: ofThread(
		Column{Name: "frame", Help: "number of the frame"},
		Column{Name: "begin_ns", Help: "begin, on the session's clock"},
		Column{Name: "duration_ns", Help: "duration"},
		Column{Name: "spans", Help: "number of spans that began in the frame"},
		Column{Name: "missing", Help: "number of missing frames directly before it"},
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
	ID: "counters", What: [2]string{"value of a counter", "values of counters"}, Help: "values of counters in each frame",
	Columns: ofThread(
		Column{Name: "frame", Help: "number of the thread's frame"},
		Column{Name: "time_ns", Help: "time, on the session's clock"},
		Column{Name: "name", Kind: Name, Help: "full name of the counter"},
		Column{Name: "unit", Kind: Name, Null: true, Help: "unit of the value, as the source names it"},
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
		Column{Name: "time_ns", Help: "time, on the session's clock"},
		Column{Name: "severity", Kind: Name, Help: "trace, log, debug, info, fixme, warning or error"},
		Column{Name: "category", Kind: Name, Null: true, Help: "the part of the program that sent it"},
		Column{Name: "object", Kind: Name, Null: true, Help: "the object of the message"},
		Column{Name: "text", Kind: Text, Help: "the text"},
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
		{Name: "series_id", Help: "number of the series; names may repeat"},
		{Name: "name", Kind: Name, Help: "the measured item"},
		{Name: "group", Kind: Name, Null: true, Help: "the measured quantity"},
		{Name: "kind", Kind: Name, Help: "kind of series: value, gauge, counter, state or event"},
		{Name: "unit", Kind: Name, Null: true, Help: "unit of the value"},
		{Name: "thread", Kind: Name, Null: true, Help: "thread of the series"},
		{Name: "object", Kind: Name, Null: true, Help: "object of the series"},
		{Name: "time_ns", Help: "time, on the session's clock"},
		{Name: "value", Kind: Float, Null: true, Help: "the value; empty if it is unknown from here on"},
		{Name: "state", Kind: Name, Null: true, Help: "name of the state"},
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
	ID: "locks", What: [2]string{"event of a lock", "events of locks"}, Help: "events of locks and condition variables",
	Columns: ofThread(
		Column{Name: "time_ns", Help: "time, on the session's clock"},
		Column{Name: "lock", Kind: Name, Help: "full name of the lock"},
		Column{Name: "event", Kind: Name, Help: "locks: try, acquired, released; condition variables: wait, signal, woken"},
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
		{Name: "name", Kind: Name, Help: "name of the flow"},
		{Name: "chain", Null: true, Help: "number of the chain: consecutive arrows share one"},
		{Name: "from_thread_id", Help: "number of the thread at the begin"},
		{Name: "from_thread", Kind: Name, Help: "name of the thread at the begin"},
		{Name: "from_ns", Help: "begin, on the session's clock"},
		{Name: "from_name", Kind: Name, Null: true, Help: "span at the begin"},
		{Name: "to_thread_id", Help: "number of the thread at the end"},
		{Name: "to_thread", Kind: Name, Help: "name of the thread at the end"},
		{Name: "to_ns", Help: "end, on the session's clock"},
		{Name: "to_name", Kind: Name, Null: true, Help: "span at the end"},
	},
	has: func(p *Part) bool { return p.Session.Contents().Flows },
	each: func(w *walk) error {
		table, list := w.p.Session.Flows(), w.p.Session.Spans()
		return w.tracks(func(id model.TrackID) error {
			return w.p.Flows(id, func(a *spans.Arrow) error {
				w.text(table.Name(a.Name))
				w.known(int64(a.Chain), a.Chain != 0)
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
	Derived: true, ID: "threads", What: [2]string{"thread", "threads"}, Help: "threads and other tracks",
	Columns: append(slices.Clone(threadColumns),
		Column{Name: "process", Kind: Name, Null: true, Help: "process of the thread, if there are several"},
		Column{Name: "kind", Kind: Name, Help: "kind of track: thread, path, element, output or task"},
		Column{Name: "index", Help: "number that the source gives; threads of several processes may share it"},
		Column{Name: "begin_ns", Null: true, Help: "time of its first data in the range"},
		Column{Name: "end_ns", Null: true, Help: "time of its last data in the range"},
		Column{Name: "frames", Help: "number of its frames in the range"},
	),
	has: func(p *Part) bool { return len(p.Tracks) > 0 },
	each: func(w *walk) error {
		return w.tracks(func(id model.TrackID) error {
			t := w.p.Session.Track(id)
			w.thread(id)
			w.maybe(t.Def.Process)
			w.text(t.Def.Kind.String())
			w.int(int64(t.Def.Index))
			from, to, ok := t.Bounds()
			begin, end := w.p.Time(id)
			w.known(max(from, begin), ok)
			w.known(min(to, end), ok)
			first, behind := w.p.Frames(id)
			w.int(int64(behind - first))
			return w.end()
		})
	},
}

// tracks calls fn with each track of the part.
func (w *walk) tracks(fn func(id model.TrackID) error) error {
	for _, id := range w.p.Tracks {
		if w.track, w.n = id, 0; !w.wants(id) {
			continue
		}
		if err := fn(id); err != nil {
			return err
		}
	}
	return nil
}
