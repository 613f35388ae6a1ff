package truth

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/strip"
	looks "framescope/charts/subject"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/widgets/details"
)

// subject is a session that numbers are compared of.
type subject struct {
	name   string
	called map[string]bool // see names
	shared []part          // see eachPart
	plain
}

// recorded returns the files of recordings: a few of each format, in the long form all of the tree and those beside it.
func recorded(t *testing.T) (paths []string) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	all := append(recordings.All(t, reg), testkit.Must(filepath.Glob(filepath.Join(flaretest.Captures(t), "*", "127*")))(t)...)
	if testkit.Long {
		all = append(all, recordings.Shared(t, reg)...)
	}
	name := func(path string) string { return strings.TrimSuffix(filepath.Base(path), ".gz") }
	for _, path := range all {
		if strings.HasPrefix(name(path), stopped) {
			continue // TestStops compares it: the figures of frames leave stops out, which the plain ones have
		}
		if !slices.ContainsFunc(paths, func(p string) bool { return name(p) == name(path) }) {
			paths = append(paths, path)
		}
	}
	return recordings.Few(paths)
}

// open reads a recording. What is damaged is shown as far as it goes, so it is compared as far; nil
// of what is damaged from its first byte on.
func open(t *testing.T, path string) *subject {
	rec, err := load.File(t.Context(), path, load.Options{})
	if rec == nil {
		testkit.That(t, strings.HasPrefix(filepath.Base(path), "broken-"), "%v %v", path, err)
		return nil
	}
	return subjectOf(filepath.Base(path), rec.Session)
}

func subjectOf(name string, s *store.Session) *subject {
	return &subject{name: name, plain: *newPlain(s)}
}

// made are sessions with things that no small recording has.
func made(t *testing.T) []*subject {
	return []*subject{
		subjectOf("game", chartstest.NewSession(t)), subjectOf("calls", chartstest.NewCallSession(true)),
		subjectOf("locks", chartstest.NewLockSession(t)), subjectOf("holes", chartstest.HolesSession()),
		subjectOf("latency", chartstest.LatencySession(500)), subjectOf("states", chartstest.StateSession(50)),
		subjectOf("leaks", chartstest.LeakSession()), subjectOf("messages", chartstest.MessageSession(100)),
		subjectOf("ticks", chartstest.TickSession()), subjectOf("flows", chartstest.NewFlowSession()),
		subjectOf("pipeline", chartstest.TeePipeline().Session()),
	}
}

// part is a thread and a range of a subject, as a user has them selected.
type part struct {
	*subject
	track       model.TrackID
	first, last int   // indices of the frames of the thread; last < first: it has none
	t0, t1      int64 // the selected range, or all
	selected    bool

	// What was worked out of it already.
	ran     *sums
	allRan  *sums
	frames  [2]map[model.CollectorID]*framed
	insides map[model.CollectorID]*framed
	answer  row
	said    map[float64]bool // times of messages
	asked   bool
	memory  int64                            // that the session took when the window was opened
	flown   map[[2]model.ObjectID][2]float64 // buffers and bytes, by link
}

// calls are what ran on the thread in the range.
func (p *part) calls() *sums {
	if p.ran == nil && p.track != model.NoTrack {
		p.ran = p.sums([]model.TrackID{p.track}, p.t0, p.t1)
	}
	return p.ran
}

// inside are the times with callees over the frames of the range.
func (p *part) inside() map[model.CollectorID]*framed {
	if p.insides == nil {
		p.insides = p.insideOf(p.track, p.first, p.last)
	}
	return p.insides
}

// over are the figures over the frames of the range: of times, or levels.
func (p *part) over(levels bool) map[model.CollectorID]*framed {
	i := 0
	if levels {
		i = 1
	}
	if p.frames[i] == nil {
		p.frames[i] = p.framed(p.track, levels, p.first, p.last)
	}
	return p.frames[i]
}

