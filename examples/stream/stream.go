// Package stream is an example of a source that is followed while the program writes it: a log of calls, with
// frames, values and flows.
package stream

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const first = "# calls 2"

// Source opens such logs, and follows them.
type Source struct{}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "growing log of calls" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{Title: "Growing logs of calls", Writers: "nobody but the test", Ends: []string{".calls"}}
}

// Sniff implements feed.Source: the first line identifies the format.
func (Source) Sniff(head []byte, _ string) bool { return strings.HasPrefix(string(head), first+"\n") }

// OpenFile implements feed.Source: a file is a stream that ends.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	r := newReader(feed.Until(ctx, sink), model.Info{Program: filepath.Base(path), Peer: path, File: true})
	err := trace.ReadLines(ctx, path, &r.lines, sink.Progress) // gzip and zstd undone
	if r.finish(err); err == nil && !r.any {
		err = errors.New("has no calls")
	}
	return feed.End(ctx, path, sink, err)
}

// NewStream implements feed.Streamer.
func (Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	return newReader(sink, model.Info{Program: cmp.Or(o.Program, filepath.Base(o.Name)), Peer: o.Name})
}

type reader struct {
	sink    feed.Sink
	room    *feed.Names // bounds names and calls
	names   *trace.Table
	out     *trace.StackWriter
	bad     trace.Diagnostics
	lines   trace.Cutter
	any     bool
	threads map[string]*thread
	series  map[string]model.SeriesID
	flows   map[string]model.Flow // that began and did not end
	frame   trace.StackFrame      // that goes on; of number 0 none does
	newest  int64
}

type thread struct {
	*trace.StackThread
	track model.TrackID
	depth int
	used  bool // in the frame that goes on
}

func newReader(sink feed.Sink, info model.Info) *reader {
	info.Source, info.PID = "callstream", -1
	r := &reader{
		sink: sink, room: feed.NamesOf(sink), bad: trace.Diagnostics{Unit: "line"}, threads: map[string]*thread{},
		series: map[string]model.SeriesID{}, flows: map[string]model.Flow{},
	}
	r.names = trace.NewTable(sink, r.room, "All calls")
	r.out = trace.NewStackWriter(r.names, &r.bad)
	r.lines.Long = func() { r.bad.Bad(trace.LongLine, r.lines.N) }
	r.lines.Take = func(line []byte) {
		if r.lines.N > 1 && !r.event(strings.Fields(string(line))) {
			r.bad.Bad(trace.BadLine, r.lines.N)
		}
	}
	sink.Define(info)
	sink.Define(model.FlowDef{Name: "job"})
	return r
}

// event takes a line: a thread, a kind, a time in ns, and what that kind has besides. The thread of a frame is "-".
func (r *reader) event(f []string) bool {
	if len(f) < 3 || len(f) == 3 && f[1] != "end" && f[1] != "frame" {
		return false
	}
	ns, err := strconv.ParseInt(f[2], 10, 60)
	if err != nil || f[1] == "frame" {
		return err == nil && r.nextFrame(ns)
	}
	t := r.thread(f[0])
	if t == nil {
		return false
	}
	ns = max(ns, r.frame.Begin, t.Last()) // times of a thread go up
	r.any, t.used, r.newest = true, true, max(r.newest, ns)
	switch f[1] {
	case "begin":
		t.Enter(ns, r.names.Path(t.Path(), r.names.Collector([]byte(f[3]))), 0)
		t.depth++
		for _, arg := range f[4:] {
			key, value, _ := strings.Cut(arg, "=")
			t.Arg(model.Arg{Key: trace.Shown(key), Value: model.TextArg(trace.Shown(value))})
		}
	case "end":
		if t.depth == 0 {
			return false
		}
		t.depth--
		t.Leave(ns, false)
	case "counts":
		value, err := strconv.ParseFloat(f[len(f)-1], 64)
		id, known := r.series[f[3]]
		if err != nil || !known && !r.room.Take(int64(256+len(f[3]))) {
			return false
		}
		if !known {
			id = r.out.Series(model.SeriesDef{Name: trace.Shown(f[3]), Group: trace.Shown(f[3]), Track: model.NoTrack})
			r.series[f[3]] = id
		}
		t.Value(model.Sample{Series: id, Time: ns, Value: value})
	case "sends":
		if _, again := r.flows[f[3]]; !again && !r.room.Take(int64(128+len(f[3]))) {
			return false
		}
		r.flows[f[3]] = model.Flow{From: ns, FromTrack: t.track, FromLane: model.NoLane, ToLane: model.NoLane}
	case "gets":
		flow, began := r.flows[f[3]]
		if !began {
			r.bad.Bad(trace.FlowWithoutBegin, r.lines.N)
			return true
		}
		delete(r.flows, f[3])
		r.room.Give(int64(128 + len(f[3])))
		b := r.sink.Begin() // an arrow belongs to the track where it ends
		flow.To, b.Track = ns, t.track
		b.Flows = append(b.Flows, flow)
		r.sink.Publish(b)
	default:
		return false
	}
	return true
}

// thread returns the thread of a name, nil where there is no room. The first is the main thread.
func (r *reader) thread(name string) *thread {
	t := r.threads[name]
	if t == nil {
		id, ok := r.names.Track(name, model.TrackDef{Name: name, Main: len(r.threads) == 0})
		if !ok {
			return nil
		}
		t = &thread{StackThread: r.out.Calls(id), track: id}
		if r.threads[name] = t; r.frame.Number > 0 {
			t.Frames(nil) // they come by Frame
		}
	}
	return t
}

// nextFrame ends the frame that goes on, and begins the next. Until then its calls wait: a frame is published whole.
func (r *reader) nextFrame(ns int64) bool {
	if r.frame.Number > 0 && ns < r.newest {
		return false
	}
	for _, t := range r.threads {
		t.Flush(ns)
		if r.frame.End = ns; r.frame.Number == 0 {
			t.Frames(nil)
		} else if t.used || t.depth > 0 {
			t.Frame(r.frame)
		}
		t.used = false
	}
	r.frame, r.newest = trace.StackFrame{Number: r.frame.Number + 1, Begin: ns}, max(r.newest, ns)
	return true
}

// Write implements feed.Stream.
func (r *reader) Write(p []byte) (int, error) {
	if r.lines.Write(p); r.out.Cancelled() {
		return len(p), feed.ErrCancelled
	}
	return len(p), nil
}

// Idle implements feed.Stream: what came is shown.
func (r *reader) Idle() { r.out.Flush() }

// Close implements feed.Stream.
func (r *reader) Close(reason string) {
	r.lines.Close()
	r.finish(nil)
	r.sink.Define(model.End{Reason: reason})
}

// finish publishes the rest and the diagnostics.
func (r *reader) finish(err error) {
	for _, t := range r.threads {
		for ; t.depth > 0; t.depth-- {
			t.Leave(r.newest, true)
		}
		if f := r.frame; f.Number > 0 && t.used {
			f.End, f.Open = r.newest, true
			t.Frame(f)
		}
	}
	r.out.Close()
	r.names.Report()
	r.bad.Broken(err)
	r.lines.NULs.Report(r.sink.Define)
	r.bad.Define(r.sink.Define, r.room)
	r.room.Close()
}
