package truth

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/widgets/details"
)

// What the details say of what is selected is what the definitions give: of a range, of the
// collector that took most, of its longest call.
func TestDetails(t *testing.T) {
	seen := map[string]int{}
	eachPart(t, func(t *testing.T, p *part) {
		if p.timeless() { // see TestWeighedDetails
			return
		}
		if p.track != model.NoTrack {
			p.compareDetails(t, seen)
		}
		p.compareSeries(t, seen)
		p.compareElements(t, seen)
	})
	demand(t, seen, "took", "self", "total", "net", "starts", "median", "p95", "max", "mean", "shortest", "longest", "spans", "mean by time", "p99", "bars", "headline", "own_share", "element buffers", "element median", "element p99", "element longest",
		"element in it, median", "element in it, most", "element message")
}

// compareHeadline compares what the headline says of a collector in the selected frames, and how far
// that is from the median of all frames.
func (p *part) compareHeadline(t testkit.T, rig *chartstest.Rig, pane *details.Panel, c model.CollectorID, seen map[string]int) {
	head := &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	settle(rig, head)
	want := p.detailsOfFrames(c, p.first, p.last, map[string]float64{})
	for _, x := range head.List().Texts() {
		name, text := "", ""
		if rest, is := strings.CutPrefix(x.Text, "median "); is {
			name, text = "all median", rest
		} else if rest, is := strings.CutSuffix(x.Text, " against median"); is {
			name, text = "against median", rest
		} else if x.Text != head.Title(rig.Env) && headOfThread.MatchString(x.Text) {
			name, text = "net", x.Text
		} else {
			continue
		}
		v := want[name]
		if name == "against median" {
			v = want["net"] - want["all median"]
		}
		seen["headline"]++
		w, ok := read(text, 1)
		testkit.That(t, ok && w.says(v), "%s: the headline of %d says %q, it is %v", p, c, x.Text, v)
	}
}

// barTips are the tooltips of the bars of the histogram.
var barTips = [2][]*linePattern{
	reading(`{from}~ – {to}~`, `{from}~ and more`), reading(`{n} frames?`, `{n} frames? of {looked} looked at`),
}

// compareBars compares the bars of the histogram of a collector over all frames: each has as many
// frames as lie between what it says, but for those so near to its edges that the words do not tell.
func (p *part) compareBars(t testkit.T, rig *chartstest.Rig, pane *details.Panel, c model.CollectorID, seen map[string]int) {
	frames := p.framed(p.track, false, 0, p.s.Track(p.track).NumFrames()-1)[c]
	p.sweep(rig, pane, len(seen), func(h panel.Hit) {
		x := &tip{p, rig, "details", h, h.Lines, map[string]string{}, map[string]string{}}
		for i, patterns := range barTips {
			if len(h.Lines) < 2 || !slices.ContainsFunc(patterns, func(l *linePattern) bool { return l.take(x, h.Lines[i], nil) }) {
				return // a row
			}
		}
		from, _ := read(x.said["from"], 1)
		to, bounded := read(x.said["to"], 1)
		n, _ := read(x.said["n"], 1)
		looked := float64(len(frames.values))
		if w, some := read(x.said["looked"], 1); some {
			looked = w.value
		}
		least, most := 0.0, 0.0
		for _, v := range frames.values {
			switch {
			case v < from.value-from.half || bounded && v > to.value+to.half:
			case v > from.value+from.half && (!bounded || v < to.value-to.half):
				least++
				most++
			default:
				most++
			}
		}
		seen["bars"]++
		if left := float64(len(frames.values)) - looked; n.value > most || n.value < least-left || left < 0 {
			t.Errorf("%s: a bar of %d says %q, there are %v to %v", p, c, h.Lines, least, most)
		}
	})
}

