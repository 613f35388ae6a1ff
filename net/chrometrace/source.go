package chrometrace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens files of Chrome Trace Event JSON, compressed or not. It implements feed.Source.
type Source struct {
	// Frames is the name of the spans of threads that are frames.
	Frames feed.Frames
}

// Name implements feed.Source.
func (Source) Name() string { return "Chrome trace JSON" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Chrome traces",
		Writers: "Chromium, Node, clang `-ftime-trace`, viztracer, Bevy, many engines",
		Ends:    []string{".json", ".trace"},
		Chosen:  true,
	}
}

// Kind is the name of the format in model.Info.
func (Source) Kind() string { return Kind }

// ownKeys are the keys beside the events that no other format has.
var ownKeys = []string{
	"traceEvents", "displayTimeUnit", "controllerTraceDataKey", "systemTraceEvents", "viztracer_metadata",
}

// Sniff implements feed.Source: it accepts an array of objects that have a phase in one of them, or an object with
// a key that only this format has.
func (Source) Sniff(head []byte, _ string) bool {
	r := trace.ReaderOf(head)
	if r.Peek() == '[' {
		return phased(head[r.At()+1:])
	}
	found := false
	r.Object(func(key []byte) { found = found || slices.Contains(ownKeys, string(key)) })
	return found
}

// phased reports whether a list of events begins with b: the first may be empty, or have no phase, and one that is
// longer than b is an event by what else it has.
func phased(b []byte) bool {
	for {
		var ev event
		if b = bytes.TrimLeft(b, " \t\r\n,"); len(b) == 0 || b[0] != '{' {
			return false
		}
		n, got := ev.scan(b)
		switch {
		case got == trace.Garbage:
			return false
		case ev.ph != 0:
			return true
		case got == trace.Partial:
			return ev.ts != nil || ev.pid != nil || ev.tid != nil
		}
		b = b[n:]
	}
}

var _ feed.Patient = Source{}

// Undecided implements feed.Patient: of every JSON that is not at its end, blanks before it among
// them, but no NULs alone; for all sources of JSON.
func (Source) Undecided(head []byte) bool {
	r := trace.ReaderOf(head)
	switch c := r.Peek(); {
	case c == 0 && bytes.IndexByte(head, 0) >= 0, c != 0 && c != '{' && c != '[':
		return false
	}
	r.Skip()
	return errors.Is(r.Err(), trace.ErrCut)
}

var _ feed.Hinter = Source{}

// Hint implements feed.Hinter: what all of JSON lacks that no source of JSON recognises.
func (Source) Hint(head []byte, _ string) string {
	r := trace.ReaderOf(head)
	if c := r.Peek(); !feed.Whole(head) || c != '{' && c != '[' {
		return ""
	}
	if r.Skip(); r.End() != nil {
		return ""
	}
	return "it is valid JSON without events: neither a Chrome trace, nor a profile of V8, speedscope or the Firefox " +
		"Profiler"
}

// OpenFile implements feed.Source. Damage is reported in the session, and all before it is shown. An error is a
// file that could not be read or unpacked to its end, or that has no events.
func (o Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	file, err := feed.OpenParts(ctx, path, sink.Progress)
	if err != nil {
		return feed.End(ctx, path, sink, err)
	}
	defer file.Close()
	d := newDecoder(feed.Until(ctx, sink), room, path, o.Frames)
	d.text.read(file)
	if ctx.Err() == nil {
		broken, ended := d.finish()
		err = cmp.Or(broken, ended)
	}
	if d.b.Cancelled() {
		err = feed.ErrCancelled
	}
	return feed.End(ctx, path, sink, err)
}

// programOf guesses the name of a program from that of its trace.
func programOf(path string) string { return feed.Stem(path, ".json", ".trace", ".chrometrace") }
