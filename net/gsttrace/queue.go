package gsttrace

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// queueTypes are the elements that keep buffers as they are and give them away later.
var queueTypes = []string{"GstQueue", "GstQueue2", "GstMultiQueue"}

// queueLevel is the level between a sink pad and a source pad of a queue.
type queueLevel struct {
	fill Fill
	ids  [3]model.SeriesID // buffers, bytes, time
}

// queueOf returns the level that a pad changes: that of its element, or of its way through a queue
// of several. nil for pads of other elements.
func (c *recordAt) queueOf(pad *object) *queueLevel {
	q := pad.parent
	if q == nil || !slices.Contains(queueTypes, q.def.Type) || q.def.Type == "" {
		return nil
	}
	way := ""
	if q.def.Type == "GstMultiQueue" { // sink_1 gives to src_1
		if at := strings.LastIndexByte(pad.def.Name, '_'); at >= 0 {
			way = pad.def.Name[at:]
		}
	}
	level := q.levels[way]
	if level == nil {
		level = c.newLevel(q, way)
		model.Put(&q.levels, way, level)
	}
	return level
}

// newLevel returns a level with its series.
func (c *recordAt) newLevel(q *object, way string) *queueLevel {
	l := &queueLevel{}
	for i, what := range [...]struct{ group, unit, description string }{
		{"queue level buffers", "", "buffers that went in and did not come out"},
		{"queue level bytes", "B", "bytes of the buffers that went in and did not come out"},
		{"queue level time", "ns", "from the oldest buffer in the queue to the end of the newest, by the buffers' own clock"},
	} {
		l.ids[i] = c.p.series(q.fullName()+way, q, model.SeriesDef{
			Group: what.group, Unit: what.unit, Description: what.description, Kind: model.SeriesGauge, Role: model.RoleLevel,
		})
	}
	return l
}

// passage is a buffer that went into a queue or came out of it.
type passage struct {
	level  *queueLevel
	in     bool
	timeNs int64
	x      Buffer
}

// passed notes that a buffer went from one pad to another: out of a queue, into one, or both. What
// several threads write is not quite in order of time, so it waits as samples do.
func (c *recordAt) passed(from, to *object) {
	if from == nil || to == nil {
		return
	}
	x := Buffer{
		PTS: c.timeOf("buffer-pts"), Duration: c.timeOf("buffer-duration"), Size: c.field("buffer-size").Unsigned(),
	}
	for i, pad := range [...]*object{from, to} {
		if l := c.queueOf(pad); l != nil && !l.fill.Lost {
			c.m.passages = append(c.m.passages, passage{l, i == 1, c.timeNs, x})
		}
	}
}

// levels takes samples of the levels of queues before a time.
func (m *mapper) levels(beforeNs int64) {
	if len(m.passages) == 0 {
		return
	}
	trace.SortRuns(m.passages, func(a, b passage) int { return cmp.Compare(a.timeNs, b.timeNs) })
	n := 0
	for ; n < len(m.passages) && m.passages[n].timeNs < beforeNs; n++ {
		p := &m.passages[n]
		if p.level.fill.Lost {
			continue
		}
		if p.in {
			p.level.fill.Put(p.x)
		} else {
			p.level.fill.Take(p.x)
		}
		p.level.sample(m, p.timeNs)
	}
	m.passages = append(m.passages[:0], m.passages[n:]...)
}

// timeOf is a time of a buffer, Unknown where it has none.
func (c *recordAt) timeOf(name string) uint64 {
	if i := c.pl.field(name); i >= 0 && c.values[i].Present {
		return c.values[i].Unsigned()
	}
	return Unknown
}

// sample takes a sample of the level.
func (l *queueLevel) sample(m *mapper, timeNs int64) {
	if l.fill.Lost {
		m.out.Beyond(trace.ManyCounters)
		for _, id := range l.ids {
			m.out.Sample(id, timeNs, math.NaN())
		}
		return
	}
	m.out.Sample(l.ids[0], timeNs, float64(l.fill.Count()))
	m.out.Sample(l.ids[1], timeNs, float64(l.fill.Bytes))
	if ns, ok := l.fill.Span(); ok {
		m.out.Sample(l.ids[2], timeNs, float64(ns))
	}
}
