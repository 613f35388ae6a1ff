package gsttrace

import (
	"framescope/model"
	"framescope/net/feed"
)

// namesMost bounds what the names in a log may take that is read for those of its threads.
const namesMost = 256 << 20

// Threads finds out what a log's threads are called, by the rule of its session: it maps the log,
// and keeps nothing but names. It is a Handler, to be given all that a reader finds.
type Threads struct{ *mapper }

// NewThreads returns one that knows no thread yet.
func NewThreads() Threads {
	s := &nowhere{}
	s.names.SetLimit(namesMost)
	return Threads{newMapper(New(s, false), Options{File: true})}
}

// End gives the threads their final names.
func (t Threads) End() { t.close() }

// Name returns what the session calls the thread of a thread-id in a process: "queue0:src". It is
// empty where the log has no such thread.
func (t Threads) Name(pid, id uint64) string {
	if p := t.procs[pid]; p != nil && p.byID[id] != nil {
		return p.byID[id].def().Name
	}
	return ""
}

// nowhere is a sink that keeps nothing.
type nowhere struct {
	batch model.Batch
	names feed.Held
}

// NamesHeld bounds names, as feed.NamesOf asks.
func (s *nowhere) NamesHeld() *feed.Held { return &s.names }

// Define implements feed.Sink.
func (*nowhere) Define(model.Change) {}

// Begin implements feed.Sink.
func (s *nowhere) Begin() *model.Batch {
	s.batch.Reset()
	return &s.batch
}

// Publish implements feed.Sink.
func (*nowhere) Publish(*model.Batch) bool { return true }

// Progress implements feed.Sink.
func (*nowhere) Progress(_, _ int64) {}
