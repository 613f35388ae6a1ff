package convert

import (
	"framescope/model"
	"framescope/model/store"
)

// Spans are the calls and other stretches of time.
var Spans = Table{
	ID: "spans", What: [2]string{"span", "spans"}, Sorted: "begin_ns",
	Help: "calls, runs of samples and what else has a begin and an end, of all threads in order of begin",
	Columns: ofThread(
		Column{Name: "frame", Null: true, Help: "number of the frame of its thread in which it began"},
		Column{Name: "begin_ns", Help: "when it began, on the session's clock"},
		Column{Name: "duration_ns", Help: "how long it was, callees included, cut to the range"},
		Column{Name: "self_ns", Null: true, Help: "how much of that was its own, without callees; of calls and runs"},
		Column{Name: "name", Kind: Name, Help: "its collector, with the names above that: App:Collide"},
		Column{Name: "path", Kind: Name, Help: "names from the outermost caller to it, with ; between"},
		Column{Name: "depth", Help: "how many callers it has"},
		Column{
			Name: "open", Kind: Name, Null: true,
			Help: "the ends that are not its own, `begin`, `end` or `both`: the range or the recording cut it there",
		},
		Column{
			Name: "continues", Kind: Name, Null: true,
			Help: "`yes`: the rest of a call that outlived its caller, counted below whoever called that",
		},
		Column{Name: "arguments", Kind: Text, Null: true, Help: "what it was given, or said of itself: an object of JSON"},
	),
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
	return w.p.AllSpans(func(id model.TrackID, s *Span) error {
		t := &tracks[id]
		if t.selves == nil {
			*t = spanTrack{w.p.Session.Track(id), w.p.Selves(id), 0}
		}
		w.thread(id)
		w.frame(t, s)
		w.int(s.Begin)
		w.int(s.End - s.Begin)
		if ns, ok := t.selves.Of(s); ok {
			w.int(ns)
		} else {
			w.null()
		}
		x := w.names.way(s.Path)
		w.text(x.name)
		w.text(x.path)
		w.int(x.depth)
		w.maybe(tablesOpen[s.Flags&(model.SpanOpenBegin|model.SpanOpenEnd)])
		w.maybe(continues[s.Flags&model.SpanMoves])
		w.maybe(w.arguments(s))
		return w.end()
	})
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
