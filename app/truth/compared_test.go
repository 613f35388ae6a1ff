package truth

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/app/report"
	comparepanels "framescope/charts/compare"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/frames"
	"framescope/model/store"
)

// pair is two stretches that are compared: in a window, and in what `framescope diff` writes of them.
type pair struct {
	name  string
	of    [2]*subject
	state *view.Comparing
	said  row
	rows  []row // of collectors, and of call paths
}

// compared is what two sides differ by.
func compared(t *testing.T, name string, of [2]*subject, sides [2]compare.Side) *pair {
	p := &pair{name: name, of: of, state: new(view.Comparing)}
	for i, side := range sides {
		p.state.Set(i, view.Mark{Side: side}, budgetNs)
	}
	for p.state.Result() == nil {
		p.state.Tick(1 << 30)
	}
	testkit.OK(t, asJSON(&p.said, func(w io.Writer) error {
		return report.WriteDiff(w, p.state.Result(), sides, report.DiffOptions{JSON: true})
	}))
	p.rows = append(p.said.rows("collectors"), p.said.rows("paths")...)
	return p
}

const budgetNs = 16_666_667

// What panels state of a comparison is what diff writes of it, and that is what the frames of both
// sides add up to.
func TestCompared(t *testing.T) {
	seen := map[string]int{}
	a, b, _ := chartstest.NewCompared()
	of := [2]*subject{subjectOf("before", a), subjectOf("after", b)}
	p := compared(t, "before and after", of, [2]compare.Side{compare.All(a), compare.All(b)})
	p.compare(t, [2][2]int{{0, a.Track(a.MainTrack()).NumFrames() - 1}, {0, b.Track(b.MainTrack()).NumFrames() - 1}}, seen)
	eachSubject(t, func(t *testing.T, x *subject) {
		main := x.s.MainTrack()
		if main == model.NoTrack {
			return
		}
		of := [2]*subject{x, x}
		n := x.s.Track(main).NumFrames()
		if begin, end, ok := x.s.Bounds(); n < 2 && ok && end-begin > 1 && !x.s.HasFrames() {
			mid := begin + (end-begin)/2
			sides := [2]compare.Side{compare.TimeOf(x.s, begin, mid), compare.TimeOf(x.s, mid, end+1)}
			compared(t, x.name, of, sides).comparePanels(t, seen)
		}
		if n >= 2 {
			sides := [2]compare.Side{compare.FramesOf(x.s, main, 0, n/2-1), compare.FramesOf(x.s, main, n/2, n-1)}
			compared(t, x.name, of, sides).compare(t, [2][2]int{{0, n/2 - 1}, {n / 2, n - 1}}, seen)
		}
	})
	demand(t, seen,
		"a", "b", "delta", "interval", "p", "calls_a", "calls_b", "self_a", "total_b", "delta_ms", "half", "n_a", "all_b", "share_a",
		"median", "p95", "p99", "longest", "over budget", "hitches", "per 1000", "label", "mean a", "mean calls_b", "frames", "verdict",
	)
}

func (p *pair) compare(t *testing.T, frames [2][2]int, seen map[string]int) {
	p.compareMeans(t, frames, seen)
	p.comparePanels(t, seen)
	p.compareTimes(t, frames, seen)
}

func (p *pair) comparePanels(t *testing.T, seen map[string]int) {
	p.compareTable(t, seen)
	p.compareFlame(t, seen)
}

