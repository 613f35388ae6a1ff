package frames

import (
	"sort"

	"framescope/model"
	"framescope/model/columns"
)

// selfRow is the self time of a collector in a frame, in 6 bytes: 26 bits of ns and 6 of count.
// Values that do not fit (more than 67 ms, below 0, more than 62 starts) are in the wide table, and
// the count is selfWide.
type selfRow struct {
	collector uint16
	low, high uint16
}

const (
	selfBits = 26
	selfWide = 1<<6 - 1
)

func (r selfRow) ns() int64    { return int64(r.low) | int64(r.high)<<16&(1<<selfBits-1) }
func (r selfRow) count() int64 { return int64(r.high >> (selfBits - 16)) }
func (r selfRow) wide() bool   { return r.high >= selfWide<<(selfBits-16) }

type selfColumn struct{ columns.Column }

func (c *selfColumn) At(i int64) selfRow         { return columns.At[selfRow](&c.Column, i) }
func (c *selfColumn) Run(i, end int64) []selfRow { return columns.Run[selfRow](&c.Column, i, end) }
func (c *selfColumn) Push(r selfRow)             { columns.Append(&c.Column, r) }

// selfTable holds the self times of a track's frames, frame after frame, ascending by
// collector.
type selfTable struct {
	rows selfColumn
	wide []wideSelf
	next int // place behind the row that widen returned last, as rows are read in order
}

// wideSelf is a value that does not fit a row.
type wideSelf struct {
	pos   int64
	ns    int64
	count int32
}

func (t *selfTable) push(a model.CollectorTime) {
	bits := uint32(a.Ns) | uint32(a.Count)<<selfBits
	if uint64(a.Ns)>>selfBits != 0 || uint32(a.Count) >= selfWide {
		bits = selfWide << selfBits
		t.wide = columns.Push(t.rows.Acc, t.wide, wideSelf{t.rows.End(), a.Ns, a.Count})
	}
	t.rows.Push(selfRow{uint16(a.Collector), uint16(bits), uint16(bits >> 16)})
}

// widen returns ns and count of the row at a position that is in the wide table.
func (t *selfTable) widen(pos int64) (ns int64, count int32) { return t.widenNext(pos, &t.next) }

// widenNext is widen for callers that keep the place behind the last answer.
func (t *selfTable) widenNext(pos int64, next *int) (ns int64, count int32) {
	k := *next
	if k >= len(t.wide) || t.wide[k].pos != pos {
		k = t.findWide(pos)
	}
	*next = k + 1
	w := &t.wide[k]
	return w.ns, w.count
}

func (t *selfTable) findWide(pos int64) int {
	return sort.Search(len(t.wide), func(k int) bool { return t.wide[k].pos >= pos })
}

func (t *selfTable) at(pos int64) model.CollectorTime {
	r := t.rows.At(pos)
	if r.wide() {
		ns, count := t.widen(pos)
		return model.CollectorTime{Collector: model.CollectorID(r.collector), Ns: ns, Count: count}
	}
	return model.CollectorTime{Collector: model.CollectorID(r.collector), Ns: r.ns(), Count: int32(r.count())}
}

func (t *selfTable) truncate(n int64) {
	t.rows.Truncate(n)
	t.wide = t.wide[:t.findWide(n)]
}

func (t *selfTable) dropBefore(pos int64) {
	t.rows.DropBefore(pos)
	t.wide = columns.CutFront(t.rows.Acc, t.wide, t.findWide(pos))
}

// clear frees everything.
func (t *selfTable) clear() {
	t.rows.Clear()
	columns.LetGo(t.rows.Acc, t.wide)
	t.wide = nil
}

// levelTable holds the levels of a track: of frames, frame after frame, ascending by collector; and
// loose ones, by collector.
type levelTable struct {
	collector columns.Uint16s
	time      columns.Near
	value     columns.Float64s
	loose     map[model.CollectorID]*pointColumn
}

type pointColumn struct{ columns.Column }

func (c *pointColumn) At(i int64) levelPoint { return columns.At[levelPoint](&c.Column, i) }
func (c *pointColumn) Push(p levelPoint)     { columns.Append(&c.Column, p) }

// levelPoint is a loose level. Times ascend within a collector.
type levelPoint struct {
	time  int64
	value float64
}

func (t *levelTable) push(v model.Level) {
	t.collector.Push(uint16(v.Collector))
	t.time.Push(v.Time)
	t.value.Push(v.Value)
}

func (t *levelTable) pushLoose(v model.Level) {
	if t.loose == nil {
		t.loose = map[model.CollectorID]*pointColumn{}
	}
	c := t.loose[v.Collector]
	if c == nil {
		c = &pointColumn{columns.Column{Acc: t.value.Acc}}
		t.loose[v.Collector] = c
		c.Acc.Add(looseBytes)
	}
	if c.End() > c.Start() {
		v.Time = max(v.Time, c.At(c.End()-1).time)
	}
	c.Push(levelPoint{v.Time, v.Value})
}

func (t *levelTable) at(pos int64) model.Level {
	return model.Level{Collector: model.CollectorID(t.collector.At(pos)), Time: t.time.At(pos), Value: t.value.At(pos)}
}

func (t *levelTable) truncate(n int64) {
	t.collector.Truncate(n)
	t.time.Truncate(n)
	t.value.Truncate(n)
}

func (t *levelTable) dropBefore(pos, timeNs int64) {
	t.collector.DropBefore(pos)
	t.time.DropBefore(pos)
	t.value.DropBefore(pos)
	for _, c := range t.loose {
		// The last point before timeNs stays: it holds on into the kept range.
		c.DropBefore(columns.Search(c.Start(), c.End(), func(i int64) bool { return c.At(i).time >= timeNs }) - 1)
	}
}

