// Package jfr reads flight recordings of Java (JDK Flight Recorder, async-profiler): chunks that describe the types of
// their events, which it reads by these descriptions. Execution samples become runs of calls. Waits for locks,
// parking, sleep, reads and writes are on tracks of their own, as garbage collections are. Allocations are samples
// that stand for bytes. Heap, allocated bytes and processor load become counters. There is no specification; the
// format is that of the JDK's jdk.jfr.internal.consumer.
package jfr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens flight recordings. It implements feed.Source.
type Source struct{}

// Name implements feed.Source.
func (Source) Name() string { return "Java flight recording" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title: "Java flight recordings", Writers: "the JDK (`-XX:StartFlightRecording`, `jcmd`), async-profiler",
		Ends: []string{".jfr"},
	}
}

// Sniff implements feed.Source by the magic number.
func (Source) Sniff(head []byte, _ string) bool { return len(head) >= 4 && string(head[:4]) == magic }

// OpenFile implements feed.Source. Damage is reported in the session, and all before it is shown. An error is a file
// that could not be read to its end, or that has no events.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

// decoder hands the events of a recording to a builder.
type decoder struct {
	b       *trace.Builder
	room    *feed.Names
	zero    int64 // ns since 1970 of the first chunk
	at      int64 // byte of the recording at which the chunk begins
	threads map[int64]*thread
	gc      *trace.Track
	why     error // why the events of a chunk are missing, the first one
	pauses  *trace.Track
	nowhere trace.Thread

	allocated *trace.Thread  // has the stacks of allocations; nil: there was none so far
	calls     []trace.Symbol // scratch
}

// process returns the program, of which there is one.
func (d *decoder) process() *trace.Process { return d.b.Process([]byte("java")) }

func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	d := &decoder{room: room, threads: map[int64]*thread{}}
	d.b = trace.NewBuilder(feed.Until(ctx, sink), room, trace.Options{Root: "All calls"})
	d.b.Info = model.Info{Source: "jfr", Program: feed.Stem(path, ".jfr"), Peer: path, PID: -1, File: true}
	file, err := feed.OpenParts(ctx, path, sink.Progress)
	if err != nil {
		return err
	}
	defer file.Close()
	for err == nil {
		err = d.chunk(file)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !errors.Is(err, io.EOF) {
		d.b.Bad.Explain(trace.Unread, d.at, "%v", err)
	}
	if d.b.Empty() {
		d.b.CloseEmpty()
		return fmt.Errorf("no events that can be shown: %w", cmp.Or(d.why, fmt.Errorf("byte %d: %w", d.at, err)))
	}
	return d.b.Close(func(info *model.Info) {
		info.ZeroAt.UnixNs = d.zero + d.b.First()
	})
}

// chunk reads the next chunk. Its error is io.EOF behind the last one.
func (d *decoder) chunk(file io.Reader) error {
	b := make([]byte, headerBytes)
	if n, err := io.ReadFull(file, b); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("the recording ends within the header of a chunk, after %d bytes", n)
		}
		return err
	}
	h, err := readHeader(b)
	if err != nil {
		return err
	}
	if d.at == 0 {
		d.zero = h.nanos
		d.b.Info.Version = fmt.Sprintf("JFR %d.%d", h.major, h.minor)
	}
	size := h.size
	if size < headerBytes { // it was not ended
		size = mostChunk
	}
	rest, err := io.ReadAll(io.LimitReader(file, size-headerBytes))
	c := &chunk{header: h, data: append(b, rest...), classes: map[int64]*class{}, pools: map[int64]map[int64]value{}}
	if !d.room.TakeData(int64(8 * len(c.data))) {
		d.b.Bad.Bad(trace.NoMemory, d.at)
		return io.EOF
	}
	defer d.room.GiveData(int64(8 * len(c.data)))
	d.events(c)
	if err == nil && h.size >= headerBytes && int64(len(c.data)) < size {
		d.b.Bad.Bad(trace.Cut, d.at+int64(len(c.data)))
	}
	d.at += int64(len(c.data))
	return err
}

// events reads the events of a chunk: its types first, then all constants, and then what uses them.
func (d *decoder) events(c *chunk) {
	at, err := d.at, errors.New("a chunk without the description of its events")
	if c.metadata >= headerBytes && c.metadata < int64(len(c.data)) {
		if at, err = d.at+c.metadata, c.readMetadata(c.data[c.metadata:]); err != nil {
			err = fmt.Errorf("the description of events: %w", err)
		}
	}
	if err != nil {
		d.b.Bad.Explain(trace.Unread, at, "%v", err)
		d.why = cmp.Or(d.why, fmt.Errorf("byte %d: %w", at, err))
		return
	}
	c.each(func(kind int64, body []byte, at int64) {
		if kind == checkpointEvent {
			if err := c.readPools(body); err != nil {
				d.b.Bad.Explain(trace.BadReference, d.at+at, "constants: %v", err)
			}
		}
	})
	gap := c.each(func(kind int64, body []byte, at int64) {
		of := c.classes[kind]
		if of == nil || kind == checkpointEvent || kind == metadataEvent {
			return
		}
		r := reader{c: c, b: body}
		v := r.value(of, 0)
		if r.err != nil {
			d.b.Bad.Explain(trace.BadEvent, d.at+at, "%s: %v", of.name, r.err)
			return
		}
		d.event(c, v, d.at+at)
	})
	if gap > 0 {
		d.b.Bad.Bad(trace.Gap, d.at+gap)
	}
}

// each hands over the events of a chunk, with the byte at which each begins. Where none
// begins, it goes on where events follow one another, and returns the first such place; 0: there is none.
func (c *chunk) each(use func(kind int64, body []byte, at int64)) (gap int64) {
	for at := int64(headerBytes); at < int64(len(c.data)); {
		kind, body, next := c.eventAt(at)
		if next == 0 {
			gap = cmp.Or(gap, at)
			for at++; at < int64(len(c.data)) && !c.follow(at); at++ {
			}
			continue
		}
		use(kind, body, at)
		at = next
	}
	return gap
}

// eventAt returns the event that begins at a byte, and where the next one does; 0: none begins there.
func (c *chunk) eventAt(at int64) (kind int64, body []byte, next int64) {
	r := reader{c: c, b: c.data[at:]}
	size := r.int()
	head := int64(len(c.data)) - at - int64(len(r.b))
	if r.err != nil || size <= head || size > int64(len(c.data))-at {
		return 0, nil, 0
	}
	r.b = r.b[:size-head]
	if kind = r.int(); r.err != nil {
		return 0, nil, 0
	}
	return kind, r.b, at + size
}

// sureEvents is how many events must follow one another behind a place that can't be read.
const sureEvents = 8

// follow reports whether so many events of known types follow one another from a byte on, or all up to the end.
func (c *chunk) follow(at int64) bool {
	for n := 0; n < sureEvents && at < int64(len(c.data)); n++ {
		kind, _, next := c.eventAt(at)
		if next == 0 || kind != metadataEvent && kind != checkpointEvent && c.classes[kind] == nil {
			return false
		}
		at = next
	}
	return true
}
