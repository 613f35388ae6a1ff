package truth

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// eachPart runs a test for every part of every session that is here.
func eachPart(t *testing.T, f func(t *testing.T, p *part)) {
	eachSubject(t, func(t *testing.T, x *subject) {
		if x.shared == nil {
			x.shared = x.parts()
		}
		for i := range x.shared {
			f(t, &x.shared[i])
		}
	})
}

// subjects are all sessions that are here. Each is read once, and no test changes it. The long form has too
// many for that, and reads one after another.
var subjects []*subject

func eachSubject(t *testing.T, f func(t *testing.T, x *subject)) {
	all := subjects
	if all == nil {
		for _, path := range recorded(t) {
			if x := open(t, path); x != nil && testkit.Long {
				t.Run(x.name, func(t *testing.T) { f(t, x) })
			} else if x != nil {
				all = append(all, x)
			}
		}
		all = append(all, made(t)...)
	}
	if !testkit.Long {
		subjects = all
	}
	for _, x := range all {
		t.Run(x.name, func(t *testing.T) { f(t, x) })
	}
}

// demand fails the test when something was never compared.
func demand(t *testing.T, seen map[string]int, names ...string) {
	t.Helper()
	for _, name := range names {
		testkit.That(t, seen[name] != 0, "no %q was compared: %v", name, seen)
	}
}

// demandEach is demand of the numbers of each panel that has rules.
func demandEach[R any](t *testing.T, seen map[string]int, rules map[string]R) {
	t.Helper()
	for id := range rules {
		testkit.That(t, slices.ContainsFunc(slices.Sorted(maps.Keys(seen)), func(k string) bool { return strings.HasPrefix(k, id+".") }),
			"no number of %s was compared", id)
	}
}

// What report says of a range is what the definitions give: all of its numbers, as JSON has them.
func TestReport(t *testing.T) {
	compared := 0
	eachPart(t, func(t *testing.T, p *part) { compared += p.compareReport(t) })
	testkit.That(t, compared >= 10_000, "only %d numbers were compared", compared)
}

func (p *part) compareReport(t testkit.T) (compared int) {
	r := p.report()
	if r == nil {
		return 0
	}
	compare := func(what string, got row, want map[string]float64) {
		compared += len(want)
		for _, w := range differences(got, want) {
			t.Errorf("%s: %s: %s", p, what, w)
		}
	}
	for name := range r {
		check := reportParts[name]
		if check == nil {
			t.Errorf("%s: nothing compares what report says of %s", p, name)
			continue
		}
		check(p, r, compare)
	}
	return compared
}

// differences compares all numbers of an object, those of objects in it by "name.of_it"; lists are
// left out. What has no number should have none or 0.
func differences(got row, want map[string]float64) (out []string) {
	numbers := map[string]float64{}
	var walk func(prefix string, r row)
	walk = func(prefix string, r row) {
		for name, v := range r {
			switch v := v.(type) {
			case float64:
				numbers[prefix+name] = v
			case map[string]any:
				walk(prefix+name+".", v)
			}
		}
	}
	walk("", got)
	for name, v := range numbers {
		w, ruled := want[name]
		switch {
		case !ruled:
			out = append(out, fmt.Sprintf("report says %s %v, and nothing says what it should be", name, v))
		case !near(v, w) && math.Abs(v-w) > slack(name):
			out = append(out, fmt.Sprintf("report says %s %v, it is %v", name, v, w))
		}
	}
	for name, w := range want {
		if _, said := numbers[name]; !said && w == w && w != 0 {
			out = append(out, fmt.Sprintf("report does not say %s, which is %v", name, w))
		}
	}
	slices.Sort(out)
	return out
}

// slack is how far a field may be off: times are rounded to thousandths of nanoseconds.
func slack(field string) float64 {
	if strings.Contains(field, "_ns") {
		return 0.000_6
	}
	return 0
}

// number is the one of a thread that no other has: the source's, else the lowest that is free.
func (p *part) number(track model.TrackID) float64 {
	taken := map[int]bool{}
	for _, threads := range []bool{true, false} {
		for id := range model.TrackID(p.s.NumTracks()) {
			t := p.s.Track(id)
			if (t.Def.Kind == model.TrackThread) != threads || t.Def.Index < 0 || taken[t.Def.Index] {
				continue
			}
			if taken[t.Def.Index] = true; id == track {
				return float64(t.Def.Index)
			}
		}
	}
	for id, n := model.TrackID(0), 0; ; n++ {
		for taken[n] {
			n++
		}
		for ; p.hasOwn(id); id++ {
		}
		if id == track {
			return float64(n)
		}
		id++
	}
}