func (p *part) compareDetails(t testkit.T, seen map[string]int) {
	for _, of := range []string{"range", "collector", "span"} {
		rig := p.rig()
		rig.R = draw.Rect{X1: 320, Y1: 900}
		v, c := rig.Env.View, p.dearest()
		var want map[string]float64
		switch {
		case of == "range":
			want = p.detailsOfRange()
		case c == model.NoCollector:
			continue
		case of == "collector":
			v.SelectCollector(c)
			want = p.detailsOfCollector(c)
		default:
			sp := p.longestCall(c)
			v.SelectSpan(sp.Bar)
			want = map[string]float64{"took": float64(sp.End - sp.Begin), "begins": float64(sp.Begin)}
			p.wantDayTime(want, sp.Begin)
			if n := p.sums([]model.TrackID{p.track}, sp.Begin, max(sp.End, sp.Begin+1)).nodes[sp.Path]; n != nil {
				want["self"] = float64(n.self)
			}
			if !p.s.Track(p.track).Def.Kind.Calls() {
				continue // the way of a buffer: see widgets/details
			}
			if p.last >= p.first {
				ofSpan := map[string]float64{}
				for key, x := range want {
					ofSpan["span "+key] = x
				}
				want = p.detailsOfFrames(c, v.FrameA(), v.FrameB(), ofSpan)
			}
		}
		pane := &details.Panel{}
		settle(rig, pane)
		if of == "collector" && p.last >= p.first {
			p.compareBars(t, rig, pane, c, seen)
			p.compareHeadline(t, rig, pane, c, seen)
		}
		if of == "range" && p.last < p.first {
			p.compareBurning(t, rig, pane, seen)
		}
		if of == "span" {
			p.compareArgs(t, rig, pane, seen)
		}
		for _, f := range pane.Facts(rig.Env, nil) {
			name := f.Measure
			if strings.HasSuffix(f.Header, " argument") || strings.HasSuffix(f.Header, " arguments") || strings.HasPrefix(f.Header, "flows: ") {
				continue // see compareArgs, compareFlows
			}
			if strings.HasPrefix(name, "net, ") { // it says of which frames
				name = "net"
			}
			if strings.HasSuffix(f.Header, "in all frames") {
				name = "all " + name
			}
			if strings.HasPrefix(f.Header, "this span") {
				name = "span " + name
			}
			text, _, _ := strings.Cut(strings.TrimPrefix(f.Text, "± "), " · ")
			text, _, _ = strings.Cut(text, "  #")
			if f.Measure == "frames with" {
				text, _, _ = strings.Cut(text, " of ")
			}
			want, ruled := want[strings.TrimSuffix(name, " run")]
			if !digit.MatchString(text) || inDetails[name] != "" {
				continue
			}
			if !ruled {
				t.Errorf("%s: details of the %s: %s is %q, and nothing says what it should be", p, of, name, f.Text)
				continue
			}
			seen[strings.TrimPrefix(strings.TrimPrefix(name, "all "), "span ")]++
			if w, ok := read(text, 1); !ok || !w.says(want) {
				t.Errorf("%s: details of the %s %s: %s is %q, it is %v", p, of, f.Name, name, f.Text, want)
			}
		}
	}
}

// compareSeries compares the details of a few series: one after another, so that parts share them.
func (p *part) compareSeries(t testkit.T, seen map[string]int) {
	n := model.SeriesID(p.s.Series().Len())
	for id := range n {
		d := &p.s.Series().ByID(id).Def
		if n > 12 && (int64(id)+p.t0+p.t1)%int64(n/6) != 0 || d.Kind == model.SeriesState || d.Role == model.RoleStack {
			continue
		}
		rig := p.rig()
		rig.R = draw.Rect{X1: 320, Y1: 900}
		rig.Env.View.Select(view.Series(id))
		pane := &details.Panel{}
		settle(rig, pane)
		v, second := p.samples(id, p.t0, p.t1), 1.0
		if d.Unit == "ns" { // time per time is a share
			second = 1e9
		}
		if v.n == 0 {
			continue
		}
		want := map[string]float64{
			"last": v.last, "growth": v.last - v.first, "rate": v.rate / second, "sum": v.sum, format.MeanOf(d): v.mean,
			"min": v.least, "p50": v.rank(0.5), "p99": v.rank(0.99), "max": v.most,
		}
		for _, f := range pane.Facts(rig.Env, nil) {
			x, ruled := want[f.Measure]
			if x *= inBase(d); f.Measure == "samples" {
				x, ruled = float64(v.n), true
			}
			if !ruled {
				continue
			}
			seen[f.Measure]++
			w, ok := read(f.Text, 1)
			testkit.That(t, ok && w.says(x), "%s: details of %s: %s is %q, it is %v", p, d.Name, f.Measure, f.Text, x)
		}
	}
}

