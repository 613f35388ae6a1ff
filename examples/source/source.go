// Package source is the example of CONTRIBUTING.md: a source for logs with a line "name begin end" for
// each call, times in ns.
package source

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

const first = "# calls 1"

// Source opens such logs.
type Source struct{}

// Name implements feed.Source.
func (Source) Name() string { return "log of calls" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{Title: "Logs of calls", Writers: "nobody but the test", Ends: []string{".calls"}}
}

// Sniff implements feed.Source: the first line identifies the format.
func (Source) Sniff(head []byte, _ string) bool { return strings.HasPrefix(string(head), first+"\n") }

// OpenFile implements feed.Source.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	f, err := feed.OpenParts(ctx, path, sink.Progress) // uncompressed
	if err != nil {
		return err
	}
	defer f.Close()
	sink.Define(model.Info{Source: "calls", Program: "example", File: true})
	sink.Define(model.TrackDef{ID: 0, Name: "Main"})
	paths := map[string]model.PathID{}
	b := sink.Begin()
	lines := bufio.NewScanner(f) // its lines are bounded, whatever the file holds
	for n := 1; lines.Scan() && ctx.Err() == nil; n++ {
		var name string
		var begin, end int64
		if n == 1 {
			continue
		}
		if _, err := fmt.Sscan(lines.Text(), &name, &begin, &end); err != nil || end < begin {
			sink.Define(model.Loss{Reason: model.LossMalformed, Track: 0, N: 1, Detail: fmt.Sprintf("line %d is no call", n)})
			continue
		}
		p, known := paths[name]
		if !known { // a name is a collector; a path adds the caller, here none
			p = model.PathID(len(paths) + 1)
			paths[name] = p
			sink.Define(model.CollectorDef{ID: model.CollectorID(p), Name: name})
			sink.Define(model.PathDef{ID: p, Collector: model.CollectorID(p)})
		}
		b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: p})
	}
	if !sink.Publish(b) {
		return feed.ErrCancelled
	}
	sink.Define(model.End{Reason: "end of file"})
	return lines.Err()
}