// hasOwn tells whether a thread is the first with the number that the source has for it, threads before
// what is none.
func (p *part) hasOwn(id model.TrackID) bool {
	of := p.s.Track(id).Def
	for other := range model.TrackID(p.s.NumTracks()) {
		def := p.s.Track(other).Def
		isThread, ofThread := def.Kind == model.TrackThread, of.Kind == model.TrackThread
		if def.Index == of.Index && (isThread && !ofThread || isThread == ofThread && other < id) {
			return false
		}
	}
	return of.Index >= 0
}

// missing is how many frames never came of a thread, between numbers that so many frames have.
func missing(t *store.Track, first, last int64, n int) float64 {
	if t.Def.Skips {
		return 0
	}
	return float64(last - first + 1 - int64(n))
}

// checkFrames compares what is said of a thread with frames.
func (p *part) checkFrames(th row, compare func(string, row, map[string]float64)) {
	t := p.s.Track(p.track)
	n := p.last - p.first + 1
	a, b := t.Frame(p.first), t.Frame(p.last)
	begin, end := p.times(p.track, p.first, p.last)
	want := map[string]float64{
		"index": float64(t.Def.Index), "thread_id": p.number(p.track), "frames": float64(n), "first_frame": float64(a.Number),
		"last_frame": float64(b.Number), "missing_frames": missing(t, a.Number, b.Number, n),
		"evicted_frames": 0, "begin_ns": float64(begin), "end_ns": float64(end),
		"clock_step_ns": float64(p.s.Info().Clock.Step(end)), "frames_per_second": 0,
		"clock_shift_ns": float64(t.Def.ShiftNs), "clock_spread_ns": float64(t.Def.ShiftSpreadNs),
	}
	if end > begin {
		want["frames_per_second"] = (float64(n) + missing(t, a.Number, b.Number, n)) / (float64(end-begin) / 1e9)
	}
	for name, ns := range p.work(p.track, p.first, p.last) {
		want["work."+map[string]string{"busy": "busy_ns", "waits": "waits_ns", "bare": "not_measured_ns"}[name]] = ns
	}
	p.addPace(want, frames.DefaultBudgetNs)
	compare("thread", th, want)
	lines := p.linesOf(th.rows("times"), compare)
	inside := p.inside()
	for c, f := range p.over(false) {
		name := p.s.Collector(c).Title()
		want := map[string]float64{"starts": float64(f.starts), "frames_with": float64(f.present)}
		f.add(want, "net_ns.")
		if f.starts > 0 || inside[c] != nil { // a call that began before the range has a time of its own, too
			(&framed{values: f.own, numbers: f.numbers}).add(want, "self_ns.")
		}
		if in := inside[c]; in != nil {
			in.add(want, "total_ns.")
		}
		compare(name, lines[name], want)
		delete(lines, name)
	}
	for c, in := range inside { // what was in it was others' time
		if name := p.s.Collector(c).Title(); p.over(false)[c] == nil {
			want := map[string]float64{"starts": 0, "frames_with": 0}
			none := p.newFramed(p.track, p.first, p.last)
			none.add(want, "net_ns.")
			none.add(want, "self_ns.")
			in.add(want, "total_ns.")
			compare(name, lines[name], want)
			delete(lines, name)
		}
	}
	for name, line := range lines {
		compare(name+" should not be there", line, nil)
	}
	for _, line := range th.rows("levels") {
		lines[line.text("collector")] = line
	}
	for c, f := range p.over(true) {
		name := p.s.Collector(c).Title()
		want := map[string]float64{"frames_with": float64(f.present)}
		f.add(want, "value.")
		compare(name, lines[name], want)
		delete(lines, name)
	}
	for name, line := range lines {
		compare(name+" should not be there", line, nil)
	}
}

// add adds the figures of a distribution.
func (f *framed) add(to map[string]float64, prefix string) {
	for name, v := range map[string]float64{
		"sum": f.sum(), "mean": f.mean(), "median": f.median(), "p95": f.rank(0.95), "p99": f.rank(0.99),
		"min": f.rank(0), "max": f.rank(1), "max_frame": float64(f.maxFrame()),
	} {
		to[prefix+name] = v
	}
}

