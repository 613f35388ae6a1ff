package tables

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// sparkFrames is the number of frames in the line beside a thread.
const sparkFrames = 60

// sparkAfter is how many of them are behind the range, where there are as many.
const sparkAfter = 15

// Threads is the source of the list of threads: name, the frames around the range as columns, and the
// time in which the thread was busy in a frame of the range, in the mean of several; while live of the
// newest; without frames, the processor usage or the busy share. A click shows the frames of a thread,
// the arrow folds its rows in the timeline.
type Threads struct {
	perUnit[threadRow, source[threadRow]]
}

// threadRows are the rows of such a list.
type threadRows struct {
	table.List[threadRow]
	titles []string // of groups
	counts []int    // of their threads
}

// frameThreads are the threads with what they did in their frames.
type frameThreads struct {
	threadRows
	lines   map[model.TrackID]*workLine
	wall    bool // the figures are from begin to end
	hitches []int
}

// workLine is the figures of some frames of a thread that follow each other, kept for the next picture.
type workLine struct {
	frames []frames.Frame
	ns     []float32
	wall   bool
	of     uint64 // the revision of the session

	spare   []frames.Frame // room for the next
	spareNs []float32
}

// loadThreads are the threads with the share of time in [t0, t1) that they were busy, where there
// are no frames.
type loadThreads struct {
	threadRows
	load   subject.ThreadLoad
	t0, t1 int64
	cpu    bool // some thread has a series of its processor usage

	timeless bool // no times are known, so none was busy
	sampled  bool // stacks are

	busyColumns, cpuColumns []table.Column[threadRow]
	busyStacks, cpuStacks   []table.Column[threadRow] // while sampled
	legend                  []table.Part
	way                     []spans.Step
}

type threadRow struct {
	id     model.TrackID
	framed *frameThreads     // makes the figures of frames when a row is drawn
	work   subject.FrameWork // of the frames of the range
	first  int64             // number of the first of them
	spark  []float32
	mark   int // index into spark of the frame of the range, -1: these are several, or none
	alive  bool
	rank   int     // without frames: see view.TrackRank
	byLoad float64 // among those of a group, before the rank
	loaded bool    // share, spark and quiet are known: see loadThreads.loadOf
	share  float64 // without frames: of a processor, or of the time; NaN: not known
	quiet  bool    // nothing was heard of it in the range
	group  int     // a process, where there are several; else see view.KindGroup
	within bool    // its process is named above it
	head   string  // of a heading, which is no thread
	use    threadUse
	pace   framePace
}

// threadColumn returns the column of the names of threads.
func threadColumn[R any](of func(*R) model.TrackID) table.Column[R] {
	return table.Column[R]{
		ID: "thread", Title: "thread",
		Text: func(env *panel.Env, r *R) string { return env.View.Session().Track(of(r)).Title() },
	}
}

// threadLeast is how wide the column of names is before the columns of frames leave.
const threadLeast = panel.NameLeast

// foldColumn returns the column of the names, with the arrows; fixed: where they have no header to
// sort by.
func foldColumn(fixed bool) table.Column[threadRow] {
	c := threadColumn(func(r *threadRow) model.TrackID { return r.id })
	title := c.Text
	c.Text = func(env *panel.Env, r *threadRow) string {
		if r.within {
			return view.TrackName(env.View.Session().Track(r.id))
		}
		return title(env, r)
	}
	c.Fixed, c.Least, c.Cell = fixed, threadLeast, func(env *panel.Env, r *threadRow, to *table.Cell) {
		to.Fold = table.FoldOf(!env.View.Look().TrackFolded(r.id))
	}
	c.Fold = func(env *panel.Env, r *threadRow, _ *panel.Input) {
		env.View.Look().SetTrackFolded(r.id, !env.View.Look().TrackFolded(r.id))
	}
	return c
}

// workSpark draws the frames around the range, in red those over the budget.
func workSpark(env *panel.Env, r *threadRow, c *table.Cell) {
	r.worked(env)
	limit := float32(env.View.Look().FrameBudgetNs())
	c.Series, c.Mark, c.Limit, c.Color = r.spark, r.mark, limit, draw.Color(env.Theme.Text)
	if len(r.spark) > 0 && limit > 0 { // a hitch does not flatten the others
		c.SeriesMax = min(slices.Max(r.spark), 2*limit)
	}
}