// parts returns what of a subject is looked at: of some threads all, and some ranges.
func (x *subject) parts() (out []part) {
	threads := 0
	for id := range model.TrackID(x.s.NumTracks()) {
		t := x.s.Track(id)
		if t == nil || t.NumFrames() == 0 && x.s.HasFrames() || t.NumSpans() == 0 && !x.timeless() {
			continue
		}
		if threads++; threads > 2 && !testkit.Long {
			break
		}
		begin, end, _ := t.Bounds()
		from, to, _ := x.s.Bounds()
		if x.timeless() { // the thread, and all of them
			out = append(out, part{subject: x, track: id, last: -1, t0: from, t1: to + 1})
			continue
		}
		if n := t.NumFrames(); n > 0 {
			ranges := [][2]int{{n / 3, min(n/3+4, n-1)}}
			if threads == 1 || testkit.Long {
				ranges = append(ranges, [2]int{n / 2, n / 2}, [2]int{0, n - 1})
			}
			if testkit.Long {
				ranges = append(ranges, [2]int{0, 0}, [2]int{n - 1, n - 1})
			}
			for _, r := range ranges {
				p := part{subject: x, track: id, first: r[0], last: r[1], selected: true}
				p.t0, p.t1 = x.times(id, r[0], r[1])
				out = append(out, p)
			}
			continue
		}
		third := (end - begin) / 3
		out = append(out, part{subject: x, track: id, last: -1, t0: from, t1: to + 1})
		out = append(out, part{subject: x, track: id, last: -1, t0: begin + third, t1: end - third, selected: true})
	}
	if len(out) == 0 || x.timeless() {
		if from, to, ok := x.s.Bounds(); ok {
			out = append(out, part{subject: x, track: model.NoTrack, last: -1, t0: from, t1: to + 1})
		}
	}
	return slices.DeleteFunc(out, func(p part) bool { return p.t1 <= p.t0 })
}

var (
	theme = assets.Dark()
	atlas = draw.NewAtlas(1)
)

// rig returns a window in which the part is selected.
func (p *part) rig() *chartstest.Rig {
	v := view.New(p.s)
	v.Follow(false)
	rig := &chartstest.Rig{Env: panel.NewEnv(v, &theme, atlas), R: draw.Rect{X1: 700, Y1: 420}}
	p.memory = p.s.Memory().Total() // as it is now: what is asked later takes more
	rig.Env.MemoryOf = func(*store.Session) int64 { return p.memory }
	v.Tick(rig.Env.NowNs, false)
	if p.track != model.NoTrack {
		v.SetTrack(p.track)
	}
	if p.selected && p.last >= p.first {
		v.SelectFrames(p.first, p.last)
	} else if p.selected {
		v.SelectRange(p.t0, p.t1)
	}
	v.Steer().PlaceTime(p.t0, p.t1)
	v.Tick(rig.Env.NowNs, false)
	return rig
}

// settle lays a panel out until it has all that it shows.
func settle(rig *chartstest.Rig, c panel.Panel) {
	rig.Ticks(c, 3)
}

// receivedRow takes what report says of the account, else counts what is there.
func receivedRow(p *part, _ *view.View, r *record) (out figuresOf) {
	said, ledger := p.report(), p.s.Ledger()
	if said == nil {
		said = row{}
	}
	add := func(v float64) { out = append(out, map[string]float64{"n": v}) }
	for _, line := range said.rows("ledger") {
		if line.text("reason") == r.name {
			n, _ := line.number("count")
			add(n)
		}
	}
	for _, l := range p.s.Limits() {
		if r.name == "· "+l.What {
			add(float64(l.N))
		}
	}
	if n, ok := p.things()[r.name]; ok && !ledger.Framed {
		add(n)
	}
	sampling := said.object("calls").object("sampling")
	for words, field := range map[string]string{
		"time between samples, median": "median_ns", "time between samples, p5": "p5_ns", "time between samples, p95": "p95_ns",
		"requested": "asked_ns", "gaps in the sampling": "gaps", "gaps, total": "gap_ns", "longest gap": "longest_ns",
	} {
		if v, ok := sampling[field].(float64); ok && r.name == words {
			add(v)
		}
	}
	switch _, end, _ := p.s.Bounds(); r.name {
	case "of all":
		add(float64(ledger.Received) / float64(ledger.Sent))
	case "time step":
		add(float64(p.s.Info().Clock.Step(end)))
	case "memory":
		add(float64(p.memory))
	}
	return out
}

