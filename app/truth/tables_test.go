package truth

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/model/store"
)

// record is a row of a table: what it states, by column.
type record struct {
	of    panel.Hit
	name  string
	depth int
	cells map[string]*panel.Fact
}

// values are the numbers of a row, by column.
func (r *record) values() map[string]float64 {
	out := map[string]float64{}
	for id, f := range r.cells {
		out[id] = f.Value
	}
	return out
}

// records groups what a panel states by rows.
func records(facts []panel.Fact) (out []record) {
	for i := range facts {
		f := &facts[i]
		if i == 0 || f.Row != facts[i-1].Row || out[len(out)-1].cells[f.Measure] != nil {
			out = append(out, record{f.Of, f.Name, f.Depth, map[string]*panel.Fact{}})
		}
		out[len(out)-1].cells[f.Measure] = f
	}
	return out
}

// figuresOf is what a row should state, by column, in base units. Any is more than one possibility:
// one of them must hold as a whole.
type figuresOf []map[string]float64

// tableRule returns what a row of a panel should state.
type tableRule = func(p *part, v *view.View, r *record) figuresOf

// tableRules say what the rows of a panel state. A panel without a rule that states numbers fails.
var tableRules = map[string]tableRule{
	"collectors": collectorRow, "statistics": collectorRow, "calltree": callTreeRow, "threads": threadRow,
	"spikes": spikeRow, "against": againstRow, "leaks": leakRow, "messages": messageRow,
	"received": receivedRow, "calls": slowRow, "elements": elementRow, "waterfall": waterfallRow,
}

// silent are the panels that state no numbers as a Teller, with the reason.
var silent = testkit.Words("testdata/reasons.txt", "silent")

// unruled are columns whose numbers are not compared, with the reason.
var unruled = testkit.Words("testdata/reasons.txt", "unruled")

// Every panel of the registry is in the tests.
func TestEveryPanelIsCompared(t *testing.T) {
	for _, d := range registry.All() {
		_, tells := d.New().(panel.Teller)
		switch {
		case tells && tableRules[d.ID] == nil:
			t.Errorf("%s: tableRules do not say what its rows should state", d.ID)
		case !tells && silent[d.ID] == "":
			t.Errorf("%s states no facts (panel.Teller), and testdata/reasons.txt does not say why (silent)", d.ID)
		case tells && silent[d.ID] != "":
			t.Errorf("%s states facts; testdata/reasons.txt says that it states none (silent)", d.ID)
		}
	}
}

// mostRows is how many rows of a table are compared in the short form.
const mostRows = 12

// comparedOf counts what was compared: of heads (nil: these are not), of tables and trees, and of tooltips, by panel and
// measure.
type comparedOf struct{ heads, tables, tips map[string]int }

// What panels say beside their titles, what tables and trees state, and what tooltips say, and with them the status line,
// is what the definitions give.
func TestPanels(t *testing.T) {
	seen, nth := comparedOf{map[string]int{}, map[string]int{}, map[string]int{}}, 0
	eachPart(t, func(t *testing.T, p *part) {
		nth++
		p.comparePanels(t, nth, seen)
	})
	for id, rule := range headRules {
		if id != "frames" {
			demandEach(t, seen.heads, map[string]*tipRule{id: rule})
		}
	}
	demandEach(t, seen.tables, tableRules)
	demandEach(t, seen.tips, tipRules)
}

// comparePanels compares all panels that have something of a part; nth says where they are pointed at, see sweep.
func (p *part) comparePanels(t testkit.T, nth int, seen comparedOf) {
	for _, d := range registry.All() {
		if d.Has != nil && !d.Has(p.s.Contents()) {
			continue
		}
		rig, c := p.rig(), d.New()
		settle(rig, c)
		if seen.heads != nil {
			p.compareHead(t, &d, rig, c, seen.heads)
		}
		switch d.ID {
		case "calls": // it is of a collector
			if p.track != model.NoTrack {
				rig.Env.View.SelectCollector(p.dearest())
				settle(rig, c)
			}
		case "timeline", "processors":
			rig.Env.View.Look().ChooseCounters(view.CountersAll)
			settle(rig, c)
		}
		if rule := tableRules[d.ID]; rule != nil {
			p.compareTable(t, &d, rig, c, rule, seen.tables)
		}
		if tipRules[d.ID] != nil {
			p.compareTips(t, &d, rig, c, nth, seen.tips)
		}
	}
}

