// Package locks shows which threads waited for and held which locks: a chart along time, and a table of
// what each lock cost.
package locks

import (
	"cmp"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
)

// LockTable is the source of the table of locks: for each lock that was used in the selected range, or else in the visible one, how often and how long it was waited for and held, the longest of each and by whom.
// A click selects the lock, in all panels; one on a longest wait or hold goes there.
type LockTable struct {
	// Filter keeps only locks whose name contains it, in any case.
	panel.NameFilter

	all      []model.LockStats
	rows     []int32 // into all, in order of display
	most     int64   // longest total wait
	key      lockTableKey
	order    lockTableOrder
	sortCol  int
	sortDown bool
	numbers  uint64
	revision uint64
	buf      []byte
	mode     panel.CachedText
}

type lockTableKey struct {
	session  *model.Session
	rev      uint64
	begin    int64
	end      int64
	selected bool
}

type lockTableOrder struct {
	numbers  uint64
	filter   string
	sortCol  int
	sortDown bool
}

// The columns of a LockTable.
const (
	lockColName = iota
	lockColBar
	lockColWait
	lockColWaits
	lockColLongestWait
	lockColWaitBy
	lockColHold
	lockColHolds
	lockColLongestHold
	lockColHoldBy
	lockColFailed
	lockColConditions
	lockColSignals
	lockColThreads
)

var lockColumns = []table.Column{
	lockColName:        {Title: "lock", Kind: table.ColumnText, Sortable: true, Least: 130},
	lockColBar:         {Kind: table.ColumnBar, Width: 70, Drop: 9},
	lockColWait:        {Title: "waited", Kind: table.ColumnNumber, Width: 68, Sortable: true},
	lockColWaits:       {Title: "waits", Kind: table.ColumnNumber, Width: 54, Sortable: true, Drop: 5},
	lockColLongestWait: {Title: "longest", Kind: table.ColumnNumber, Width: 68, Sortable: true, Drop: 2},
	lockColWaitBy:      {Title: "      by", Kind: table.ColumnText, Width: 112, Sortable: true, Drop: 3},
	lockColHold:        {Title: "held", Kind: table.ColumnNumber, Width: 68, Sortable: true},
	lockColHolds:       {Title: "holds", Kind: table.ColumnNumber, Width: 54, Sortable: true, Drop: 6},
	lockColLongestHold: {Title: "longest", Kind: table.ColumnNumber, Width: 68, Sortable: true, Drop: 4},
	lockColHoldBy:      {Title: "      by", Kind: table.ColumnText, Width: 112, Sortable: true, Drop: 7},
	lockColFailed:      {Title: "failed", Kind: table.ColumnNumber, Width: 54, Sortable: true, Drop: 8},
	lockColConditions:  {Title: "conditions", Kind: table.ColumnNumber, Width: 74, Sortable: true, Drop: 10},
	lockColSignals:     {Title: "signals", Kind: table.ColumnNumber, Width: 58, Sortable: true, Drop: 11},
	lockColThreads:     {Title: "threads", Kind: table.ColumnNumber, Width: 58, Sortable: true, Drop: 12},
}

// NewLockTable returns the source, the lock that was waited for longest first. NewLockPanel makes a table that says so.
func NewLockTable() *LockTable { return &LockTable{sortCol: lockColWait, sortDown: true} }

// LockPanel is a table of a LockTable that says of which range its numbers are.
type LockPanel struct {
	*table.Table
	Locks *LockTable
}

// Mode says of which range the numbers are.
func (p *LockPanel) Mode(*panel.Env) string { return p.Locks.Mode() }

// NewLockPanel returns a table of such a source, sorted as it is.
func NewLockPanel() (*LockPanel, *LockTable) {
	src := NewLockTable()
	t := table.New("Lock contention", src)
	t.SortColumn, t.Descending = lockColWait, true
	return &LockPanel{t, src}, src
}

