package speedscope

import (
	"bytes"
	"context"
	"errors"

	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens speedscope's JSON, compressed or not. It implements feed.Source.
type Source struct{}

var _ feed.Source = Source{}

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
	if b := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"); len(b) == 0 || b[0] != '{' {
		return false
	}
	r := trace.NewReader(bytes.NewReader(head))
	found := false
	first := func(has func(key []byte) bool) {
		r.Array(func() {
			r.Object(func(key []byte) { found = found || has(key) })
			r.Stop(errLooked)
		})
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "$schema":
			if bytes.Contains(r.String(), []byte("speedscope")) {
				found = true
				r.Stop(errLooked)
			}
		case "profiles":
			typed, unit := false, false
			first(func(key []byte) bool {
				typed = typed || string(key) == "type" || string(key) == "events" || string(key) == "samples"
				unit = unit || string(key) == "unit"
				return typed && unit
			})
		case "shared":
			r.Object(func(key []byte) {
				if string(key) == "frames" {
					first(func(key []byte) bool { return string(key) == "name" })
				}
			})
		}
	})
	return found
}

var errLooked = errors.New("what was looked for is there")

// OpenFile implements feed.Source. It shows a truncated file as far as it goes; a file without a
// usable profile is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	d := newDecoder(sink, room, path)
	return trace.OpenJSON(ctx, path, sink, trace.Steps{Survey: d.survey, Begin: d.begin, Read: d.read, Finish: d.finish})
}
