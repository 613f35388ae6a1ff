package locks

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Signalling is the kind of a signal to a condition in Bars. It is an instant: Begin and End are
// equal.
const Signalling = Condition + 1

// Bar is an item of a chart of locks: one use, or several of one kind on one track that are too
// dense to draw.
type Bar struct {
	Use          // of merged ones, Begin and End are those of the first and the last
	Count  int32 // uses in this bar, 1 for a plain use
	BusyNs int64 // time that uses take of [Begin, End], all of it for a plain use
}

// Thread counts a track's stored uses of a lock.
type Thread struct {
	Track                                     model.TrackID
	Waits, Holds, Failed, Conditions, Signals int64
}

// Threads appends to out the tracks that used a lock, ascending.
func (t *Table) Threads(lock model.CollectorID, out []Thread) []Thread {
	x := t.of[lock]
	if x == nil {
		return out
	}
	for _, id := range x.tracks {
		k, line := t.part(id, lock)
		if line == nil {
			continue
		}
		n := Thread{
			Track: id, Waits: line.waits.n(), Failed: line.failed.n(), Conditions: line.conditions.n(),
			Signals: line.signals.n(),
		}
		if len(line.holds) > 0 {
			n.Holds = line.holds[0].n()
		}
		for i := range k.open {
			if o := &k.open[i]; o.lock == lock && o.depth == 0 {
				switch o.kind {
				case Waiting:
					n.Waits++
				case Holding:
					n.Holds++
				case Condition:
					n.Conditions++
				}
			}
		}
		if n != (Thread{Track: id}) {
			out = append(out, n)
		}
	}
	return out
}

// Bars appends to out the uses of a lock that touch [t0, t1], by Begin (then by track and kind),
// signals included. Uses of one kind (and depth) on one track that are shorter than minNs and begin
// between the same two multiples of minNs are one bar; a use of minNs or more is always a bar of
// its own. So bars stay as they are while a picture pans. Cost: O(tracks · bars · log n).
func (t *Table) Bars(lock model.CollectorID, t0, t1, minNs int64, out []Bar) []Bar {
	var visited int64
	return t.bars(lock, t0, t1, minNs, out, &visited)
}

// bars also counts the uses and nodes that it looks at.
func (t *Table) bars(lock model.CollectorID, t0, t1, minNs int64, out []Bar, visited *int64) []Bar {
	x := t.of[lock]
	if x == nil || t1 < t0 {
		return out
	}
	t0, t1, minNs = model.ClampTime(t0), model.ClampTime(t1), min(max(minNs, 1), model.MaxTime)
	from, end := len(out), t.times.Now()
	w := &t.merge
	w.runs = w.runs[:0]
	for _, id := range x.tracks {
		k, line := t.part(id, lock)
		if line == nil {
			continue
		}
		use := Use{Lock: lock, Track: id}
		row := func(r *useRow, kind UseKind, depth int) {
			use.Kind, use.Depth = kind, depth
			w.runs = append(w.runs, len(out)-from)
			out = r.bars(use, t0, t1, minNs, out, visited)
		}
		row(&line.waits, Waiting, 0)
		row(&line.failed, Failed, 0)
		row(&line.conditions, Condition, 0)
		row(&line.signals, Signalling, 0)
		for depth := range line.holds {
			row(&line.holds[depth], Holding, depth)
		}
		for i := range k.open {
			if o := &k.open[i]; o.lock == lock {
				if u := t.openUse(id, o, end); u.Begin <= t1 && u.End >= t0 {
					w.runs = append(w.runs, len(out)-from)
					out = append(out, Bar{u, 1, u.End - u.Begin})
				}
			}
		}
	}
	w.sort(out[from:])
	w.booked.Set(t.acc, int64(cap(w.spare))*columns.SizeOf[Bar]()+int64(cap(w.runs))*8)
	return out
}

// barMerge sorts the bars of rows that are each in order already: several times faster than sorting
// them all.
type barMerge struct {
	runs   []int // where rows begin
	spare  []Bar
	booked columns.Booked
}