func (p *part) compareTable(
	t testkit.T, d *panel.Def, rig *chartstest.Rig, c panel.Panel, rule tableRule, seen map[string]int,
) {
	for i, r := range records(c.(panel.Teller).Facts(rig.Env, nil)) {
		if i == mostRows && !testkit.Long {
			break
		}
		checkRecord(t, p, d.ID, &r, rule(p, rig.Env.View, &r), seen)
	}
}

// dearest is the collector with the greatest total.
func (p *part) dearest() model.CollectorID {
	best, most := model.NoCollector, int64(-1)
	for c, f := range p.calls().of {
		if f.total > most || f.total == most && c < best {
			best, most = c, f.total
		}
	}
	return best
}

// checkRecord compares a row.
func checkRecord(t testkit.T, p *part, id string, r *record, any figuresOf, seen map[string]int) {
	var first string
	for _, want := range any {
		wrong := ""
		for measure, f := range r.cells {
			v, ruled := want[measure]
			switch {
			case unruled[id+"."+measure] != "":
			case !ruled:
				wrong = fmt.Sprintf("%s states %q of %s, and nothing says what it should be", measure, f.Text, r.name)
			default:
				seen[id+"."+measure]++
				if w := disagrees(p.s, f, v); w != "" {
					wrong = fmt.Sprintf("%s of %s: %s", measure, r.name, w)
				}
			}
			if wrong != "" {
				break
			}
		}
		if wrong == "" {
			return
		}
		if first == "" {
			first = wrong
		}
	}
	if first == "" {
		for measure, f := range r.cells {
			if unruled[id+"."+measure] == "" {
				first = fmt.Sprintf("%s states %q of %s, of which nothing is known", measure, f.Text, r.name)
			}
		}
	}
	testkit.That(t, first == "", "%s: %s: %s", p, id, first)
}

// inUnits is what an export without a unit may be in: the one of a series is its program's own (%, or
// for rates ns a second).
var inUnits = []float64{1, 0.01, 1e-9, factors["MHz"]}

// disagrees tells how a number differs from what it should be, "" where it does not.
func disagrees(s *store.Session, f *panel.Fact, want float64) string {
	bare := 1.0
	for unit, factor := range factors {
		if f.Header == unit || strings.HasSuffix(f.Header, " "+unit) || strings.Contains(f.Header, "("+unit+")") {
			bare = factor
		}
	}
	number := strings.TrimLeft(f.Text, "≥≈± ")
	if c := s.Collector(f.Of.Collector); strings.ContainsAny(number, " /") || c != nil && c.HasLevel && !c.HasTime {
		bare = 1 // it has a unit of its own, or none
	}
	w, ok := read(f.Text, bare)
	if c := s.Collector(f.Of.Collector); c != nil && c.HasLevel && !c.HasTime && strings.HasSuffix(f.Text, "s") {
		if unit, known := factors[c.UnitHere]; known && f.Measure != "frame" { // counters are in their own unit
			w.value, w.half = w.value/unit, w.half/unit
		}
	}
	switch {
	case !ok && f.Measure == "last":
		return "" // a state, in words
	case !ok:
		return fmt.Sprintf("what is %q?", f.Text)
	case !w.says(want):
		return fmt.Sprintf("it says %q, it is %v", f.Text, want)
	case f.Unit != "" && !w.about && f.Value == f.Value && !near(f.Value*factors[f.Unit], want) && math.Abs(f.Value*factors[f.Unit]-want) > 1:
		return fmt.Sprintf("its export is %v, it is %v", f.Value, want)
	case f.Unit == "" && !w.about && f.Value == f.Value && !slices.ContainsFunc(inUnits, func(unit float64) bool {
		return math.Abs(f.Value*unit-want) <= 1e-7*max(math.Abs(want), 1) // how busy a thread was is known to a few ns
	}):
		return fmt.Sprintf("its export is %v, it is %v", f.Value, want)
	}
	return ""
}

// callFigures are those of a collector's calls. What is under way besides others of its kind has no
// time of its own, and is no share of the range.
func (p *part) callFigures(c model.CollectorID, f *figures) map[string]float64 {
	want := map[string]float64{
		"calls": float64(f.calls), "total": float64(f.total), "self": float64(f.self), "mean": f.mean,
		"min": float64(f.least), "max": float64(f.most), "share": float64(f.total) / float64(p.t1-p.t0),
	}
	if p.async[c] {
		delete(want, "self")
		delete(want, "share")
	}
	return want
}

