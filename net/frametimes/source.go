package frametimes

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens tables of frame times. It implements feed.Streamer.
type Source struct {
	// Time and FrameTime are the columns of times and of lengths of frames, by their names, or by their
	// numbers, from 1, where there is no header. Empty: they are found out.
	Time, FrameTime string
	// Frames is feed.NoFrames where rows are to be no frames.
	Frames feed.Frames
}

var _ feed.Streamer = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "table of frame times (CSV)" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Tables of frame times",
		Writers: "PresentMon, CapFrameX, OCAT, MangoHud, MSI Afterburner, spreadsheets",
		Ends:    []string{".csv"},
	}
}

// Kind is the name of the format in model.Info.
func (Source) Kind() string { return "frametimes" }

// asked reports whether the user named columns.
func (o *Source) asked() bool { return o.Time+o.FrameTime != "" }

// numbersOnly reports whether lines are rows of numbers.
func numbersOnly(lines []string) bool {
	lines = slices.DeleteFunc(slices.Clone(lines[:min(len(lines), lookedRows)]), skipped)
	return len(lines) >= 2 && !slices.ContainsFunc(lines, func(l string) bool { return !headerOf(l, 0).isNumbers() })
}

// Sniff implements feed.Source: it accepts a header that only one program writes, or one of words with a column of
// numbers below. The file's name decides unclear cases.
func (o Source) Sniff(head []byte, name string) bool {
	rows := trace.Head(head, feed.Whole(head), headerLines+lookedRows)
	if len(rows) > 0 && (strings.IndexAny(rows[0], "{[<") == 0 || strings.Contains(strings.Join(rows, ""), "\x00")) {
		return false
	}
	h, err := findHeader(rows, &o)
	switch {
	case err != nil:
		return true
	case h == nil:
		return named(name) && numbersOnly(rows)
	case h.kind != generic || o.asked() || named(name):
		return true
	}
	_, err = ofHeader(h, &o)
	return err == nil || len(h.names) >= 3 && h.tidy()
}

// tidy reports whether names look like those of columns: each has one of its own, and none has what stands in sentences
// and code.
func (h *header) tidy() bool {
	seen := map[string]bool{}
	for _, n := range h.norms {
		if n == "" || seen[n] || len(n) > 40 || strings.ContainsAny(n, "{}=;\"'`\\!?") {
			return false
		}
		seen[n] = true
	}
	return !slices.ContainsFunc(h.names, func(n string) bool { return len(strings.Fields(n)) > 4 })
}

// named reports whether a file is called as a table.
func named(name string) bool {
	ext := strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz")))
	return ext == ".csv" || ext == ".tsv"
}

var _ feed.Hinter = Source{}

// Hint implements feed.Hinter: it names the missing parts of a file with a table's name.
func (o Source) Hint(head []byte, name string) string {
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "a table in Parquet. " + forOthers
	case bytes.HasPrefix(head, []byte("thread_id,")):
		return forOthers
	case !named(name):
		return ""
	case o.asked():
		return "a table has a row of names, and below it rows of numbers, two at least"
	}
	return "a table of frame times has a row of names, and below it rows of numbers, two at least; " +
		"if other rows come before these, name the column of times or frame times, by name or number: " +
		"--time COLUMN, --frame-time COLUMN"
}

// forOthers names the exports that open again.
const forOthers = "Framescope exports such tables for other programs and can open only the frames again " +
	"(frames.csv); a whole session opens again if it is exported as Chrome JSON or Perfetto (--to chrome, perfetto)"

// infoOf returns the info of a table before its first row.
func infoOf(program, peer string, file bool) model.Info {
	for _, end := range []string{".gz", ".zst", ".csv", ".tsv", ".txt"} {
		program = strings.TrimSuffix(program, end)
	}
	return model.Info{Source: Source{}.Kind(), Program: program, Peer: peer, PID: -1, File: file, Table: true}
}

// detailOf makes a line of the text before the header: CapFrameX's keys, MangoHud's system.
func detailOf(before []string) string {
	var parts []string
	for i, line := range before {
		pair, keyed := strings.CutPrefix(line, "//")
		if key, value, ok := strings.Cut(pair, "="); ok && keyed && value != "" && len(parts) < 16 {
			parts = append(parts, key+" "+value)
		}
		if strings.HasPrefix(line, "os,cpu,gpu") && i+1 < len(before) { // names may have commas: nobody knows which is which
			parts = append(parts, "system "+before[i+1])
		}
	}
	detail := trace.Shown(strings.Join(parts, "; "))
	return detail[:min(len(detail), trace.MaxText)]
}

// OpenFile implements feed.Source. Damage is reported in the session, and is an error only if nothing could be
// read.
func (o Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	r := o.newReader(feed.Until(ctx, sink), infoOf(filepath.Base(path), path, true))
	broken := feed.Copy(ctx, path, sink.Progress, r)
	var err error
	if ctx.Err() == nil {
		err = r.end(broken)
	}
	return feed.End(ctx, path, sink, cmp.Or(broken, err))
}

// NewStream implements feed.Streamer.
func (o Source) NewStream(sink feed.Sink, opt feed.StreamOptions) feed.Stream {
	info := infoOf(cmp.Or(opt.Program, filepath.Base(opt.Name)), opt.Name, false)
	sink.Define(info)
	return o.newReader(sink, info)
}