// mean is what diff says that the thread's frames took of a collector, or made calls of it.
func (p *pair) compareMeans(t *testing.T, frames [2][2]int, seen map[string]int) {
	for side, name := range []string{"a", "b"} {
		x, first, last := p.of[side], frames[side][0], frames[side][1]
		main, n := x.s.MainTrack(), float64(last-first+1)
		calls, self := map[string]float64{}, map[string]float64{}
		for i := first; i <= last; i++ {
			f := x.s.Track(main).Frame(i)
			for c, ran := range x.sumsOf([]model.TrackID{main}, f.Begin, f.End, int64(i)).of {
				calls[x.s.Collector(c).Title()] += float64(ran.calls)
				self[x.s.Collector(c).Title()] += float64(ran.self)
			}
			if i > first && x.s.Track(main).Frame(i-1).End >= f.Begin { // what goes on from the frame before is one call
				for c, n := range x.underWay(main, f.Begin) {
					calls[x.s.Collector(c).Title()] -= float64(n)
				}
			}
		}
		total := map[string]float64{}
		for c, in := range x.insideOf(main, first, last) {
			total[x.s.Collector(c).Title()] = in.sum()
		}
		for _, r := range p.said.rows("collectors") {
			if r.text("thread") != x.s.Track(main).Title() || main != x.onlyTitled(r.text("thread")) {
				continue
			}
			got := row{"total": r.object("total")[name+"_ns"], "calls": r["calls_"+name]}
			want := map[string]float64{"total": total[r.text("collector")] / n, "calls": calls[r.text("collector")] / n}
			if own := r.object("self"); own != nil {
				got["self"], want["self"] = own[name+"_ns"], self[r.text("collector")]/n
			}
			seen["mean "+name]++
			seen["mean calls_"+name]++
			if w := differences(got, want); len(w) > 0 {
				t.Errorf("%s: side %s, frames %d to %d, %s: %q", p.name, name, first, last, r.text("collector"), w)
			}
		}
	}
}

// underWay counts the calls of a thread that go on as a time comes.
func (x *subject) underWay(track model.TrackID, ns int64) map[model.CollectorID]int {
	n := map[model.CollectorID]int{}
	for lane := range x.s.Track(track).Lanes() {
		for _, b := range x.s.Spans().Visible(track, lane, ns-1, ns, 0, nil) {
			if b.Begin < ns && b.End > ns {
				n[b.Collector]++
			}
		}
	}
	return n
}

// onlyTitled is the thread of a title, NoTrack where several have it.
func (x *subject) onlyTitled(title string) model.TrackID {
	of := model.NoTrack
	for id := range model.TrackID(x.s.NumTracks()) {
		if t := x.s.Track(id); t != nil && t.Title() == title {
			if of != model.NoTrack {
				return model.NoTrack
			}
			of = id
		}
	}
	return of
}

// window shows what is compared, over one of its sessions.
func (p *pair) window() *chartstest.Rig {
	rig := (&part{subject: p.of[1], track: model.NoTrack, last: -1, t0: 0, t1: 1}).rig()
	rig.R = draw.Rect{X1: 900, Y1: 500}
	rig.Env.Comparing = p.state
	return rig
}

// number of a row of diff; NaN where there is none.
func of(r row, name string) float64 {
	if v, ok := r[name].(float64); ok {
		return v
	}
	return math.NaN()
}

// compareTable compares the table, as it lists collectors and call paths, own times and all.
func (p *pair) compareTable(t *testing.T, seen map[string]int) {
	for way := range 4 {
		rig, c := p.window(), comparepanels.NewTable()
		list, figure := "collectors", "self"
		for _, tool := range slices.Clone(c.Tools(rig.Env)) {
			switch {
			case tool.Label == "Call paths" && way&1 != 0:
				c.Use(rig.Env, tool.ID, 0)
				list = "paths"
			case tool.Label == "Self" && way&2 != 0:
				c.Use(rig.Env, tool.ID, 0)
				figure = "total"
			}
		}
		settle(rig, c)
		lines := map[string]int{}
		line := func(values ...float64) string { return fmt.Sprintf("%.6g", values) }
		changed, all := 0, p.said.rows(list)
		for _, r := range all {
			f := r.object(figure)
			if f == nil {
				f = r.object("total")
			}
			if v := f.text("verdict"); v != "noise" && v != "untested" && v != "identical" {
				changed++
			}
			a, b := of(f, "typical_a_ns"), of(f, "typical_b_ns")
			for side, v := range []*float64{&a, &b} {
				if p.absent(r.text("thread"), side) {
					*v = math.NaN()
				}
			}
			lines[line(a, b, of(f, "delta_ns"), (of(f, "high_ns")-of(f, "low_ns"))/2, of(f, "p"))]++
		}
		for _, r := range records(c.Facts(rig.Env, nil)) {
			v := func(m string) float64 {
				f := r.cells[m]
				if f == nil {
					return math.NaN()
				}
				seen[m]++
				bare := 1e6
				if m == "p" {
					bare = 1
				}
				w, ok := read(f.Text, bare)
				testkit.That(t, ok && w.says(f.Value), "%s: %s of %s is written %q, it is %v", p.name, m, r.name, f.Text, f.Value)
				return f.Value
			}
			key := line(v("a"), v("b"), v("delta"), v("interval"), v("p"))
			lines[key]--
			testkit.That(t, lines[key] >= 0, "%s: %s: diff has no row of %s with %s", p.name, list, r.name, key)
		}
		for key, n := range lines {
			testkit.That(t, n <= 0, "%s: %s: no row has %s", p.name, list, key)
		}
		words := fmt.Sprintf("%d of %d changed", changed, len(all))
		said := strings.ReplaceAll(c.Mode(rig.Env), "\u202f", "")
		testkit.That(t, len(all) <= 0 || strings.HasPrefix(said, words), "%s: %q, it is %s", p.name, said, words)
		p.compareTipsOf(t, "differences", rig, c, list, seen)
	}
}

