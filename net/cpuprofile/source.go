package cpuprofile

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens profiles of V8, compressed or not. It implements feed.Source.
type Source struct{}

var _ feed.Source = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "V8 CPU profile" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "V8 profiles",
		Writers: "Node `--cpu-prof`, Chrome's DevTools",
		Ends:    []string{".cpuprofile"},
	}
}

// Sniff implements feed.Source: a list of nodes that are frames of calls, or a tree of them; or samples of a time,
// as nodes may be none, or far behind these. Heap profiles, which look alike, are recognised, so that their error
// says what they are.
func (Source) Sniff(head []byte, _ string) bool {
	if b := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"); len(b) == 0 || b[0] != '{' {
		return false
	}
	r := trace.NewReader(bytes.NewReader(head))
	found, other, start, list := false, false, false, false
	node := func() {
		other = true
		r.Object(func(key []byte) {
			if string(key) == "callFrame" || string(key) == "functionName" {
				found = true
				r.Stop(nil)
			}
		})
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "nodes":
			r.Array(node)
		case "head":
			node()
		case "startTime":
			start = r.Peek() != '"'
		case "samples", "timeDeltas":
			list = list || r.Peek() == '['
		}
		if other {
			r.Stop(errLooked)
		}
	})
	return found || !other && start && list
}

var errLooked = errors.New("what was looked for is there")

// OpenFile implements feed.Source. A file that is cut off is shown as far as it goes: in its samples,
// or in its tree, with what calls before the end counted. One that has no tree of calls is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	f, err := feed.OpenParts(ctx, path, sink.Progress)
	if err != nil {
		return err
	}
	defer f.Close()
	room := feed.NamesOf(sink)
	defer room.Close()
	p := newProfile(sink, room)
	r := trace.NewReader(f)
	p.read(r)
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case p.heap:
		return errors.New("is a heap profile: it has allocations, but no samples in time")
	case !p.hasNodes && r.Err() != nil && !p.shows():
		return fmt.Errorf("has no whole tree of calls: %w", r.Err())
	case r.Err() != nil && p.shows():
	case !p.hasNodes:
		return errors.New("has no tree of calls (nodes)")
	}
	return p.publish(path, r.End())
}
