package perfscript

import (
	"context"
	"errors"
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
		Writers: "Linux's `perf script`",
		Ends:    []string{".txt"},
	}
}

// sniffer counts the kinds of lines at the begin of a file.
type sniffer struct {
	headers, frames, odds, singles int
	now                            int
}

func (s *sniffer) begin(*header) { s.headers++; s.now = 0 }

func (s *sniffer) frame(*frame) { s.frames++; s.now++ }

func (s *sniffer) end() {
	if s.now == 1 {
		s.singles++
	}
}

func (s *sniffer) comment([]byte) {}

func (s *sniffer) lost(int64) {}

func (s *sniffer) odd() { s.odds++ }

func (s *sniffer) harmed() { s.odds++ }

func (s *sniffer) harmedFirst() { s.odds++ }

// Sniff implements feed.Source: headers with frames below them, or three of them with one each, and
// little else.
func (Source) Sniff(head []byte, _ string) bool {
	const looked = 200
	var s sniffer
	p := parser{to: &s}
	count := 0
	for _, line := range trace.Head(head, feed.Whole(head), 4*looked) {
		if count < looked {
			p.line([]byte(line))
		}
		if t := strings.TrimSpace(line); t != "" && t[0] != '#' {
			count++
		}
	}
	p.close()
	return s.headers > 0 && s.frames > 0 && (s.frames > s.singles || s.singles >= 3) && s.odds <= (s.headers+s.frames)/4
}

// OpenFile implements feed.Source. It counts and reports lines that are neither; a file without any
// sample is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	d := newDecoder(feed.Until(ctx, sink), path, "")
	d.info.File = true
	_, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		d.lines.Write(part)
		sink.Progress(min(done, total), total)
		if d.out.Cancelled() {
			return feed.ErrCancelled
		}
		return nil
	})
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
	return &stream{d: newDecoder(sink, o.Name, o.Program), sink: sink}
}

// stream is a decoder that gets its text as it comes.
type stream struct {
	d     *decoder
	sink  feed.Sink
	idles int
}

// quiet is after how many times of nothing samples are shown that might still be put in order: half
// a second.
const quiet = 10

func (s *stream) Write(p []byte) (int, error) {
	s.idles = 0
	s.d.lines.Write(p)
	if s.d.out.Cancelled() {
		return len(p), feed.ErrCancelled
	}
	return len(p), nil
}

func (s *stream) Idle() {
	if s.idles++; s.idles == quiet {
		s.d.release(maxTime)
		s.d.tellInfo()
	}
	s.d.out.Flush()
}

func (s *stream) Close(reason string) {
	s.d.finish(nil)
	s.d.room.Close()
	if reason == "" {
		reason = "end of the stream"
	}
	s.sink.Define(model.End{Reason: reason})
}
