package convert

import (
	"framescope/model"
	"framescope/model/store"
)

// Spans are the calls and other stretches of time.
var Spans = Table{
	ID: "spans", What: [2]string{"span", "spans"}, Sorted: "begin_ns",
	Help: "calls, runs of samples and other spans of all threads, in order of begin",
	Columns: append(ofThread(
		Column{Name: "frame", Null: true, Help: "number of the thread's frame in which the span began"},
		Column{Name: "begin_ns", Help: "begin, on the session's clock"},
		Column{Name: "duration_ns", Help: "time with callees, cut to the range"},
		Column{Name: "self_ns", Null: true, Help: "time without callees; calls and runs only"},
		Column{Name: "name", Kind: Name, Help: "full name of the collector: App:Collide"},
		Column{Name: "path", Kind: Name, Help: "names from the outermost caller on, separated by ;"},
		Column{Name: "depth", Help: "number of callers"},
		Column{
			Name: "open", Kind: Name, Null: true,
			Help: "the cut ends, `begin`, `end` or `both`: the range or the recording cuts the span there",
		},
		Column{
			Name: "continues", Kind: Name, Null: true,
			Help: "`yes`: the rest of a call that outlived its caller, counted below the caller's caller",
		},
		Column{Name: "arguments", Kind: Text, Null: true, Help: "arguments, as a JSON object"},
	), placeColumns...),
	has:  func(p *Part) bool { c := p.Session.Contents(); return c.Spans && !c.Timeless },
	each: eachSpan,
}

// tablesOpen are the words for the unknown ends of a span.
var tablesOpen = map[model.SpanFlags]string{
	model.SpanOpenBegin: "begin", model.SpanOpenEnd: "end", model.SpanOpenBegin | model.SpanOpenEnd: "both",
}

// continues is the word for the rest of a call.
var continues = map[model.SpanFlags]string{model.SpanMoves: "yes"}

// spanTrack is the state of a track during the walk over its spans.
type spanTrack struct {
	*store.Track
	selves *Selves
	frame  int // of the span before
}

func eachSpan(w *walk) error {
	tracks := make([]spanTrack, w.p.Session.NumTracks())
	return w.p.spansOf(&w.wish, w.wants, func(id model.TrackID, s *Span) error {
		x := w.names.way(s.Path)
		if w.wish.Name != nil && !w.wish.Name(x.name) {
			return w.p.Done(w.ctx, 1)
		}
		t := &tracks[id]
		if t.selves == nil {
			*t = spanTrack{w.p.Session.Track(id), w.p.Selves(id), 0}
		}
		w.n = mixed(uint64(id)<<48^uint64(s.Lane)<<32^uint64(s.Ref.Index)) ^ uint64(s.Begin)
		return w.span(id, t, s, x)
	})
}

// span writes the row of a span.
func (w *walk) span(id model.TrackID, t *spanTrack, s *Span, x *way) error {
	if !w.skips(2) {
		w.thread(id)
	}
	if !w.skips(1) {
		w.frame(t, s)
	}
	w.int(s.Begin)
	w.int(s.End - s.Begin)
	if !w.skips(1) {
		w.self(t, s)
	}
	w.text(x.name)
	w.text(x.path)
	w.int(x.depth)
	if !w.skips(5) {
		w.maybe(tablesOpen[s.Flags&(model.SpanOpenBegin|model.SpanOpenEnd)])
		w.maybe(continues[s.Flags&model.SpanMoves])
		if !w.skips(1) {
			w.maybe(w.arguments(s))
		}
		w.place(x.place)
	}
	return w.end()
}

// self writes the self time of a span, if it is a call.
func (w *walk) self(t *spanTrack, s *Span) {
	ns, ok := t.selves.Of(s)
	w.known(ns, ok)
}

// arguments are the arguments of a span, as JSON; empty without any.
func (w *walk) arguments(s *Span) string {
	list := w.p.Args(s)
	if len(list) == 0 {
		return ""
	}
	b := []byte{'{'}
	for i := range list {
		b = append(AppendArg(b, &list[i]), ',')
	}
	b[len(b)-1] = '}'
	return string(b)
}

// frame writes the number of the frame at the begin of a span.
func (w *walk) frame(t *spanTrack, s *Span) {
	if t.NumFrames() > 0 {
		if i, _, _ := t.FrameNear(s.Ref, s.Begin, t.frame); i >= 0 {
			t.frame = i
			w.int(t.FrameNumber(i))
			return
		}
	}
	w.null()
}