// inDetails are rows of words, or of what other tests compare, with the reason.
var inDetails = testkit.Words("testdata/reasons.txt", "inDetails")

func (p *part) longestCall(c model.CollectorID) (best *span) {
	for i := range p.spans[p.track] {
		sp := &p.spans[p.track][i]
		if sp.Collector == c && sp.touches(p.t0, p.t1) && (best == nil || sp.End-sp.Begin > best.End-best.Begin) {
			best = sp
		}
	}
	return best
}

// wantDayTime expects the time of day at a time, where the recording knows it.
func (p *part) wantDayTime(want map[string]float64, ns int64) {
	const day = 24 * 60 * 60 * 1_000_000_000
	if zero := p.s.Info().ZeroAt; zero.UnixNs != 0 {
		want[zero.By.Label()] = float64((zero.UnixNs + ns) % day)
	}
}

func (p *part) detailsOfRange() map[string]float64 {
	want := map[string]float64{}
	if p.last >= p.first {
		track := p.s.Track(p.track)
		a, b := track.Frame(p.first), track.Frame(p.last)
		want["took"], want["rate"], want["began at"] = float64(b.End-a.Begin), 1e9/float64(b.End-a.Begin), float64(a.Begin)
		p.wantDayTime(want, a.Begin)
		want["frames"], want["spans"], want["counters"] = float64(p.last-p.first+1), float64(a.Spans), float64(a.Levels)
		if p.first > 0 {
			want["missing before it"] = missing(track, track.Frame(p.first-1).Number, a.Number, 2)
		}
		for c, f := range p.over(false) {
			want["self of "+p.s.Collector(c).Title()] = (&framed{values: f.own}).mean()
		}
		return want
	}
	want["length"], want["from"], want["spans"] = float64(p.t1-p.t0), float64(p.t0), 0
	for c, f := range p.calls().of {
		want["spans"] += float64(f.calls)
		want["self of "+p.s.Collector(c).Title()] = float64(f.self)
	}
	if t := p.s.Track(p.track); t.Def.Kind == model.TrackElement {
		p.detailsOfElement(t.Def.Object, want)
	}
	p.waitedIn(want)
	return want
}

func (p *part) detailsOfCollector(c model.CollectorID) map[string]float64 {
	if p.last >= p.first {
		return p.detailsOfFrames(c, p.first, p.last, map[string]float64{})
	}
	f := p.calls().of[c]
	with, _, all := p.stacks(p.track, p.t0, p.t1)
	want := map[string]float64{
		"calls": float64(f.calls), "runs": float64(f.calls), "passed": float64(f.calls), "total": float64(f.total), "self": float64(f.self),
		"mean": f.mean, "shortest": float64(f.least), "longest": float64(f.most), "samples": with[c],
		"by the samples": uncertainty(float64(f.total), with[c], all),
		"selected range": float64(p.t1 - p.t0), "whole session": float64(p.t1 - p.t0),
	}
	p.calledFrom(c, want)
	return want
}

// detailsOfFrames adds the figures of a collector over frames, and over all there are.
func (p *part) detailsOfFrames(c model.CollectorID, first, last int, want map[string]float64) map[string]float64 {
	here, all := p.framed(p.track, false, first, last)[c], p.framed(p.track, false, 0, p.s.Track(p.track).NumFrames()-1)[c]
	want["total"], want["self"], want["net"], want["starts"] = 0, 0, 0, 0
	if in := p.insideOf(p.track, first, last)[c]; in != nil {
		want["total"] = in.mean()
	}
	if here != nil {
		want["self"], want["net"], want["starts"] = (&framed{values: here.own}).mean(), here.mean(), float64(here.starts)
	}
	if all == nil { // never in a frame
		all = p.newFramed(p.track, 0, p.s.Track(p.track).NumFrames()-1)
	}
	want["all frames with"] = float64(all.present)
	want["all median"], want["all p95"], want["all p99"], want["all max"] = all.median(), all.rank(0.95), all.rank(0.99), all.rank(1)
	return want
}

