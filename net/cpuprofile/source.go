package cpuprofile

import (
	"context"
	"errors"
	"fmt"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens profiles of V8, compressed or not. It implements feed.Source.
type Source struct{}

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
	r := trace.ReaderOf(head)
	found, other, start, list := false, false, false, false
	node := func() {
		other = true
		r.Object(func(key []byte) { found = found || string(key) == "callFrame" || string(key) == "functionName" })
		r.Stop(nil)
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
	})
	return found || !other && start && list
}

// OpenFile implements feed.Source. A file that is cut off is shown as far as it goes: in its samples,
// or in its tree, with what calls before the end counted. One that has no tree of calls is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	p := newProfile(sink, path)
	defer p.Close()
	return feed.End(ctx, path, sink, trace.ReadJSON(ctx, path, sink, p.read, p.finish))
}

// finish publishes the profile. broken is why it was not read to its end, nil where it was.
func (p *profile) finish(broken error) error {
	shows := len(p.nodes) > 0 && (p.counted || p.samples.Of.N > 0)
	switch {
	case p.heap:
		return errors.New("is a heap profile: it has allocations, but no samples in time: " + feed.BySpeedscope)
	case p.hasNodes || broken != nil && shows:
	case broken != nil:
		return fmt.Errorf("has no whole tree of calls: %w", broken)
	default:
		return errors.New("has no tree of calls (nodes)")
	}
	p.link(broken == nil)
	p.publish(broken)
	return p.Finish(broken)
}
