package tables

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
	"framescope/model/messages"
	"framescope/model/store"
)

func check[R any](t *testing.T, s *store.Session, show func() (table.Source[R], *[]table.Column[R])) {
	t.Helper()
	tabletest.Unharmed(t, func() tabletest.Shown[R] {
		src, columns := show()
		rig := chartstest.NewRig(s, 1, 1400, 260)
		if s.NumTracks() > 0 && s.Track(0).NumFrames() > 0 {
			rig.Env.View.SelectFrames(0, chartstest.TestFrames-1)
		}
		return tabletest.Shown[R]{Rig: rig, Table: table.New("", src), Columns: columns}
	})
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	framed, unframed := chartstest.NewSession(t), chartstest.NewCallSession(true)
	check(t, framed, func() (table.Source[statRow], *[]table.Column[statRow]) {
		s := NewStats(false)
		return s, s.frames.columns.Plain()
	})
	check(t, framed, func() (table.Source[statRow], *[]table.Column[statRow]) {
		s := NewStats(true)
		return s, s.frames.columns.Plain()
	})
	check(t, unframed, func() (table.Source[statRow], *[]table.Column[statRow]) {
		s := NewStats(false)
		return s, s.calls.columns.Plain()
	})
	check(t, framed, func() (table.Source[treeRow], *[]table.Column[treeRow]) {
		s := NewCollectorTree()
		return s, s.units.Frames.(*frameTree).cols.Plain()
	})
	check(t, chartstest.LoadProfile(t, "exhausted.prof"), func() (table.Source[treeRow], *[]table.Column[treeRow]) {
		s := NewCollectorTree()
		return s, s.units.Frames.(*frameTree).flat.Plain()
	})
	check(t, unframed, func() (table.Source[treeRow], *[]table.Column[treeRow]) {
		s := NewCollectorTree()
		return s, s.units.Spans.(*callTree).cols.Plain()
	})
	check(t, framed, func() (table.Source[threadRow], *[]table.Column[threadRow]) { return NewThreads(), &threadColumns })
	check(t, unframed, func() (table.Source[threadRow], *[]table.Column[threadRow]) { return NewThreads(), &cpuColumns })
	check(t, chartstest.NewCallSession(false), func() (table.Source[threadRow], *[]table.Column[threadRow]) { return NewThreads(), &busyColumns })
	check(t, unframed, func() (table.Source[dashRow], *[]table.Column[dashRow]) {
		s := NewDashboardTable()
		return s, &s.stacks
	})
	check(t, chartstest.NewCallSession(false), func() (table.Source[dashRow], *[]table.Column[dashRow]) {
		s := NewDashboardTable()
		return s, &s.spans
	})
	check(t, framed, func() (table.Source[spikeRow], *[]table.Column[spikeRow]) { return NewSpikes(), &hitchColumns })
	check(t, unframed, func() (table.Source[spikeRow], *[]table.Column[spikeRow]) { return NewSpikes(), &runColumns })
}

// A column put before others breaks nothing.
func TestLeaksColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.LeakSession()
	tabletest.Unharmed(t, func() tabletest.Shown[leakRow] {
		c, rig := NewLeaks(), chartstest.NewRig(s, 1, 700, 160)
		return tabletest.Shown[leakRow]{Rig: rig, Panel: c, Table: c.table, Columns: &c.source.columns}
	})
	tabletest.Unharmed(t, func() tabletest.Shown[refRow] {
		c, rig := NewLeaks(), chartstest.NewRig(s, 1, 1400, 400)
		c.Select(rig.Env, 0)
		return tabletest.Shown[refRow]{Rig: rig, Panel: c, Table: c.refs, Columns: &c.history.columns}
	})
}

// A column put before others breaks nothing, be ctrl held or not.
func TestMessagesColumnsGoByTheirNames(t *testing.T) {
	s := chartstest.MessageSession(300)
	for _, ctrl := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[messages.Hit] {
			m, rig := NewMessages(), chartstest.NewRig(s, 1, 1400, 200)
			rig.In.Ctrl = ctrl
			return tabletest.Shown[messages.Hit]{Rig: rig, Panel: m, Table: m.table, Columns: &m.src.columns}
		})
	}
}
