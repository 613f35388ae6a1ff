package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/gsttrace"
)

// writeSummary prints the summary of a trace log.
func writeSummary(out io.Writer, sum *gsttrace.Summary, asJSON, compat bool) error {
	w := bufio.NewWriterSize(out, 1<<16)
	var err error
	if asJSON {
		err = escape.WriteJSON(w, sum)
	} else {
		err = sum.WriteText(w, compat)
	}
	return errors.Join(err, w.Flush())
}

// reportTrace prints the summary of a trace log, as gst-stats-1.0 does. It includes the data before an
// error.
func (s *Streams) reportTrace(ctx context.Context, out io.Writer, rec *Recording, f *reportFlags) error {
	bar := NewProgress(s.Err, "reading "+rec.Name)
	log, err := feed.OpenParts(ctx, rec.Path, bar.Update)
	if err != nil {
		return fmt.Errorf("%s: %w", rec.Name, feed.NameError(err, rec.Path, rec.Name))
	}
	defer log.Close()
	sum, err := gsttrace.Read(log)
	bar.Close()
	switch {
	case ctx.Err() != nil:
		return interrupted(rec.Name)
	case err != nil:
		s.Damaged(rec, "%s: %v", rec.Name, err)
	case sum.Unread != "":
		more := ""
		if n := sum.Log.Unreadable; n > 1 {
			more = fmt.Sprintf("; %d entries that cannot be read in all", n)
		}
		s.Damaged(rec, "%s: %s%s", rec.Name, sum.Unread, more)
	case sum.Log.NULs.N > 0:
		s.Damaged(rec, "%s: %s", rec.Name, sum.Log.NULs.String())
	case sum.Log.CutLast:
		s.Damaged(rec, "%s: byte %d: the log ends in the middle of line %d", rec.Name, sum.Log.Bytes, sum.Log.Lines)
	}
	return writeSummary(out, sum, f.JSON, f.Compat)
}

// summing is the source of trace logs that are summed up as they come instead of being decoded.
type summing struct {
	feed.Streamer
	mu   sync.Mutex
	sums []*gsttrace.Summary // of the logs that have ended, those without a line left out
}

// NewStream implements feed.Streamer.
func (s *summing) NewStream(sink feed.Sink, _ feed.StreamOptions) feed.Stream {
	return &sumStream{Collector: gsttrace.NewCollector(), all: s, sink: sink}
}

// Kind is the source of the summed data.
func (*summing) Kind() string { return "gsttrace" }

type sumStream struct {
	*gsttrace.Collector
	all  *summing
	sink feed.Sink
}

// Idle implements feed.Stream.
func (t *sumStream) Idle() {}

// Close implements feed.Stream.
func (t *sumStream) Close(reason string) {
	if sum := t.Summary(); sum.Log.Bytes > 0 {
		t.all.mu.Lock()
		t.all.sums = append(t.all.sums, sum)
		t.all.mu.Unlock()
	}
	t.sink.Define(model.End{Reason: reason})
}

// gstReport runs the program without a window and prints the summary of each trace that it wrote.
func (s *Streams) gstReport(ctx context.Context, p *launch.Program, to RecordTo) (err error) {
	record := s.Recorder(to)
	defer record.Ending(&err)
	sums := &summing{Streamer: load.GStreamer()}
	p.Source, p.Wait = sums, true
	_, err = launch.Collect(ctx, record.Input(p), nil)
	var records int64
	for i, sum := range sums.sums {
		records += sum.Log.Records
		if i > 0 {
			fmt.Fprintln(s.Out)
		}
		if err := writeSummary(s.Out, sum, false, false); err != nil {
			return err
		}
	}
	if len(sums.sums) > 0 && records == 0 {
		fmt.Fprintln(s.Err, "framescope: the trace has no record of a tracer: either no pipeline was started, or the "+
			"tracers are missing (`gst-inspect-1.0 coretracers`)")
	}
	return err
}
