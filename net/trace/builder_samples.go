package trace

import (
	"cmp"

	"framescope/model"
)

// sample is a stack of a thread at a time.
type sample struct {
	time  int64
	path  model.PathID
	bytes int64 // that were allocated
}

const sampleBytes = 24

// Sample takes the stack of a thread at a time, the outermost call first; it is empty where the thread was idle. A
// thread with samples shows them, and no spans.
func (t *Thread) Sample(ns int64, stack []Symbol) { t.sample(ns, stack, 0) }

// Allocation takes the stack of an allocation of bytes. A thread has these or samples.
func (t *Thread) Allocation(ns int64, stack []Symbol, bytes int64) {
	t.allocates = true
	t.sample(ns, stack, bytes)
}

func (t *Thread) sample(ns int64, stack []Symbol, bytes int64) {
	b := t.b
	if b.next(sampleBytes) == 0 {
		return
	}
	t.see(ns)
	path := model.PathRoot
	for _, name := range stack {
		path = b.path(ofThreads, path, name)
	}
	t.samples.add(sample{ns, path, bytes})
}

// publishSampled publishes the samples of a thread and the runs that they make. Where nothing was sampled for longer
// than twice the usual distance, the thread did not run: the last run before lasts that distance.
func (b *Builder) publishSampled(o *output) {
	list := o.thread.samples.drain(nil)
	SortRuns(list, func(x, y sample) int { return cmp.Compare(x.time, y.time) })
	var space Spacing
	for i := 1; i < len(list); i++ {
		space.Add(list[i].time - list[i-1].time)
	}
	usual := max(space.Median(), 1)
	t := b.stackWriter().Thread(o.def.ID, o.def.Name)
	if o.thread.allocates {
		t.Weighs(Allocated)
		usual = 0
	}
	var stack []model.PathID
	for i, s := range list {
		stack = b.table.Stack(s.path, stack[:0])
		t.Sample(s.time-b.first, stack)
		t.Weigh(float64(s.bytes))
		if i+1 == len(list) || list[i+1].time-s.time > 2*usual {
			t.Stop(s.time - b.first + usual)
		}
	}
	b.cancelled = !t.Close() || b.cancelled
}

// stackWriter returns the writer of all samples; its series follow those of counters.
func (b *Builder) stackWriter() *StackWriter {
	if b.writer == nil {
		b.writer = NewStackRuns(b.table, &b.Bad)
		b.writer.series = model.SeriesID(len(b.counters))
	}
	return b.writer
}
