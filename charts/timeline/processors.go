package timeline

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// ProcessorChart is the timeline turned round: a group of rows for each processor. The first row says how busy it was, and with which threads; below is a row for each thread that ever ran there, with its
// outermost spans while it did. It needs RoleProcessor series.
//
// A thread is on one processor at a time, but what it does there may go on while another thread has the processor: that is why threads have rows of their own. Spans are cut where the thread moved; where it moved too often
// to be told apart, a piece is as strong as the share of time that it spent on the processor.
//
// Axis, ruler, cursors, ranges and gestures are those of a timeline; it is one without tracks that does them here.
type ProcessorChart struct {
	axis Timeline
	key  processorKey

	groups  []processorGroup
	rows    []processorRow
	seen    map[processorOf]bool
	scanned map[model.SeriesID]int64 // the time up to which samples were looked at
	session *model.Session
	rev     uint64
	maps    uint64
	scale   float32

	list    []processorOf
	block   timelineBlock
	samples []model.Sample
	bars    []model.Bar
	pieces  []processorPiece
	busy    []float32 // of the columns of one processor, by thread
	minNs   int64
	buf     []byte
	mode    panel.CachedText
}

type processorKey struct {
	panel.PictureKey
	begin, end float64
	scrollY    float32
	empty      bool
}

type processorOf struct {
	core  int32
	track model.TrackID
}

// processorGroup is the place of a processor: rows[from:to].
type processorGroup struct {
	band
	core     int32
	from, to int
}

type processorRow struct {
	track model.TrackID
	y     float32
}

// processorPiece is a part of a span that a thread spent on one processor, as it was drawn.
type processorPiece struct {
	drawnBar
	begin, end int64 // of the piece
	share      float32
	group, row int
	y0, y1     float32
}

// Sizes in scale-1 pixels, and limits.
const (
	processorBusyH = 18
	processorRowH  = 15
	processorMost  = 512 // processors
	processorScan  = 1 << 16
)

// Update handles a tick's input, lays the chart out in rect, and draws it if anything changed.
func (c *ProcessorChart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t, v := &c.axis, env.View
	if panel.ListFor(&t.list, env) {
		c.key = processorKey{}
	}
	c.layout(env, rect)
	var act panel.Action
	if v.Session() != nil {
		act = c.input(env, in)
	}
	t.nsPerPx = v.Time().NsPerPx(t.plot)
	key := processorKey{PictureKey: panel.PictureKeyOf(env, rect), begin: v.Time().BeginNs, end: v.Time().EndNs, scrollY: t.scrollY, empty: len(c.groups) == 0 || !v.Time().Valid()}
	if key != c.key {
		c.key = key
		c.drawBase(env, key.empty)
		t.based()
	}
	c.hover(env, in)
	if t.overChanged(env, in) && !key.empty {
		c.drawOver(env, in)
	}
	return act
}

// List returns the list filled by the last Update.
func (c *ProcessorChart) List() *draw.List { return c.axis.list }

// Title names the chart.
func (c *ProcessorChart) Title(*panel.Env) string { return "Processors" }

// Mode says how many processors there are and how much time the panel shows.
func (c *ProcessorChart) Mode(env *panel.Env) string {
	v := env.View
	if !v.Time().Valid() || len(c.groups) == 0 {
		return ""
	}
	b := format.AppendCount(c.buf[:0], int64(len(c.groups)))
	if len(c.groups) == 1 {
		b = append(b, " processor · "...)
	} else {
		b = append(b, " processors · "...)
	}
	c.buf = append(format.AppendDuration(b, int64(v.Time().Width())), " / screen"...)
	return c.mode.Set(c.buf)
}

// layout places gutter, ruler, plot and the groups.
func (c *ProcessorChart) layout(env *panel.Env, rect draw.Rect) {
	t, v := &c.axis, env.View
	if s := v.Session(); s == nil {
		c.groups, c.session = c.groups[:0], nil
	} else if c.session != s || c.rev != s.Revision() || c.maps != v.ShownStamp() || c.scale != env.Scale {
		if c.session != s {
			c.seen, c.scanned = map[processorOf]bool{}, map[model.SeriesID]int64{}
		}
		c.session, c.rev, c.maps, c.scale = s, s.Revision(), v.ShownStamp(), env.Scale
		c.scan(s)
		c.stack(env)
	}
	gutterW := min(env.Px(lockGutter), rect.W()/3)
	t.place(env, rect, gutterW, 0)
	t.scrollTo(t.scrollY)
	t.nsPerPx = v.Time().NsPerPx(t.plot)
}

// scan notes which threads ran on which processors. Only samples that were not looked at before are.
func (c *ProcessorChart) scan(s *model.Session) {
	for id := range model.SeriesID(s.NumSeries()) {
		d := s.Series(id)
		if d.Def.Role != model.RoleProcessor || s.Track(d.Def.Track) == nil {
			continue
		}
		begin, end, ok := d.Bounds()
		if !ok {
			continue
		}
		from, known := c.scanned[id]
		if !known {
			from = begin
		}
		for from <= end {
			c.samples = d.Samples(from, end+1, processorScan, c.samples[:0])
			for i := range c.samples {
				x := &c.samples[i]
				if of := (processorOf{coreOf(x.Value), d.Def.Track}); !math.IsNaN(x.Value) && !c.seen[of] && len(c.seen) < processorMost*8 {
					c.seen[of] = true
				}
			}
			if len(c.samples) < processorScan {
				break
			}
			from = c.samples[len(c.samples)-1].Time + 1
		}
		c.scanned[id] = end + 1
	}
}

// stack makes the groups and rows.
func (c *ProcessorChart) stack(env *panel.Env) {
	v := env.View
	c.groups, c.rows = c.groups[:0], c.rows[:0]
	list := c.list[:0]
	for of := range c.seen {
		if !v.TrackHidden(of.track) {
			list = append(list, of)
		}
	}
	c.list = list
	slices.SortFunc(list, func(a, b processorOf) int {
		if a.core != b.core {
			return int(a.core) - int(b.core)
		}
		return int(a.track) - int(b.track)
	})
	y, one := float32(0), max(1, float32(int(env.Scale)))
	for i := 0; i < len(list) && len(c.groups) < processorMost; {
		g := processorGroup{core: list[i].core, band: band{y: y}, from: len(c.rows)}
		at := y + env.Px(lockPad) + env.Px(processorBusyH) + env.Px(2)
		for ; i < len(list) && list[i].core == g.core; i++ {
			c.rows = append(c.rows, processorRow{list[i].track, at})
			at += env.Px(processorRowH)
		}
		g.to = len(c.rows)
		g.h = at + env.Px(lockPad) - y
		y += g.h + one
		c.groups = append(c.groups, g)
	}
	c.axis.contentH = y
}

// groupAt returns the index of the group at a window position, -1 none.
func (c *ProcessorChart) groupAt(pxY float32) int { return bandAt(&c.axis, c.groups, pxY) }

// find returns the group and the row of a thread on a processor, -1 without one.
func (c *ProcessorChart) find(core int32, track model.TrackID) (group, row int) {
	group, ok := slices.BinarySearchFunc(c.groups, core, func(g processorGroup, n int32) int { return int(g.core) - int(n) })
	if !ok {
		return -1, -1
	}
	for row := c.groups[group].from; row < c.groups[group].to; row++ {
		if c.rows[row].track == track {
			return group, row
		}
	}
	return -1, -1
}
