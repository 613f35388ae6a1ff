package feedtest

import (
	"framescope/model"
	"framescope/model/store"
)

// Into is a sink that hands everything to a session at once, on the goroutine that decodes.
type Into struct {
	Session *store.Session
	batch   model.Batch
}

// Define implements feed.Sink.
func (k *Into) Define(c model.Change) { k.Session.Apply(c) }

// Begin implements feed.Sink.
func (k *Into) Begin() *model.Batch { k.batch.Reset(); return &k.batch }

// Publish implements feed.Sink.
func (k *Into) Publish(b *model.Batch) bool { k.Session.Append(b); return true }

// Progress implements feed.Sink.
func (k *Into) Progress(int64, int64) {}