// sort merges neighbouring runs until there is one.
func (w *barMerge) sort(bars []Bar) {
	w.spare = slices.Grow(w.spare[:0], len(bars))[:len(bars)]
	from, to := bars, w.spare
	for len(w.runs) > 1 {
		n := 0
		for k := 0; k < len(w.runs); k += 2 {
			a, mid, b := w.runs[k], len(bars), len(bars)
			if k+1 < len(w.runs) {
				mid = w.runs[k+1]
			}
			if k+2 < len(w.runs) {
				b = w.runs[k+2]
			}
			mergeBars(to[a:b], from[a:mid], from[mid:b])
			w.runs[n] = a
			n++
		}
		w.runs = w.runs[:n]
		from, to = to, from
	}
	if len(bars) > 0 && &from[0] != &bars[0] {
		copy(bars, from)
	}
}

// mergeBars merges two sorted lists.
func mergeBars(out, a, b []Bar) {
	i, j := 0, 0
	for k := range out {
		if j == len(b) || i < len(a) && (a[i].Begin < b[j].Begin || a[i].Begin == b[j].Begin && compareBars(&a[i],
			&b[j]) <= 0) {
			out[k] = a[i]
			i++
		} else {
			out[k] = b[j]
			j++
		}
	}
}

func compareBars(a, b *Bar) int {
	return cmp.Or(
		cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Track, b.Track), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.End, b.End),
	)
}

// bars appends the bars of a row. Uses in a row do not overlap, so of those that begin between two
// multiples of minNs only the last can be as long as minNs.
func (r *useRow) bars(u Use, t0, t1, minNs int64, out []Bar, visited *int64) []Bar {
	// The bars at both ends hold all uses of their part of time, whether these touch the range or
	// not: else they would change as the picture pans.
	a, b := r.touching(t0, t1)
	if a == b {
		return out
	}
	part := model.FloorTo(r.uses.Ref(a).begin, minNs)
	a = columns.Search(r.first, a, func(i int64) bool { return r.uses.Ref(i).begin >= part })
	b = columns.Search(
		b, r.uses.End(),
		func(i int64) bool { return r.uses.Ref(i).begin >= model.FloorTo(r.uses.Ref(b-1).begin, minNs)+minNs },
	)
	guess := int64(0) // parts mostly hold about as many uses as the one before
	for a < b {
		next := model.FloorTo(r.uses.Ref(a).begin, minNs) + minNs
		to := a + 1
		if to < b && r.uses.Ref(to).begin < next {
			to = r.gallop(to+1, b, guess, next, visited)
			guess = to - a - 2
		}
		*visited++
		last := to
		if r.length(to-1) >= minNs {
			last--
		}
		switch n := last - a; {
		case n == 1:
			v := r.use(a, u)
			out = append(out, Bar{v, 1, v.End - v.Begin})
		case n > 1:
			v := r.use(a, u)
			v.End = r.uses.Ref(last - 1).end
			out = append(out, Bar{v, int32(min(n, 1<<31-1)), r.busy(a, last, visited)})
		}
		if last < to {
			v := r.use(last, u)
			out = append(out, Bar{v, 1, v.End - v.Begin})
		}
		a = to
	}
	return out
}

// gallop returns the position of the first use in [i, b) that begins at timeNs or later, b without
// one. It is expected to be near i+guess.
func (r *useRow) gallop(i, b, guess, timeNs int64, visited *int64) int64 {
	behind := func(k int64) bool { *visited++; return r.uses.Ref(k).begin >= timeNs }
	if at := i + guess; guess > 0 && at < b {
		if behind(at) {
			b = at
			for step := int64(1); b-step >= i; step *= 2 {
				if !behind(b - step) {
					i = b - step + 1
					break
				}
				b -= step
			}
			return columns.Search(i, b, behind)
		}
		i = at + 1
	}
	for step := int64(1); i+step <= b; step *= 2 {
		if behind(i + step - 1) {
			b = i + step - 1
			break
		}
		i += step
	}
	return columns.Search(i, b, behind)
}
