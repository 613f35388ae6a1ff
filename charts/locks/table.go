// Package locks shows the locks that threads waited for and held: a chart along time, and a table
// of the cost of each lock.
package locks

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

// LockTable is the source of the table of locks: for each lock that was used in the selected range,
// or else in the visible one, how often and how long it was waited for and held, the longest of
// each and its thread. A click selects the lock, in all panels; one on a longest wait or hold goes
// there.
type LockTable struct {
	table.List[locks.Stats]
	columns []lockColumn
	most    int64 // longest total wait
	key     lockTableKey
	buf     []byte
	mode    panel.CachedText
}

type lockColumn = table.Column[locks.Stats]

type lockTableKey struct {
	begin, end int64
	selected   bool
}

// NewLockTable returns the source, the lock that was waited for longest first.
func NewLockTable() *LockTable {
	t := &LockTable{}
	type stats = locks.Stats
	longest := func(u *locks.Use) int64 { return u.End - u.Begin }
	wait := func(st *stats) *locks.Use { return &st.LongestWait }
	hold := func(st *stats) *locks.Use { return &st.LongestHold }
	cond := func(st *stats) *locks.Use { return &st.LongestCondition }
	t.columns = []lockColumn{
		{ID: "lock", Title: "lock", Least: 130, Text: func(env *panel.Env, st *stats) string {
			return lockName(env.View.Session(), st.Lock)
		}},
		{ID: "bar", Kind: table.Bar, Width: 70, Drop: 10, Cell: func(env *panel.Env, st *stats, c *table.Cell) {
			if t.most > 0 {
				c.Share, c.Color = float32(float64(st.WaitNs)/float64(t.most)), draw.Color(env.Theme.Over)
			}
		}},
		duration(lockColumn{ID: "waited", Width: 68, Lead: true}, func(st *stats) int64 { return st.WaitNs }),
		count(lockColumn{ID: "waits", Width: 54, Drop: 6}, func(st *stats) int64 { return st.Waits }),
		duration(
			lockColumn{ID: "longest-wait", Title: "longest", Width: 68, Drop: 2, Click: t.goTo(wait), Cell: lights(wait)},
			func(st *stats) int64 { return longest(&st.LongestWait) },
		),
		t.by(lockColumn{ID: "wait-by", Drop: 3}, wait),
		t.heldBy(lockColumn{ID: "held-by", Drop: 1, Click: t.goTo(wait)}),
		duration(lockColumn{ID: "held-meanwhile", Title: "meanwhile held", Width: 92, Drop: 1, Quiet: true},
			func(st *stats) int64 { return st.HolderNs }),
		duration(lockColumn{ID: "held", Title: "held", Width: 62}, func(st *stats) int64 { return st.HoldNs }),
		count(lockColumn{ID: "holds", Width: 54, Drop: 7}, func(st *stats) int64 { return st.Holds }),
		duration(
			lockColumn{ID: "longest-hold", Title: "longest", Width: 68, Drop: 5, Click: t.goTo(hold), Cell: lights(hold)},
			func(st *stats) int64 { return longest(&st.LongestHold) },
		),
		t.by(lockColumn{ID: "hold-by", Drop: 8}, hold),
		count(lockColumn{ID: "failed", Width: 54, Drop: 9, Cell: alarm}, func(st *stats) int64 { return st.Failed }),
		duration(
			lockColumn{ID: "condition-wait", Title: "condition wait", Width: 96},
			func(st *stats) int64 { return st.ConditionNs },
		),
		count(lockColumn{ID: "conditions", Width: 74, Drop: 11}, func(st *stats) int64 { return st.Conditions }),
		duration(
			lockColumn{ID: "longest-condition", Title: "longest", Width: 68, Drop: 3, Click: t.goTo(cond), Cell: lights(cond)},
			func(st *stats) int64 { return longest(&st.LongestCondition) },
		),
		t.by(lockColumn{ID: "condition-by", Drop: 4}, cond),
		count(lockColumn{ID: "signals", Width: 58, Drop: 4}, func(st *stats) int64 { return st.Signals }),
		count(lockColumn{ID: "threads", Width: 58, Drop: 13}, func(st *stats) int64 { return int64(st.Threads) }),
	}
	return t
}

