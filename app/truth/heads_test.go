package truth

import (
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/model"
)

// What stands at the right of a panel's title is read and compared like its tooltips.

// headRules are how it is read. A panel that has a number there and no rule fails.
var headRules = map[string]*tipRule{
	"timeline":   {titles: reading(`frame {first} · {screen} / screen`, `frames {first} – {last} · {screen} / screen`, `{screen} / screen.*`), want: headOfRange},
	"processors": {titles: reading(`{processors} processors? · {screen} / screen`), want: headOfRange},
	"locks":      {titles: reading(`{locks} locks? · {screen} / screen`), want: headOfRange},
	"series":     {titles: reading(`{series} series · {screen} / screen`, `{screen} / screen`), want: headOfRange},
	"contention": {titles: reading(`.* · {width}`), want: headOfRange},
	"dashboard":  {titles: reading(`in {width}`), want: headOfRange},
	"flame": {titles: reading(`(.* · )?frame {first} · (total )?{total}`,
		`(.* · )?range of {frames} frames( · {missing} missing)? · total {mean} a frame`,
		`(.* · )?range of {width} · total {total}`, `(.* · )?all samples · total {total}~`, `(.* · )?range of {width}`,
		`(.* · )?frame {first}`, `(.* · )?range of {frames} frames( · {missing} missing)?`), want: headOfFlame},
	"calltree": {titles: reading(`«thread» · range of {width} · total {ran}`, `«thread» · total {ran}~`), want: headOfRange},
	"piano":    {titles: reading(`frame {first} · {took}`), want: headOfRange},
	"strip": {titles: reading(`{value}~ · frame {first}`, `{value}~ · mean of {frames} frames`,
		`{value}~ · {rate} · frame {first}`, `{value}~ · {rate} · mean of {frames} frames`), want: headOfStrip},
	"levels":     {titles: reading(`{value}~ · frame {first}`, `{value}~ · mean of {frames} frames`), want: headOfStrip},
	"statistics": {titles: reading(`«thread» · mean of {frames} frames`, `«thread» · in {width}`, `«thread» · whole session`, `.* · (this frame|the only frame|no frame|mean of all)`), want: headOfRange},
	"collectors": {titles: reading(`«thread» · mean of {frames} frames`, `«thread» · in {width}`, `«thread» · whole session`, `.* · (this frame|the only frame|no frame|mean of all)`), want: headOfRange},
	"spikes":     {titles: reading(`@( · of {frames} frames)?`, `@ · row {row}`, `@ · .*`, `late buffers( in {width})?`), want: headOfRange},
	"against": {titles: reading(`of {around} frames`), want: func(x *tip) figuresOf {
		return x.against(x.rig.Env.View.FrameA(), model.NoCollector)
	}},
	"frames":   {titles: reading(`median and worst of {columns}`), want: headOfRange},
	"topology": {titles: reading(`range of {width} · {zoom}`, `whole session, {length} · {zoom}`), want: headOfRange},
	"leaks": {titles: reading(`({leaked} leaked)?( · )?({alive} alive)?( · )?({added} added)?( · )?({removed} removed)?`), want: func(x *tip) figuresOf {
		counts := map[string]float64{}
		for _, r := range x.s.Topology().Resources() {
			counts[map[model.ResourceFate]string{
				model.ResourceLeaked: "leaked", model.ResourceAlive: "alive", model.ResourceAdded: "added", model.ResourceRemoved: "removed",
			}[r.Fate]]++
		}
		return figuresOf{counts}
	}},
	"messages": {titles: reading(`{messages} messages?`), want: func(x *tip) figuresOf { return figuresOf{x.things()} }},
	"overview": {titles: reading(`{length}`), want: headOfRange},
	"received": {titles: reading(`{share}`), want: func(x *tip) figuresOf {
		l := x.s.Ledger()
		return figuresOf{{"share": float64(l.Received) / float64(l.Sent)}}
	}},
	"threads":   {titles: reading(`{shown}( of {threads})?`, `{shown}( of {threads})? · (.*[a-z]|mean of {frames} frames|in {width})`), want: headOfRange},
	"elements":  {titles: reading(`in {width}`), want: headOfRange},
	"packages":  {titles: reading(`all threads · in {width}`), want: headOfRange},
	"waterfall": {titles: reading(`buffer {number}, nearest to the median of {buffers} buffers?`), want: headOfWaterfall},
}