// looseBounds returns the earliest and the latest time of levels outside frames.
func (t *levelTable) looseBounds() (begin, end int64) {
	begin, end = model.MaxTime, model.MinTime
	for _, c := range t.loose {
		if c.End() > c.Start() {
			begin, end = min(begin, c.At(c.Start()).time), max(end, c.At(c.End()-1).time)
		}
	}
	return begin, end
}

// looseBytes is about the overhead of a collector with loose levels.
const looseBytes = 128

func (t *levelTable) init(acc *columns.Account) {
	t.collector.Acc, t.value.Acc = acc, acc
	t.time.Init(acc)
}

// clear frees everything.
func (t *levelTable) clear() {
	t.collector.Clear()
	t.time.Clear()
	t.value.Clear()
	for _, c := range t.loose {
		c.Clear()
		c.Acc.Add(-looseBytes)
	}
	t.loose = nil
}

// positionOf returns the track and the position of a frame index in its columns; ok is false where
// there is none.
func (x *Table) positionOf(track model.TrackID, frame int) (t *Thread, p int64, ok bool) {
	if t = x.track(track); t != nil {
		p, ok = t.position(frame)
	}
	return t, p, ok
}

// Self appends the self times of a frame, ascending by collector.
func (x *Table) Self(track model.TrackID, frame int, out []model.CollectorTime) []model.CollectorTime {
	t, p, ok := x.positionOf(track, frame)
	if !ok {
		return out
	}
	for i := rowsBefore(&t.frames.selfEnd, p); i < t.frames.selfEnd.At(p); i++ {
		out = append(out, t.self.at(i))
	}
	return out
}

// CallCounts notes in counts, by collector, how often each was called in a frame, and appends those
// that were to out. Collectors beyond the end of counts are left out.
func (x *Table) CallCounts(
	track model.TrackID, frame int, counts []int64, out []model.CollectorID,
) []model.CollectorID {
	t, p, ok := x.positionOf(track, frame)
	if !ok {
		return out
	}
	for i, end := rowsBefore(&t.frames.selfEnd, p), t.frames.selfEnd.At(p); i < end; {
		run := t.self.rows.Run(i, end)
		for k := range run {
			n := run[k].count()
			if run[k].wide() {
				_, wide := t.self.widen(i + int64(k))
				n = int64(wide)
			}
			if c := int(run[k].collector); n > 0 && c < len(counts) {
				counts[c] = n
				out = append(out, model.CollectorID(c))
			}
		}
		i += int64(len(run))
	}
	return out
}

// Levels appends the levels of a frame, ascending by collector, the last of each.
func (x *Table) Levels(track model.TrackID, frame int, out []model.Level) []model.Level {
	t, p, ok := x.positionOf(track, frame)
	if !ok {
		return out
	}
	for i := rowsBefore(&t.frames.levels, p); i < t.frames.levels.At(p); i++ {
		out = append(out, t.levels.at(i))
	}
	return out
}

// SelfTimes calls add with the sum of the self times of each collector in the frames [first, last] of a track: by
// its rows, or of many frames by their statistics. ok is false where nothing is known of what runs in frames of the
// track.
func (x *Table) SelfTimes(track model.TrackID, first, last int, add func(c model.CollectorID, ns int64)) (ok bool) {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok {
		return false
	}
	if to-from >= columns.StatExact {
		x.self = x.AllStats(track, false, first, last, x.self[:0])
		for i := range x.self {
			add(x.self[i].Collector, x.self[i].SelfNs())
		}
		return t.HasSelfTimes()
	}
	sums := &x.host.Work.selfSums
	for _, without := t.frames.counted(from, to); without && from <= to; from++ {
		if !t.frames.stopped(from) {
			t.addSelfTimes(from, from, sums)
		}
	}
	if from <= to {
		t.addSelfTimes(from, to, sums)
	}
	sums.drain(add)
	return t.HasSelfTimes()
}

// HasSelfTimes reports whether anything is known of what runs in frames of the track.
func (t *Thread) HasSelfTimes() bool { return t.self.rows.End() > 0 }

// addSelfTimes adds the self times in the frames at positions [from, to].
func (t *Thread) addSelfTimes(from, to int64, sums *selfSums) {
	for i, end := rowsBefore(&t.frames.selfEnd, from), t.frames.selfEnd.At(to); i < end; {
		run := t.self.rows.Run(i, end)
		for k := range run {
			ns := run[k].ns()
			if run[k].wide() {
				ns, _ = t.self.widen(i + int64(k))
			}
			sums.add(run[k].collector, ns)
		}
		i += int64(len(run))
	}
}

// selfSums are sums by collector. The zero value is ready.
type selfSums struct {
	ns   []int64
	used []int // may hold one twice
}

func (x *selfSums) add(collector uint16, ns int64) {
	c := int(collector)
	if c >= len(x.ns) {
		x.ns = append(x.ns, make([]int64, c+1-len(x.ns))...)
	}
	if x.ns[c] == 0 && ns != 0 {
		x.used = append(x.used, c)
	}
	x.ns[c] += ns
}

// drain calls f with each sum, and leaves none.
func (x *selfSums) drain(f func(c model.CollectorID, ns int64)) {
	for _, c := range x.used {
		f(model.CollectorID(c), x.ns[c])
		x.ns[c] = 0
	}
	x.used = x.used[:0]
}
