package truth

import (
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
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
func (p *part) compareHeadline(t complainer, rig *chartstest.Rig, pane *details.Panel, c model.CollectorID, seen map[string]int) {
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
		if w, ok := read(text, 1); !ok || !w.says(v) {
			t.Errorf("%s: the headline of %d says %q, it is %v", p, c, x.Text, v)
		}
	}
}

// barTips are the tooltips of the bars of the histogram.
var barTips = [2][]*linePattern{
	reading(`{from}~ – {to}~`, `{from}~ and more`), reading(`{n} frames?`, `{n} frames? of {looked} looked at`),
}

// compareBars compares the bars of the histogram of a collector over all frames: each has as many
// frames as lie between what it says, but for those so near to its edges that the words do not tell.
func (p *part) compareBars(t complainer, rig *chartstest.Rig, pane *details.Panel, c model.CollectorID, seen map[string]int) {
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

func (p *part) compareDetails(t complainer, seen map[string]int) {
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
			if n := p.sums([]model.TrackID{p.track}, sp.Begin, max(sp.End, sp.Begin+1)).nodes[sp.Path]; n != nil {
				want["self"] = float64(n.self)
			}
			if !p.s.Track(p.track).Def.Kind.Calls() {
				continue // the way of a buffer: see widgets/details
			}
			if p.last >= p.first {
				want = map[string]float64{"span took": want["took"], "span self": want["self"], "span begins": want["begins"]}
				want = p.detailsOfFrames(c, v.FrameA(), v.FrameB(), want)
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
func (p *part) compareSeries(t complainer, seen map[string]int) {
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
			if w, ok := read(f.Text, 1); !ok || !w.says(x) {
				t.Errorf("%s: details of %s: %s is %q, it is %v", p, d.Name, f.Measure, f.Text, x)
			}
		}
	}
}

// inDetails are rows of words, or of what other tests compare, with the reason.
var inDetails = map[string]string{
	"pushed on by": "a name", "filled by": "a name", "message": "see compareElements",
	"thread": "a name", "span thread": "a name", "element": "a name", "path": "a name", "called by": "a name",
	"of its caller": "of the span in the lane above: see TestSpanDetails in widgets/details",
	"ends known to": "the step of the clock", "at a time, mean": "of what overlaps: see widgets/details",
}

func (p *part) longestCall(c model.CollectorID) (best *span) {
	for i := range p.spans[p.track] {
		sp := &p.spans[p.track][i]
		if sp.Collector == c && sp.touches(p.t0, p.t1) && (best == nil || sp.End-sp.Begin > best.End-best.Begin) {
			best = sp
		}
	}
	return best
}

func (p *part) detailsOfRange() map[string]float64 {
	want := map[string]float64{}
	if p.last >= p.first {
		track := p.s.Track(p.track)
		a, b := track.Frame(p.first), track.Frame(p.last)
		want["took"], want["rate"], want["began at"] = float64(b.End-a.Begin), 1e9/float64(b.End-a.Begin), float64(a.Begin)
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
