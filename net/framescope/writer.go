package framescope

import (
	"cmp"
	"encoding/binary"
	"io"
	"maps"
	"slices"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// Writer is the sink that writes a session file. It waits for its output: the first error ends the
// source's work as a cancelled sink does, and Close returns it.
type Writer struct {
	// Damaged are the places that the source could not read.
	Damaged feed.Places

	feed.Nowhere
	out     io.Writer
	journal *journal.Encoder
	meta    journal.Meta
	chunk   codec
	packer  packer
	opt     Options
	newest  int64  // ns, of the batches so far
	chunks  uint64 // that were written
	written int    // bytes of items and columns in them
	some    bool   // a batch was written
	err     error
	ended   bool
	end     string
}

// Options say what is written. The zero value is all of a session.
type Options struct {
	Part Part
	// Attached are additions that do not come from the source, by keys such as Bookmarks. AttachedTo returns those
	// to a program, or to what it is called by where it has no name; nil: there are no others.
	Attached   map[string][]byte
	AttachedTo func(program string) map[string][]byte
	// Progress is called with the bytes of the source that are done; nil: never.
	Progress func(done, total int64)
}

// NewWriter returns a sink that writes to out.
func NewWriter(out io.Writer, o Options) *Writer {
	return &Writer{
		out: out, opt: o, packer: newPacker(), meta: journal.Meta{Source: Kind}, chunk: newEncoder(),
	}
}

// InOrder implements feed.InOrder: the order of what is written does not depend on goroutines.
func (w *Writer) InOrder() bool { return true }

// Define implements feed.Sink.
func (w *Writer) Define(c model.Change) {
	w.Damaged.Note(c)
	switch c := c.(type) {
	case model.End:
		w.ended, w.end = true, c.Reason
		return
	case model.Info:
		if w.journal == nil {
			w.meta.Program, w.meta.Host, w.meta.Peer, w.meta.PID = c.Program, c.Host, c.Peer, max(c.PID, 0)
		}
	}
	w.chunk.define(c)
	w.flush(w.enough())
}

// Publish implements feed.Sink.
func (w *Writer) Publish(b *model.Batch) bool {
	if !w.opt.Part.Whole() && !cut(b, &w.opt.Part) {
		return w.err == nil
	}
	if _, end, some := b.Bounds(); some {
		w.newest = max(w.newest, end)
	}
	w.some = true
	w.chunk.batch(b)
	return w.flush(w.enough())
}

// Progress implements feed.Sink.
func (w *Writer) Progress(done, total int64) {
	if w.opt.Progress != nil {
		w.opt.Progress(done, total)
	}
}

// Empty reports whether no batch was written.
func (w *Writer) Empty() bool { return !w.some }

// Close writes what is left and the end of the session. It returns the first error of all.
func (w *Writer) Close() error {
	if w.flush(0) && w.writeChunk() && w.ended {
		w.keep(w.journal.End(w.end))
	}
	w.packer.zstd.Close()
	return w.err
}

// enough returns how many bytes a chunk has to have to be written.
func (w *Writer) enough() int { return min(chunkBytes, firstBytes+w.written/chunkShare) }

// writeChunk writes the chunk with its number. The last one is empty: so a whole record that is missing shows.
func (w *Writer) writeChunk() bool {
	w.chunks++
	w.written += w.chunk.size()
	w.keep(w.journal.Data(w.newest, numbered(w.packer.chunk(&w.chunk), w.chunks)))
	w.chunk.reset()
	return w.err == nil
}

// What stands behind a chunk: a mark, and the chunk's number in four bytes.
const (
	numberMark  = "\xf5no."
	numberBytes = len(numberMark) + 4
)

func numbered(chunk []byte, n uint64) []byte {
	return binary.LittleEndian.AppendUint32(append(chunk, numberMark...), uint32(n))
}

// flush writes the chunk if it has so many bytes. It returns false after an error.
func (w *Writer) flush(least int) bool {
	if w.chunk.size() < least || w.err != nil {
		return w.err == nil
	}
	if w.journal == nil {
		w.journal = journal.NewEncoder(w.out, w.meta)
		w.attach()
	}
	if len(w.chunk.buf) > 0 {
		w.writeChunk()
	}
	return w.err == nil
}

// attach writes the attachments, before all data.
func (w *Writer) attach() {
	all := maps.Clone(w.opt.Attached)
	if w.opt.AttachedTo != nil {
		if all == nil {
			all = map[string][]byte{}
		}
		maps.Copy(all, w.opt.AttachedTo(cmp.Or(w.meta.Program, w.meta.Peer)))
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		w.keep(w.journal.Define(key, all[key]))
	}
}

func (w *Writer) keep(err error) { w.err = cmp.Or(w.err, err) }
