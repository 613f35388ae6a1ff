package speedscope

import (
	"bytes"
	"context"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens speedscope's JSON, compressed or not. It implements feed.Source.
type Source struct{}

// Name implements feed.Source.
func (Source) Name() string { return "speedscope JSON" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "speedscope",
		Writers: "py-spy, rbspy, pyinstrument, austin, dotnet-trace",
		Ends:    []string{".speedscope.json", ".json"},
	}
}

// Sniff implements feed.Source: the name of the schema, or the first profile or frame.
func (Source) Sniff(head []byte, _ string) bool {
	r := trace.ReaderOf(head)
	found := false
	r.Object(func(key []byte) {
		switch string(key) {
		case "$schema":
			found = found || bytes.Contains(r.String(), []byte("speedscope"))
		case "profiles":
			found = found || trace.FirstHas(r, "type", "unit")
		case "shared":
			r.Object(func(key []byte) {
				if string(key) == "frames" {
					found = found || trace.FirstHas(r, "name")
				}
			})
		}
	})
	return found
}

// OpenFile implements feed.Source. It shows a truncated file as far as it goes; a file without a
// usable profile is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	d := newDecoder(sink, path)
	defer d.Close()
	steps := trace.Steps{Survey: d.survey, Begin: d.begin, Read: d.read, Finish: d.Finish}
	return feed.End(ctx, path, sink, trace.OpenJSON(ctx, path, sink, steps))
}
