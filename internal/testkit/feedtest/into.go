package feedtest

import (
	"framescope/model"
	"framescope/model/store"
)

// Into is a sink that hands everything to a session at once, on the goroutine that decodes, and counts.
type Into struct {
	Session       *store.Session
	Losses        []model.Loss
	Batches, Ends int
	StopAt        int           // the batch from which on it refuses them, 0: it takes all
	Ended         chan struct{} // closed at the first end, if it is one

	batch model.Batch
}

// Define implements feed.Sink.
func (k *Into) Define(c model.Change) {
	switch c := c.(type) {
	case model.Loss:
		k.Losses = append(k.Losses, c)
	case model.End:
		if k.Ends++; k.Ended != nil && k.Ends == 1 {
			defer close(k.Ended)
		}
	}
	k.Session.Apply(c)
}

// Begin implements feed.Sink.
func (k *Into) Begin() *model.Batch { k.batch.Reset(); return &k.batch }

// Publish implements feed.Sink.
func (k *Into) Publish(b *model.Batch) bool {
	k.Batches++
	k.Session.Append(b)
	return k.StopAt == 0 || k.Batches < k.StopAt
}

// Progress implements feed.Sink.
func (k *Into) Progress(int64, int64) {}
