// Package source is the example of a source in CONTRIBUTING.md: logs of calls, an event a line.
//
//	# calls 1
//	main begin 0 frame
//	main begin 100 draw mesh=tree
//	main sends 150 job1
//	main end 900 draw
//	worker gets 200 job1
//	main counts 950 triangles 1200
//	main end 1000 frame
package source

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const first = "# calls 1"

// Source opens such logs.
type Source struct {
	// Frames selects the calls that are frames.
	Frames feed.Frames
}

// Name implements feed.Source.
func (Source) Name() string { return "log of calls" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{Title: "Logs of calls", Writers: "nobody but the test", Ends: []string{".calls"}, Chosen: true}
}

// Sniff implements feed.Source: the first line identifies the format.
func (Source) Sniff(head []byte, _ string) bool { return strings.HasPrefix(string(head), first+"\n") }

// OpenFile implements feed.Source.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, s.open(ctx, path, sink)) // ends the session in any case
}

func (s Source) open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink) // bounds names and events
	defer room.Close()
	b := trace.NewBuilder(sink, room, trace.Options{
		Root: "All calls", Frames: s.Frames, FrameNames: []string{"frame"}, LeastFrames: 2,
	})
	b.Info = model.Info{Source: "calls", Program: "example", Peer: path, PID: -1, File: true}
	b.Bad.Unit = "line"
	var lines trace.Cutter // bounds the lines, and knows UTF-16 and CRLF
	lines.Long = func() { b.Bad.Bad(trace.LongLine, lines.N) }
	lines.Take = func(line []byte) {
		if lines.N > 1 && !event(b, strings.Fields(string(line)), lines.N) {
			b.Bad.Bad(trace.BadLine, lines.N)
		}
	}
	err := trace.ReadLines(ctx, path, &lines, sink.Progress) // gzip and zstd undone
	lines.NULs.Report(sink.Define)
	if b.Empty() {
		b.CloseEmpty()
		return errors.Join(err, errors.New("has no calls"))
	}
	return errors.Join(err, b.Close(nil)) // data before an error stay
}

// event takes a line: a thread, a kind, a time in ns, a name, and what that kind has besides.
func event(b *trace.Builder, f []string, line int64) bool {
	if len(f) < 4 {
		return false
	}
	ns, err := strconv.ParseInt(f[2], 10, 60)
	t := b.Thread(nil, []byte(f[0]))
	if err != nil || t == nil {
		return false
	}
	name, more := b.Symbol([]byte(f[3])), f[4:]
	t.Name = f[0]
	switch f[1] {
	case "begin":
		call := t.Begin(ns, name)
		for _, arg := range more {
			key, value, _ := strings.Cut(arg, "=")
			b.Args.Text(call, []byte(key), trace.Plain([]byte(value)))
		}
	case "end":
		t.End(ns, name)
	case "says":
		t.Note(ns, trace.Note{Text: name, Category: trace.EmptySymbol, Object: trace.EmptySymbol})
	case "sends", "gets":
		role := map[string]trace.FlowRole{"sends": trace.FlowBegins, "gets": trace.FlowEnds}[f[1]]
		t.Flow(ns, trace.Flow{Key: []byte(f[3]), Name: name, Role: role})
	case "counts":
		value, err := strconv.ParseFloat(strings.Join(more, ""), 64)
		if err != nil {
			return false
		}
		b.Value(b.Counter(t.Process(), []byte(f[3]), func() model.SeriesDef {
			return model.SeriesDef{Group: f[3], Kind: model.SeriesGauge}
		}), ns, value, line)
	default:
		return false
	}
	return true
}