func collectorRow(p *part, _ *view.View, r *record) (out figuresOf) {
	c := r.of.Collector
	if p.track == model.NoTrack {
		return nil
	}
	if r.of.Kind == panel.HitNothing && r.name == outsideName {
		return outsideRow(p)
	}
	if p.last >= p.first {
		for _, levels := range []bool{false, true} {
			if f := p.over(levels)[c]; f != nil {
				own := framed{values: f.own}
				want := map[string]float64{
					"starts": float64(f.starts), "mean": f.mean(), "net": f.mean(), "self": own.mean(), "total": 0, "median": f.median(), "p95": f.rank(0.95),
					"p99": f.rank(0.99), "min": f.rank(0), "max": f.rank(1), "frame": float64(f.maxFrame()),
				}
				if in := p.inside()[c]; in != nil {
					want["total"] = in.mean()
				}
				out = append(out, want)
			}
		}
		if len(out) > 0 {
			return out
		}
		want := map[string]float64{ // it had no time of its own in these frames
			"starts": 0, "net": 0, "mean": 0, "self": 0, "total": 0, "median": 0, "p95": 0, "p99": 0, "min": 0, "max": 0,
			"frame": float64(p.s.Track(p.track).Frame(p.first).Number),
		}
		if in := p.inside()[c]; in != nil {
			want["total"] = in.mean()
		}
		return append(out, want)
	}
	all := p.calls()
	if f := all.of[c]; f != nil {
		want := p.callFigures(c, f)
		if p.sampled(p.track) {
			with, innermost, samples := p.stacks(p.track, p.t0, p.t1)
			want["runs"], want["samples"], want["self_samples"] = want["calls"], with[c], innermost[c]
			want["uncertainty"] = uncertainty(float64(f.total), with[c], samples)
			delete(want, "calls")
		}
		return append(out, want)
	}
	below := int64(0) // what only groups others has their own times
	for k, f := range all.of {
		if p.s.Collectors().IsDescendant(k, c) {
			if below += f.self; p.async[k] {
				below += f.total - f.self
			}
		}
	}
	return append(out, map[string]float64{"net": float64(below)}) // and no total: it is inside nothing
}

// callTreeRow allows any call path that ends with the collector: the table does not say which it
// is. It is of all threads that are shown.
func callTreeRow(p *part, v *view.View, r *record) (out figuresOf) {
	all := p.treeOf(v)
	for _, n := range all.nodes {
		if n.collector == r.of.Collector {
			want := map[string]float64{
				"total": float64(n.total), "self": float64(n.self), "count": float64(n.calls),
				"share": float64(n.total) / float64(max(all.total, 1)),
			}
			if p.async[n.collector] {
				delete(want, "self")
			}
			out = append(out, want)
		}
	}
	return out
}

// treeOf is what the call tree adds up: of frames the thread, else all threads that are shown.
func (p *part) treeOf(v *view.View) *sums {
	if p.s.HasFrames() {
		return p.calls()
	}
	return p.everywhere(v)
}

// everywhere are what ran on all threads that are shown.
func (p *part) everywhere(v *view.View) *sums {
	if p.allRan == nil {
		p.allRan = p.sums(v.Look().VisibleTracks(), p.t0, p.t1)
	}
	return p.allRan
}

// life is the part of a range from which anything of a track came.
func (p *plain) life(id model.TrackID, t0, t1 int64) (begin, end int64, ok bool) {
	begin, end = math.MaxInt64, math.MinInt64
	for i := range p.spans[id] {
		begin, end = min(begin, p.spans[id][i].Begin), max(end, p.spans[id][i].End)
	}
	for _, k := range p.s.Series().ByTrack(id) {
		x := p.s.Series().ByID(k)
		for _, v := range x.Samples(math.MinInt64/2, math.MaxInt64/2, int(x.Len()), nil) {
			begin, end = min(begin, v.Time), max(end, v.Time)
		}
	}
	begin, end = max(begin, t0), min(end, t1)
	return begin, end, begin < end
}

