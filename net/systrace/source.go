// Package systrace reads the text of the Linux kernel's trace (ftrace): what atrace, systrace, trace_pipe and trace-cmd
// report write, alone or within systrace's HTML. It hands lines to an ftrace.Kernel.
package systrace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/ftrace"
	"framescope/net/trace"
)

// Kind is what sessions of the source are called in model.Info.
const Kind = "systrace"

// Source opens such texts. It implements feed.Source.
type Source struct {
	// Frames is the name of the thread spans that are frames.
	Frames feed.Frames
}

// Name implements feed.Source.
func (Source) Name() string { return "systrace text" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Systrace",
		Writers: "Android's atrace and systrace, trace-cmd report, the kernel's trace_pipe",
		Ends:    []string{".systrace", ".ftrace", ".html"},
		Chosen:  true,
	}
}

// Sniff implements feed.Source: a page of systrace says so, a text has the kernel's header or lines of events.
func (Source) Sniff(head []byte, _ string) bool {
	if isPage(head) {
		marks := []string{"# tracer:", "Android System Trace", `class="trace-data"`}
		return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(head, []byte(mark)) })
	}
	const most, enough = 64, 2
	events := 0
	list := trace.Head(head, len(head) < feed.HeadSize, most)
	for i, text := range list {
		var l line
		switch {
		case strings.HasPrefix(text, "# tracer:"):
			return true
		case l.read([]byte(text)):
			events++
		case i == 0 && !isHeader(text):
			return false
		}
	}
	return events >= min(enough, len(list)) && events > 0
}

// isPage reports whether a text is HTML.
func isPage(head []byte) bool {
	begin := bytes.ToLower(bytes.TrimSpace(head[:min(len(head), 64)]))
	return bytes.HasPrefix(begin, []byte("<!doctype html")) || bytes.HasPrefix(begin, []byte("<html"))
}

// isHeader reports whether a line may stand before the events of a text.
func isHeader(text string) bool {
	begins := []string{"#", "cpus=", "version =", "TRACE:", "capturing trace", "CPU "}
	return strings.TrimSpace(text) == "" ||
		slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(text, begin) })
}

// OpenFile implements feed.Source. Damage is reported in the session, and all else is shown.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, s.open(ctx, path, sink))
}

func (s Source) open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	b := trace.NewBuilder(feed.Until(ctx, sink), room, trace.Options{
		Root: "All spans", Frames: s.Frames, FrameNames: ftrace.FrameNames, LeastFrames: 10, DeepestFrame: 3,
		MainThreads: true, FramesOf: "span of a thread",
	})
	b.Info = model.Info{
		Source: Kind, Program: feed.Stem(path, Source{}.About().Ends...), Peer: path, PID: -1, Version: "systrace text",
		File: true,
	}
	b.Bad.Unit = "line"
	sink.Define(b.Info)
	d := &decoder{b: b, sink: sink, kernel: ftrace.New(b, room)}
	d.lines.Take, d.lines.Long = d.line, d.long
	err := trace.ReadLines(ctx, path, &d.lines, sink.Progress)
	if ctx.Err() != nil {
		return err
	}
	return d.finish(err)
}

// decoder hands the lines of a text to a kernel.
type decoder struct {
	b      *trace.Builder
	sink   feed.Sink
	kernel *ftrace.Kernel
	lines  trace.Cutter
	page   bool  // it is HTML
	inside bool  // of the kernel's part
	dump   *dump // of processes, that is read
	events int64
	lost   int64
}

// long takes a line that is too long.
func (d *decoder) long() {
	if d.inside {
		d.b.Bad.Bad(trace.LongLine, d.lines.N)
	}
}

