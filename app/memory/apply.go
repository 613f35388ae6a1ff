package memory

import (
	"framescope/model/store"
	"framescope/net/feed"
)

// Apply sets the limits of a store and the hub that fills it, and notes their memory. Programs without
// a window call it before every poll. Without a Keeper the store has its default.
func (k *Keeper) Apply(st *store.Store, hub *feed.Hub) {
	if k == nil {
		return
	}
	limit := k.limit.Load()
	var waiting int64
	if hub != nil {
		hub.SetLimit(Feeds(limit))
		s := hub.Stats()
		waiting = s.WaitingBytes + s.FreeBytes + s.HeldBytes
	}
	st.MemoryLimit = k.Sessions()
	m := st.Memory()
	k.Held(m.Total(), waiting)
}
