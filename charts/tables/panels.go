package tables

import (
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
)

// Panel is one of the charts' tables as a panel: with a mode beside its title, and tooltips where the table has none of its own.
type Panel struct {
	*table.Table
	mode func(env *panel.Env) string
	tip  func(env *panel.Env, hit *panel.Hit)
}

// Mode implements panel.Panel.
func (t *Panel) Mode(env *panel.Env) string {
	if t.mode == nil || env.View.Session() == nil {
		return ""
	}
	return t.mode(env)
}

// HitTest implements panel.Panel.
func (t *Panel) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	h := t.Table.HitTest(env, pxX, pxY)
	if t.tip != nil && h.Kind != panel.HitNothing && len(h.Lines) == 0 {
		t.tip(env, &h)
	}
	return h
}

// ThreadPanel is the list of threads. Where there are no frames it has a header by which it is sorted.
type ThreadPanel struct{ Panel }

// NewThreadPanel returns the list of threads.
func NewThreadPanel() *ThreadPanel {
	return &ThreadPanel{Panel{Table: table.New("Threads", NewThreads()), mode: shownThreads, tip: threadTip}}
}

// Update implements panel.Panel.
func (t *ThreadPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.NoHeader = !env.View.Unframed()
	return t.Panel.Update(env, rect, in)
}

// NewDashboardPanel returns the table of threads by what they use.
func NewDashboardPanel() *Panel {
	t, _ := NewDashboard()
	return &Panel{Table: t, mode: new(spanWords).view}
}

// shownThreads tells how many threads are shown.
func shownThreads(env *panel.Env) string {
	all := 0
	for id := range model.TrackID(env.View.Session().NumTracks()) {
		if t := env.View.Session().Track(id); t != nil && (t.NumFrames() > 0 || t.NumSpans() > 0 || t.Def.Name != "") {
			all++
		}
	}
	shown := len(env.View.VisibleTracks())
	if shown == all {
		return strconv.Itoa(all)
	}
	return strconv.Itoa(shown) + " of " + strconv.Itoa(all)
}

// threadTip tells what there is to know of a thread.
func threadTip(env *panel.Env, hit *panel.Hit) {
	t := env.View.Session().Track(hit.Track)
	if t == nil {
		return
	}
	line := func(name string, value []byte) { hit.Lines = append(hit.Lines, name+"\t"+string(value)) }
	hit.Lines = append(hit.Lines, t.Title())
	line("frames", format.AppendCount(nil, int64(t.NumFrames())+t.Evicted()))
	if r := t.FrameRate(3e9); r > 0 && t.Alive {
		line("rate", append(strconv.AppendFloat(nil, r, 'f', 1, 64), " Hz"...))
	}
	if m := t.Missing(); m > 0 {
		line("missing", format.AppendCount(nil, m))
	}
	if e := t.Evicted(); e > 0 {
		line("left memory", format.AppendCount(nil, e))
	}
	if !t.Alive {
		hit.Lines = append(hit.Lines, "this thread has ended")
	}
	if t.Def.OwnClock {
		hit.Lines = append(hit.Lines, "its clock is not the session's")
	}
	hit.Lines = append(hit.Lines, "click: its frames in all panels; square: hide; arrow: fold")
}

// CollectorPanel is the tree of collectors.
type CollectorPanel struct {
	Panel
	tree *CollectorTree
	last model.CollectorID
}

// NewCollectorPanel returns the tree.
func NewCollectorPanel() *CollectorPanel {
	tree := NewCollectorTree()
	c := &CollectorPanel{Panel: Panel{Table: table.New("Collectors", tree), mode: new(spanWords).frames}, tree: tree, last: model.NoCollector}
	c.NoHeader = true
	return c
}

// spanWords are words about a range of time, made anew only when its length changed.
type spanWords struct {
	ns   int64
	text string
}

// of returns "in 2.41 s" for the selected range.
func (w *spanWords) of(v *view.View) string {
	if ns := v.RangeB() - v.RangeA(); ns != w.ns || w.text == "" {
		w.ns, w.text = ns, "in "+string(format.AppendDuration(nil, ns))
	}
	return w.text
}

// view tells what part of a session the figures of threads are about.
func (w *spanWords) view(env *panel.Env) string {
	if v := env.View; v.RangeB() > v.RangeA() {
		return w.of(v)
	}
	return "in view"
}

// frames tells over which frames means are taken, or which range of time statistics are about.
func (w *spanWords) frames(env *panel.Env) string {
	v := env.View
	switch {
	case v.Unframed() && v.RangeB() > v.RangeA():
		return w.of(v)
	case v.Unframed():
		return "whole session"
	case v.Live():
		return "mean, live"
	case v.FrameA() >= 0 && v.FrameB() > v.FrameA():
		return "mean of " + strconv.Itoa(v.FrameB()-v.FrameA()+1) + " frames"
	case v.FrameA() >= 0:
		return "this frame"
	}
	return "mean of all"
}

// Matches appends the collectors with data whose full name contains the text, in any case of its letters, ascending by id.
func Matches(s *model.Session, text string, out []model.CollectorID) []model.CollectorID {
	if s == nil || text == "" {
		return out
	}
	for id := model.CollectorID(1); int(id) < s.NumCollectors(); id++ {
		if c := s.Collector(id); c != nil && (c.HasTime || c.HasLevel) && format.ContainsFold(c.FullName, text) {
			out = append(out, id)
		}
	}
	return out
}

// NewStatisticsPanel returns the table of statistics of all collectors.
func NewStatisticsPanel() *Panel {
	t := &Panel{Table: table.New("Statistics", NewStats(false)), mode: new(spanWords).frames}
	t.RowHeight = 20
	return t
}

// NewReceivedPanel returns the panel on what arrived and what did not, and why.
func NewReceivedPanel() *Panel {
	t := &Panel{Table: table.New("Received", NewLosses()), mode: receivedShare}
	t.NoHeader, t.RowHeight = true, 20
	return t
}

// receivedShare is the share of frames that arrived.
func receivedShare(env *panel.Env) string {
	ledger := env.View.Session().Ledger()
	if !ledger.Framed {
		return ""
	}
	return string(format.AppendPercent(nil, ledger.Share()))
}

// NewSpikePanel returns the list of the frames that stand out.
func NewSpikePanel() *Panel {
	src := NewSpikes()
	t := &Panel{Table: table.New("Spikes", src), mode: src.Words, tip: spikeTip}
	t.NoHeader, t.RowHeight = true, 30
	return t
}

func spikeTip(env *panel.Env, hit *panel.Hit) {
	t := env.View.Session().Track(hit.Track)
	if t == nil || hit.Frame < 0 || hit.Frame >= t.NumFrames() {
		return
	}
	f := t.Frame(hit.Frame)
	hit.Lines = append(hit.Lines, "Frame "+string(format.AppendCount(nil, f.Number)),
		"took\t"+string(format.AppendDuration(nil, f.End-f.Begin)),
		"at\t"+string(format.AppendClock(nil, f.Begin, 1e6)))
	if f.Missing > 0 {
		hit.Lines = append(hit.Lines, "missing before\t"+string(format.AppendCount(nil, f.Missing)))
	}
}