// absent tells whether a side has nothing of a thread.
func (p *pair) absent(thread string, side int) bool {
	for _, th := range p.said.rows("threads") {
		if x := th.object([]string{"a", "b"}[side]); th.text("name") == thread && x != nil && of(x, "frames") != 0 && of(x, "length_ns") != 0 {
			return false
		}
	}
	return true
}

// deltaTips are the lines of tooltips on what differs. Self stands before total where there is both.
var deltaTips = reading(`thread\t.*`, `self in A\t{self_a} a \w+`, `self in B\t{self_b} a \w+`, `total in A\t{total_a} a \w+`,
	`total in B\t{total_b} a \w+`, `B − A\t{delta_ms} ± {half}`, `B − A\t{delta_ns}`, `p, corrected\t{p}`, `calls a \w+\t{calls_a}~ → {calls_b}~`,
	`untested: (each \w+ is like those before it|too few \w+): a test takes about {needs} of each side`,
	`untested: (each \w+ is like those before it|fewer than 6 \w+ of both sides have it|nothing is known of it on one side)`,
	`(slower|faster) in B by the ranks of \w+; of the means 0 is within ±`)

// compareTipsOf compares the tooltips of a panel with rows of diff: one of those of the collector.
func (p *pair) compareTipsOf(t *testing.T, id string, rig *chartstest.Rig, c panel.Panel, list string, seen map[string]int) {
	whole := &part{subject: p.of[1], track: model.NoTrack, last: -1}
	rule := &tipRule{titles: reading(`.*`), lines: deltaTips, want: func(x *tip) (out figuresOf) {
		for _, r := range p.said.rows(list) {
			if title, _, _ := strings.Cut(x.words[0], " › "); r.text("collector") != x.words[0] && title == x.words[0] {
				continue
			}
			want, more := map[string]float64{"calls_a": of(r, "calls_a"), "calls_b": of(r, "calls_b")}, map[string]string{}
			for _, figure := range []string{"self", "total"} {
				f := r.object(figure)
				if f == nil || id == "diffflame" && figure == "self" {
					continue
				}
				want[figure+"_a"], want[figure+"_b"] = of(f, "typical_a_ns"), of(f, "typical_b_ns")
				for name, v := range map[string]float64{
					"delta_ns": of(f, "delta_ns"), "delta_ms": of(f, "delta_ns") / 1e6, "half": (of(f, "high_ns") - of(f, "low_ns")) / 2, "p": of(f, "p"),
				} {
					tested := of(f, "p") == of(f, "p")
					if (name == "delta_ns") == tested {
						continue
					}
					want[name+more[name]] = v
					more[name] += "'"
				}
				if n, ok := f.number("needs"); ok {
					want["needs"+more["needs"]] = n
					more["needs"] += "'"
				}
			}
			out = append(out, want)
		}
		return out
	}}
	whole.sweep(rig, c, len(seen), func(h panel.Hit) {
		if h.Kind == panel.HitAxis { // compareColumns has these
			return
		}
		x := &tip{whole, rig, id, h, h.Lines, map[string]string{}, map[string]string{}}
		wrong := x.read(rule, nil)
		if wrong == "" {
			told := map[string]int{}
			wrong = x.check(rule, told)
			for name, n := range told {
				seen[strings.TrimPrefix(name, id+".")] += n
			}
		}
		testkit.That(t, wrong == "", "%s: %s: %s, in %q", p.name, id, wrong, x.words)
	})
}

