package tables

import (
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/store"
)

// ThreadPanel is the list of threads. Where there are no frames it has a header by which it is
// sorted.
type ThreadPanel struct{ *table.Table }

// withoutHeader is true where the list of threads has no header.
var withoutHeader = view.PerUnit[bool]{Frames: true}

// NewThreadPanel returns the list of threads.
func NewThreadPanel() *ThreadPanel {
	words := new(spanWords)
	t := table.New("Threads", NewThreads())
	t.Words = func(env *panel.Env) string { return words.shown(env) }
	return &ThreadPanel{t}
}

// Update implements panel.Panel.
func (t *ThreadPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.NoHeader = withoutHeader.Of(env.View)
	return t.Table.Update(env, rect, in)
}

// NewDashboardPanel returns the table of threads by usage.
func NewDashboardPanel() *table.Table {
	t, _ := NewDashboard()
	words := new(spanWords)
	t.Words = func(env *panel.Env) string { return words.inView(env.View) }
	return t
}

// shown returns the number of shown threads, what their figures are, and of which frames.
func (w *spanWords) shown(env *panel.Env) string {
	shown, all := env.View.Look().CallTracks()
	b := strconv.AppendInt(w.whose.New(), int64(shown), 10)
	if shown != all {
		b = strconv.AppendInt(append(b, " of "...), int64(all), 10)
	}
	v := env.View
	words := view.PerUnit[func(*spanWords, *view.View) string]{Frames: (*spanWords).frames, Spans: (*spanWords).inView}
	of := words.Of(v)(w, v)
	if of != "" {
		measure := &busyWords
		if v.Look().ShowWall() {
			measure = &wallWords
		}
		b = append(append(append(b, " · "...), measure.Of(v)...), of...)
	}
	return w.whose.Set(b)
}

// NewCollectorPanel returns the tree of collectors.
func NewCollectorPanel() *table.Table {
	t := table.New("Collectors", NewCollectorTree())
	t.Words, t.Foot = new(spanWords).unit, new(outside).foot
	return t
}

// busyWords and wallWords name the times of threads.
var (
	busyWords = view.PerUnit[string]{Frames: "busy, "}
	wallWords = view.PerUnit[string]{Frames: "from begin to end, "}
)

// spanWords caches words about a range of time and its thread until its length changes.
type spanWords struct {
	ns    int64
	text  string
	whose panel.CachedText
	mean  panel.CachedText
}

// textFor returns "in 2.41 s" for the selected range.
func (w *spanWords) textFor(v *view.View) string {
	if ns := v.RangeB() - v.RangeA(); ns != w.ns || w.text == "" {
		w.ns, w.text = ns, "in "+string(format.AppendDuration(nil, ns))
	}
	return w.text
}

// inView names the part of a session that the figures of threads cover.
func (w *spanWords) inView(v *view.View) string {
	if v.RangeB() > v.RangeA() {
		return w.textFor(v)
	}
	if v.Session().Info().Sampling.Timeless {
		return "" // it has no times
	}
	return "in view"
}

// unit names the thread of figures, and the frames of means or the range of time of statistics.
func (w *spanWords) unit(env *panel.Env) string {
	v := env.View
	words := view.PerUnit[func(*spanWords, *view.View) string]{Frames: (*spanWords).frames, Spans: (*spanWords).session}
	of := words.Of(v)(w, v)
	if t := v.Shown(); t != nil {
		return w.whose.Set(append(append(append(w.whose.New(), t.Title()...), " · "...), of...))
	}
	return of
}

// session names the range of time of statistics.
func (w *spanWords) session(v *view.View) string {
	if v.RangeB() > v.RangeA() {
		return w.textFor(v)
	}
	return subject.Whole(v.Session())
}

// frames names the frames of means.
func (w *spanWords) frames(v *view.View) string {
	first, last := panel.FramesOf(v, v.Track())
	switch all := !v.Live() && v.FrameA() < 0 && !v.HasRange(); {
	case all && (v.Shown() == nil || v.Shown().Evicted() == 0):
		return "mean of all"
	case last > first:
		return w.mean.Set(panel.AppendMeanOf(w.mean.New(), v.Session().Track(v.Track()).CountedFrames(first, last)))
	case last == first:
		return panel.OneFrame(v)
	}
	return "no frame"
}

// Matches appends the collectors with data that match an expression by name, ascending by id.
func Matches(s *store.Session, e *find.Expr, out []model.CollectorID) []model.CollectorID {
	if e == nil || e.Empty() {
		return out
	}
	for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
		if c := s.Collector(id); c != nil && (c.HasTime || c.HasLevel) && e.Collector(c) {
			out = append(out, id)
		}
	}
	return out
}

// NewStatisticsPanel returns the table of statistics of all collectors.
func NewStatisticsPanel() *table.Table {
	t := table.New("Statistics", NewStats())
	t.Words, t.Foot, t.RowHeight = new(spanWords).unit, new(outside).foot, 20
	return t
}

// NewSpikePanel returns the list of the frames that stand out.
func NewSpikePanel() *table.Table {
	src := NewSpikes()
	t := table.New("Spikes", src)
	t.Words, t.NoHeader, t.RowHeight = src.Words, true, 24
	return t
}