// checkCalls compares what is said of calls.
func (p *part) checkCalls(calls row, compare func(string, row, map[string]float64)) {
	if calls == nil || p.track == model.NoTrack {
		return
	}
	head := map[string]float64{"begin_ns": float64(p.t0), "end_ns": float64(p.t1)}
	for name, v := range calls.object("sampling") { // of the whole recording, as the decoder measured it: see net/flare
		head["sampling."+name], _ = v.(float64)
	}
	compare("calls", calls, head)
	for _, th := range calls.rows("threads") {
		begin, end, ok := p.life(p.track, p.t0, p.t1)
		if !ok {
			begin, end = p.t0, p.t0
		}
		want := map[string]float64{
			"index": float64(p.s.Track(p.track).Def.Index), "thread_id": p.number(p.track), "begin_ns": float64(begin), "end_ns": float64(end),
			"spans": float64(len(p.spans[p.track])), "cpu_load": p.load(p.track, p.t0, p.t1),
		}
		want["samples"], _ = p.numSamples(p.track, p.t0, p.t1)
		_, want["cpu_time_ns"] = p.grown(p.track, model.RoleCPUTime, p.t0, p.t1)
		if _, said := th["cpu_load"]; !said { // of what does not tell, spans say how busy it was, not what it took
			delete(want, "cpu_load")
		}
		if d := p.did(p.track, p.t0, p.t1); d != nil {
			for state, ns := range d.ns {
				if said, ok := th.object("states").number(state); ok && math.Abs(said-ns) <= 1 { // a part of one at each end
					ns = said
				}
				want["states."+state+"_ns"] = ns
			}
			want["states.blocked_ns"] = 0
			for _, state := range []string{"ready", "io", "waiting", "unknown"} {
				want["states."+state+"_ns"] += 0
			}
			if d.code > 0 {
				want["hottest.self_samples"], want["hottest.of_samples"] = d.own, d.code
				want["hottest.share"], want["hottest.share_error_95"] = d.share(), d.within()
			}
		}
		if p.timeless() {
			p.hottest(want)
		}
		compare("thread", th, want)
		p.checkLines(th.rows("methods"), compare)
	}
	p.checkLines(calls.rows("all"), compare)
}

// linesOf returns the lines of collectors by their names, without the places in the source: it compares these.
func (p *part) linesOf(list []row, compare func(string, row, map[string]float64)) map[string]row {
	lines, places := map[string]row{}, map[string][]model.Place{}
	for _, c := range p.s.Collectors().Tree().All {
		places[c.Title()] = append(places[c.Title()], c.Place)
	}
	for _, line := range list {
		name := line.text("collector")
		said, _ := line["line"].(float64)
		if !slices.Contains(places[name], model.Place{File: line.text("file"), Line: int(said)}) {
			compare(name+" in another file", row{"line": said}, nil)
		}
		delete(line, "line")
		lines[name] = line
	}
	return lines
}

func (p *part) checkLines(list []row, compare func(string, row, map[string]float64)) {
	lines := p.linesOf(list, compare)
	if len(lines) != len(list) {
		compare("a collector that has several lines", row{"lines": float64(len(list))}, map[string]float64{"lines": float64(len(lines))})
	}
	with, innermost, all := p.stacks(p.track, p.t0, p.t1)
	if p.timeless() {
		p.checkWeights(list, compare)
		return
	}
	for c, f := range p.calls().of {
		name := p.s.Collector(c).Title()
		line := lines[name]
		want := map[string]float64{
			"calls": float64(f.calls), "total_ns": float64(f.total), "self_ns": float64(f.self), "mean_ns": f.mean,
			"shortest_ns": float64(f.least), "longest_ns": float64(f.most),
		}
		if p.async[c] {
			delete(want, "self_ns")
		}
		if p.sampled(p.track) { // calls can't be told apart
			delete(want, "calls")
			want["runs"], want["samples"], want["self_samples"] = float64(f.calls), with[c], innermost[c]
			want["uncertainty_ns"] = uncertainty(float64(f.total), with[c], all)
			for _, estimate := range []string{"cpu_time_ns", "self_cpu_time_ns"} { // what it is an estimate of nobody knows
				want[estimate], _ = line[estimate].(float64)
			}
		}
		compare(name, line, want)
		delete(lines, name)
	}
	for c := range with { // samples of it alone: its runs lie elsewhere
		if name := p.s.Collector(c).Title(); lines[name] != nil && len(list) > 0 {
			want := map[string]float64{"samples": with[c], "self_samples": innermost[c], "total_ns": 0, "self_ns": 0}
			for _, estimate := range []string{"cpu_time_ns", "self_cpu_time_ns"} {
				want[estimate], _ = lines[name][estimate].(float64)
			}
			compare(name, lines[name], want)
			delete(lines, name)
		}
	}
	for name, line := range lines {
		cpu, _ := line["cpu_time_ns"].(float64)
		self, _ := line["self_cpu_time_ns"].(float64)
		if p.sampled(p.track) && cpu > 0 && len(list) > 0 { // CPU time alone, estimated from samples beside the range
			compare(name, line, map[string]float64{
				"samples": 0, "self_samples": 0, "total_ns": 0, "self_ns": 0, "cpu_time_ns": cpu, "self_cpu_time_ns": self,
			})
			continue
		}
		compare(name+" should not be there", line, nil)
	}
}