// compareFlame compares the tooltips and labels of the differential flame graph.
func (p *pair) compareFlame(t *testing.T, seen map[string]int) {
	rig, c := p.window(), comparepanels.NewFlame()
	settle(rig, c)
	p.compareTipsOf(t, "diffflame", rig, c, "paths", seen)
	for _, x := range c.List().Texts() {
		_, up, legend := strings.Cut(x.Text, "up to ± ")
		words := strings.TrimPrefix(strings.TrimPrefix(x.Text, "new "), "gone ")
		if !legend && !signed(words) {
			continue
		}
		most, is := 0.0, false
		for _, r := range p.said.rows("paths") {
			f := r.object("total")
			if v := f.text("verdict"); v == "noise" || v == "untested" || v == "identical" {
				continue
			}
			most = max(most, math.Abs(of(f, "delta_ns")))
			w, ok := read(words, 1e6)
			is = is || ok && w.says(of(f, "delta_ns"))
		}
		w, ok := read(up, 1)
		testkit.That(t, !legend || ok && w.says(most), "%s: the legend says %q, it is %v", p.name, x.Text, most)
		testkit.That(t, legend || is, "%s: a bar says %q, and nothing changed by that", p.name, x.Text)
		seen["label"]++
	}
}

// signed tells whether a text is a number with a sign.
func signed(text string) bool {
	rest, plus := strings.CutPrefix(text, "+")
	rest, minus := strings.CutPrefix(rest, "−")
	return (plus || minus) && rest != "" && strings.Trim(rest, "0123456789.") == ""
}

// compareTimes compares how long frames took: diff, the figures that stand beside the histogram, its
// marks, and the tooltips of its columns.
func (p *pair) compareTimes(t *testing.T, frames [2][2]int, seen map[string]int) {
	rig, c := p.window(), comparepanels.NewTable()
	settle(rig, c)
	var figures [2]map[string]float64
	var lengths [2][]float64
	for side, name := range []string{"a", "b"} {
		figures[side], lengths[side] = frameFigures(p.of[side].s, frames[side])
		said := p.said.object("frame_time").object(name)
		for name, v := range figures[side] {
			if as := map[string]string{"longest": "max", "over": "over_budget"}[name]; as != "" {
				name = as
			}
			if got, ok := said.number(name); ok {
				seen[name]++
				testkit.That(t, near(got, v), "%s: diff says %s of side %d is %v, it is %v", p.name, name, side, got, v)
			}
		}
	}
	p.compareTexts(t, c.List().Texts(), figures, seen)
	p.compareColumns(t, rig, c, lengths, seen)
	mean := p.said.object("frame_time").object("mean")
	if v := mean.text("verdict"); v != "noise" && v != "untested" && v != "identical" {
		seen["verdict"]++
		if !slices.ContainsFunc(c.List().Texts(), func(x draw.WatchedText) bool {
			rest, is := strings.CutPrefix(x.Text, v+": ")
			delta, half, _ := strings.Cut(rest, " ± ")
			d, ok := read(delta, 1e6)
			h, too := read(half, 1)
			return is && ok && too && d.says(of(mean, "delta_ns")) && h.says((of(mean, "high_ns")-of(mean, "low_ns"))/2)
		}) {
			t.Errorf("%s: nothing says that frames are %s", p.name, v)
		}
	}
}

// frameFigures are those of the lengths of frames.
func frameFigures(s *store.Session, frames [2]int) (map[string]float64, []float64) {
	t := s.Track(s.MainTrack())
	over := 0.0
	x := &framed{}
	for i := frames[0]; i <= frames[1]; i++ {
		f := t.Frame(i)
		if x.values = append(x.values, float64(f.End-f.Begin)); f.End-f.Begin > budgetNs {
			over++
		}
	}
	n := float64(len(x.values))
	hitches := float64(len(s.Frames().Hitches(s.MainTrack(), frames[0], frames[1], nil)))
	first, last := float64(t.Frame(frames[0]).Number), float64(t.Frame(frames[1]).Number)
	return map[string]float64{
		"median": x.median(), "p95": x.rank(0.95), "p99": x.rank(0.99), "longest": x.rank(1), "over": over, "frames": n,
		"over budget": over / n, "hitches": hitches, "per 1000": 1000 * hitches / n, "first_frame": first, "last_frame": last, "missing_frames": missing(t, int64(first), int64(last), len(x.values)),
	}, x.values
}