// things counts what a session has, one by one.
func (p *plain) things() map[string]float64 {
	n := p.counts
	if len(n) > 0 {
		return n
	}
	n["threads and streams"], n["objects"] = float64(p.s.NumTracks()), float64(len(p.s.Topology().Objects()))
	n["listed resources"] = float64(len(p.s.Topology().Resources()))
	for id, spans := range p.spans {
		n["spans"] += float64(len(spans))
		n["messages"] += float64(len(p.s.Messages().Of(id, -1<<62, 1<<62, nil)))
	}
	values := 0.0
	for id := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(id)
		had := len(x.Samples(-1<<62, 1<<62, int(x.Len()), nil))
		switch {
		case had == 0 || x.Def.Role == model.RoleWeight:
		case x.Def.Role != model.RoleStack:
			values += float64(had)
			n["series"]++
		default:
			if of, _ := p.numSamples(x.Def.Track, -1<<62, 1<<62); of == of {
				n["samples"] += of
			} else {
				n["stacks"] += float64(had)
			}
		}
	}
	if n["samples"]+n["stacks"] > 0 {
		n["values of series"] = values
	} else {
		n["samples"] = values
	}
	return n
}

// receivedWords wants the line of the account, or of the notes on the session, as it is told there, or
// the part of a note that stands in a line of the panel.
func receivedWords(x *tip) string {
	_, lines := x.s.Losses()
	said := strings.Join(x.words, "\n")
	if slices.ContainsFunc(slices.Concat(x.s.Warnings(), lines), func(w string) bool { return strings.Contains(w, said) }) {
		return ""
	}
	return "nobody noted that"
}

// messagesTip is of a message.
func messagesTip(x *tip) (out figuresOf) {
	track, m, _ := x.hit.Thing.Message()
	for _, said := range x.s.Messages().Of(track, m.Time, m.Time, nil) {
		out = append(out, map[string]float64{"time": float64(said.Time)})
	}
	return out
}

// messageWords wants a message that was said then, by that thread, and as it was said, as far as
// there is room.
func messageWords(x *tip) string {
	if _, isOne := x.said["time"]; !isOne {
		return "" // a button
	}
	tight := func(s string) string { return strings.Join(strings.Fields(s), "") }
	shown := []string{}
	for _, line := range x.words {
		if strings.HasPrefix(line, "level\t") {
			break
		}
		shown = append(shown, line)
	}
	text, cut := strings.CutSuffix(tight(strings.Join(shown, "\n")), "…")
	track, m, _ := x.hit.Thing.Message()
	for _, said := range x.s.Messages().Of(track, m.Time, m.Time, nil) {
		whole := tight(said.Text)
		switch {
		case whole != text && whole != text+"…" && !(cut && strings.HasPrefix(whole, text)):
		case x.named["level"] != looks.SeverityName(said.Severity), x.named["category"] != said.Category:
		case x.named["object"] != said.Object, x.named["thread"] != x.s.Track(track).Title():
		default:
			return ""
		}
	}
	return "nobody said that"
}

// paceTip is how fast and how even the frames of a thread came.
func (p *part) paceTip(v *view.View, id model.TrackID, want map[string]float64) {
	t := p.s.Track(id)
	first, last := 0, t.NumFrames()-1
	if v.Live() || v.FrameA() >= 0 && v.FrameB() > v.FrameA() {
		first, last = p.framesOf(v, id)
	}
	if last < first {
		return
	}
	out := p.pace(id, first, last, v.Look().FrameBudgetNs())
	begin, end := p.times(id, first, last)
	hitches := 0.0
	for i := first; i <= last; i++ {
		if p.s.Frames().Hitch(id, i) {
			hitches++
		}
	}
	n := last - first + 1
	out["hitches"] = hitches
	out["frames_per_second"] = (float64(n) + missing(t, t.Frame(first).Number, t.Frame(last).Number, n)) / (float64(end-begin) / 1e9)
	for name, v := range out {
		want["pace_"+name] = v
	}
}

