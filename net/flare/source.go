package flare

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens sample folders: one, or a folder of the segments of one recording.
type Source struct{}

var _ feed.FolderSource = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "Flare sample folder" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Java programs (Flare)",
		Writers: "the agent of the Flare profiler",
		Live:    "connect flare",
	}
}

// Sniff implements feed.Source: a summary inside a folder stands for the folder.
func (Source) Sniff(head []byte, name string) bool {
	return filepath.Base(name) == SummaryFile && IsFolder(filepath.Dir(name))
}

// SniffFolder implements feed.FolderSource: the folder is a recording, or holds some.
func (Source) SniffFolder(path string) bool { return IsFolder(path) || len(Recordings(path)) > 0 }

// OpenFile implements feed.Source. Of a folder that holds several recordings the newest is read,
// all its segments.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	if filepath.Base(path) == SummaryFile {
		path = filepath.Dir(path)
	}
	dirs := []string{path}
	if !IsFolder(path) {
		all := Recordings(path)
		if len(all) == 0 {
			err := fmt.Errorf("%s: holds no sample folder", path)
			sink.Define(model.End{Reason: err.Error()})
			return err
		}
		dirs = all[0]
	}
	var parts []*Recording
	for _, dir := range dirs {
		rec, err := ReadFolder(ctx, dir, sink.Progress)
		if rec != nil {
			parts = append(parts, rec)
		}
		if err != nil && (ctx.Err() != nil || len(dirs) == 1) {
			sink.Define(model.End{Reason: feed.Plain(err).Error()})
			return err
		}
	}
	rec := Join(parts)
	dir := filepath.Clean(dirs[0])
	NameFromNeighbours(ctx, rec, os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	rec.DropLeaps()
	rec.DropLeftovers()
	Play(rec, path, sink)
	if n := len(rec.Problems); n > 0 {
		if n == 1 {
			return rec.Problems[0]
		}
		return fmt.Errorf("%w (and %d problems more)", rec.Problems[0], n-1)
	}
	return ctx.Err()
}

// inOrder puts the threads that did most first and the profiler's own last.
func inOrder(threads []*Thread) []*Thread {
	threads = slices.Clone(threads)
	slices.SortStableFunc(threads, func(a, b *Thread) int {
		return cmp.Or(cmp.Compare(own(a.Name), own(b.Name)), cmp.Compare(len(b.Records), len(a.Records)))
	})
	return threads
}

// own is 1 for the threads that are there because of the profiler.
func own(name string) int {
	if name == "Flare-Profiler" || name == "Attach Listener" {
		return 1
	}
	return 0
}

// Play maps a recording that was read into a sink, and ends it.
func Play(rec *Recording, path string, sink feed.Sink) {
	first, _, _ := rec.Bounds()
	m := NewMapper(sink, model.Info{Program: filepath.Base(path), Host: rec.AgentAddr, Peer: path, PID: -1,
		Version: "Flare sample folder", File: true}, first)
	m.Info(rec.IntervalMs)
	for id, name := range rec.Methods {
		m.Method(id, name)
	}
	for _, p := range rec.Problems {
		trace.Lose(sink, model.LossMalformed, 1, p.Error())
	}
	m.Leftover(rec.Leftovers)
	for _, ms := range times(rec) {
		m.Tick(ms)
	}
	for _, t := range inOrder(rec.Threads) {
		names := t.Renamed
		for i, x := range t.Records {
			name := ""
			for len(names) > 0 && names[0].TimeMs <= x.TimeMs {
				name, names = names[0].Name, names[1:]
			}
			if i == 0 && name == "" {
				name = t.Name
			}
			m.Sample(t.ID, name, x)
		}
	}
	m.Close("the recording ended")
}

// times returns the times of all samples, each once, in order.
func times(rec *Recording) []int64 {
	var out []int64
	for _, t := range rec.Threads {
		for i, x := range t.Records {
			if i == 0 || x.TimeMs != t.Records[i-1].TimeMs {
				out = append(out, x.TimeMs)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
