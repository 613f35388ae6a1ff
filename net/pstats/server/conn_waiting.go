package server

import (
	"cmp"
	"maps"
	"slices"
	"sync/atomic"

	"framescope/model"
	"framescope/net/pstats"
)

// Limits of a client's data before its first frame, in bytes. Real clients send tables of definitions
// then: 32,768 collectors are some 2 MB. All waiting clients together share a part.
const (
	waitingFree   = 128 << 10 // for each, at any time
	waitingOne    = 8 << 20   // for each, at most
	waitingShared = 32 << 20  // for all together, beyond the free room
)

// waitingRoom is the Handler of a connection before its first frame: a client that sends none
// becomes no session. It keeps the state that the messages add up to, not the messages.
type waitingRoom struct {
	shared *atomic.Int64 // bytes that all waiting rooms have taken of waitingShared

	hello      pstats.ClientHello
	known      bool
	collectors map[int16]pstats.CollectorDef
	threads    map[int]string
	expired    map[int]bool
	lost       [model.NumLossReasons]model.Loss

	early     []earlyFrame // frames before the hello, which defines how to decode them
	bytes     int64        // that are kept
	taken     int64        // of them from shared
	refused   int64        // definitions that did not fit
	refusedFr int64        // frames that did not fit
}

// earlyFrame is a message or datagram with a frame.
type earlyFrame struct {
	payload []byte
	from    origin
}

func newWaitingRoom(shared *atomic.Int64) *waitingRoom { return &waitingRoom{shared: shared} }

// room takes room for n bytes and reports whether there is any.
func (w *waitingRoom) room(n int) bool {
	bytes := w.bytes + int64(n)
	if bytes > waitingOne {
		return false
	}
	if more := bytes - waitingFree - w.taken; more > 0 {
		if w.shared.Add(more) > waitingShared {
			w.shared.Add(-more)
			return false
		}
		w.taken += more
	}
	w.bytes = bytes
	return true
}

// leave frees everything.
func (w *waitingRoom) leave() {
	w.shared.Add(-w.taken)
	*w = waitingRoom{shared: w.shared}
}

// Hello implements Handler.
func (w *waitingRoom) Hello(h pstats.ClientHello) { w.hello, w.known = h, true }

// Collectors implements Handler.
func (w *waitingRoom) Collectors(defs []pstats.CollectorDef) {
	const size = 128 // of a definition and its place in the table
	for _, def := range defs {
		old, ok := w.collectors[def.Index]
		need := len(def.Name) + len(def.Units) - len(old.Name) - len(old.Units)
		if !ok {
			need += size
		}
		if !w.room(need) {
			w.refused++
			continue
		}
		model.Put(&w.collectors, def.Index, def)
	}
}

// Threads implements Handler.
func (w *waitingRoom) Threads(first int, names []string) {
	const size = 64
	for i, name := range names {
		old, ok := w.threads[first+i]
		need := len(name) - len(old)
		if !ok {
			need += size
		}
		if !w.room(need) {
			w.refused++
			continue
		}
		model.Put(&w.threads, first+i, name)
		delete(w.expired, first+i)
	}
}

// Expire implements Handler.
func (w *waitingRoom) Expire(thread int) {
	const size = 32
	if !w.expired[thread] && !w.room(size) {
		w.refused++
		return
	}
	model.Put(&w.expired, thread, true)
}

// Frame implements Handler. It is never called: a frame begins the session.
func (w *waitingRoom) Frame(*pstats.Frame, int) {}

// Lost implements Handler.
func (w *waitingRoom) Lost(l model.Loss) {
	sum := &w.lost[l.Reason]
	if sum.N == 0 && !sum.Uncounted {
		*sum = l
		return
	}
	sum.Add(l)
}

// Close implements Handler.
func (w *waitingRoom) Close(string) { w.leave() }

// add keeps a frame until the hello comes.
func (w *waitingRoom) add(payload []byte, from origin) {
	const size = 64
	if len(w.early) == maxEarlyNum || !w.room(len(payload)+size) {
		w.refusedFr++
		return
	}
	w.early = append(w.early, earlyFrame{slices.Clone(payload), from})
}

// replay sends everything to h and empties the room.
func (w *waitingRoom) replay(h pstats.Handler) {
	if w.known {
		h.Hello(w.hello)
	}
	order := func(a, b pstats.CollectorDef) int { return cmp.Compare(a.Index, b.Index) }
	for run := range slices.Chunk(slices.SortedFunc(maps.Values(w.collectors), order), 500) {
		h.Collectors(run)
	}
	threads := slices.Sorted(maps.Keys(w.threads))
	for i := 0; i < len(threads); {
		end := i + 1
		for end < len(threads) && threads[end] == threads[end-1]+1 {
			end++
		}
		names := make([]string, 0, end-i)
		for _, t := range threads[i:end] {
			names = append(names, w.threads[t])
		}
		h.Threads(threads[i], names)
		i = end
	}
	for _, t := range slices.Sorted(maps.Keys(w.expired)) {
		h.Expire(t)
	}
	for _, l := range w.lost {
		if l.N > 0 || l.Uncounted {
			h.Lost(l)
		}
	}
	if w.refused > 0 {
		h.Lost(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: w.refused,
			Detail: "definitions before the first frame, beyond the limit for those"})
	}
	if w.refusedFr > 0 {
		h.Lost(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: w.refusedFr, Frames: w.refusedFr,
			Detail: "frames before the hello, beyond the limit for those"})
	}
	w.leave()
}
