package feed

import (
	"sync"
	"time"

	"framescope/model"
	"framescope/model/store"
)

// divided lets the goroutines of a source that several decode append to the session themselves, each its
// tracks, while the poll waits for them. The pool's lock guards it, but for appending.
type divided struct {
	into      *store.Session // nil: a poll is not waiting, and nobody may append
	until     time.Time      // the poll waits; a timer alone is late where all processors append
	inside    int            // goroutines that append
	outside   int            // goroutines that wait
	batches   int            // that were appended since shut
	spans     int
	appending sync.Mutex // of the session, see store.Appender
}

// dividedSlice is how long a poll lets goroutines append before it enforces the store's limit again.
const dividedSlice = 4 * time.Millisecond

var _ Divided = (*Feed)(nil)

// Divide implements Divided.
func (f *Feed) Divide(sync.Locker) (publish func(batches []model.Batch) bool) {
	var a *store.Appender
	return func(batches []model.Batch) bool {
		s, ok := f.enter()
		if ok && a == nil {
			a = s.Appender(&f.divided.appending)
		}
		spans := 0
		for i := range batches {
			for ok && !a.AppendPart(&batches[i], partSpans) {
				f.leave(0, 0)
				_, ok = f.enter()
			}
			if !ok {
				return false
			}
			spans += batches[i].NumSpans()
		}
		f.leave(len(batches), spans)
		return true
	}
}

// enter waits until letIn opens the session and applies the definitions that wait. It returns false once the feed was
// cancelled.
func (f *Feed) enter() (s *store.Session, ok bool) {
	d := &f.divided
	f.pool.mu.Lock()
	d.outside++
	if !time.Now().Before(d.until) {
		d.into = nil
	}
	f.waitUntil(func() bool { return d.into != nil })
	d.outside--
	if f.refuses() {
		f.pool.mu.Unlock()
		return nil, false
	}
	d.inside++
	s = d.into
	defined := f.defs.len() > 0
	f.pool.mu.Unlock()
	if defined {
		d.appending.Lock()
		defer d.appending.Unlock()
		f.pool.mu.Lock()
		var defs []model.Change
		for f.defs.len() > 0 {
			defs = append(defs, f.popDefinition())
		}
		f.pool.took()
		f.pool.mu.Unlock()
		for _, c := range defs {
			s.Apply(c)
		}
	}
	return s, true
}

// leave counts appended batches and spans.
func (f *Feed) leave(batches, spans int) {
	d := &f.divided
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	f.stats.Published += int64(batches)
	d.batches += batches
	d.spans += spans
	if d.inside--; d.inside == 0 {
		f.pool.room.Broadcast()
	}
}

// letIn opens the session to the publishing goroutines for a duration.
func (f *Feed) letIn(s *store.Session, most time.Duration) {
	d, p := &f.divided, f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	f.pulse.beat(time.Now())
	d.into, d.until = s, time.Now().Add(most)
	p.room.Broadcast()
}

// shut closes the session to the publishing goroutines, at once or when the duration of letIn is over. It waits until
// the last one has left and returns how much they appended.
func (f *Feed) shut(atOnce bool) (batches, spans int) {
	d, p := &f.divided, f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if atOnce {
		d.into = nil
	}
	over := time.AfterFunc(time.Until(d.until), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		d.into = nil
		p.room.Broadcast()
	})
	defer over.Stop()
	for d.into != nil && f.end == nil && !f.refuses() || d.inside > 0 {
		p.room.Wait()
	}
	d.into, batches, spans = nil, d.batches, d.spans
	d.batches, d.spans = 0, 0
	return batches, spans
}