// workColumns are the columns where there are frames.
var workColumns = []table.Column[threadRow]{
	foldColumn(true),
	{ID: "spark", Kind: table.Bars, Width: 48, Drop: 1, Cell: workSpark},
	{
		ID: "busy_time", Title: "busy", Unit: "ns", Kind: table.Number, Width: 54, Quiet: true, Fixed: true, Time: true,
		Value: func(env *panel.Env, r *threadRow) float64 {
			ns, ok := r.worked(env).Shown(env.View.Look())
			return table.Known(float64(ns), ok)
		},
		Cell: func(env *panel.Env, r *threadRow, c *table.Cell) {
			look, work := env.View.Look(), r.worked(env)
			if ns, _ := work.Shown(look); work.Over(look) {
				c.Color = subject.FrameColor(env.Theme, ns, look.FrameBudgetNs())
			}
		},
	},
}

// namedThreads are the columns where there are no times.
var namedThreads = []table.Column[threadRow]{foldColumn(true)}

// NewThreads returns the source, in the order of the session.
func NewThreads() *Threads {
	t := &loadThreads{}
	t.busyColumns, t.cpuColumns = t.columnsOf("busy", "busy", false), t.columnsOf("cpu_load", "CPU", false)
	t.busyStacks, t.cpuStacks = t.columnsOf("busy", "busy", true), t.columnsOf("cpu_load", "CPU", true)
	return &Threads{over[threadRow, source[threadRow]](&frameThreads{}, t)}
}

// Settled implements table.Settled.
func (t *Threads) Settled() {}

// Columns implements table.Source.
func (t *frameThreads) Columns() []table.Column[threadRow] { return workColumns }

// Columns implements table.Source.
func (t *loadThreads) Columns() []table.Column[threadRow] {
	switch {
	case t.timeless:
		return namedThreads
	case t.sampled:
		return format.Pick(t.cpu, t.cpuStacks, t.busyStacks)
	}
	return format.Pick(t.cpu, t.cpuColumns, t.busyColumns)
}

// Empty implements table.Source.
func (t *threadRows) Empty(bool) string { return "The program's threads.\n" + panel.NoData }

// Rows implements table.Source.
func (t *frameThreads) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live()}
	if !v.Live() {
		key.Track, key.First, key.Last, key.T0, key.T1 = v.Track(), v.FrameA(), v.FrameB(), v.RangeA(), v.RangeB()
	}
	key.Extra = 2 * uint64(v.Look().FrameBudgetNs())
	if t.wall = v.Look().ShowWall(); t.wall {
		key.Extra++
	}
	if t.Due(env, key) {
		t.fill(v)
		for i := range t.All {
			t.All[i].framed = t
		}
		t.group()
	}
	return t.Listed()
}

// worked returns what the thread did in the frames of the range. It makes the figures of the row where it is
// looked at for the first time: of very many threads few are in sight.
func (r *threadRow) worked(env *panel.Env) *subject.FrameWork {
	if t := r.framed; t != nil && r.head == "" {
		r.framed = nil
		t.frames(env.View, env.View.Session(), r)
	}
	return &r.work
}

// Rows implements table.Source.
func (t *loadThreads) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s := v.Session()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live() || len(t.All) > manyRows, Calls: true}
	key.T0, key.T1 = subject.ThreadRange(v)
	if t.Due(env, key) {
		t.t0, t.t1 = key.T0, key.T1
		t.fill(v)
		t.timeless, t.sampled = s.Info().Sampling.Timeless, s.Spans().AnySampled()
		t.cpu = slices.ContainsFunc(s.Series().ByRole(model.RoleCPULoad), func(x model.SeriesID) bool {
			_, ok := sort.Find(len(t.All), func(i int) int { return cmp.Compare(s.Series().ByID(x).Def.Track, t.All[i].id) })
			return ok
		})
		for i := range t.All {
			r := &t.All[i]
			if r.rank = view.TrackRank(s.Track(r.id)); t.sampled { // the busiest first
				r.byLoad = t.loadOf(s, r).share
			}
		}
		t.group()
	}
	return t.Listed()
}

