package frametimes

import (
	"bytes"
	"context"
	"errors"
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
		Writers: "PresentMon, CapFrameX, MangoHud, spreadsheets",
		Ends:    []string{".csv"},
	}
}

// Kind is the name of the format in model.Info.
func (Source) Kind() string { return "frametimes" }

// asked reports whether the user named columns.
func (o *Source) asked() bool { return o.Time+o.FrameTime != "" }

// errNoNames is the error of numbers without a header.
var errNoNames = errors.New("its columns have no names: name the column of frame times or times by its number, such as " +
	"--frame-time 1 or --time 1")

// numbersOnly reports whether lines are rows of numbers.
func numbersOnly(lines []string) bool {
	rows, good := 0, 0
	for _, line := range lines[:min(len(lines), lookedRows)] {
		if skipped(line) {
			continue
		}
		if rows++; headerOf(line).numbers() {
			good++
		}
	}
	return good >= 2 && good == rows
}

// isBinary reports whether lines are no text: NULs stand in more of them than damage would have left.
func isBinary(lines []string) bool {
	n := 0
	for _, line := range lines {
		if strings.IndexByte(line, 0) >= 0 {
			n++
		}
	}
	return 4*n > len(lines)
}

// Sniff implements feed.Source: it accepts a header that only one program writes, or one of words with a column of
// numbers below. The file's name decides unclear cases.
func (o Source) Sniff(head []byte, name string) bool {
	rows := trace.Head(head, feed.Whole(head), headerLines+lookedRows)
	if len(rows) > 0 && (strings.IndexAny(rows[0], "{[<") == 0 || isBinary(rows)) {
		return false
	}
	h, err := findHeader(rows, &o)
	named := named(name)
	switch {
	case err != nil:
		return true
	case h == nil:
		return named && numbersOnly(rows)
	case h.kind != generic || o.asked() || named:
		return true
	}
	l, err := ofHeader(h, &o)
	return err == nil && l != nil || len(h.names) >= 3 && slices.Max(h.lengths()) <= 40 && h.distinct() && h.tidy()
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
const forOthers = "Framescope exports such tables for other programs and can open only the frames again (frames.csv); " +
	"a whole session opens again if it is exported as Chrome JSON or Perfetto (--to chrome, perfetto)"

// lengths are those of the names.
func (h *header) lengths() (n []int) {
	for _, s := range h.names {
		n = append(n, len(s))
	}
	return n
}

// tidy reports whether names look like those of columns: none has what stands in sentences and code.
func (h *header) tidy() bool {
	for _, n := range h.names {
		if strings.ContainsAny(n, "{}=;\"'`\\!?") || len(strings.Fields(n)) > 4 {
			return false
		}
	}
	return true
}

// OpenFile implements feed.Source. Damage is reported in the session, and is an error only if nothing could be
// read.
func (o Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, o.open(ctx, path, feed.Until(ctx, sink)))
}

// open reads a file twice: the contents of its columns must be known before.
func (o Source) open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	var s *survey
	info := infoOf(programOf(path), path, true)
	r := o.reader(&s, &info)
	err := read(ctx, path, r, func(done, total int64) { sink.Progress(done/2, total) })
	if ctx.Err() != nil {
		return err
	}
	if s == nil || s.rows == 0 {
		if err == nil {
			err = errors.New("it has no rows")
		}
		return err
	}
	s.decide(o.Frames != feed.NoFrames)
	d := newDecoder(sink, room, info, s)
	again := o.reader(new(*survey), new(model.Info))
	again.sieve.pass = d.take
	again.again = d.restart
	err = read(ctx, path, again, func(done, total int64) {
		sink.Progress(total/2+done/2, total)
		if d.cancelled && again.err == nil {
			again.err = feed.ErrCancelled
		}
	})
	if ctx.Err() != nil || d.cancelled {
		return feed.ErrCancelled
	}
	d.close()
	d.refused(again)
	if err != nil {
		sink.Define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1, Detail: "the rest can't be read: " + err.Error()})
	}
	return err
}

// reader returns the reader that parses a table and surveys its rows.
func (o *Source) reader(s **survey, info *model.Info) *reader {
	r := &reader{o: o, again: func() {}}
	r.begun = func(h *header, before []string) error {
		l, err := ofHeader(h, o)
		if err == nil {
			*s, r.sieve.l = newSurvey(l), l
			info.Detail = detail(before)
		}
		return err
	}
	r.sieve.pass = func(cells [][]byte, _ int64) { (*s).take(cells) }
	return r
}

func read(ctx context.Context, path string, r *reader, progress func(done, total int64)) error {
	_, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		progress(done, total)
		return r.write(part)
	})
	if err == nil {
		err = r.close()
	}
	return err
}
