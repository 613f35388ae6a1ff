package perfscript

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens output of perf script. It implements feed.Source and feed.Streamer.
type Source struct{}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "perf script" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "perf script",
		Writers: "Linux's `perf script`, Android's simpleperf",
		Ends:    []string{".txt"},
	}
}

// Sniff implements feed.Source: headers with frames below them, or with an event and a frame with its DSO behind, or
// three with a frame each, or three with an event, and little else. Some frame is for sure one, and not a row of
// another table.
func (Source) Sniff(head []byte, _ string) bool {
	const looked = 200
	var p parser
	var counts [badLine + 1]int
	singles, events, looks, placed, real := 0, 0, 0, false, false
	for _, line := range trace.Head(head, feed.Whole(head), 4*looked) {
		if t := strings.TrimSpace(line); t == "" || t[0] != '#' {
			looks++
		}
		if looks > looked {
			break
		}
		kind := p.read([]byte(line))
		counts[kind]++
		real = real || (kind == frameLine || p.single) && p.f.isSure()
		if kind == sampleLine && p.single {
			singles++
			placed = placed || p.f.dso != nil && p.h.event != nil
		}
		if kind == sampleLine && p.h.event != nil {
			events++
		}
		if p.first {
			counts[sampleLine]++
		}
	}
	if counts[frameLine]+singles == 0 {
		return events >= 3 && 4*(counts[badLine]+counts[sampleLine]-events) <= events
	}
	good := counts[sampleLine] + counts[frameLine] + singles
	return real && counts[sampleLine] > 0 && (counts[frameLine] > 0 || singles >= 3 || placed) && 4*counts[badLine] <= good
}

// OpenFile implements feed.Source. It counts and reports lines that are neither; a file without any
// sample is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	d := newDecoder(feed.Until(ctx, sink), path, filepath.Base(path))
	d.info.File = true
	err := feed.Copy(ctx, path, sink.Progress, d)
	if ctx.Err() == nil {
		d.finish(err)
	}
	d.room.Close()
	switch {
	case err == nil && d.out.Cancelled():
		err = feed.ErrCancelled
	case err == nil && d.samples == 0:
		err = errors.New("none of its lines is a sample")
	}
	return feed.End(ctx, path, sink, err)
}

// NewStream implements feed.Streamer.
func (Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	return newDecoder(sink, o.Name, cmp.Or(o.Program, filepath.Base(o.Name)))
}

// quiet is after how many times of nothing samples are shown that might still be put in order: half
// a second.
const quiet = 10

// Write implements feed.Stream.
func (d *decoder) Write(p []byte) (int, error) {
	d.idles = 0
	d.lines.Write(p)
	if d.out.Cancelled() {
		return len(p), feed.ErrCancelled
	}
	return len(p), nil
}

// Idle implements feed.Stream.
func (d *decoder) Idle() {
	if d.idles++; d.idles == quiet {
		d.release(maxTime)
		d.reportInfo()
	}
	d.out.Flush()
}

// Close implements feed.Stream.
func (d *decoder) Close(reason string) {
	d.finish(nil)
	d.room.Close()
	d.sink.Define(model.End{Reason: cmp.Or(reason, "end of the stream")})
}