// pace is what the lengths of some frames tell.
func (p *part) pace(track model.TrackID, first, last int, budgetNs int64) map[string]float64 {
	var ns []float64
	over := 0.0
	for i := first; i <= last; i++ {
		f := p.s.Track(track).Frame(i)
		took := float64(f.End - f.Begin)
		if ns = append(ns, took); took > float64(budgetNs) {
			over++
		}
	}
	slices.Sort(ns)
	n := len(ns)
	slow := func(in int) float64 {
		of, sum := (n+in-1)/in, 0.0
		for _, took := range ns[n-of:] {
			sum += took
		}
		return float64(of) / (sum / 1e9)
	}
	rank := func(percent int) float64 { return ns[max((n*percent+99)/100, 1)-1] }
	return map[string]float64{
		"low_1": slow(100), "low_01": slow(1000), "median": (ns[(n-1)/2] + ns[n/2]) / 2, "p95": rank(95), "p99": rank(99),
		"max": ns[n-1], "over": over / float64(n),
	}
}

// addPace adds the figures of a report's pace, where there are any.
func (p *part) addPace(want map[string]float64, budgetNs int64) {
	inReport := map[string]string{"median": "median_ns", "p95": "p95_ns", "p99": "p99_ns", "max": "max_ns"}
	for name, v := range p.pace(p.track, p.first, p.last, budgetNs) {
		if other := inReport[name]; other != "" {
			name = other
		}
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			want["pace."+name] = v
		}
	}
	want["pace.limit_ns"] = float64(budgetNs)
}

// processors is how many processors the machine of the recordings of testdata/gsttrace had: README.md there
// says so. Nobody knows it of the others.
const processors = 2

// All threads together take no more than all processors have: over the whole recording, and, but for
// what one reading of a clock may have in it from before, over parts of it.
func TestProcessorsTogether(t *testing.T) {
	checked := 0
	eachSubject(t, func(t *testing.T, x *subject) {
		begin, end, ok := x.s.Bounds()
		if !strings.Contains(x.name, ".log") || strings.HasPrefix(x.name, "constructed") || !ok || end <= begin {
			return
		}
		for _, r := range [][2]int64{{begin, end + 1}, {begin, begin + (end-begin)/2}, {begin + (end-begin)/3, end + 1}} {
			if x.checkTogether(t, processors, r[0], r[1]) {
				checked++
			}
		}
	})
	testkit.That(t, checked >= testkit.Rounds(3, 6), "only %d ranges were checked", checked)
}

// checkTogether returns false where no thread tells what it took.
func (x *subject) checkTogether(t testkit.T, n, t0, t1 int64) bool {
	var all []model.TrackID
	cpu, load, before, some := 0.0, 0.0, 0.0, false
	for id := range model.TrackID(x.s.NumTracks()) {
		if x.s.Track(id) == nil {
			continue
		}
		all = append(all, id)
		if ns, ok := x.s.Spans().CPUTime(id, t0, t1); ok {
			cpu, some = cpu+ns, true
			before += x.readingsApart(id)
		}
		if share, ok := x.s.Spans().CPULoad(id, t0, t1); ok {
			if begin, end, lived := x.life(id, t0, t1); lived { // it is of its life
				load += share * float64(end-begin) / float64(t1-t0)
			}
		}
	}
	if !some {
		return false
	}
	if begin, _, _ := x.s.Bounds(); t0 <= begin {
		before = 0
	}
	most := float64(n)*float64(t1-t0)*1.001 + before
	testkit.That(t, cpu <= most, "%s: all threads took %v ns of %d processors in %d ns", x.name, cpu, n, t1-t0)
	testkit.That(t, load*float64(t1-t0) <= most, "%s: all threads take %v of %d processors", x.name, load, n)
	var tree spans.Tree
	for _, m := range x.s.Spans().Measures(all, nil) {
		if x.s.Spans().TreeOf(m, all, t0, t1, &tree); m == spans.MeasureCPU && float64(tree.Total) > most {
			t.Errorf("%s: CPU time of methods %d of %d processors in %d ns", x.name, tree.Total, n, t1-t0)
		}
	}
	return true
}

