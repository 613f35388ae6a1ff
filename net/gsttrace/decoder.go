// Package gsttrace turns the trace log of GStreamer into a session: threads, latencies, buffers,
// the tree of elements, leaks and debug lines (FORMAT.md, in this folder).
//
// The reader (gstlog) parses the log; the decoder maps its records. Most records are mapped by the announced
// description of each field (plan.go, values.go), so that unknown records work too; the stock records add more
// than their announcements contain (stats.go, latency.go, rusage.go, leaks.go, queue.go), and the log tracer's
// lines, which hooks.go reads, are paired to calls (states.go, calls.go). Output publishes all of it.
package gsttrace

import (
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Options describe a log before it is read. The zero value is good.
type Options struct {
	Peer    string // the path of the file, or another word for where the log comes from
	Program string // name of the traced program; empty: unknown
	File    bool   // the log is read as a recording; else it is followed as it grows
}

// liveEvery is how often a live log that never falls silent is published.
const liveEvery = 30 * time.Millisecond

// Decoder decodes one log into a sink. It implements feed.Stream: it is used by one goroutine,
// which calls Write for what came, Idle now and then while the log is live, and Close once.
type Decoder struct {
	out     *Output
	reader  *LogReader
	mapper  *mapper
	silent  bool // nothing was written since the last Idle
	now     func() time.Time
	shown   time.Time // when a live log was published last
	closed  bool
	cut     bool // the rest of the log can't be read
	written int64
}

// NewDecoder returns a decoder that defines and publishes to sink.
func NewDecoder(sink feed.Sink, o Options) *Decoder {
	d := &Decoder{out: New(sink, !o.File), now: time.Now}
	d.mapper = newMapper(d.out, o)
	d.reader = NewLogReader(d.mapper)
	return d
}

// Write takes the next bytes of the log, cut anywhere. It takes all of them, or returns
// feed.ErrCancelled when the sink refused a batch. A live log is published every 30 ms while it is
// written.
func (d *Decoder) Write(p []byte) (int, error) {
	if d.out.cancelled {
		return 0, feed.ErrCancelled
	}
	d.silent = false
	d.written += int64(len(p))
	d.out.bytes += len(p)
	d.reader.Write(p)
	d.out.cancelled = d.out.cancelled || d.mapper.lines.Cancelled()
	if d.out.live && d.out.items > 0 {
		if now := d.now(); now.Sub(d.shown) >= liveEvery {
			d.shown = now
			d.show(false)
		}
	}
	if d.out.cancelled {
		return len(p), feed.ErrCancelled
	}
	return len(p), nil
}

// Idle publishes complete data. Callers that follow a live log call it every 50 ms or so, at least while nothing
// comes: data younger than 10 ms of the log's own time waits for the next call, since lines are not quite in order
// of time, and an entry that a later line could continue waits until a call finds that nothing came since the call
// before. Calls that run for long are shown as far as they got.
func (d *Decoder) Idle() {
	if d.closed || d.out.cancelled {
		return
	}
	if d.silent {
		d.reader.Idle()
		d.mapper.flushRefs()
	}
	d.show(d.silent)
	d.silent = true
}

// show publishes the waiting data, all of it or only old enough parts.
func (d *Decoder) show(all bool) {
	d.mapper.showOpen()
	d.out.Publish(all)
}

// Close hands over the rest and the session's end with a reason; an empty one is an end in order.
// Later calls do nothing.
func (d *Decoder) Close(reason string) {
	if d.closed {
		return
	}
	d.finish()
	d.out.sink.Define(model.End{Reason: reason})
}

// finish hands over the rest.
func (d *Decoder) finish() {
	d.closed = true
	d.reader.Close()
	d.mapper.close()
	c := d.reader.Counts()
	c.NULs.Report(d.out.Define)
	if c.CutLast && !d.cut {
		d.out.bad.Bad(trace.Cut, c.Lines)
	}
	d.out.Publish(true)
	d.out.bad.Define(d.out.sink.Define, d.out.Names)
	d.out.Names.Close()
	*d.mapper = mapper{out: d.out} // names of the closed session are useless now
}