// load is what the thread took of the processors: its CPU time by its life in the range, else the mean of the
// loads that were measured, else the part of the range that its spans cover.
func (p *plain) load(id model.TrackID, t0, t1 int64) float64 {
	if _, ns := p.grown(id, model.RoleCPUTime, t0, t1); ns == ns {
		begin, end, ok := p.life(id, t0, t1)
		if !ok {
			return math.NaN()
		}
		return ns / float64(end-begin)
	}
	for _, k := range p.s.Series().ByTrack(id) {
		x := p.s.Series().ByID(k)
		if x.Def.Role != model.RoleCPULoad {
			continue
		}
		whole := map[string]float64{"%": 100, "‰": 1000, "": 1}[x.Def.Unit]
		if v := p.samples(k, t0, t1); v.n > 0 {
			return v.mean / whole
		}
		_, newest, _ := x.Bounds()
		if v, ok := x.At(t0); ok && t0 < newest { // the one in force
			return v.Value / whole
		}
		return math.NaN()
	}
	return float64(p.busy(id, t0, t1)) / float64(t1-t0)
}

// clock is by how much the clock of a thread whose stacks are sampled grew: what it grew by from
// one change to the next is spread evenly over the time between them, in whole ns up to each time, so
// that neighbouring ranges add up.
func (p *plain) clock(x *spans.Series, t0, t1 int64) float64 {
	var changes []model.Sample
	for _, v := range x.Samples(math.MinInt64/2, math.MaxInt64/2, int(x.Len()), nil) {
		if n := len(changes); v.Value == v.Value && (n == 0 || v.Value != changes[n-1].Value) {
			changes = append(changes, v)
		}
	}
	sum := 0.0
	for i := 1; i < len(changes); i++ {
		a, b := changes[i-1], changes[i]
		until := func(at int64) float64 {
			return math.Round((b.Value - a.Value) * (float64(at-a.Time) / float64(b.Time-a.Time)))
		}
		if from, to := max(a.Time, t0), min(b.Time, t1); to > from && b.Value > a.Value {
			sum += until(to) - until(from)
		}
	}
	return sum
}

// grown is the number of samples of a series of a thread, and by how much it grew since the one
// before.
func (p *plain) grown(id model.TrackID, role model.SeriesRole, t0, t1 int64) (n, growth float64) {
	for _, k := range p.s.Series().ByTrack(id) {
		if x := p.s.Series().ByID(k); x.Def.Role == role && x.Len() > 0 {
			v := p.samples(k, t0, t1)
			if role == model.RoleCPUTime && p.sampled(id) {
				return float64(v.n), p.clock(x, t0, t1)
			}
			first, readings := v.first, v.n
			if before, ok := x.At(t0 - 1); ok {
				first, readings = before.Value, v.n+1
			}
			if role == model.RoleCPUTime && readings < 2 {
				if readings == 1 && v.n == 0 {
					return 0, 0
				}
				return float64(v.n), math.NaN() // one reading tells no growth
			}
			if v.n == 0 {
				return 0, 0
			}
			return float64(v.n), min(max(v.last-first, 0), float64(t1-t0)) // it may have in it what was before
		}
	}
	return math.NaN(), math.NaN()
}

// framesOf returns the indices of the frames of a thread in the selected range: the part's own, of
// another thread those of the same ticks, else those that begin in the selected frames, and where none
// does those that run in the range. Where its clock ran backwards and there are several runs of
// such frames it is the longest, the newest of equals.
func (p *part) framesOf(v *view.View, id model.TrackID) (first, last int) {
	if id == p.track {
		return p.first, p.last
	}
	t := p.s.Track(id)
	if p.inStep(id) {
		a, b := p.s.Track(p.track).Frame(p.first).Number, p.s.Track(p.track).Frame(p.last).Number
		first, last = t.NumFrames(), -1
		for i := range t.NumFrames() {
			if n := t.Frame(i).Number; n >= a && n <= b {
				first, last = min(first, i), i
			}
		}
		return first, last
	}
	if p.selected && p.first <= p.last { // those that begin in the selected ones, as in a report on these
		own := p.s.Track(p.track)
		begin, end := own.Frame(p.first).Begin, own.Frame(p.last).End
		for i := p.first; i <= p.last; i++ {
			begin, end = min(begin, own.Frame(i).Begin), max(end, own.Frame(i).End)
		}
		if first, last = t.FramesBeginning(begin, end); first <= last {
			return first, last
		}
	}
	first, last = 0, -1
	for i, from := 0, -1; i <= t.NumFrames(); i++ {
		f := t.Frame(i)
		switch runs := i < t.NumFrames() && f.Begin < v.RangeB() && f.End > v.RangeA(); {
		case runs && from < 0:
			from = i
		case !runs && from >= 0:
			if i-1-from >= last-first {
				first, last = from, i-1
			}
			from = -1
		}
	}
	return first, last
}