var _ panel.Teller = (*details.Panel)(nil)

// argsOf are the arguments of a span, as panels show them.
func (p *plain) argsOf(track model.TrackID, lane int, index int64) (keys, values []string) {
	for _, a := range p.s.Args().Of(track, lane, index, nil) {
		value := escape.Name(a.Value.String())
		if a.Value.Kind != model.ArgText {
			value = strings.ReplaceAll(string(a.Value.Append(nil)), "-", "−")
			if at := strings.LastIndex(value, "e−"); at > 0 { // a power of ten
				value = value[:at] + "e-" + value[at+len("e−"):]
			}
		}
		keys, values = append(keys, escape.Name(a.Key)), append(values, value)
	}
	return keys, values
}

// takeArgs takes the arguments of a call out of what its tooltip says, and tells whether they are those
// of the call: the first of them, one after the other, and how many there are more.
func (x *tip) takeArgs(seen map[string]int) string {
	if x.hit.Kind != panel.HitSpan || x.panel != "timeline" && x.panel != "processors" && x.panel != "calls" {
		return ""
	}
	ref := x.hit.Bar.Ref
	keys, values := x.argsOf(ref.Track, int(ref.Lane), ref.Index)
	if len(keys) == 0 {
		return ""
	}
	var want []string
	for i := range keys[:min(len(keys), 4)] {
		want = append(want, keys[i]+" =\t"+values[i])
	}
	if n := len(keys) - len(want); n > 0 {
		want = append(want, string(format.AppendPlural(nil, int64(n), "argument more", "arguments more")))
	}
	at := slices.Index(x.words, want[0])
	if at < 0 || len(x.words) < at+len(want) || !slices.Equal(x.words[at:at+len(want)], want) {
		return fmt.Sprintf("it lacks the arguments %q", want)
	}
	x.words = slices.Delete(slices.Clone(x.words), at, at+len(want))
	seen[x.panel+".arguments"]++
	return ""
}

// compareArgs compares the arguments of the selected span in the details.
func (p *part) compareArgs(t testkit.T, rig *chartstest.Rig, pane *details.Panel, seen map[string]int) {
	ref, keys, values := rig.Env.View.Span().Ref, []string{}, []string{}
	for _, f := range pane.Facts(rig.Env, nil) {
		if strings.HasSuffix(f.Header, " argument") || strings.HasSuffix(f.Header, " arguments") {
			keys, values = append(keys, f.Measure), append(values, f.Text)
		}
	}
	wantKeys, wantValues := p.argsOf(ref.Track, int(ref.Lane), ref.Index)
	if n := len(keys); n < len(wantKeys) && n > 8 { // there is no room for more
		wantKeys, wantValues = wantKeys[:n], wantValues[:n]
	}
	testkit.That(t, slices.Equal(keys, wantKeys) && slices.Equal(values, wantValues),
		"%s: the arguments in the details are %q %q, they are %q %q", p, keys, values, wantKeys, wantValues)
	seen["arguments"] += len(keys)
}

// did is what a sampled thread did, read from names anew: ns by state, and the method with most samples
// of code of its own.
type did struct {
	ns        map[string]float64
	clock     bool
	code, own float64 // samples
	hottest   map[model.CollectorID]bool
}

// innermostWaits and innermostIO are what is innermost in stacks of the recordings while a thread waits,
// or is in the kernel for I/O.
var (
	innermostWaits = []string{
		"Unsafe.park", "LockSupport.park", "Object.wait", "Thread.sleep", "Thread.join", "Thread.yield",
		"waitForReferencePendingList", "EPoll.wait",
	}
	innermostIO = []string{"FileOutputStream.write", "FileInputStream.read", "SocketDispatcher.", "Net.poll", "Net.accept"}
)

