package tables

import (
	"testing"

	"framescope/charts/table"
	"framescope/internal/recordings"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/tabletest"
	"framescope/model/messages"
	"framescope/model/store"
	"framescope/net/profilelib"
)

func check[R any, S table.Source[*R]](t *testing.T, s *store.Session, show func() S, columns func(S) *[]table.Column[R]) {
	t.Helper()
	tabletest.Unharmed(t, func() tabletest.Shown[R] {
		src, rig := show(), chartstest.NewRig(s, 1, 1400, 260)
		if s.NumTracks() > 0 && s.Track(0).NumFrames() > 0 {
			rig.Env.View.SelectFrames(0, chartstest.TestFrames-1)
		}
		return tabletest.Shown[R]{Rig: rig, Table: table.New("", src), Columns: columns(src)}
	})
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	framed, unframed, spanned := chartstest.NewSession(t), chartstest.NewCallSession(true), chartstest.NewCallSession(false)
	check(t, framed, NewStats, func(s *Stats) *[]table.Column[statRow] { return s.frames.columns.Plain() })
	check(t, unframed, NewStats, func(s *Stats) *[]table.Column[statRow] { return s.calls.columns.Plain() })
	type treeColumns = []table.Column[treeRow]
	check(t, framed, NewCollectorTree, func(s *CollectorTree) *treeColumns { return s.units.Frames.(*frameTree).cols.Plain() })
	check(t, chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "exhausted.prof"), NewCollectorTree,
		func(s *CollectorTree) *treeColumns { return s.units.Frames.(*frameTree).flat.Plain() })
	check(t, unframed, NewCollectorTree, func(s *CollectorTree) *treeColumns { return s.units.Spans.(*callTree).cols.Plain() })
	check(t, framed, NewThreads, func(*Threads) *[]table.Column[threadRow] { return &workColumns })
	check(t, unframed, NewThreads, func(s *Threads) *[]table.Column[threadRow] { return &s.Spans.(*loadThreads).cpuStacks })
	check(t, spanned, NewThreads, func(s *Threads) *[]table.Column[threadRow] { return &s.Spans.(*loadThreads).busyColumns })
	check(t, framed, NewSpikes, func(*Spikes) *[]table.Column[spikeRow] { return &hitchColumns })
	leaks, messaged := chartstest.LeakSession(), chartstest.MessageSession(300)
	tabletest.Unharmed(t, func() tabletest.Shown[leakRow] {
		c, rig := NewLeaks(), chartstest.NewRig(leaks, 1, 700, 160)
		return tabletest.Shown[leakRow]{Rig: rig, Panel: c, Table: c.table, Columns: &c.source.columns}
	})
	tabletest.Unharmed(t, func() tabletest.Shown[refRow] {
		c, rig := NewLeaks(), chartstest.NewRig(leaks, 1, 1400, 400)
		c.Select(rig.Env, 0)
		return tabletest.Shown[refRow]{Rig: rig, Panel: c, Table: c.refs, Columns: &c.history.columns}
	})
	for _, ctrl := range []bool{false, true} {
		tabletest.Unharmed(t, func() tabletest.Shown[messages.Hit] {
			m, rig := NewMessages(), chartstest.NewRig(messaged, 1, 1400, 200)
			rig.In.Ctrl = ctrl
			return tabletest.Shown[messages.Hit]{Rig: rig, Panel: m, Table: m.table, Columns: &m.src.columns}
		})
	}
}
