package firefox

import (
	"context"
	"errors"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens profiles of the Firefox Profiler, compressed or not. It implements feed.Source.
type Source struct {
	// Frames is the name of the markers that are frames.
	Frames feed.Frames
}

// Name implements feed.Source.
func (Source) Name() string { return "Firefox Profiler JSON" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Firefox Profiler and samply",
		Writers: "profiler.firefox.com, samply",
		Ends:    []string{".json"},
	}
}

// metaKeys are some of what meta has; other JSON has no more than one of them there.
var metaKeys = map[string]bool{
	"interval": true, "startTime": true, "processType": true, "categories": true, "stackwalk": true, "markerSchema": true,
	"sampleUnits": true, "symbolicated": true, "appBuildID": true, "gcpoison": true, "preprocessedProfileVersion": true,
}

// Sniff implements feed.Source: what meta says, the first library, or the tables of the first thread.
// Profiles that are not processed are recognised, too, so that their error says what to do.
func (Source) Sniff(head []byte, _ string) bool {
	r := trace.ReaderOf(head)
	found := false
	is := func(ok bool) {
		if ok {
			found = true
			r.Stop(errLooked)
		}
	}
	if r.Peek() != '{' {
		return false
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "meta":
			known := 0
			r.Object(func(key []byte) {
				if metaKeys[string(key)] {
					known++
				}
				is(known >= 3 || string(key) == "preprocessedProfileVersion")
			})
		case "libs":
			r.Array(func() { r.Object(func(key []byte) { is(string(key) == "breakpadId") }) })
		case "threads":
			r.Array(func() {
				r.Object(func(key []byte) {
					is(string(key) == "stackTable" || string(key) == "frameTable")
					if string(key) == "samples" {
						r.Object(func(key []byte) { is(string(key) == "stack" || string(key) == "schema") })
					}
				})
			})
		}
	})
	return found
}

var errLooked = errors.New("what was looked for is there")

// OpenFile implements feed.Source. It shows a truncated file as far as it goes; an unprocessed profile
// is an error.
func (s Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink, s.Frames))
}

func open(ctx context.Context, path string, sink feed.Sink, frames feed.Frames) error {
	d := newDecoder(sink, path, frames)
	defer d.Close()
	return trace.OpenJSON(ctx, path, sink, trace.Steps{Survey: d.survey, Begin: d.begin, Read: d.read, Finish: d.finish})
}