// compareTexts compares the figures beside the histogram, a row each, and the marks in it.
func (p *pair) compareTexts(t *testing.T, texts []draw.WatchedText, figures [2]map[string]float64, seen map[string]int) {
	says := func(what, text string, v float64) {
		unit := 1e6
		if what == "per 1000" {
			unit = 1
		}
		if seen[what]++; text != "–" || v != 0 {
			w, ok := read(text, unit)
			testkit.That(t, ok && w.says(v), "%s: %s is %q, it is %v", p.name, what, text, v)
		}
	}
	for i := range texts {
		name := texts[i].Text
		if _, is := figures[0][name]; !is || name == "over" || name == "frames" {
			continue
		}
		row := []string{}
		for k := i + 1; k < len(texts) && math.Abs(float64(texts[k].Box.Y0-texts[i].Box.Y0)) < 4; k++ {
			row = append(row, texts[k].Text)
		}
		want := []float64{figures[0][name], figures[1][name], figures[1][name] - figures[0][name]}
		if name == "hitches" { // whether there are more is said in a word
			row = append(row, "", "")[:3]
			words := map[string]string{"slower": "more", "new": "more", "faster": "fewer", "gone": "fewer", "noise": "noise",
				"identical": "identical", "untested": ""}
			verdict := p.said.object("frame_time").object("hitch_rate").text("verdict")
			testkit.That(t, row[2] == words[verdict], "%s: of hitches %q is said, diff says %q", p.name, row[2], verdict)
			row = row[:2]
			for k := range row {
				if seen[name]++; strings.ReplaceAll(row[k], "\u202f", "") != fmt.Sprint(want[k]) {
					t.Errorf("%s: %s hitches, it is %v", p.name, row[k], want[k])
				}
			}
			continue
		}
		for k := range row {
			says(name, row[k], want[k])
		}
	}
}

// compareColumns counts the frames of each column that is pointed at, by the lengths that it says.
func (p *pair) compareColumns(t *testing.T, rig *chartstest.Rig, c *comparepanels.Panel, lengths [2][]float64, seen map[string]int) {
	var step written
	for _, x := range c.List().Texts() {
		if _, every, is := strings.Cut(x.Text, " of frames in every "); is {
			step, _ = read(every, 1)
		}
	}
	if step.value == 0 {
		return
	}
	rule := &tipRule{titles: reading(`{from} to {to}`, `{from} and longer`),
		lines: reading(`A\t{n_a} of {all_a} frames, {share_a}`, `B\t{n_b} of {all_b} frames, {share_b}`),
		want: func(x *tip) figuresOf {
			w, _ := read(x.said["from"], 1)
			from, to := math.Round(w.value/step.value)*step.value, math.Inf(1)
			want := map[string]float64{"from": from}
			if x.said["to"] != "" {
				to = from + step.value
				want["to"] = to
			}
			for side, name := range []string{"_a", "_b"} {
				n := 0.0
				for _, ns := range lengths[side] {
					if ns >= from && ns < to {
						n++
					}
				}
				want["n"+name], want["all"+name], want["share"+name] = n, float64(len(lengths[side])), n/float64(len(lengths[side]))
			}
			return figuresOf{want}
		}}
	whole := &part{subject: p.of[1], track: model.NoTrack, last: -1}
	whole.sweep(rig, c, len(seen), func(h panel.Hit) {
		if h.Kind != panel.HitAxis {
			return
		}
		x := &tip{whole, rig, "frametimes", h, h.Lines, map[string]string{}, map[string]string{}}
		wrong := x.read(rule, nil)
		if w, _ := read(x.said["from"], 1); wrong == "" && 2*w.half < step.value { // else it does not say which column it is
			told := map[string]int{}
			wrong = x.check(rule, told)
			for name, n := range told {
				seen[strings.TrimPrefix(name, "frametimes.")] += n
			}
		}
		testkit.That(t, wrong == "", "%s: frame times: %s, in %q", p.name, wrong, x.words)
	})
}