// lockName returns the name of a lock.
func lockName(s *model.Session, lock model.CollectorID) string {
	if col := s.Collector(lock); col != nil && col.Name != "" {
		return col.Name
	}
	return "(no name)"
}

// Columns implements Source.
func (t *LockTable) Columns() []table.Column { return lockColumns }

// Empty implements Source.
func (t *LockTable) Empty() string {
	switch {
	case t.Filter != "":
		return "No lock is called like that."
	case t.key.selected:
		return "No lock was used in the selected range.\nSelect another, or none for all that is visible."
	}
	return "No lock was used in what is visible.\nLocks come from programs that tell when their threads take, hold and give them back."
}

// Mode says of which range the numbers are.
func (t *LockTable) Mode() string {
	if len(t.all) == 0 {
		return ""
	}
	b := append(t.buf[:0], "visible · "...)
	if t.key.selected {
		b = append(t.buf[:0], "selected · "...)
	}
	t.buf = format.AppendDuration(b, t.key.end-t.key.begin)
	return t.mode.Set(t.buf)
}

// Sort implements Source.
func (t *LockTable) Sort(col int, descending bool) { t.sortCol, t.sortDown = col, descending }

// Prepare implements Source.
func (t *LockTable) Prepare(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	if v.Session() == nil || !v.Time().Valid() {
		t.all, t.rows, t.key = t.all[:0], t.rows[:0], lockTableKey{}
		return 0, t.revision
	}
	key := lockTableKey{session: v.Session(), rev: v.Session().Revision()}
	if key.selected = v.RangeB() > v.RangeA() && !v.Live(); key.selected {
		key.begin, key.end = v.RangeA(), v.RangeB()
	} else {
		key.begin, key.end = v.Time().Visible()
	}
	if key != t.key {
		t.key = key
		t.all = v.Session().LockTable(key.begin, key.end, t.all[:0])
		t.most = 0
		for i := range t.all {
			t.most = max(t.most, t.all[i].WaitNs)
		}
		t.numbers++
	}
	if o := (lockTableOrder{t.numbers, t.Filter, t.sortCol, t.sortDown}); o != t.order {
		t.order = o
		t.arrange(v.Session())
		t.revision++
	}
	return len(t.rows), t.revision
}

// arrange filters and sorts the rows.
func (t *LockTable) arrange(s *model.Session) {
	name := func(i int32) string { return lockName(s, t.all[i].Lock) }
	t.rows = table.ArrangeRows(t.rows, len(t.all), t.Filter, t.sortDown, name, func(i, j int32) int {
		a, b := &t.all[i], &t.all[j]
		switch t.sortCol {
		case lockColName:
			return cmp.Compare(name(i), name(j))
		case lockColWaitBy:
			return cmp.Compare(byWhom(s, &a.LongestWait), byWhom(s, &b.LongestWait))
		case lockColHoldBy:
			return cmp.Compare(byWhom(s, &a.LongestHold), byWhom(s, &b.LongestHold))
		}
		return cmp.Compare(lockValue(a, t.sortCol), lockValue(b, t.sortCol))
	})
}

// lockValue returns the number of a column.
func lockValue(st *model.LockStats, col int) int64 {
	switch col {
	case lockColWait, lockColBar:
		return st.WaitNs
	case lockColWaits:
		return st.Waits
	case lockColLongestWait:
		return st.LongestWait.End - st.LongestWait.Begin
	case lockColHold:
		return st.HoldNs
	case lockColHolds:
		return st.Holds
	case lockColLongestHold:
		return st.LongestHold.End - st.LongestHold.Begin
	case lockColFailed:
		return st.Failed
	case lockColConditions:
		return st.Conditions
	case lockColSignals:
		return st.Signals
	}
	return int64(st.Threads)
}

// byWhom returns the name of the thread of a use, "" where there is none.
func byWhom(s *model.Session, u *model.LockUse) string {
	if *u == (model.LockUse{}) {
		return ""
	}
	return s.Track(u.Track).Title()
}

