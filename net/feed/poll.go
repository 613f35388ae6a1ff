package feed

import (
	"time"

	"framescope/model"
	"framescope/model/store"
)

// A feed is emptied in runs, with a look at the clock in between: so a run is short, and the one item
// that may be long, a frame of a million spans, is appended in parts.
const (
	runDefinitions = 256
	runBatches     = 64
	runBytes       = 512 << 10
	partSpans      = 1 << 14
	largeBatch     = partSpans * 40 // bytes; such a batch is a run of its own
)

// run is the consumer's state while it empties a feed.
type run struct {
	defs    []model.Change
	batches []*model.Batch
}

// done counts the work of runs.
type done struct {
	definitions, batches, spans int
	more, ended                 bool
	divided                     bool // goroutines of its source appended
}

// fillRun moves the next definitions into a run, and then batches that need no others.
func (f *Feed) fillRun(r *run) {
	r.defs, r.batches = r.defs[:0], r.batches[:0]
	for i := range f.lost {
		r.defs = append(r.defs, f.lost[i])
	}
	f.takeLost()
	for f.defs.len() > 0 && len(r.defs) < runDefinitions {
		r.defs = append(r.defs, f.popDefinition())
	}
	for bytes := int64(0); f.ring.len() > 0 && len(r.batches) < runBatches && bytes < runBytes; {
		next := f.ring.at(0)
		if next.after > f.taken || next.sz >= largeBatch && len(r.batches) > 0 {
			break
		}
		bytes += next.sz
		b := f.pop().b
		if b.HasFrame && len(f.rewind) > 0 && f.rewind[b.Track] {
			b.Rewind = true
			delete(f.rewind, b.Track)
		}
		r.batches = append(r.batches, b)
	}
}

// step does one run: it takes data from the feed and applies them to the session. A very large batch
// is left in the middle at the deadline, and the next step goes on with it.
func (f *Feed) step(s *store.Session, r *run, now func() time.Time, deadline time.Time) (d done) {
	p := f.pool
	if f.part != nil {
		r.batches, f.part = append(r.batches[:0], f.part), nil
	} else {
		p.mu.Lock()
		f.fillRun(r)
		p.took()
		p.mu.Unlock()
		for _, c := range r.defs {
			s.Apply(c)
		}
		d.definitions = len(r.defs)
		clear(r.defs)
	}
	for _, b := range r.batches {
		for !s.AppendPart(b, partSpans) {
			if !now().Before(deadline) {
				f.part = b // it is the run's only one
				d.more = true
				return d
			}
		}
		d.spans += b.NumSpans()
	}
	d.batches = len(r.batches)

	p.mu.Lock()
	for _, b := range r.batches {
		p.recycle(b)
	}
	if f.divided.outside > 0 && f.ring.len() == 0 && f.defs.len() == 0 {
		p.mu.Unlock()
		f.letIn(s, min(dividedSlice, deadline.Sub(now())))
		batches, spans := f.shut(false)
		d.batches, d.spans = d.batches+batches, d.spans+spans
		p.mu.Lock()
		d.divided = batches > 0
		d.more = d.divided
	}
	d.more = d.more || f.ring.len() > 0 || f.defs.len() > 0 || len(f.lost) > 0
	var end *model.End
	if !d.more && f.end != nil {
		end, f.end = f.end, nil
		f.stats.Ended = true
		f.ring, f.defs, f.lost, f.lostAt, f.rewind = queue[item]{}, queue[definition]{}, nil, nil, nil
	}
	p.mu.Unlock()
	clear(r.batches)
	if end != nil {
		s.Apply(*end)
		d.ended = true
	}
	return d
}
