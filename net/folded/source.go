package folded

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens folded stacks. It implements feed.Source.
type Source struct{}

var _ feed.Patient = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "folded stacks" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Folded stacks",
		Writers: "stackcollapse, py-spy `-f raw`, async-profiler, bpftrace",
		Ends:    []string{".folded", ".collapsed", ".txt"},
	}
}

const (
	looked   = 50 // lines that are looked at
	fewLines = 3  // too few lines to recognise a text
)

// Sniff implements feed.Source: the text has no magic number, but at least two thirds of its lines are
// stacks with a count. With a file name of this format, one stack is enough.
func (Source) Sniff(head []byte, name string) bool {
	lines, stacks, deep := 0, 0, false
	for _, line := range trace.Head(head, feed.Whole(head), 4*looked) {
		if lines == looked || skipped([]byte(line)) {
			continue
		}
		lines++
		if frames, _, ok := parseLine([]byte(line)); ok {
			stacks++
			deep = deep || bytes.IndexByte(frames, ';') >= 0
		}
	}
	switch filepath.Ext(strings.TrimSuffix(name, ".gz")) {
	case ".folded", ".collapsed", ".stacks":
		return stacks > 0
	}
	return deep && 3*stacks >= 2*lines
}

// Undecided implements feed.Patient: the first lines of a text may be longer than head.
func (Source) Undecided(head []byte) bool {
	wide := bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
	if !wide && bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	lines := 0
	for _, line := range trace.Head(head, false, looked) {
		if !skipped([]byte(line)) {
			lines++
		}
	}
	return lines < fewLines
}

// OpenFile implements feed.Source. It counts and reports lines that are not stacks; a file without any
// stack is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	r := newReader(sink, path)
	defer r.Close()
	look := trace.Cutter{Take: r.look, Long: func() {}}
	broken := trace.ReadLines(ctx, path, &look, func(done, total int64) { sink.Progress(done/2, total) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.describe()
	again := trace.ReadLines(ctx, path, &r.lines, func(done, total int64) { sink.Progress(total/2+done/2, total) })
	broken = cmp.Or(again, broken)
	if r.stacks == r.Bad.Count(trace.LargeWeight) {
		return cmp.Or(broken, fmt.Errorf("none of its %d lines is a stack with a count", r.lines.N))
	}
	return cmp.Or(r.Finish(broken), broken)
}

// reader turns stacks into call paths with samples.
type reader struct {
	*trace.Profile
	lines   trace.Cutter
	stacks  int64
	single  bool // a stack has one count: else each has two, of before and after a change
	threads bool // the roots of stacks are threads, not functions
}

func newReader(sink feed.Sink, path string) *reader {
	r := &reader{Profile: trace.NewProfile(sink, model.Info{
		Source: "folded", Program: filepath.Base(path), Peer: path, Version: "folded stacks",
	})}
	r.Info.Sampling.Timeless = true
	r.Bad.Unit = "line"
	r.lines.Take = r.line
	r.lines.Long = func() { r.Bad.Bad(trace.LongLine, r.lines.N) }
	return r
}

// look takes a line the first time: whether all stacks have two counts must be known before.
func (r *reader) look(line []byte) {
	if kind, ok := parseWeights(line); ok {
		r.Kind = kind
	}
	r.threads = r.threads || string(bytes.TrimSpace(line)) == Threads
	if r.single || skipped(line) {
		return
	}
	if frames, _, ok := parseLine(line); ok {
		_, two := cutBefore(frames)
		r.single = !two
	}
}

// describe publishes the description of the file.
func (r *reader) describe() {
	r.Facts = append(r.Facts, r.Kind.Name+" without times")
	if !r.single {
		r.Facts = append(r.Facts, "of two counts, before and after a change, those after")
	}
	r.Define()
}

// line takes a line, the second time.
func (r *reader) line(line []byte) {
	if skipped(line) {
		return
	}
	frames, count, ok := parseLine(line)
	switch {
	case bytes.IndexByte(line, 0) >= 0:
		r.Bad.Bad(trace.NULBytes, r.lines.N)
	case ok:
		r.stack(frames, count)
	case r.lines.Unended && r.stacks > 0:
		r.Bad.Bad(trace.Cut, r.lines.N)
	default:
		r.Bad.Explain(trace.BadLine, r.lines.N, "%.60q", line)
	}
}

// stack takes a stack.
func (r *reader) stack(frames []byte, count float64) {
	r.stacks++
	if !r.single {
		frames, _ = cutBefore(frames)
	}
	track, frames := r.track(frames)
	path := model.PathRoot
	for depth, more := 0, true; more; depth++ {
		if depth == trace.MaxWeighed {
			r.Bad.Bad(trace.DeepStack, r.lines.N)
			break
		}
		var name []byte
		name, frames, more = bytes.Cut(frames, []byte{';'})
		path = r.Names.Path(path, r.collector(name))
	}
	r.Weigh(track, path, count, r.lines.N)
}

// collector returns the collector of a frame. The name may be empty.
func (r *reader) collector(name []byte) model.CollectorID {
	if len(name) > 0 {
		return r.Names.Collector(name)
	}
	return r.Names.Keyed([]byte{0}, func() model.CollectorDef { return model.CollectorDef{Name: "(empty)"} })
}