// Both timelines of the comparison count from the begin of the first frame that diff says is compared,
// or where there are no frames from where the range begins; aligned at the median from a frame as long
// as any that is nearest to the median of diff. Both show as much time in as many pixels.
func TestBothTimelines(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	of := [2]*subject{subjectOf("before", a), subjectOf("after", b)}
	seen := compared(t, "before and after", of, [2]compare.Side{compare.All(a), compare.All(b)}).compareLines(t)
	eachSubject(t, func(t *testing.T, x *subject) {
		main := x.s.MainTrack()
		if main == model.NoTrack {
			return
		}
		of := [2]*subject{x, x}
		if n := x.s.Track(main).NumFrames(); n >= 2 {
			sides := [2]compare.Side{compare.FramesOf(x.s, main, 0, n/2-1), compare.FramesOf(x.s, main, n/2, n-1)}
			seen += compared(t, x.name, of, sides).compareLines(t)
		} else if begin, end, ok := x.s.Bounds(); ok && end-begin > 1 && !x.s.HasFrames() {
			mid := begin + (end-begin)/2
			sides := [2]compare.Side{compare.TimeOf(x.s, begin, mid), compare.TimeOf(x.s, mid, end+1)}
			seen += compared(t, x.name, of, sides).compareLines(t)
		}
	})
	testkit.That(t, seen >= 8, "only %d were compared", seen)
}

// compareLines compares what the panel states of both sides; it returns of how many.
func (p *pair) compareLines(t *testing.T) (n int) {
	rig := chartstest.NewRig(p.of[1].s, 1, 900, 400)
	rig.Env.Comparing = p.state
	l := comparepanels.NewLines(func() comparepanels.Timeline { return &timeline.Timeline{} })
	for _, by := range []view.Alignment{view.AlignBegin, view.AlignMedian} {
		p.state.Align(by, "", "")
		p.state.Tick(1 << 30)
		rig.Ticks(l, 3)
		stated := map[string][2]float64{}
		for _, f := range l.Facts(rig.Env, nil) {
			x := stated[f.Measure]
			x[f.Row] = f.Value
			stated[f.Measure] = x
		}
		for _, measure := range []string{"begin", "width", "plot"} {
			if x := stated[measure]; math.Abs(x[0]-x[1]) > 1e-3*math.Abs(x[0]) {
				t.Errorf("%s: %s of A is %v, of B %v", p.name, measure, x[0], x[1])
			}
		}
		for side, name := range []string{"a", "b"} {
			want, ok := p.zeroOf(side, name, by)
			if got := stated["zero"][side]; ok && !want[got] {
				t.Errorf("%s, aligned by %d: side %s counts from %v, want one of %v", p.name, by, name, got, want)
			}
			n++
		}
	}
	return n
}

// zeroOf returns where a side may count from, by what diff says of it.
func (p *pair) zeroOf(side int, name string, by view.Alignment) (at map[float64]bool, ok bool) {
	m, _ := p.state.Marked(side)
	said := p.said.object("frame_time")
	if said == nil {
		begin, _, _ := p.of[side].s.Bounds()
		return map[float64]bool{float64(max(begin, m.Side.BeginNs)): true}, true
	}
	x := said.object(name)
	track := trackTitled(p.of[side].s, said.text("thread"))
	if track == nil {
		return nil, false
	}
	at = map[float64]bool{}
	first, _ := x.number("first_frame")
	last, _ := x.number("last_frame")
	best := math.Inf(1)
	for i := range track.NumFrames() {
		f := track.Frame(i)
		if float64(f.Number) < first || float64(f.Number) > last {
			continue
		}
		by := far(f, x, by)
		if by < best {
			best = by
			clear(at)
		}
		if by == best {
			at[float64(f.Begin)] = true
		}
	}
	return at, true
}

// far is how far a frame is from what lies at time 0.
func far(f frames.Frame, said row, by view.Alignment) float64 {
	if by == view.AlignMedian {
		median, _ := said.number("median_ns")
		return math.Abs(float64(f.End-f.Begin) - median)
	}
	first, _ := said.number("first_frame")
	return float64(f.Number) - first
}

func trackTitled(s *store.Session, title string) *store.Track {
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && t.Title() == title {
			return t
		}
	}
	return nil
}