// Cell implements Source. What is 0 stays empty, so that what is not stands out.
func (t *LockTable) Cell(env *panel.Env, row, col int, c *table.Cell) {
	st := &t.all[t.rows[row]]
	s := env.View.Session()
	switch col {
	case lockColName:
		c.Text = lockName(s, st.Lock)
	case lockColWaitBy:
		t.by(env, s, &st.LongestWait, c)
	case lockColHoldBy:
		t.by(env, s, &st.LongestHold, c)
	case lockColBar:
		if t.most > 0 {
			c.Value, c.Color = float32(float64(st.WaitNs)/float64(t.most)), draw.Color(env.Theme.Over)
		}
	case lockColWait, lockColLongestWait, lockColHold, lockColLongestHold:
		if v := lockValue(st, col); v > 0 {
			c.Buf = format.AppendDuration(c.Buf, v)
		}
	default:
		if v := lockValue(st, col); v > 0 {
			c.Buf = format.AppendCount(c.Buf, v)
		}
		c.Color = draw.Color(env.Theme.Text2)
		if col == lockColFailed {
			c.Color = draw.Color(env.Theme.Bad)
		}
	}
}

func (t *LockTable) by(env *panel.Env, s *model.Session, u *model.LockUse, c *table.Cell) {
	if c.Text = byWhom(s, u); c.Text != "" {
		c.Depth = 1
		c.Swatch, _ = subject.ThreadColor(env, u.Track)
		c.Color = draw.Color(env.Theme.Text2)
	}
}

// Row implements Source.
func (t *LockTable) Row(env *panel.Env, row int) table.RowInfo {
	lock := t.all[t.rows[row]].Lock
	v := env.View
	return table.RowInfo{Selected: lock == v.Collector(), Lit: lock == v.HoverCollector(), Dim: v.Hidden(lock), Hit: panel.Hit{Kind: panel.HitCollector, Collector: lock, Track: model.NoTrack, Frame: -1}}
}

// Click implements Source.
func (t *LockTable) Click(env *panel.Env, row, col int, _ table.CellPart, in *panel.Input) panel.Action {
	st := &t.all[t.rows[row]]
	v := env.View
	v.SelectCollector(st.Lock)
	u := &st.LongestWait
	switch col {
	case lockColLongestWait, lockColWaitBy:
	case lockColLongestHold, lockColHoldBy:
		u = &st.LongestHold
	default:
		if !in.DoubleClick {
			return panel.Action{}
		}
		if u.End == 0 {
			u = &st.LongestHold
		}
	}
	if *u == (model.LockUse{}) {
		return panel.Action{}
	}
	pad := max((u.End-u.Begin)*2, view.MinNs)
	v.PlacePlayhead(u.Begin)
	v.ZoomTo(u.Begin-pad, u.End+pad)
	return panel.Action{}
}

// Tip implements Tips.
func (t *LockTable) Tip(env *panel.Env, row int, tip *table.Tip) {
	st, l, s := &t.all[t.rows[row]], &tip.Lines, env.View.Session()
	l.Add(lockName(s, st.Lock))
	if st.Waits > 0 {
		l.Text("waited for\t").Count(st.Waits).Text(" × · ").Duration(st.WaitNs).End()
		l.Text("  in the mean\t").Duration(st.WaitNs / st.Waits).End()
	}
	if st.Holds > 0 {
		l.Text("held\t").Count(st.Holds).Text(" × · ").Duration(st.HoldNs).End()
		l.Text("  in the mean\t").Duration(st.HoldNs / st.Holds).End()
		if span := t.key.end - t.key.begin; span > 0 {
			l.Text("  of the time\t").Percent(float64(st.HoldNs) / float64(span)).End()
		}
	}
	if st.Conditions > 0 {
		l.Text("conditions\t").Count(st.Conditions).Text(" × · ").Duration(st.ConditionNs).End()
	}
	l.Add("Click a longest time to go there")
}