// inStep tells whether frames of a track that have the number of one of the thread are of the same
// tick: they all run at the same time, for the most part. Where only most of them do, as those of workers
// whose jobs come when they come, it is what the few say that the program looks at. Those of a GPU have the
// numbers of the main track.
func (p *part) inStep(id model.TrackID) bool {
	numbers := func(id model.TrackID) model.TrackID {
		if p.s.Track(id).Def.Kind == model.TrackGPU {
			return p.s.MainTrack()
		}
		return id
	}
	a, b := numbers(id), numbers(p.track)
	if a == b {
		return true
	}
	of := map[int64]frames.Frame{}
	for i := range p.s.Track(a).NumFrames() {
		f := p.s.Track(a).Frame(i)
		of[f.Number] = f
	}
	alike, together := 0, 0
	for i := range p.s.Track(b).NumFrames() {
		f := p.s.Track(b).Frame(i)
		g, ok := of[f.Number]
		both, shorter := min(f.End, g.End)-max(f.Begin, g.Begin), min(f.End-f.Begin, g.End-g.Begin)
		if !ok {
			continue
		}
		if alike++; float64(both) >= 0.5*float64(shorter) {
			together++
		}
	}
	if together < alike && 2*together >= alike {
		_, _, beside := p.s.FramesBeside(id, p.track, p.first, p.last)
		return beside
	}
	return alike > 0 && together == alike
}

func threadRow(p *part, v *view.View, r *record) figuresOf {
	want := map[string]float64{"spans": float64(len(p.spans[r.of.Track]))}
	if p.s.HasFrames() {
		did := p.shownWork(v, r.of.Track)
		if did == nil {
			return nil
		}
		want["busy_time"] = did["busy"]
		return figuresOf{want}
	}
	want["load"] = p.load(r.of.Track, p.t0, p.t1)
	want["busy"], want["cpu_load"] = want["load"], want["load"]
	want["samples"], _ = p.grown(r.of.Track, model.RoleStack, p.t0, p.t1)
	_, want["time"] = p.grown(r.of.Track, model.RoleCPUTime, p.t0, p.t1)
	if d := p.did(r.of.Track, p.t0, p.t1); d != nil {
		want["own_share"] = d.share()
	}
	return figuresOf{want}
}

func spikeRow(p *part, v *view.View, r *record) (out figuresOf) {
	if r.of.Kind == panel.HitFrame {
		f := p.s.Track(p.track).Frame(r.of.Frame)
		return figuresOf{{"took": float64(f.End - f.Begin)}}
	}
	if r.of.Kind == panel.HitCollector || r.of.Kind == panel.HitLabel {
		return p.hitchesOf(v, r)
	}
	for i := range p.spans[r.of.Bar.Ref.Track] {
		if x := &p.spans[r.of.Bar.Ref.Track][i]; x.Ref == r.of.Bar.Ref {
			want := map[string]float64{"took": float64(x.End - x.Begin), "at": float64(x.Begin)}
			out = append(out, want)
		}
	}
	return out
}

// leakRow counts the objects of a type by their fate, or says in which listing one was.
func leakRow(p *part, _ *view.View, r *record) (out figuresOf) {
	count := map[string]float64{}
	fates := map[model.ResourceFate]string{
		model.ResourceLeaked: "leaked", model.ResourceAlive: "alive", model.ResourceAdded: "added",
		model.ResourceRemoved: "removed",
	}
	for _, x := range p.s.Topology().Resources() {
		if x.Type == r.name {
			count[fates[x.Fate]]++
		}
	}
	return figuresOf{count}
}

// messageRow wants a message of that time.
func messageRow(p *part, _ *view.View, r *record) (out figuresOf) {
	if p.said == nil {
		all := messages.Query{T0: math.MinInt64 / 2, T1: math.MaxInt64 / 2, MinSeverity: model.SeverityTrace, Limit: 1 << 20}
		hits, _ := p.s.Messages().Find(all, nil)
		p.said = map[float64]bool{}
		for i := range hits {
			p.said[float64(hits[i].Time)] = true
		}
	}
	if at := r.cells["time"].Value; p.said[at] {
		return figuresOf{{"time": at}}
	}
	return nil
}