// duration makes a column of times. A 0 stays empty, so that the others stand out.
func duration(c lockColumn, value func(*locks.Stats) int64) lockColumn {
	c.Unit, c.Time = "ns", true
	cell := c.Cell
	c.Cell = func(env *panel.Env, st *locks.Stats, to *table.Cell) {
		if value(st) <= 0 {
			to.Buf = to.Buf[:0]
		}
		if cell != nil {
			cell(env, st, to)
		}
	}
	return number(c, value)
}

// count makes a column of numbers of things.
func count(c lockColumn, value func(*locks.Stats) int64) lockColumn {
	c.Quiet, c.Format = true, table.Positive(table.Count)
	return number(c, value)
}

func number(c lockColumn, value func(*locks.Stats) int64) lockColumn {
	if c.Title == "" {
		c.Title = c.ID
	}
	c.Kind = table.Number
	c.Value = func(_ *panel.Env, st *locks.Stats) float64 { return float64(value(st)) }
	return c
}

func alarm(env *panel.Env, _ *locks.Stats, c *table.Cell) { c.Color = draw.Color(env.Theme.Bad) }

// lights gives the length of the selected use the color of the selection.
func lights(use func(*locks.Stats) *locks.Use) func(*panel.Env, *locks.Stats, *table.Cell) {
	return func(env *panel.Env, st *locks.Stats, c *table.Cell) {
		if env.View.Lights(view.Use(*use(st))) {
			c.Color = draw.Color(env.Theme.Accent)
		}
	}
}

// by makes a column of the thread of a use; a click goes there.
func (t *LockTable) by(c lockColumn, use func(*locks.Stats) *locks.Use) lockColumn {
	c.Title, c.Width, c.Click = "      by", 112, t.goTo(use)
	c.Text = func(env *panel.Env, st *locks.Stats) string { return byWhom(env.View.Session(), use(st)) }
	c.Cell = func(env *panel.Env, st *locks.Stats, c *table.Cell) {
		if c.Text != "" {
			c.Depth, c.Color = 1, draw.Color(env.Theme.Text2)
			c.Swatch, _ = subject.ThreadColor(env, use(st).Track)
		}
	}
	return c
}

// heldBy makes the column of the thread that held the lock during the longest wait.
func (t *LockTable) heldBy(c lockColumn) lockColumn {
	c.Title, c.Width = "      held by", 122
	c.Text = func(env *panel.Env, st *locks.Stats) string {
		if st.HolderNs == 0 {
			return ""
		}
		return env.View.Session().Track(st.Holder).Title()
	}
	c.Cell = func(env *panel.Env, st *locks.Stats, c *table.Cell) {
		if c.Text != "" {
			c.Depth, c.Color = 1, draw.Color(env.Theme.Text2)
			c.Swatch, _ = subject.ThreadColor(env, st.Holder)
		}
	}
	return c
}

// NewLockPanel returns a table of such a source with the range of its numbers in the title row.
func NewLockPanel() (*table.Table, *LockTable) {
	src := NewLockTable()
	t := table.New("Lock contention", src)
	t.Words = func(*panel.Env) string { return src.Mode() }
	t.SortBy("waited", true)
	return t, src
}

// lockName returns the name of a lock.
func lockName(s *store.Session, lock model.CollectorID) string {
	if col := s.Collector(lock); col != nil && col.Name != "" {
		return col.Name
	}
	return "(no name)"
}

// Columns implements table.Source.
func (t *LockTable) Columns() []lockColumn { return t.columns }

// Empty implements table.Source.
func (t *LockTable) Empty(filtered bool) string {
	switch {
	case filtered:
		return panel.NoMatch
	case t.key.selected:
		return "No lock was used in the selected range.\nSelect another, or none for the visible range."
	}
	return "No lock was used in the visible range.\nLocks come from programs that report when threads take, hold and release them."
}

// Mode describes the range of the numbers.
func (t *LockTable) Mode() string {
	if len(t.All) == 0 {
		return ""
	}
	b := append(t.buf[:0], "visible · "...)
	if t.key.selected {
		b = append(t.buf[:0], "selected · "...)
	}
	t.buf = format.AppendDuration(b, t.key.end-t.key.begin)
	return t.mode.Set(t.buf)
}