// fill makes the rows, without their figures.
func (t *threadRows) fill(v *view.View) {
	s := v.Session()
	old := t.All[:cap(t.All)]
	t.All, t.titles = t.All[:0], t.titles[:0]
	several := v.Look().SeveralProcesses()
	for id := range model.TrackID(s.NumTracks()) {
		track := s.Track(id)
		if track == nil || track.NumFrames() == 0 && track.NumSpans() == 0 && track.Def.Name == "" ||
			track.Def.Kind == model.TrackElement && track.Def.Object != model.NoObject { // a list of their own has these
			continue
		}
		row := threadRow{id: id, alive: track.Alive}
		row.group, row.within = t.groupOf(s, track, several), several
		if n := len(t.All); n < len(old) {
			row.spark = old[n].spark[:0] // keeps the memory
		}
		t.All = append(t.All, row)
	}
}

// frames adds to a row its frames of the range, and those around them.
func (t *frameThreads) frames(v *view.View, s *store.Session, row *threadRow) {
	track := s.Track(row.id)
	first, last := panel.FramesOf(v, row.id)
	row.first = track.Frame(first).Number
	row.work = subject.WorkOf(s, row.id, first, last, subject.SharedBy(v))
	row.mark = -1
	if last < 0 {
		return
	}
	end := min(last+1+sparkAfter, track.NumFrames())
	from := max(0, end-sparkFrames)
	if row.spark == nil {
		row.spark = make([]float32, 0, sparkFrames)
	}
	if row.spark = append(row.spark, t.line(s, row.id, from, end)...); first == last && !v.Live() {
		row.mark = last - from
	}
}

// unfinished is how many of the newest frames may still get spans of theirs.
const unfinished = 8

// line returns the figures of the frames [from, to) of a thread. Those that were there before are kept.
func (t *frameThreads) line(s *store.Session, id model.TrackID, from, to int) []float32 {
	if t.lines == nil || t.Fresh.Key.Session != s {
		t.lines = map[model.TrackID]*workLine{}
	}
	x := t.lines[id]
	if x == nil {
		x = new(workLine)
		t.lines[id] = x
	}
	old, was := x.frames, x.ns
	switch {
	case x.wall != t.wall:
		old = old[:0]
	case x.of != s.Revision():
		old = old[:max(0, len(old)-unfinished)]
	}
	x.spare, x.spareNs = x.spare[:0], x.spareNs[:0]
	track, at := s.Track(id), 0
	for i := from; i < to; i++ {
		f := track.Frame(i)
		for at < len(old) && old[at].Number < f.Number {
			at++
		}
		ns := float32(f.End - f.Begin)
		switch {
		case at < len(old) && old[at] == f:
			ns = was[at]
		case !t.wall:
			did, _ := s.WorkInFrames(id, i, i)
			ns = float32(did.BusyNs)
		}
		x.spare, x.spareNs = append(x.spare, f), append(x.spareNs, ns)
	}
	x.frames, x.spare, x.ns, x.spareNs = x.spare, x.frames, x.spareNs, x.ns
	x.wall, x.of = t.wall, s.Revision()
	return x.ns
}

// compare orders rows: in each group its heading first.
func (r *threadRow) compare(o *threadRow) int {
	return cmp.Or(cmp.Compare(r.group, o.group), cmp.Compare(len(o.head), len(r.head)),
		cmp.Compare(o.byLoad, r.byLoad), cmp.Compare(r.rank, o.rank))
}

// loadOf adds to a row, where it is looked at for the first time, how busy its thread was.
func (t *loadThreads) loadOf(s *store.Session, row *threadRow) *threadRow {
	if row.loaded || row.head != "" {
		return row
	}
	row.loaded = true
	share, ok := t.load.Share(s, row.id, t.t0, t.t1)
	ok = ok && t.cpu == (subject.LoadSeries(s, row.id) != model.NoSeries)
	if row.share = table.Known(share, ok); ok {
		row.spark = t.load.Line(s, row.id, t.t0, t.t1, sparkFrames, row.spark)
	}
	begin, end, heard := s.Track(row.id).Bounds()
	row.quiet = !ok && !(heard && begin <= t.t1 && end >= t.t0)
	return row
}

