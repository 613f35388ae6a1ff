package chrometrace

import (
	"cmp"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// mostGroups is the limit of asynchronous tracks; the rest share one.
const mostGroups = 512

// tree is a span with all inside it.
type tree struct {
	begin, end int64
	from, to   int // of the spans
	rows       int
}

// group is one track: the asynchronous spans of a process with one name, and the spans inside them.
type group struct {
	proc  *process
	text  uint32
	trees []tree
	track model.TrackID
}

// groupAsync pairs and nests the asynchronous events, each key by itself.
func (d *decoder) groupAsync() (spans []span, groups []*group) {
	d.texts.kind = ofTasks
	defer func() { d.texts.kind = ofThreads }()
	trace.SortRuns(d.steps, func(a, b step) int {
		return trace.SortRunPairs(int64(a.key), int64(b.key), a.time, b.time)
	})
	type name struct {
		proc *process
		text uint32
	}
	by := map[name]*group{}
	var marks []mark
	for i := 0; i < len(d.steps); {
		key := d.steps[i].key
		marks = marks[:0]
		for ; i < len(d.steps) && d.steps[i].key == key; i++ {
			marks = append(marks, mark{d.steps[i].time, d.steps[i].text, d.steps[i].seq})
		}
		from := len(spans)
		spans = d.pair(spans, marks)
		order(spans[from:])
		kept, _ := d.nest(spans[from:])
		spans = spans[:from+len(kept)]
		d.aside(spans[from:])
		var g *group
		for k := from; k < len(spans); k++ {
			s := &spans[k]
			if s.lane > 0 {
				t := &g.trees[len(g.trees)-1]
				t.to, t.rows = k+1, max(t.rows, int(s.lane)+1)
				continue
			}
			n := name{proc: d.asyncs[key].proc, text: s.text}
			if g = by[n]; g == nil {
				if len(groups) >= mostGroups {
					n = name{proc: groups[0].proc, text: moreText}
					g = by[n]
				}
				if g == nil {
					g = &group{proc: n.proc, text: n.text}
					by[n] = g
					groups = append(groups, g)
				}
			}
			g.trees = append(g.trees, tree{s.begin, s.end, k, k + 1, 1})
		}
	}
	d.steps = nil
	return spans, groups
}

// aside moves spilled spans behind the others, where each is a tree of its own.
func (d *decoder) aside(list []span) {
	if len(d.spilled) == 0 {
		return
	}
	trace.SortRuns(list, func(a, b span) int {
		return cmp.Compare(a.flags&isSpilled, b.flags&isSpilled)
	})
	for i := range list {
		if s := &list[i]; s.flags&isSpilled != 0 {
			s.lane, s.flags = 0, s.flags&^isSpilled
		}
	}
}

// rows returns the spans of a group with their rows: trees that do not overlap share rows.
func (d *decoder) rows(g *group, all []span) []span {
	trace.SortRuns(g.trees, func(a, b tree) int { return cmp.Compare(a.begin, b.begin) })
	var out []span
	var taken trace.FreeRows
	for _, t := range g.trees {
		row, ok := taken.Take(t.begin, t.end, t.rows, mostRows)
		if !ok {
			for range t.to - t.from {
				d.count(noRows, trace.Unknown)
			}
			continue
		}
		for _, s := range all[t.from:t.to] {
			s.lane += uint16(row)
			out = append(out, s)
		}
	}
	trace.SortRuns(out, func(a, b span) int {
		return trace.SortRunPairs(a.begin, b.begin, int64(a.lane), int64(b.lane))
	})
	return out
}

// title returns the name of a group's track.
func (g *group) title(t *texts) string {
	if g.text == moreText {
		return feed.MoreNames
	}
	return t.list[g.text]
}
