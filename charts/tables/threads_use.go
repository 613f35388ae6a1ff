package tables

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// threadUse is what a thread used in the range. It is computed for rows with such a cell on screen, or in a tooltip.
type threadUse struct {
	known          bool // it was computed
	heardNs        int64
	heard          bool
	samples, cpuNs float64 // NaN: unknown
	did            spans.Activity
	acts           bool // its states are known
	hottest        spans.Hottest
	burns          bool // there is one
}

const (
	manyRows = 64            // from so many rows on the numbers change at most four times a second
	silentNs = 1_000_000_000 // a thread with data within that is there
)

// useOf returns what the thread of a row used.
func (t *loadThreads) useOf(env *panel.Env, r *threadRow) *threadUse {
	u := &r.use
	if u.known || r.head != "" {
		return u
	}
	s := env.View.Session()
	u.known = true
	u.heardNs, u.heard = subject.LastHeard(s, r.id)
	n, ok := subject.Samples(s, r.id, t.t0, t.t1)
	u.samples = table.Known(float64(n), ok)
	u.cpuNs = table.Known(s.Spans().CPUTime(r.id, t.t0, t.t1))
	if u.did, u.acts = s.Spans().Activity(r.id, t.t0, t.t1); u.acts {
		one := [1]model.TrackID{r.id}
		u.hottest, u.burns = s.Spans().Hottest(spans.MeasureSamples, one[:], model.NoCollector, t.t0, t.t1, t.way)
		t.way, u.hottest.Way = u.hottest.Way[:0], nil
	}
	return u
}

// use makes a column of a figure of what a thread used.
func (t *loadThreads) use(c table.Column[threadRow], value func(*threadUse) float64) table.Column[threadRow] {
	c.Kind, c.Quiet = table.Number, true
	c.Value = func(env *panel.Env, r *threadRow) float64 {
		return table.Known(value(t.useOf(env, r)), r.head == "")
	}
	return c
}

// columnsOf returns the columns, with a title of the load. If any thread has a series of its processor usage, that is
// the load, and other threads have none. Where stacks are sampled, states and hottest methods are known.
func (t *loadThreads) columnsOf(load, title string, stacks bool) []table.Column[threadRow] {
	type column = table.Column[threadRow]
	list := []column{
		foldColumn(false),
		{ID: "spark", Kind: table.Spark, Width: 58, Drop: 1, Cell: func(env *panel.Env, r *threadRow, c *table.Cell) {
			c.Series, c.Color, c.SeriesMax, c.FromZero = t.loadOf(env.View.Session(), r).spark, draw.Color(env.Theme.Text2), 1,
				true
		}},
		{
			ID: load, Title: title, Kind: table.Number, Width: 60, Quiet: true, Share: true,
			Value: func(env *panel.Env, r *threadRow) float64 { return t.loadOf(env.View.Session(), r).share },
		},
	}
	if stacks {
		list = append(list, t.stackColumns()...)
	}
	return append(list,
		t.use(column{ID: "time", Title: "CPU time", Unit: "ns", Width: 80, Drop: 6, Time: true},
			func(u *threadUse) float64 { return u.cpuNs }),
		t.use(column{ID: "samples", Title: "samples", Width: 74, Drop: 7, Format: table.Count},
			func(u *threadUse) float64 { return u.samples }),
		column{
			ID: "spans", Title: "spans", Kind: table.Number, Width: 74, Drop: 9, Quiet: true, Format: table.Count,
			Value: func(env *panel.Env, r *threadRow) float64 {
				if r.head != "" {
					return math.NaN()
				}
				return float64(env.View.Session().Track(r.id).NumSpans())
			},
		},
		t.use(column{ID: "heard", Title: "last data", Unit: "ns", Width: 100, Drop: 8, Cell: t.heard},
			func(u *threadUse) float64 { return table.Known(float64(u.heardNs), u.heard) }),
	)
}

// stackColumns returns the columns of threads with sampled stacks.
func (t *loadThreads) stackColumns() []table.Column[threadRow] {
	type column = table.Column[threadRow]
	states := t.use(column{ID: "states", Title: "states", Width: 344, Drop: 4, Cell: t.states, Legend: t.stateLegend},
		func(u *threadUse) float64 { return table.Known(1-u.did.Share(spans.StateWaiting), u.acts) })
	states.Kind, states.Quiet = table.Stack, false
	return []column{
		states,
		{
			ID: "hottest", Title: "top method by own samples", Least: 170, Drop: 5, Text: t.hottest, Click: t.clickHottest,
			Cell: func(env *panel.Env, r *threadRow, c *table.Cell) {
				if c.Text != "" {
					method := r.use.hottest.Collector
					c.Swatch, c.Found = env.Palette().Fill(method), env.Palette().Found(method)
				} else if r.head == "" {
					c.Unknown(env)
				}
			},
		},
		t.use(column{ID: "own_share", Title: "own", Width: 64, Drop: 5, Share: true},
			func(u *threadUse) float64 { return table.Known(u.hottest.Share(), u.burns) }),
	}
}