// Row implements table.Describer.
func (t *frameThreads) Row(env *panel.Env, r *threadRow) table.RowInfo {
	return threadInfo(env, r.id, !r.alive)
}

// Row implements table.Describer.
func (t *loadThreads) Row(env *panel.Env, r *threadRow) table.RowInfo {
	return threadInfo(env, r.id, t.loadOf(env.View.Session(), r).quiet)
}

// threadInfo returns the highlight of a thread's row, and its item.
func threadInfo(env *panel.Env, id model.TrackID, dim bool) table.RowInfo {
	return table.RowInfo{
		Selected: id == env.View.Track(), Dim: dim || env.View.Look().TrackHidden(id),
		Hit: panel.Hit{Kind: panel.HitLabel, Collector: model.NoCollector, Track: id, Frame: -1},
	}
}

// Click implements table.Clicker.
func (t *threadRows) Click(env *panel.Env, r *threadRow, in *panel.Input) panel.Action {
	return clickThread(env, r.id, in)
}

// Tip implements table.Tips.
func (t *frameThreads) Tip(env *panel.Env, r *threadRow, l *panel.TipLines) {
	track := env.View.Session().Track(r.id)
	threadTitle(track, l)
	l.Count(int64(track.NumFrames())).Text(" frames")
	if m := track.Missing(); m > 0 {
		l.Text(" · ").Count(m).Text(" missing")
	}
	l.FrameRate(" · ", track)
	l.End()
	if r.worked(env).Frames > 0 {
		shared := r.work.Of != r.work.Frames && r.work.Of > 1
		switch {
		case r.work.Frames == 1:
			l.Text("in frame ").Count(r.first)
			l.If(shared).Text(", mean of ").Count(r.work.Of).Text(" of the selected thread")
		case r.work.Of != r.work.Frames:
			l.Text("in ").Count(r.work.Frames).Text(" frames")
			l.If(shared).Text(", mean of ").Count(r.work.Of).Text(" of the selected thread")
		case env.View.Live():
			l.Text("mean of the newest ").Count(r.work.Frames).Text(" frames")
		default:
			l.With(panel.AppendMeanOf(l.Buf, r.work.Frames))
		}
		l.End()
		r.work.Tip(l)
	}
	t.paceOf(env.View, r).tip(l)
	switch {
	case !track.Alive:
		l.Add("This thread has ended")
	case track.Def.Kind == model.TrackGPU:
		l.Add("Times of the graphics card")
	}
	clockTip(&track.Def, l)
}

// clickThread makes a thread the one that other panels are about; a double click opens its flame
// graph.
func clickThread(env *panel.Env, id model.TrackID, in *panel.Input) panel.Action {
	if in.DoubleClick {
		return panel.Action{
			Kind: panel.ActionOpenFlame, Track: id, Collector: model.NoCollector, Frame: -1, X: in.X, Y: in.Y,
		}
	}
	env.View.SetTrack(id)
	return panel.Action{}
}

// framePace is how fast and how even the frames of a thread came. It is computed for a tooltip.
type framePace struct {
	frames.Pace
	hitches int
	words   string // which frames they are
}

// pacedFrames is the number of newest frames of a thread that its pace covers at most.
const pacedFrames = 1 << 16

// paceOf returns the pace of a thread, of the selected frames if these are several, else of all.
func (t *frameThreads) paceOf(v *view.View, r *threadRow) *framePace {
	p, of := &r.pace, v.Session().Frames()
	if p.words != "" {
		return p
	}
	first, last := 0, v.Session().Track(r.id).NumFrames()-1
	p.words = "all frames:"
	switch several := v.FrameA() >= 0 && v.FrameB() > v.FrameA(); {
	case v.Live():
		p.words = "newest frames:"
		first, last = panel.FramesOf(v, r.id)
	case several:
		p.words = "selected frames:"
		first, last = panel.FramesOf(v, r.id)
	case last >= pacedFrames:
		p.words = "newest 65 536 frames:"
	}
	first = max(first, last-pacedFrames+1)
	p.Pace, _ = of.Pace(r.id, first, last, v.Look().FrameBudgetNs())
	t.hitches = of.Hitches(r.id, first, last, t.hitches[:0])
	p.hitches = len(t.hitches)
	return p
}