// doing is the state of a thread with a method innermost. No recording has a thread in line for a lock.
func (p *plain) doing(c model.CollectorID) string {
	name := p.s.Collector(c).Name
	for state, names := range map[string][]string{"waiting": innermostWaits, "io": innermostIO} {
		for _, x := range names {
			if strings.Contains(name, x) {
				return state
			}
		}
	}
	return "ready"
}

// did returns what a thread did, nil where it was not sampled.
func (p *plain) did(id model.TrackID, t0, t1 int64) *did {
	begin, end, ok := p.life(id, t0, t1)
	if !ok || !p.sampled(id) {
		return nil
	}
	without := "unknown"
	if p.s.Info().Sampling.Idle {
		without = "waiting"
	}
	d := &did{ns: map[string]float64{without: float64(end - begin)}, hottest: map[model.CollectorID]bool{}}
	for _, n := range p.sums([]model.TrackID{id}, t0, t1).nodes {
		d.ns[p.doing(n.collector)] += float64(n.self)
		d.ns[without] -= float64(n.self)
	}
	_, cpu := p.grown(id, model.RoleCPUTime, t0, t1)
	if d.clock = cpu == cpu; d.clock {
		d.ns["running"] = math.Min(math.Floor(cpu), d.ns["ready"])
		d.ns["ready"] -= d.ns["running"]
	}
	_, innermost, _ := p.stacks(id, t0, t1)
	for c, n := range innermost {
		if p.doing(c) != "ready" {
			continue
		}
		if d.code += n; n > d.own {
			d.own = n
			clear(d.hottest)
		}
		if n == d.own {
			d.hottest[c] = true
		}
	}
	return d
}

// share is that of the method that burns most, NaN where nothing does.
func (d *did) share() float64 { return d.own / d.code }

// within is the farther distance of the ends of Wilson's interval of 95 % from the share: where the
// share is as far from what it would be as chance allows.
func (d *did) within() float64 {
	far := 0.0
	for _, sign := range []float64{-1, 1} {
		lo, hi := d.share(), math.Max(0, math.Min(1, d.share()+sign*1))
		for range 100 { // the share of all for which d.share is 1.96 standard deviations off
			mid := (lo + hi) / 2
			if math.Abs(mid-d.share()) <= 1.96*math.Sqrt(mid*(1-mid)/d.code) {
				lo = mid
			} else {
				hi = mid
			}
		}
		far = math.Max(far, math.Abs(lo-d.share()))
	}
	return far
}

// didTip adds what a tooltip says of what a thread did.
func (x *tip) didTip(id model.TrackID, want map[string]float64) {
	d := x.did(id, x.t0, x.t1)
	if d == nil {
		return
	}
	begin, end, _ := x.life(id, x.t0, x.t1)
	for state, ns := range d.ns {
		want[state], want[state+"_share"] = ns, ns/float64(end-begin)
	}
	want["code"] = d.code
	if d.code > 0 {
		want["own"], want["within"] = d.share(), d.within()
	}
}

// waitedIn adds what the thread waited in, as part of the range: the nearest caller of what waits that
// is neither of the runtime nor waits itself.
func (p *part) waitedIn(want map[string]float64) {
	if !p.sampled(p.track) {
		return
	}
	words := map[string]string{"io": "socket or file", "waiting": "waiting"}
	for _, n := range p.sums([]model.TrackID{p.track}, p.t0, p.t1).nodes {
		state, path, c := words[p.doing(n.collector)], n.path, n.collector
		if n.self == 0 || state == "" {
			continue
		}
		for ; path != model.PathRoot; path, _ = p.s.Path(path) {
			_, by := p.s.Path(path)
			if full := p.s.Collector(by).Title(); p.doing(by) != "waiting" && !strings.HasPrefix(full, "java") && !strings.HasPrefix(full, "jdk") {
				c = by
				break
			}
		}
		want[state+" in "+p.s.Collector(c).Title()] += float64(n.self) / float64(p.t1-p.t0)
	}
}

