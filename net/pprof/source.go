package pprof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"

	"framescope/model"
	"framescope/net/feed"
)

// maxBytes bounds an unpacked profile: all of it is in memory while it is read.
const maxBytes = 256 << 20

// Source opens pprof profiles. It implements feed.Source.
type Source struct {
	// Label is the key of the labels by whose values samples are divided into threads; empty: the first
	// of threadKeys that the profile has, else there is one.
	Label string
}

var _ feed.Source = Source{}

// Kind is what sessions of the source are called in model.Info.
const Kind = "pprof"

// Name implements feed.Source.
func (Source) Name() string { return "pprof profile" }

// textForms are how the text forms of Go's profiles begin, which are for people.
var textForms = []string{
	"goroutine profile: total", "heap profile: ", "threadcreate profile: total", "--- contention:", "--- mutex:",
	"--- contentionz", "--- heapz",
}

// Sniff implements feed.Source: the form has no mark, but fields in few shapes. The text forms of
// profiles are recognised, too: OpenFile says what they are.
func (Source) Sniff(head []byte, _ string) bool {
	for _, text := range textForms {
		if bytes.HasPrefix(head, []byte(text)) {
			return true
		}
	}
	return looksLike(head)
}

// OpenFile implements feed.Source.
func (src Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, src.open(ctx, path, sink))
}

func (src Source) open(ctx context.Context, path string, sink feed.Sink) error {
	var data []byte
	total, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		if len(data)+len(part) > maxBytes {
			return fmt.Errorf("is larger than %d MiB unpacked", maxBytes>>20)
		}
		data = append(data, part...)
		sink.Progress(done/2, total)
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("after %d bytes of the profile, which can't be read in parts: %w", len(data), err)
	}
	p, err := Parse(data)
	if err != nil {
		return err
	}
	info := describe(p)
	info.Program, info.Peer, info.File = programOf(p, path), path, true
	info.Sampling = model.Sampling{Timeless: true}
	sink.Define(info)
	if err := Publish(p, src.Label, sink); err != nil {
		return err
	}
	sink.Progress(total, total)
	return nil
}

// Parse reads a profile that is not compressed. An error says what it is instead, or where it breaks.
func Parse(data []byte) (*profile.Profile, error) {
	for _, text := range textForms {
		if bytes.HasPrefix(data, []byte(text)) {
			return nil, errors.New("is the text form of a profile, for people: ask for it without debug=1")
		}
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, fmt.Errorf("is no whole pprof profile: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("is no valid pprof profile: %w", err)
	}
	if len(p.SampleType) == 0 {
		return nil, errors.New("is a pprof profile that does not say what its numbers are")
	}
	return p, nil
}

// programOf returns the name of the program: that of its file, else of the profile's.
func programOf(p *profile.Profile, path string) string {
	if len(p.Mapping) > 0 && p.Mapping[0].File != "" && !strings.HasPrefix(p.Mapping[0].File, "[") {
		return base(p.Mapping[0].File)
	}
	name := filepath.Base(path)
	for _, end := range []string{".gz", ".pb", ".pprof", ".prof"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// base is the last part of a path of any system.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