// tip adds the pace of a thread to its tooltip.
func (p *framePace) tip(l *panel.TipLines) {
	if p.Frames == 0 {
		return
	}
	l.Add(p.words)
	rate := func(name string, hz float64) { l.If(hz == hz).Text(name).Hertz(hz).End() }
	rate("frame rate\t", p.Rate)
	rate("1 % low\t", p.Low1)
	rate("0.1 % low\t", p.Low01)
	length := func(name string, ns float64) { l.Text(name).Duration(int64(ns + 0.5)).End() }
	length("median\t", p.Median)
	length("p95\t", p.P95)
	length("p99\t", p.P99)
	length("longest\t", p.Longest)
	l.Text("over budget\t").Percent(float64(p.Over) / float64(p.Frames)).End()
	l.Text("hitches\t").Count(int64(p.hitches)).End()
}

// threadTitle adds the name of a thread and its process.
func threadTitle(t *store.Track, l *panel.TipLines) {
	l.Add(view.TrackName(t))
	l.If(t.Def.Process != "").Text("process\t").Text(t.Def.Process).End()
	if ns := t.Def.ProgramSpreadNs; ns == model.SpreadUnknown {
		l.Add("Its clock is not known against those of other programs")
	} else if ns > 0 {
		l.Text("times against other programs\t± ").Duration(ns).End()
	}
}

// clockTip adds the shift of a thread's own clock, and its precision.
func clockTip(def *model.TrackDef, l *panel.TipLines) {
	switch {
	case def.OwnClock:
		l.Add("On a clock of its own")
	case def.ShiftNs != 0:
		l.Text("own clock, moved by\t").Duration(def.ShiftNs).End()
		l.Text("known to\t± ").Duration(def.ShiftSpreadNs / 2).Text(", by ").Count(def.ShiftFrames).Text(" frames").End()
	}
}

// Key implements table.Keyed: a thread, or the head of a group.
func (t *threadRows) Key(r *threadRow) uint64 {
	if r.head != "" {
		return table.KeyOf(int64(r.group), -1)
	}
	return uint64(r.id)
}

// Threads of several processes, else threads, the parts of a program and the ways through it, are groups of the
// list of threads: where there are several, each has a heading.

// Group implements table.Grouper.
func (t *Threads) Group(r *threadRow) int {
	if r.head != "" {
		return 2 * r.group
	}
	return 2*r.group + 1
}

// groupOf returns the group of a track: of its process, where there are several, else of its kind.
func (t *threadRows) groupOf(s *store.Session, track *store.Track, several bool) int {
	if several {
		if main := s.Track(s.MainTrack()); main != nil && len(t.titles) == 0 { // its process comes first
			t.titles = append(t.titles, view.ProcessOf(s, main))
		}
		name := view.ProcessOf(s, track)
		i := slices.Index(t.titles, name)
		if i < 0 {
			i, t.titles = len(t.titles), append(t.titles, name)
		}
		return i
	}
	if len(t.titles) == 0 {
		t.titles = append(t.titles, make([]string, view.NumKindGroups)...)
	}
	i, title := view.KindGroup(track.Def.Kind)
	t.titles[i] = title
	return i
}

// group puts the rows of each group together, below a heading where there are several.
func (t *threadRows) group() {
	n, groups := append(t.counts[:0], make([]int, len(t.titles))...), 0
	t.counts = n
	for i := range t.All {
		g := t.All[i].group
		if n[g]++; n[g] == 1 {
			groups++
		}
	}
	if groups > 1 {
		for g := range n {
			if n[g] > 0 {
				t.All = append(t.All, threadRow{
					id: model.NoTrack, group: g, share: math.NaN(), mark: -1, head: t.titles[g] + " " + strconv.Itoa(n[g]),
				})
			}
		}
	}
	for i := 1; i < len(t.All); i++ {
		if t.All[i-1].compare(&t.All[i]) > 0 { // mostly they are in order, and sorting copies these large rows
			slices.SortStableFunc(t.All, func(a, b threadRow) int { return a.compare(&b) })
			break
		}
	}
}

// Line implements table.Liner: headings are no threads.
func (t *Threads) Line(r *threadRow) (table.Line, bool) {
	return table.Line{Words: r.head}, r.head != ""
}
