// Package feed carries decoded data from the goroutines that decode to the game loop that owns the
// store.
//
// Definitions travel in a reliable queue; batches in a bounded ring. A live source never blocks on
// a full ring: the oldest batches leave and are counted. A file source waits. Definitions published
// before a batch are always applied before it.
package feed

import (
	"sync"

	"framescope/model"
)

// Sink is the output of a decoder. One goroutine at a time may use it.
type Sink interface {
	// Define hands over a definition or fact. It is never dropped.
	Define(c model.Change)
	// Begin returns an empty batch to fill; its slices keep the capacity of earlier use.
	Begin() *model.Batch
	// Publish hands over the batch that Begin returned. On a live feed it never blocks; on a file feed
	// it waits for room and returns false when loading was cancelled.
	Publish(b *model.Batch) bool
	// Progress reports how many bytes of a file are done.
	Progress(done, total int64)
}

// Divided is a Sink to which several goroutines may publish at once, each batches of tracks that no
// other publishes to.
type Divided interface {
	// Divide returns a function that publishes batches filled by its caller, for one goroutine. Calls
	// of the sink's methods meanwhile must hold mu. It returns false when nothing more is wanted.
	Divide(mu sync.Locker) (publish func(batches []model.Batch) bool)
}

// Nowhere is a sink that keeps nothing.
type Nowhere struct{ batch model.Batch }

// Define implements Sink.
func (n *Nowhere) Define(model.Change) {}

// Begin implements Sink.
func (n *Nowhere) Begin() *model.Batch { n.batch.Reset(); return &n.batch }

// Publish implements Sink.
func (n *Nowhere) Publish(*model.Batch) bool { return true }

// Progress implements Sink.
func (n *Nowhere) Progress(_, _ int64) {}