// states sets the shares of a thread's states. Unknown time is hatched.
func (t *loadThreads) states(env *panel.Env, r *threadRow, c *table.Cell) {
	if r.head != "" {
		return
	}
	for s := range spans.NumStates {
		share := float32(t.useOf(env, r).did.Share(s))
		c.Parts = append(c.Parts, table.Part{Share: share, Color: subject.StateColor(env.Theme, s)})
	}
}

func (t *loadThreads) stateLegend(env *panel.Env) []table.Part {
	t.legend = t.legend[:0]
	for s := range spans.StateUnknown { // it has no color
		t.legend = append(t.legend, table.Part{Name: subject.StateWord(s), Color: subject.StateColor(env.Theme, s)})
	}
	return t.legend
}

// hottest names the method that burns most of a thread.
func (t *loadThreads) hottest(env *panel.Env, r *threadRow) string {
	if u := t.useOf(env, r); u.burns {
		return env.View.Session().Collector(u.hottest.Collector).Title()
	}
	return ""
}

// clickHottest selects the thread, and the method that burns most of it.
func (t *loadThreads) clickHottest(env *panel.Env, r *threadRow, in *panel.Input) panel.Action {
	a := clickThread(env, r.id, in)
	if u := t.useOf(env, r); u.burns && !in.DoubleClick {
		env.View.SelectCollector(u.hottest.Collector)
	}
	return a
}

// heard describes when the last data of a thread came.
func (t *loadThreads) heard(env *panel.Env, r *threadRow, c *table.Cell) {
	s, u := env.View.Session(), t.useOf(env, r)
	alive := s.Track(r.id).Alive
	_, end, _ := s.Bounds()
	_, over := s.Ended()
	switch ago := end - u.heardNs; {
	case !u.heard:
		c.Unknown(env)
	case ago <= silentNs && alive && !over:
		c.Buf = append(c.Buf, "now"...)
		c.Color = draw.Color(env.Theme.Live)
	case ago <= silentNs && (alive || over):
		c.Buf = append(c.Buf, "to the end"...)
	case !over:
		c.Buf = append(format.AppendDuration(c.Buf, ago), " ago"...)
		c.Color = draw.Color(env.Theme.Over)
	default:
		c.Buf = format.AppendClock(append(c.Buf, "until "...), u.heardNs, 1e8)
		c.Color = draw.Color(env.Theme.TextDim)
	}
}

// Tip implements table.Tips.
func (t *loadThreads) Tip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	s, u := env.View.Session(), t.useOf(env, r)
	threadTitle(s.Track(r.id), l)
	shareTip(s, r.id, t.loadOf(s, r).share, l)
	subject.StateTips(l, &u.did)
	if u.burns {
		l.Text("burns most\t").Text(t.hottest(env, r)).End()
		l.Text("its own\t").Percent(u.hottest.Share()).Text(" ± ").Percent(u.hottest.Within()).Text(" (95 %) of ")
		l.Count(u.hottest.Of).Text(" samples of code").End()
	}
	l.Text("spans\t").Count(s.Track(r.id).NumSpans()).End()
	l.If(u.samples == u.samples).Text("samples here\t").Count(int64(u.samples)).End()
	l.If(u.cpuNs == u.cpuNs).Text("CPU time here\t").Duration(int64(u.cpuNs + 0.5)).End()
	l.If(u.heard).Text("last data at\t").Clock(u.heardNs).End()
	l.If(!s.Track(r.id).Alive).Add("This thread has ended")
	l.Add("Click: this thread in all panels · double click: flame graph · arrow: fold")
}

// shareTip adds a thread's share of a processor, or the part of the time that its spans cover; NaN:
// unknown.
func shareTip(s *store.Session, id model.TrackID, share float64, l *panel.TipLines) {
	if share != share {
		return
	}
	name := format.Pick(subject.LoadSeries(s, id) != model.NoSeries, "CPU\t", "covered\t")
	l.Text(name).Percent(share).End()
}
