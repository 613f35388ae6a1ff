package calls

import (
	"regexp"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
)

// Slow lists the longest calls of a method: of the collector that is selected in the view, or of
// all whose names contain a text or match a regular expression. Calls in which the same callees
// took
// most are one group. A click on a call goes there in the timeline and selects its time, which the flame graph then shows; a double click asks for a flame graph of its own.
//
// The search goes on a little in every tick, and says how far it is.
type Slow struct {
	// Text is what names contain, in any case; empty: the calls are those of the view's collector.
	Text string
	// Regexp takes Text as a regular expression.
	Regexp bool
	// MinNs is the least length of a call, ns.
	MinNs int64
	// InRange searches only the selected range (while live what is new), else all that is stored.
	InRange bool
	// Flat lists the calls one by one, without groups.
	Flat bool
	// AllTracks searches all visible tracks; otherwise Track, or the view's track where that is NoTrack.
	AllTracks bool
	Track     model.TrackID

	headed
	source   slowSource
	key      slowDrawKey
	searched []model.TrackID
	minText  panel.CachedText
	buf      []byte
	mode     panel.CachedText
	tip      panel.TipLines

	search slowSearch
}

// slowSearch is the state of the search.
type slowSearch struct {
	key      slowKey
	expr     *regexp.Regexp
	exprText string
	exprErr  string
	run      [2]model.CallSearch
	shown    int  // of run: the one whose calls are listed
	again    bool // the other one is searching what came since
	done     bool
	valid    bool
	wanted   []bool
	atNs     int64
	steps    uint64 // changes with what is listed

	// A call that was gone to is the selected range: the search stays in the one before.
	pinned         bool
	ownA, ownB     int64
	rangeA, rangeB int64
}

// slowKey is what a search depends on.
type slowKey struct {
	session    *model.Session
	revision   uint64
	collectors int
	text       string
	regexp     bool
	collector  model.CollectorID
	minNs      int64
	t0, t1     int64
	tracks     uint64
}

// slowDrawKey is what the picture depends on, besides what the table holds.
type slowDrawKey struct {
	headedKey
	state     [4]bool
	minNs     int64
	text      string
	collector model.CollectorID
	defs      uint64
}

const (
	slowWork    = 50_000        // spans and list entries that a tick looks at
	slowAgainNs = 1_000_000_000 // how often what came since is searched while live
)

// NewSlow returns the slowest calls of all visible tracks, at any time.
func NewSlow() *Slow {
	c := &Slow{AllTracks: true, Track: model.NoTrack}
	c.source.owner = c
	c.source.open = map[uint64]bool{}
	c.source.groupColumns, c.source.flatColumns = c.source.columns()
	c.table = table.New("", &c.source)
	c.table.SortBy("longest", true)
	c.table.RowHeight = 20
	return c
}

// Title returns the panel's title.
func (c *Slow) Title(*panel.Env) string { return "Slowest calls" }

// Mode returns how far the search is and what it found: "searching 63 % · 41 calls in 3 groups".
func (c *Slow) Mode(env *panel.Env) string {
	b := c.buf[:0]
	if q := &c.search; q.valid && env.View.Session() != nil {
		run := &q.run[q.shown]
		if !q.done && !q.again {
			b = format.AppendCount(append(b, "searching "...), int64(run.Progress()*100))
			b = append(b, " % · "...)
		}
		n := len(run.Calls())
		if run.More {
			b = append(b, "the longest "...)
		}
		b = format.AppendCount(b, int64(n))
		if n == 1 {
			b = append(b, " call"...)
		} else {
			b = append(b, " calls"...)
		}
		if g := run.Stacks(); !c.Flat && g > 1 {
			b = append(format.AppendCount(append(b, " in "...), int64(g)), " groups"...)
		}
	}
	c.buf = b
	return c.mode.Set(b)
}

// The switches of the panel's head.
const (
	slowChipTracks = iota
	slowChipRange
	slowChipFlat
	slowChipMin
	slowChipRegexp
)

// Update handles the input of a tick, goes on with the search, and brings the picture up to date.
func (c *Slow) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	if c.begin(env, rect) {
		c.key = slowDrawKey{}
	}
	c.layChips(env)
	c.chipInput(in)
	c.goOn(env)
	act := c.table.Place(env, c.body, in)
	c.layChips(env)
	key := slowDrawKey{headedKey: c.keyOf(env), state: [4]bool{c.AllTracks, c.InRange, c.Flat, c.Regexp}, minNs: c.MinNs, text: c.Text, collector: env.View.Collector()}
	if s := env.View.Session(); s != nil {
		key.defs = s.DefsRevision()
	}
	if key != c.key {
		c.key = key
		c.draw(env, rect)
	}
	return act
}

