package speedscope

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"framescope/net/feed"
	"framescope/net/jsonscan"
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
	r := jsonscan.NewReader(bytes.NewReader(head))
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

// OpenFile implements feed.Source. What is cut off is shown as far as it goes; a file without a profile
// that can be shown is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	d := newDecoder(sink, room, path)
	_, err := read(ctx, path, func(done, total int64) { sink.Progress(done/2, total) }, d.survey)
	if err == nil {
		err = d.begin()
	}
	if err != nil {
		return err
	}
	broken, err := read(ctx, path, func(done, total int64) { sink.Progress(total/2+done/2, total) }, d.read)
	if err != nil {
		return err
	}
	return cmp.Or(d.finish(broken), onlyReading(broken))
}

// read reads the file once. broken is why it was not read to its end, nil where it was; an error is
// that of opening it, or of ctx.
func read(ctx context.Context, path string, progress func(done, total int64), use func(*jsonscan.Reader)) (broken, err error) {
	f, err := feed.OpenParts(ctx, path, progress)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := jsonscan.NewReader(f)
	use(r)
	return r.End(), ctx.Err()
}

// onlyReading is why a file could not be read; what is no JSON is told in the session.
func onlyReading(broken error) error {
	var cut *feed.ReadError
	if errors.As(broken, &cut) {
		return fmt.Errorf("the rest can't be read: %w", broken)
	}
	return nil
}