// unruledHeads are numbers that are not compared, with the reason.
var unruledHeads = map[string]string{
	"waterfall.number": "which it is its tooltip says, where it is compared",
	"topology.zoom":    "how near the picture is", "frames.columns": "how many frames are a column is the picture's",
	"spikes.row": "which lane is looked at", "processors.processors": "which are in view: see charts/timeline", "series.series": "of the group: see charts/series",
}

// What panels say beside their titles is what the definitions give.
func TestHeads(t *testing.T) {
	seen := map[string]int{}
	eachPart(t, func(t *testing.T, p *part) {
		for _, d := range registry.All() {
			if d.Has != nil && !d.Has(p.s.Contents()) {
				continue
			}
			rig, c := p.rig(), d.New()
			settle(rig, c)
			said := c.Mode(rig.Env)
			if !digit.MatchString(said) {
				continue
			}
			rule := headRules[d.ID]
			if rule == nil {
				if !p.names()[said] {
					t.Errorf("%s: nothing reads %q", d.ID, said)
				}
				continue
			}
			x := &tip{p, rig, d.ID, panel.Hit{Kind: panel.HitAxis}, []string{strings.Clone(said)}, map[string]string{}, map[string]string{}}
			wrong := x.read(rule, p.names())
			for name := range x.said {
				if unruledHeads[d.ID+"."+name] != "" {
					delete(x.said, name)
				}
			}
			if wrong == "" {
				wrong = x.check(rule, seen)
			}
			if wrong != "" {
				t.Errorf("%s: %s: %s, in %q", p, d.ID, wrong, said)
			}
		}
	})
	for id := range headRules {
		if !slices.ContainsFunc(keysOf(seen), func(k string) bool { return strings.HasPrefix(k, id+".") }) && id != "frames" {
			t.Errorf("no number beside the title of %s was compared", id)
		}
	}
	t.Log(seen)
}

// headOfRange is of the range, its frames, and what ran in it.
func headOfRange(x *tip) figuresOf {
	begin, end, _ := x.s.Bounds()
	v := x.rig.Env.View
	want := map[string]float64{
		"width": float64(x.t1 - x.t0), "length": float64(end - begin), "ran": float64(x.treeOf(v).total),
		"screen": v.Time().Width(), "shown": 0, "threads": float64(x.s.NumTracks()), "locks": 0,
	}
	for c := range model.CollectorID(x.s.Collectors().Len()) {
		if x.s.Collector(c) != nil && len(x.uses(c)) > 0 {
			want["locks"]++
		}
	}
	for _, id := range v.Look().VisibleTracks() {
		if x.s.Track(id).Def.Kind.Calls() {
			want["shown"]++
		}
	}
	if t := x.s.Track(x.track); t != nil {
		want["width "+t.Title()] = want["width"]
	}
	if t := x.s.Track(x.track); x.s.HasFrames() && t != nil {
		want["ran "+t.Title()] = want["ran"]
	} else {
		want["width all threads"], want["ran all threads"] = want["width"], want["ran"]
	}
	if x.last >= x.first {
		t := x.s.Track(x.track)
		a, b := t.Frame(x.first), t.Frame(x.last)
		want["first"], want["last"], want["frames"] = float64(a.Number), float64(b.Number), float64(x.last-x.first+1)
		want["frames "+t.Title()] = want["frames"]
		want["took"], want["missing"] = float64(a.End-a.Begin), missing(t, a.Number, b.Number, x.last-x.first+1)
	}
	return figuresOf{want}
}

// headOfFlame is of what ran on the thread.
func headOfFlame(x *tip) figuresOf {
	want := headOfRange(x)[0]
	want["total"] = float64(x.framesRan().total)
	if want["frames"] > 0 {
		want["mean"] = want["total"] / want["frames"]
	}
	return figuresOf{want}
}

// headOfStrip is of the height of the stack in the frames.
func headOfStrip(x *tip) figuresOf {
	want, sum := headOfRange(x)[0], 0.0
	levels := x.panel == "levels"
	for i := x.first; i <= x.last; i++ {
		sum += x.stacked(x.framed(x.track, levels, i, i), levels)
	}
	want["value"] = sum / want["frames"]
	want["rate"] = math.NaN()
	if !levels && want["frames"] > 0 { // of frames, and not of what ran in them
		took := int64(0)
		for i := x.first; i <= x.last; i++ {
			f := x.s.Track(x.track).Frame(i)
			took += f.End - f.Begin
		}
		want["rate"] = 1e9 * want["frames"] / float64(took)
	}
	return figuresOf{want}
}