// readingsApart is the longest time between two readings of a thread's clock.
func (x *subject) readingsApart(id model.TrackID) (most float64) {
	for _, k := range x.s.Series().ByTrack(id) {
		if y := x.s.Series().ByID(k); y.Def.Role == model.RoleCPUTime {
			last := int64(math.MaxInt64) // nothing is between the first one and that
			for _, v := range y.Samples(math.MinInt64/2, math.MaxInt64/2, int(y.Len()), nil) {
				most, last = max(most, float64(v.Time-last)), v.Time
			}
		}
	}
	return most
}

// While a game runs, all means that stand side by side are of the same frames, change in the same
// tick, and say of how many they are.
func TestLiveMeansAreOfTheSameFrames(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Paced = true
	rig.Env.View.Follow(true)
	panels := map[string]panel.Panel{
		"flame graph": flame.New(model.NoCollector), "strip chart": strip.New(model.NoTrack, 0, false), "threads": tables.NewThreadPanel(),
		"collectors": tables.NewCollectorPanel(), "statistics": tables.NewStatisticsPanel(),
	}
	figure := func(name string) string {
		mode := panels[name].Mode(rig.Env)
		if name == "flame graph" {
			mode, _ = strings.CutSuffix(mode[strings.LastIndex(mode, "· ")+len("· "):], " a frame")
			return strings.TrimPrefix(mode, "total ")
		}
		figure, _, _ := strings.Cut(mode, " · ")
		return figure
	}
	said := map[string]bool{}
	for range 60 {
		g.Frame()
		rig.Env.NowNs += 16_000_000
		rig.Env.View.Tick(rig.Env.NowNs, false)
		for name, p := range panels {
			p.Update(rig.Env, draw.Rect{X1: 900, Y1: 400}, &panel.Input{DtNs: 16_000_000})
			if mode := p.Mode(rig.Env); !strings.Contains(mode, "mean of 60 frames") {
				t.Fatalf("%s: %q does not say what its figures are of", name, mode)
			}
		}
		if of, other := figure("flame graph"), figure("strip chart"); of != other {
			t.Fatalf("a mean frame of %s in the flame graph, of %s in the strip chart", of, other)
		} else {
			said[of] = true
		}
	}
	testkit.That(t, len(said) <= 6, "figures changed %d times in a second", len(said))
}

// What the inspector says while a game runs is of one frame, in its headline and below, also where it
// is drawn anew for another reason, and changes as seldom as all figures do.
func TestLiveInspectorIsOfOneFrame(t *testing.T) {
	g := chartstest.NewLiveGame(4)
	for range 100 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Paced = true
	v := rig.Env.View
	v.Follow(true)
	pane, head := &details.Panel{}, &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	said := map[string]bool{}
	for i := range 120 {
		g.Frame()
		rig.Env.NowNs += 16_000_000
		v.Tick(rig.Env.NowNs, false)
		rect := draw.Rect{X1: 300, Y1: 400 + float32(i%3)} // its size changes
		both := []panel.Panel{pane, head}
		if i%2 > 0 { // the window updates the upper one first
			slices.Reverse(both)
		}
		for _, p := range both {
			p.Update(rig.Env, rect, &panel.Input{DtNs: 16_000_000})
		}
		title := ""
		for _, f := range head.Facts(rig.Env, nil) {
			if title == "" {
				title = f.Name
			}
		}
		testkit.MustThat(t, i <= 0 || title == pane.Title(rig.Env),
			"the headline is of %q, what is below of %q", title, pane.Title(rig.Env))
		said[title] = true
	}
	testkit.That(t, len(said) <= 10, "the frame changed %d times in two seconds", len(said))
}