// line takes a line. In a page those outside of the kernel's part are none of it.
func (d *decoder) line(text []byte) {
	if d.lines.N == 1 {
		d.page = isPage(text)
	}
	for _, end := range []string{`\n\`, `\n";`} { // of a text within a script
		text = bytes.TrimSuffix(text, []byte(end))
	}
	var l line
	switch {
	case bytes.HasPrefix(text, []byte("#")):
		d.inside = d.inside || bytes.HasPrefix(text, []byte("# tracer:"))
		d.header(text)
	case d.page && bytes.Contains(text, []byte("</script>")):
		d.inside, d.dump = false, nil
	case (d.inside || !d.page) && l.read(text):
		d.inside = true
		d.events++
		d.kernel.Place = d.lines.N
		l.give(d.kernel)
	case bytes.HasPrefix(text, []byte("USER")):
		d.dump = newDump(text)
	case d.dump != nil:
		d.dump.take(d.kernel, text)
	case len(bytes.TrimSpace(text)) == 0 || !d.inside:
	case bytes.HasPrefix(text, []byte("CPU:")) && bytes.Contains(text, []byte(" [LOST ")):
		d.loses(text)
	case d.lines.Unended:
		d.b.Bad.Bad(trace.Cut, d.lines.N)
	case !isHeader(string(text)):
		d.b.Bad.Bad(trace.BadLine, d.lines.N)
	}
}

// header takes how many events the kernel kept of those that there were.
func (d *decoder) header(text []byte) {
	_, counts, ok := bytes.Cut(text, []byte("entries-in-buffer/entries-written:"))
	kept, written, whole := bytes.Cut(counts, []byte("/"))
	if !ok || !whole {
		return
	}
	has, _ := leading(bytes.TrimSpace(kept))
	of, _ := leading(written)
	d.lost += max(of-has, 0)
}

// loses takes that the kernel overwrote events of a processor before they were read.
func (d *decoder) loses(text []byte) {
	cpu, n, _ := bytes.Cut(text[len("CPU:"):], []byte(" [LOST "))
	number, _ := leading(cpu)
	lost, _ := leading(n)
	d.lost += max(lost, 1)
	d.kernel.Lost(int32(number), d.kernel.Len())
}

// leading returns the number that a text begins with, and what follows.
func leading(text []byte) (v int64, rest []byte) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	v, _ = strconv.ParseInt(string(text[:n]), 10, 32)
	return v, text[n:]
}

// finish publishes the events. broken is why the text could not be read to its end, or nil.
func (d *decoder) finish(broken error) error {
	d.lines.NULs.Report(d.sink.Define)
	d.kernel.Finish(host{d.b})
	trace.Lose(d.sink, model.LossSource, d.lost, "events of the kernel were overwritten before they were read")
	var unshown trace.Unshown
	d.kernel.Report(&unshown)
	unshown.Report(d.sink.Define)
	if d.b.Events() == 0 {
		d.b.CloseEmpty()
		return errors.Join(broken, fmt.Errorf("none of its %d events of the kernel is of a kind that is shown", d.events))
	}
	return errors.Join(d.b.Close(d.describe), broken)
}

// describe completes the info of the session.
func (d *decoder) describe(info *model.Info) {
	first := d.b.First()
	info.Detail = fmt.Sprintf("%d events; 0 is %d.%09d s of the kernel's clock", d.events, first/1e9, first%1e9)
	if d.kernel.Realtime != 0 {
		info.ZeroAt = model.DayTime{UnixNs: d.kernel.Realtime + first, StepNs: 1e6}
	}
	if d.kernel.Parent != 0 {
		info.Monotonic = d.kernel.Parent + first
	}
}

// host are the processes of a text.
type host struct{ b *trace.Builder }

// Thread implements ftrace.Host.
func (h host) Thread(group, id int32) *trace.Thread {
	return h.b.Thread([]byte(h.Process(group).ID), strconv.AppendInt(nil, int64(id), 10))
}

// Process implements ftrace.Host.
func (h host) Process(group int32) *trace.Process {
	if group == 0 {
		return h.b.Process(nil)
	}
	return h.b.Process(strconv.AppendInt(nil, int64(group), 10))
}

// Time implements ftrace.Host.
func (host) Time(_ uint32, ns int64) (int64, bool) { return ns, true }