// calledFrom adds from where a method was called, in samples, and on which threads.
func (p *part) calledFrom(c model.CollectorID, want map[string]float64) {
	for id := range model.TrackID(p.s.NumTracks()) {
		if with, _, _ := p.stacks(id, p.t0, p.t1); with[c] > 0 {
			want["on "+p.s.Track(id).Title()] += with[c]
		}
	}
	for _, k := range p.s.Series().ByTrack(p.track) {
		x := p.s.Series().ByID(k)
		if x.Def.Role != model.RoleStack || x.Len() == 0 {
			continue
		}
		for _, v := range x.Samples(p.t0, p.t1, int(x.Len()), nil) {
			by, met := "", false
			for path := model.PathID(v.Value); path != model.PathRoot; path, _ = p.s.Path(path) {
				if _, at := p.s.Path(path); at == c {
					up, _ := p.s.Path(path)
					if met, by = true, "the thread itself"; up != model.PathRoot {
						_, caller := p.s.Path(up)
						by = p.s.Collector(caller).Title()
					}
				}
			}
			if met {
				want["from "+by]++
			}
		}
	}
}

// compareBurning compares what the headline says of where the CPU time of a thread goes: the share of
// the method that burns most, and of each step of the way to it the samples, which no more can have than
// have the method on their stack.
func (p *part) compareBurning(t testkit.T, rig *chartstest.Rig, pane *details.Panel, seen map[string]int) {
	d := p.did(p.track, p.t0, p.t1)
	if d == nil || d.code == 0 {
		return
	}
	head := &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	settle(rig, head)
	with, _, _ := p.stacks(p.track, p.t0, p.t1)
	last := d.code
	for _, f := range head.Facts(rig.Env, nil) {
		switch {
		case f.Measure == "own_share":
			seen["own_share"]++
			testkit.That(t, math.Abs(f.Value-d.share()) <= 1e-9,
				"%s: the headline says %v burns %v, it is %v", p, f.Name, f.Value, d.share())
		case f.Measure == "samples" && seen["own_share"] > 0:
			if f.Value > with[f.Of.Collector] || f.Value > last && f.Row < 2 {
				t.Errorf("%s: the way to what burns has %v samples of %v, it is on the stack in %v", p, f.Value, f.Name, with[f.Of.Collector])
			}
			last = f.Value
		}
	}
}

// elsewhere are the panels of the window that need the program, and those of the comparison, which need
// two sides: what compares what they state, or the reason why nothing does.
var elsewhere = testkit.Words("testdata/reasons.txt", "elsewhere")

// Every panel of the window is compared: those of the registry, which the tests here walk over, and
// those that the window has besides.
func TestEveryPanelOfTheWindow(t *testing.T) {
	root := recordings.Root(t)
	source := func(folder string) (text string) {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		testkit.MustThat(t, err == nil && len(files) != 0, "%v %v", folder, err)
		for _, file := range files {
			b := testkit.Must(os.ReadFile(file))(t)
			if test := strings.HasSuffix(file, "_test.go"); test == (folder == "app/truth") {
				text += string(b)
			}
		}
		return text
	}
	tests, panels := source("app/truth"), []string{}
	found := regexp.MustCompile(`panel\.Def\{\s*ID: "([a-z]+)"`).FindAllStringSubmatch(source("app"), -1)
	for _, d := range registry.Compared() {
		found = append(found, []string{"", d.ID})
	}
	for _, m := range found {
		id := m[1]
		panels = append(panels, id)
		if _, in := registry.Find(id); in {
			continue
		}
		switch by := elsewhere[id]; {
		case by == "":
			t.Errorf("nothing compares what the panel %s states", id)
		case strings.HasPrefix(by, "Test") && !strings.Contains(tests, "func "+by+"(t *testing.T)"):
			t.Errorf("there is no %s, which is to compare %s", by, id)
		}
	}
	for id := range elsewhere {
		testkit.That(t, slices.Contains(panels, id), "there is no panel %s", id)
	}
}