func (c *Slow) draw(env *panel.Env, rect draw.Rect) {
	c.drawHead(env, rect)
	if !c.head.Empty() {
		h := c.head
		h.X0 += env.Px(9)
		for i := range c.chips.Chips {
			if r := c.chips.Chips[i].Rect; !r.Empty() {
				h.X1 = min(h.X1, r.X0-env.Px(8))
			}
		}
		c.list.TextIn(draw.Regular, h, draw.Left, panel.ScratchText(c.subject(env, c.buf[:0])), draw.Color(env.Theme.Text2))
	}
	c.drawTable(env)
}

// subject says whose calls are listed.
func (c *Slow) subject(env *panel.Env, b []byte) []byte {
	switch {
	case c.Text != "" && c.Regexp:
		b = append(append(append(b, "names like /"...), c.Text...), '/')
	case c.Text != "":
		b = append(append(append(b, "names with “"...), c.Text...), "”"...)
	case env.View.Session() != nil && env.View.Collector() != model.NoCollector:
		b = append(b, env.View.Session().Collector(env.View.Collector()).Name...)
	}
	c.buf = b
	return b
}

func (c *Slow) layChips(env *panel.Env) {
	c.chips.Begin()
	if c.Text != "" {
		c.chips.Add(slowChipRegexp, "regexp", c.Regexp)
	}
	if c.MinNs > 0 {
		b := append(c.buf[:0], "≥ "...)
		b = format.AppendDuration(b, c.MinNs)
		c.buf = b
		c.chips.Add(slowChipMin, c.minText.Set(b), true)
	} else {
		c.chips.Add(slowChipMin, "any length", false)
	}
	if c.Flat {
		c.chips.Add(slowChipFlat, "one by one", true)
	} else {
		c.chips.Add(slowChipFlat, "in groups", false)
	}
	if c.InRange {
		c.chips.Add(slowChipRange, "in the range", true)
	} else {
		c.chips.Add(slowChipRange, "all time", false)
	}
	if c.AllTracks {
		c.chips.Add(slowChipTracks, "all threads", true)
	} else {
		c.chips.Add(slowChipTracks, "one thread", false)
	}
	c.placeChips(env)
}

// chipInput handles the switches: a click on the least length goes on to the next of a few, the wheel changes it by a tenth of a millisecond, or by more where it is long.
func (c *Slow) chipInput(in *panel.Input) {
	switch c.chips.Input(in) {
	case slowChipTracks:
		c.AllTracks = !c.AllTracks
	case slowChipRange:
		c.InRange = !c.InRange
	case slowChipFlat:
		c.Flat = !c.Flat
	case slowChipRegexp:
		c.Regexp = !c.Regexp
	case slowChipMin:
		c.MinNs = nextMin(c.MinNs)
	}
	if i := c.chips.Hover; i >= 0 && c.chips.Chips[i].Id == slowChipMin && in.WheelY != 0 {
		c.MinNs = stepMin(c.MinNs, int(in.WheelY))
	}
}

// nextMin returns the least length after one: any, 0.1, 1, 10, 100 ms, any.
func nextMin(ns int64) int64 {
	for _, next := range [...]int64{100_000, 1e6, 10e6, 100e6} {
		if ns < next {
			return next
		}
	}
	return 0
}

// stepMin changes a least length by some steps of the wheel: a tenth of a millisecond below 2 ms, ten times that below 20 ms, and so on. It stays a multiple of a tenth of a millisecond.
func stepMin(ns int64, steps int) int64 {
	const finest, most = 100_000, 3600e9
	for range min(max(steps, -steps), 20) {
		step := int64(finest)
		for ns >= 20*step && (steps > 0 || ns > 20*step) && step < 1e9 {
			step *= 10
		}
		if steps < 0 {
			step = -step
		}
		ns = min(max(ns+step, 0), most)
	}
	return ns
}

// HitTest returns the row under a point.
func (c *Slow) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if c.head.Contains(pxX, pxY) {
		h := panel.NoHit()
		for i := range c.chips.Chips {
			if p := &c.chips.Chips[i]; p.Id == slowChipMin && p.Rect.Contains(pxX, pxY) {
				h.Kind, h.Rect = panel.HitLabel, p.Rect
				t := &c.tip
				t.Begin()
				t.Add("Least length of a call")
				t.Add("Click: next · wheel: steps of 0.1 ms")
				h.Lines = t.All()
			}
		}
		return h
	}
	if !c.search.valid || c.search.key.session != env.View.Session() {
		return panel.NoHit()
	}
	return c.table.HitTest(env, pxX, pxY)
}

// SetFilter implements Filterer: the calls of what has the text in its name are searched for.
func (c *Slow) SetFilter(text string) { c.Text = text }
