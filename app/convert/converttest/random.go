package converttest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pgregory.net/rapid"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/trace"
)

// The material of random sessions: messages have names that formats might mistake for something else,
// spans have no names of frames.
var (
	spanNames    = []string{"Update", "Draw", "say \"hi\"\\", "ü;1", "Update", "wait\x01\n"}
	messageTexts = []string{"loaded", "frame 7", "Frame", "thread frame 3", "frames", "late, \"very\"", "ö\t\x7f"}
)

// Random makes a session of up to four threads in up to two processes, each with spans inside each other, and with
// frames that may leave gaps, miss numbers, overlap, or be those of another thread; and of messages, counters and flows.
// odd reports whether frames may overlap, clocks go back, and numbers be below 0.
func Random(t *rapid.T, odd bool) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{
		Program: "game", PID: 7, Version: "made up", Detail: rapid.SampledFrom([]string{"", "it began at 2026-01-02"}).Draw(t, "detail"),
		Clock: model.Clock{StepNs: rapid.Int64Range(0, 1000).Draw(t, "step"), Float32Seconds: rapid.Bool().Draw(t, "floats")},
	})
	n := len(spanNames)
	s.Apply(model.CollectorDef{ID: model.CollectorID(n + 1), Name: "src"})
	s.Apply(model.CollectorDef{ID: model.CollectorID(n + 2), Name: "a:b.c", Parent: model.CollectorID(n + 1)})
	for i, name := range spanNames {
		in := 0 // nothing, a group, or another
		switch {
		case slices.Contains(spanNames[:i], name): // formats distinguish those by their parents
			in = rapid.SampledFrom([]int{n + 1, n + 2, i}).Draw(t, "in")
		case i > 0:
			in = rapid.SampledFrom([]int{0, 0, n + 1, n + 2, i}).Draw(t, "in")
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name, Parent: model.CollectorID(in)})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	for i := range n * n {
		s.Apply(model.PathDef{ID: model.PathID(n + 1 + i), Parent: model.PathID(i/n + 1), Collector: model.CollectorID(i%n + 1)})
	}
	randomObjects(t, s)
	processes := rapid.SampledFrom([][]string{{""}, {"game", "editor"}, {"editor", ""}}).Draw(t, "processes")
	var others [][]model.Batch // frames of the threads before
	for i := range rapid.IntRange(1, 4).Draw(t, "threads") {
		s.Apply(model.TrackDef{
			ID: model.TrackID(i), Name: fmt.Sprint("T", i), Index: i + 1, Object: model.NoObject, Peer: model.NoObject,
			Process: rapid.SampledFrom(processes).Draw(t, "process"), Skips: rapid.IntRange(0, 3).Draw(t, "skips") == 0,
		})
		list := randomFrames(t, odd)
		if len(others) > 0 && rapid.Bool().Draw(t, "alike") { // all or some frames of another thread
			list = rapid.SampledFrom(others).Draw(t, "frames of")
			list = list[rapid.IntRange(0, len(list)).Draw(t, "from"):]
		}
		others = append(others, list)
		thread{t, s, model.TrackID(i), n, odd}.append(list)
	}
	randomTasks(t, s, processes)
	randomSeries(t, s)
	randomFlows(t, s)
	return s
}

// randomTasks makes up to two asynchronous tracks, with names unique in the process: their spans
// overlap.
func randomTasks(t *rapid.T, s *store.Session, processes []string) {
	for i := range rapid.IntRange(0, 2).Draw(t, "tasks") {
		id := model.TrackID(s.NumTracks())
		def := model.TrackDef{
			ID: id, Name: fmt.Sprint("Loads ", i), Kind: model.TrackAsync, Object: model.NoObject, Peer: model.NoObject,
			Process: rapid.SampledFrom(processes).Draw(t, "process"),
		}
		if object := randomObject(t, s); object != model.NoObject {
			def.Kind, def.Object = model.TrackElement, object
		}
		s.Apply(def)
		b, at := model.Batch{Track: id}, int64(0)
		for lane := range uint16(rapid.IntRange(0, 3).Draw(t, "under way")) {
			at += rapid.Int64Range(1, 300_000).Draw(t, "begin")
			path := model.PathID(rapid.IntRange(1, len(spanNames)).Draw(t, "path"))
			b.Spans = append(b.Spans, model.Span{
				Begin: at, End: at + rapid.Int64Range(400_000, 900_000).Draw(t, "ns"), Path: path, Lane: lane,
				Flags: rapid.SampledFrom([]model.SpanFlags{0, model.SpanOpenBegin, model.SpanOpenEnd, trace.Open}).Draw(t, "open"),
			})
		}
		randomArgs(t, &b)
		s.Append(&b)
	}
}