// Rows implements table.Source.
func (t *LockTable) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	if !v.Time().Valid() {
		t.key = lockTableKey{}
		return t.None()
	}
	var key lockTableKey
	if key.selected = v.ChoseRange() && !v.Live(); key.selected {
		key.begin, key.end = v.RangeA(), v.RangeB()
	} else {
		key.begin, key.end = v.Time().Visible()
		if begin, end, some := v.Session().Bounds(); some { // more may be in view than there is
			key.begin, key.end = min(max(key.begin, begin), end), max(min(key.end, end), begin)
		}
	}
	of := panel.RangeKey{Session: v.Session(), Revision: v.Session().Revision(), Live: v.Live(), T0: key.begin, T1: key.end}
	if key.selected {
		of.Extra = 1
	}
	if t.Due(env, of) {
		t.key = key
		t.All = v.Session().Locks().Stats(key.begin, key.end, t.All[:0])
		t.most = 0
		for i := range t.All {
			t.most = max(t.most, t.All[i].WaitNs)
		}
	}
	return t.Listed()
}

// byWhom returns the name of the thread of a use, "" where there is none.
func byWhom(s *store.Session, u *locks.Use) string {
	if *u == (locks.Use{}) {
		return ""
	}
	return s.Track(u.Track).Title()
}

// Match implements table.Matcher.
func (t *LockTable) Match(env *panel.Env, st *locks.Stats, text string) bool {
	return format.ContainsFold(lockName(env.View.Session(), st.Lock), text)
}

// Row implements table.Describer.
func (t *LockTable) Row(env *panel.Env, st *locks.Stats) table.RowInfo {
	v := env.View
	return table.RowInfo{
		Selected: v.Lights(view.Lock(st.Lock)), Lit: st.Lock == v.Pointer().Collector(), Dim: v.Look().Hidden(st.Lock),
		Hit: panel.Hit{Kind: panel.HitCollector, Collector: st.Lock, Track: model.NoTrack, Frame: -1, Thing: view.Lock(st.Lock)},
	}
}

// goTo returns the click handler of a use: it selects the use, and goes there.
func (t *LockTable) goTo(
	use func(*locks.Stats) *locks.Use,
) func(*panel.Env, *locks.Stats, *panel.Input) panel.Action {
	return func(env *panel.Env, st *locks.Stats, _ *panel.Input) panel.Action {
		v, u := env.View, use(st)
		if *u == (locks.Use{}) {
			v.Select(view.Lock(st.Lock))
			return panel.Action{}
		}
		pad := max((u.End-u.Begin)*2, format.MinNs)
		v.SelectAt(view.Use(*u), u.Begin)
		v.Steer().ZoomTo(u.Begin-pad, u.End+pad)
		return panel.Action{}
	}
}

// Click implements table.Clicker: a double click goes to the longest wait, or hold if there was no
// wait.
func (t *LockTable) Click(env *panel.Env, st *locks.Stats, in *panel.Input) panel.Action {
	if !in.DoubleClick {
		env.View.Select(view.Lock(st.Lock))
		return panel.Action{}
	}
	return t.goTo(func(st *locks.Stats) *locks.Use {
		if st.LongestWait.End == 0 {
			return &st.LongestHold
		}
		return &st.LongestWait
	})(env, st, in)
}

// Tip implements table.Tips.
func (t *LockTable) Tip(env *panel.Env, st *locks.Stats, l *panel.TipLines) {
	s := env.View.Session()
	l.Add(lockName(s, st.Lock))
	if st.Waits > 0 {
		l.Text("waited for\t").Count(st.Waits).Text(" × · ").Duration(st.WaitNs).End()
		l.Text("  in the mean\t").Mean(st.WaitNs, st.Waits).End()
	}
	if st.HolderNs > 0 {
		l.Text("meanwhile held by\t").Text(s.Track(st.Holder).Title()).Text(" · ").Duration(st.HolderNs).End()
	}
	if st.Holds > 0 {
		l.Text("held\t").Count(st.Holds).Text(" × · ").Duration(st.HoldNs).End()
		l.Text("  in the mean\t").Mean(st.HoldNs, st.Holds).End()
		if span := t.key.end - t.key.begin; span > 0 {
			l.Text("  of the time\t").Percent(float64(st.HoldNs) / float64(span)).End()
		}
	}
	if st.Conditions > 0 {
		l.Text("conditions\t").Count(st.Conditions).Text(" × · ").Duration(st.ConditionNs).End()
		u := &st.LongestCondition
		l.Text("  longest\t").Duration(u.End - u.Begin).Text(" by ").Text(s.Track(u.Track).Title()).End()
	}
	l.If(st.Signals > 0).Text("signals\t").Count(st.Signals).End()
	l.Add("Click the time of the longest wait or hold to go there")
}

// Key implements table.Keyed.
func (t *LockTable) Key(st *locks.Stats) uint64 { return uint64(st.Lock) }