// checkSeries compares what is said of a series.
func (p *part) checkSeries(line row, compare func(string, row, map[string]float64)) {
	for id := range model.SeriesID(p.s.Series().Len()) {
		x := p.s.Series().ByID(id)
		if x == nil || x.Def.Name != line.text("name") || x.Def.Group != line.text("group") || x.Def.Role == model.RoleStack {
			continue
		}
		thread, object := "", ""
		if th := p.s.Track(x.Def.Track); th != nil {
			thread = th.Title()
		}
		if o, ok := p.s.Topology().Object(x.Def.Object); ok {
			object = o.Name
		}
		if thread != line.text("thread") || object != line.text("object") {
			continue
		}
		v := p.samples(id, p.t0, p.t1)
		want := map[string]float64{
			"samples": float64(v.n), "gaps": float64(v.gaps), "min": v.least, "mean": v.mean, "max": v.most, "sum": v.sum,
			"first": v.first, "last": v.last, "std_dev": v.spread, "rate_per_second": v.rate,
			"median": 0, "p90": 0, "p95": 0, "p99": 0,
		}
		if v.n > 0 {
			want["median"], want["p90"], want["p95"], want["p99"] = v.rank(0.5), v.rank(0.9), v.rank(0.95), v.rank(0.99)
		}
		compare("series "+x.Def.Name, line, want)
		return
	}
	compare("series "+line.text("name")+" should not be there", line, nil)
}

// work is what a thread did in its frames [first, last] together, by the self times of its collectors; nil where
// none of its frames has any.
func (p *part) work(id model.TrackID, first, last int) map[string]float64 {
	ran := p.framed(id, false, first, last)
	if len(ran) == 0 && len(p.framed(id, false, 0, p.s.Track(id).NumFrames()-1)) == 0 {
		return nil
	}
	out := map[string]float64{"busy": 0, "waits": 0, "bare": 0}
	for c, f := range ran {
		name := "busy"
		switch x := p.s.Collector(c); {
		case x.Waits:
			name = "waits"
		case c == 0 && x.Name == "Frame":
			name = "bare"
		}
		for _, ns := range f.own {
			out[name] += ns
		}
	}
	return out
}

// extentOf returns when the first of some frames begins and the last of them ends.
func extentOf(t *store.Track, first, last int) (begin, end int64) {
	begin, end = math.MaxInt64, math.MinInt64
	for i := first; i <= last; i++ {
		begin, end = min(begin, t.Frame(i).Begin), max(end, t.Frame(i).End)
	}
	return begin, end
}

// shownWork is what the list of threads says of one in the view's frames: the frames of another thread that are
// not as many as these, and do not go with them, count together; if they take twice as long, for each of these from
// the first of them on.
func (p *part) shownWork(v *view.View, id model.TrackID) map[string]float64 {
	first, last := p.framesOf(v, id)
	if last < first {
		return nil
	}
	n := float64(last - first + 1)
	of, own := n, float64(p.last-p.first+1)
	if v.FrameA() >= 0 && id != p.track && own >= 1 && !p.inStep(id) {
		main := p.s.Track(p.track)
		begin, end := extentOf(p.s.Track(id), first, last)
		shown, shownEnd := extentOf(main, p.first, p.last)
		end = max(end, shownEnd)
		from, to := 0, -1 // the first and the last that begin in that time, with those between
		for i := range main.NumFrames() {
			if f := main.Frame(i); begin <= f.Begin && f.Begin < end {
				from, to = format.Pick(to < 0, i, from), i
			}
		}
		if n != own || begin < shown { // else as many take turns
			if of = own; end-begin >= 2*(shownEnd-shown) { // it is idle most of the time
				of = max(own, float64(to-from+1))
			}
		}
	}
	want := map[string]float64{"of": n, "share": of, "first": float64(p.s.Track(id).Frame(first).Number)}
	for name, ns := range p.work(id, first, last) {
		want[name] = ns / of
	}
	for i := first; i <= last; i++ {
		f := p.s.Track(id).Frame(i)
		want["wall"] += float64(f.End-f.Begin) / n
	}
	return want
}