// randomSeries makes series of all kinds, of threads, of processes by their names, and without an
// owner.
func randomSeries(t *rapid.T, s *store.Session) {
	for i := range model.SeriesID(rapid.IntRange(0, 4).Draw(t, "series")) {
		def := model.SeriesDef{
			ID: i, Name: rapid.SampledFrom([]string{"", "used", "game used", "editor", "a: \"b\"\n"}).Draw(t, "name"),
			Group: rapid.SampledFrom([]string{"memory", "load", "ü"}).Draw(t, "group"),
			Unit:  rapid.SampledFrom([]string{"", "ns", "B", "%", "ms", "°C"}).Draw(t, "unit"),
			Kind:  model.SeriesKind(rapid.IntRange(0, int(model.SeriesEvent)).Draw(t, "kind")),
			Track: model.NoTrack, Object: randomObject(t, s), Peer: randomObject(t, s),
			Role: rapid.SampledFrom([]model.SeriesRole{model.RoleNone, model.RoleLatency, model.RoleFlow, model.RoleLevel}).Draw(t, "role"),
		}
		if rapid.Bool().Draw(t, "of a track") {
			def.Track = model.TrackID(rapid.IntRange(0, s.NumTracks()-1).Draw(t, "track"))
		}
		value := func() float64 { return float64(rapid.IntRange(-1e6, 1e6).Draw(t, "value")) / 8 }
		if def.Kind == model.SeriesState {
			def.States = []string{"off", "on", "\x01"}
			value = func() float64 { return float64(rapid.IntRange(0, 2).Draw(t, "state")) }
		}
		s.Apply(def)
		b := model.Batch{Track: model.NoTrack}
		for at := range int64(rapid.IntRange(1, 5).Draw(t, "samples")) {
			v := value()
			if at > 0 && rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
				v = math.NaN() // no value from here on
			}
			b.Samples = append(b.Samples, model.Sample{Series: i, Time: 100 + at*1_234_567, Value: v})
		}
		s.Append(&b)
	}
}

// randomObjects makes up to four objects, in others or not, and links between them.
func randomObjects(t *rapid.T, s *store.Session) {
	n := rapid.IntRange(0, 4).Draw(t, "objects")
	ns := func(what string) int64 {
		return rapid.SampledFrom([]int64{model.TimeUnknown, 0, 1_234_567}).Draw(t, what)
	}
	for id := range model.ObjectID(n) {
		s.Apply(model.ObjectDef{
			ID: id, Parent: model.ObjectID(rapid.IntRange(-1, int(id)-1).Draw(t, "in")), Name: rapid.SampledFrom(messageTexts).Draw(t, "name"),
			Kind:      model.ObjectKind(rapid.IntRange(0, int(model.ObjectOther)).Draw(t, "kind")),
			Direction: model.PadDirection(rapid.IntRange(0, int(model.PadSink)).Draw(t, "direction")),
			Color:     model.RGB{R: 1, G: 2, B: 255, Set: rapid.Bool().Draw(t, "color")}, Created: ns("created"), Gone: ns("gone"),
		})
	}
	for id := range model.LinkID(rapid.IntRange(0, n).Draw(t, "links")) {
		s.Apply(model.LinkDef{
			ID: id, From: randomObject(t, s), To: randomObject(t, s), Since: ns("since"), Until: ns("until"), Flow: model.NoSeries, Media: "a/b",
		})
	}
}

// randomObject is one that there is, or none.
func randomObject(t *rapid.T, s *store.Session) model.ObjectID {
	return model.ObjectID(rapid.IntRange(-1, len(s.Topology().Objects())-1).Draw(t, "object"))
}

// randomArgs gives some spans of a batch arguments, of names that are other things elsewhere.
func randomArgs(t *rapid.T, b *model.Batch) {
	for i := range b.Spans {
		for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "arguments") {
			b.Args = append(b.Args, model.Arg{
				Span: int32(i), Key: rapid.SampledFrom([]string{"n", "a.b[0]", "message", "frame_ns", "ü \"\x01"}).Draw(t, "key"),
				Value: rapid.SampledFrom([]model.ArgValue{
					model.IntArg(math.MinInt64), model.IntArg(7), model.FloatArg(1e300), model.FloatArg(-0.1), model.TextArg(""),
					model.TextArg("null"), model.TextArg("[1,\"\\\n"),
				}).Draw(t, "value"),
			})
		}
	}
}

// randomFrames makes frames without content.
func randomFrames(t *rapid.T, odd bool) (list []model.Batch) {
	at, number := rapid.Int64Range(0, 1e6).Draw(t, "first"), rapid.Int64Range(0, 5).Draw(t, "number")
	if odd && rapid.Bool().Draw(t, "below 0") {
		number -= 3
	}
	for range rapid.IntRange(0, 8).Draw(t, "frames") {
		end := at + rapid.Int64Range(1, 2_000_000).Draw(t, "length")
		list = append(list, model.Batch{HasFrame: true, Number: number, Begin: at, End: end})
		number += rapid.SampledFrom([]int64{1, 1, 1, 2, 40}).Draw(t, "step")
		how := rapid.IntRange(0, 4).Draw(t, "next")
		switch {
		case how == 0:
			end += rapid.Int64Range(1, 500_000).Draw(t, "gap")
		case how == 1 && odd:
			end = rapid.Int64Range(at, end).Draw(t, "lap")
		case how == 2 && odd && rapid.IntRange(0, 9).Draw(t, "back") == 0:
			end = rapid.Int64Range(0, at).Draw(t, "to")
		}
		at = end
	}
	return list
}

