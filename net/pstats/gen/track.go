package gen

import (
	"math"

	"framescope/model"
	"framescope/net/pstats"
)

// op is the start of a node, or the stop of the one that runs innermost (node -1).
type op struct {
	node   int32
	timeNs int64
}

// track makes the frames of one track, one after another.
type track struct {
	at     framePlan // the present frame
	levels []uint16
	rnd    random
	ops    []op
	stack  []running
	cursor []int32 // by node: which child comes next
	values []float64
	selfNs []int64 // by collector
	starts []int32 // by collector
}

type running struct {
	node int32
	span int32
}

func (s *Session) newTrack(i int) *track {
	p := &s.tracks[i]
	t := &track{
		at: p.start(), levels: s.shape.levels[:p.levels], rnd: random(p.seed ^ 0x74696d6573),
		cursor: make([]int32, len(p.tree.nodes)),
	}
	t.values = make([]float64, len(t.levels))
	t.selfNs, t.starts = make([]int64, len(s.shape.collectors)), make([]int32, len(s.shape.collectors))
	for k := range t.values {
		t.values[k] = 200 + 600*t.rnd.unit()
	}
	return t
}

// next makes the next frame; false at the end.
func (t *track) next() bool {
	if !t.at.next() {
		return false
	}
	t.arrange()
	t.time()
	for k := range t.values {
		t.values[k] = min(max(t.values[k]+20*(t.rnd.unit()-0.5), 0), 1000)
	}
	return true
}

// arrange decides the nesting of collectors. The choices of all frames of a track are the same, as
// those of a game's code nearly are: a larger frame does more of it.
func (t *track) arrange() {
	nodes := t.at.t.tree.nodes
	rnd := random(t.at.t.seed ^ 0x6f72646572)
	clear(t.cursor)
	t.ops = append(t.ops[:0], op{node: 0})
	at := int32(0)
	for left := t.at.spans - 1; left > 0; {
		n := &nodes[at]
		if k := len(n.children); k > 0 && (at == 0 || rnd.next()&3 != 0) {
			child := n.children[int(t.cursor[at])%k]
			if rnd.next()&3 != 0 { // one in four is called again
				t.cursor[at]++
			}
			at = child
			t.ops = append(t.ops, op{node: at})
			left--
			continue
		}
		t.ops = append(t.ops, op{node: -1})
		at = n.parent
	}
	for ; at >= 0; at = nodes[at].parent {
		t.ops = append(t.ops, op{node: -1})
	}
}

// time gives the starts and stops their times: most of it passes in the leaves.
func (t *track) time() {
	n := len(t.ops)
	var sum int64
	t.ops[0].timeNs = 0
	for i := 1; i < n; i++ {
		step := int64(t.rnd.next() & 15)
		if t.ops[i].node < 0 && t.ops[i-1].node >= 0 {
			step = 32 + 2*int64(t.rnd.next()&63)
		}
		sum += step
		t.ops[i].timeNs = sum
	}
	free := float64(t.at.lastNs-t.at.beginNs-int64(n)) / float64(max(sum, 1))
	for i := range t.ops {
		o := &t.ops[i]
		o.timeNs = t.at.beginNs + int64(i) + int64(max(free, 0)*float64(o.timeNs)) // no two at the same time
	}
}

// wire writes the frame into f as a client sends it.
func (t *track) wire(f *pstats.Frame) *pstats.Frame {
	nodes := t.at.t.tree.nodes
	f.Thread, f.Number = uint16(t.at.t.index), t.at.number
	f.Events, f.Levels = f.Events[:0], f.Levels[:0]
	at := int32(-1)
	for i := range t.ops {
		o := &t.ops[i]
		var word uint16
		if o.node >= 0 {
			at = o.node
			word = uint16(nodes[at].collector)
		} else {
			word = uint16(nodes[at].collector) | pstats.StopBit
			at = nodes[at].parent
		}
		f.Events = append(f.Events, pstats.Event{Word: word, Time: float32(float64(o.timeNs) / 1e9)})
	}
	for k, c := range t.levels {
		f.Levels = append(f.Levels, pstats.Level{Collector: c, Value: float32(math.Round(t.values[k]))})
	}
	return f
}

// batch writes the frame into b as a decoder does.
func (t *track) batch(b *model.Batch) {
	nodes := t.at.t.tree.nodes
	b.Track, b.HasFrame, b.Number = model.TrackID(t.at.t.index), true, int64(t.at.number)
	b.Begin, b.End = t.at.beginNs, t.ops[len(t.ops)-1].timeNs
	b.Bytes = 12 + 6*len(t.ops) + 6*len(t.levels)
	t.stack = t.stack[:0]
	lastNs := b.Begin
	for i := range t.ops {
		o := &t.ops[i]
		if k := len(t.stack) - 1; k >= 0 {
			t.selfNs[nodes[t.stack[k].node].collector] += o.timeNs - lastNs
		}
		lastNs = o.timeNs
		if o.node >= 0 {
			t.starts[nodes[o.node].collector]++
			t.stack = append(t.stack, running{node: o.node, span: int32(len(b.Spans))})
			b.Spans = append(b.Spans, model.Span{
				Begin: o.timeNs, End: o.timeNs, Path: nodes[o.node].path, Lane: uint16(len(t.stack) - 1),
			})
			continue
		}
		k := len(t.stack) - 1
		b.Spans[t.stack[k].span].End = o.timeNs
		t.stack = t.stack[:k]
	}
	for _, c := range t.at.t.tree.collectors {
		if t.starts[c] > 0 {
			b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(c), Ns: t.selfNs[c], Count: t.starts[c]})
			t.selfNs[c], t.starts[c] = 0, 0
		}
	}
	for k, c := range t.levels {
		b.Levels = append(b.Levels, model.Level{
			Collector: model.CollectorID(c), Time: b.Begin, Value: math.Round(t.values[k]),
		})
	}
}