// thread makes the content of a random thread.
type thread struct {
	t     *rapid.T
	s     *store.Session
	id    model.TrackID
	names int
	odd   bool
}

// append appends frames with random spans and messages. Each of overlapping frames has the spans that
// begin in it before the next one begins, as readers of formats assume.
func (x thread) append(list []model.Batch) {
	spans := x.spans()
	if x.odd && rapid.Bool().Draw(x.t, "lapping") {
		spans = x.lapping(spans)
	}
	take := func(b *model.Batch, before int64) bool {
		for len(spans) > 0 && spans[0].Begin < before {
			b.Spans, spans = append(b.Spans, spans[0]), spans[1:]
		}
		return len(b.Spans) > 0
	}
	loose := func(before int64) {
		if b := (model.Batch{Track: x.id}); take(&b, before) {
			randomArgs(x.t, &b)
			x.s.Append(&b)
		}
	}
	for i, b := range list {
		loose(b.Begin)
		to := b.End
		if i+1 < len(list) {
			to = min(to, list[i+1].Begin)
		}
		b.Track = x.id
		take(&b, to)
		randomArgs(x.t, &b)
		if x.odd {
			x.figures(&b)
		}
		x.s.Append(&b)
	}
	loose(math.MaxInt64)
	b := model.Batch{Track: x.id}
	for at := range int64(rapid.IntRange(0, 3).Draw(x.t, "messages")) {
		b.Messages = append(b.Messages, model.Message{
			Time: at * 777_777, Text: rapid.SampledFrom(messageTexts).Draw(x.t, "text"), Severity: model.SeverityInfo,
		})
	}
	x.s.Append(&b)
}

// figures gives a frame counter values, and figures that differ from its spans.
func (x thread) figures(b *model.Batch) {
	for c := range model.CollectorID(x.names + 1) {
		if rapid.IntRange(0, 3).Draw(x.t, "alone") == 0 {
			b.Self = append(b.Self, model.CollectorTime{
				Collector: c, Ns: rapid.Int64Range(-5, 1e6).Draw(x.t, "ns"), Count: rapid.Int32Range(0, 3).Draw(x.t, "starts"),
			})
		}
		if rapid.IntRange(0, 5).Draw(x.t, "level") == 0 {
			b.Levels = append(b.Levels, model.Level{
				Collector: c, Time: b.Begin + rapid.Int64Range(0, b.End-b.Begin).Draw(x.t, "at"), Value: float64(c) / 4,
			})
		}
	}
	slices.SortStableFunc(b.Levels, func(a, b model.Level) int { return cmp.Compare(a.Time, b.Time) })
}

// lapping makes calls that outlive their callers, in their own rows: at first as callees, then,
// perhaps, without a caller.
func (x thread) lapping(list []model.Span) (out []model.Span) {
	free := int64(math.MinInt64)
	for i := range list {
		out = append(out, list[i])
		s := &list[i]
		if s.Lane > 0 || s.Begin < free || rapid.IntRange(0, 3).Draw(x.t, "laps") > 0 {
			continue
		}
		begin := rapid.Int64Range(s.Begin, s.End-1).Draw(x.t, "begin")
		free = s.End + rapid.Int64Range(1, 1_000_000).Draw(x.t, "longer")
		callee := rapid.IntRange(0, x.names-1).Draw(x.t, "callee")
		lap := model.Span{
			Begin: begin, End: free, Path: model.PathID(x.names + 1 + (int(s.Path)-1)*x.names + callee), Lane: 2,
		}
		if rapid.Bool().Draw(x.t, "moves") {
			rest := lap
			lap.End, rest.Begin, rest.Path, rest.Flags = s.End, s.End, model.PathID(callee+1), model.SpanMoves
			out = append(out, rest)
		}
		out = append(out, lap)
	}
	slices.SortStableFunc(out, func(a, b model.Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.End, b.End))
	})
	return out
}

// spans makes calls, and calls in them.
func (x thread) spans() (out []model.Span) {
	at := rapid.Int64Range(0, 2e6).Draw(x.t, "begin")
	for range rapid.IntRange(0, 12).Draw(x.t, "spans") {
		path := rapid.IntRange(1, x.names).Draw(x.t, "path")
		end := at + rapid.Int64Range(1, 1_500_000).Draw(x.t, "ns")
		out = append(out, model.Span{Begin: at, End: end, Path: model.PathID(path)})
		for in := at; in < end && rapid.Bool().Draw(x.t, "calls"); {
			to := rapid.Int64Range(in, end).Draw(x.t, "to")
			callee := x.names + 1 + (path-1)*x.names + rapid.IntRange(0, x.names-1).Draw(x.t, "callee")
			out = append(out, model.Span{Begin: in, End: to, Path: model.PathID(callee), Lane: 1})
			in = to
		}
		at = end + rapid.SampledFrom([]int64{0, 0, 1, 300_000}).Draw(x.t, "pause")
	}
	return out
}
