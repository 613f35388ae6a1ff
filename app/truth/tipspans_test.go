package truth

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

func (x *subject) collector(id int) *model.Collector { return x.s.Collector(model.CollectorID(id)) }
func (x *subject) track(id int) *store.Track         { return x.s.Track(model.TrackID(id)) }

// frameAmong returns the frame of a track that a time lies in, of its frames [from, to), -1 without
// one. What begins between two frames is with the one before, unless others between them were lost.
// None left memory.
func (p *plain) frameAmong(id model.TrackID, at, from, to int64) int {
	t := p.s.Track(id)
	last := int(min(to, int64(t.NumFrames()))) - 1
	for i := last; i >= int(from); i-- {
		f := t.Frame(i)
		if f.Begin > at {
			continue
		}
		if at < f.End || i == last || missing(t, f.Number, t.Frame(i+1).Number, 2) == 0 {
			return i
		}
		break
	}
	return -1
}

// timelineTip is what stands in a timeline, and in the lanes of processors.
func timelineTip(x *tip) (out figuresOf) {
	switch x.hit.Kind {
	case panel.HitSpan:
		return x.spanTip()
	case panel.HitMerged:
		return x.mergedTip()
	case panel.HitGap:
		return x.gapTip()
	case panel.HitAxis:
		return x.framesTip(x.hit.Track)
	case panel.HitLabel:
		return x.threadTip()
	case panel.HitCore:
		return x.coreTip()
	case panel.HitSample:
		return x.sampleTip()
	case panel.HitMessage:
		return x.messageTip()
	case panel.HitLoad:
		return x.loadTip()
	case panel.HitBand: // a counter
		if x.hit.Collector == model.NoCollector {
			return x.seriesRowTip()
		}
		want, t, c := map[string]float64{}, x.s.Track(x.hit.Track), x.hit.Collector
		if x.hit.Frame >= 0 {
			f := x.framed(x.hit.Track, true, x.hit.Frame, x.hit.Frame)
			want["frame"], want["value"], want["sent"] = float64(t.Frame(x.hit.Frame).Number), x.height(f, c), valueOf(f, c)
			for k, v := range f {
				if !x.s.Collectors().IsDescendant(k, c) {
					continue // a part of another counter, perhaps of the same name
				}
				want["part "+x.s.Collector(k).Name] = v.values[0]
			}
			want["part "+x.s.Collector(c).Name] = x.ownLevel(f, c)
		}
		return figuresOf{want}
	}
	return nil
}

// seriesRowTip is of the row of a series: the sample in force at a time, and the extremes in view.
func (x *tip) seriesRowTip() figuresOf {
	id := x.hit.Thing.Series()
	d := x.s.Series().ByID(id)
	unit, want := inBase(&d.Def), map[string]float64{}
	for _, s := range d.Samples(math.MinInt64/2, x.hit.TimeNs+1, int(d.Len()), nil) {
		want["value"], want["time"] = s.Value*unit, float64(s.Time)
	}
	v := x.samples(id, x.t0, x.t1)
	want["least"], want["most"] = v.least*unit, v.most*unit
	return figuresOf{want}
}

// loadTip is of a column of a curve of load: self times by the outermost collector that is named there.
func (x *tip) loadTip() figuresOf {
	begin, end := x.hit.Bar.Begin, x.hit.Bar.End
	named := func(c model.CollectorID) bool {
		return slices.ContainsFunc(x.hit.Lines, func(l string) bool { return strings.HasPrefix(l, x.s.Collector(c).Title()+"\t") })
	}
	want := map[string]float64{"of": float64(end - begin), "from": float64(begin), "load": 0, "others": 0}
	sums := x.sumsOf([]model.TrackID{x.hit.Track}, begin, end, -1)
	for _, n := range sums.nodes {
		c := x.s.Collector(n.collector)
		if c.Waits || c.Name == "Frame" && c.ID == 0 {
			continue
		}
		key, share := "others", float64(n.self)/float64(end-begin)
		for p := n.path; p != model.PathRoot; {
			up, of := x.s.Path(p)
			if named(of) {
				key = "part " + x.s.Collector(of).Title()
			}
			p = up
		}
		want["load"] += share
		want[key] += share
	}
	return figuresOf{want}
}

// valueOf is the value of a counter in a frame.
func valueOf(f map[model.CollectorID]*framed, c model.CollectorID) float64 {
	if f[c] == nil {
		return 0
	}
	return f[c].mean()
}

// ownLevel is what of a counter is in none that is named below it.
func (p *plain) ownLevel(f map[model.CollectorID]*framed, c model.CollectorID) (own float64) {
	if f[c] != nil {
		own = f[c].mean()
	}
	for k, v := range f {
		if k != c && p.s.Collector(k).Parent == c {
			own -= v.mean()
		}
	}
	return own
}

// height is that of the stack of a counter and of those that are named below it. A program that
// says more of the parts than of the whole has less than nothing left for itself, which is not
// drawn.
func (p *plain) height(f map[model.CollectorID]*framed, c model.CollectorID) float64 {
	own := p.ownLevel(f, c)
	if f[c] != nil {
		return f[c].mean() - min(own, 0)
	}
	return -own
}

// spanTip is of one span.
func (x *tip) spanTip() (out figuresOf) {
	for i := range x.spans[x.hit.Track] {
		sp := &x.spans[x.hit.Track][i]
		if sp.Ref != x.hit.Bar.Ref || x.named["source"] != x.s.Collector(sp.Collector).Where() {
			continue
		}
		length := float64(sp.End - sp.Begin)
		want := map[string]float64{
			"duration": length, "begin": float64(x.hit.Bar.Begin), "step": float64(x.s.Info().Clock.Step(sp.End)),
		}
		from, to := x.s.Spans().FramesOf(sp.Ref, sp.Begin)
		if k := x.frameAmong(x.hit.Track, sp.Begin, from, to); k >= 0 {
			f := x.s.Track(x.hit.Track).Frame(k)
			want["frame"], want["share"] = float64(f.Number), length/float64(f.End-f.Begin)
			want["begin_in"] = float64(sp.Begin - f.Begin)
		}
		if n := x.sumsOf([]model.TrackID{x.hit.Track}, sp.Begin, max(sp.End, sp.Begin+1), from).nodes[sp.Path]; n != nil {
			want["self"] = float64(n.self)
		}
		out = append(out, want)
	}
	return out
}

// mergedTip is of the spans of a lane that were joined.
func (x *tip) mergedTip() (out figuresOf) {
	bar := x.hit.Bar
	offset := int64(0)
	for _, ends := range []bool{true, false} { // those without length at the end may belong to the next
		n, busy, begin, end := 0, int64(0), int64(math.MaxInt64), int64(math.MinInt64)
		for i := range x.spans[x.hit.Track] {
			sp := &x.spans[x.hit.Track][i]
			b, e := sp.Begin+offset, sp.End+offset
			if sp.Ref.Lane != bar.Ref.Lane || b < bar.Begin || e > bar.End || !ends && b == bar.End {
				continue
			}
			n, busy = n+1, busy+e-b
			begin, end = min(begin, b), max(end, e)
		}
		out = append(out, map[string]float64{
			"n": float64(n), "within": float64(end - begin), "covered": float64(busy) / float64(max(end-begin, 1)),
			"step": float64(x.s.Info().Clock.Step(bar.End)),
		})
	}
	return out
}

// gapTip is of frames that never came: of any gap, or of several that follow each other, as the
// lines say which. Where clocks go back, some of those between may lie out of sight.
func (x *tip) gapTip() (out figuresOf) {
	t := x.s.Track(x.hit.Track)
	begin, end := x.rig.Env.View.Time().Visible()
	for _, all := range []bool{true, false} {
		for from := 1; t != nil && from < t.NumFrames(); from++ {
			gaps, missed, without := 0, int64(0), int64(0)
			for i := from; i < t.NumFrames(); i++ {
				a, b := t.Frame(i-1), t.Frame(i)
				if b.Number <= a.Number+1 {
					if gaps == 0 {
						break // none begins here
					}
					continue
				}
				if !all && (a.End > end || max(b.Begin, a.End) < begin) {
					continue
				}
				gaps, missed, without = gaps+1, missed+b.Number-a.Number-1, without+max(b.Begin-a.End, 0)
				out = append(out, map[string]float64{
					"missed": float64(missed), "missed_first": float64(t.Frame(from-1).Number + 1), "missed_last": float64(b.Number - 1),
					"without": float64(without), "gaps": float64(gaps),
				})
				if x.said["gaps"] == "" {
					break
				}
			}
		}
		if x.said["gaps"] == "" {
			break
		}
	}
	return out
}

// framesTip is of a frame of a track: of the one with the number that is said.
func (x *tip) framesTip(id model.TrackID) (out figuresOf) {
	t := x.s.Track(id)
	w, ok := read(x.said["frame"], 1)
	for i := range t.NumFrames() {
		f := t.Frame(i)
		d := float64(f.End - f.Begin)
		if !ok || !w.says(float64(f.Number)) {
			continue
		}
		out = append(out, map[string]float64{
			"frame": float64(f.Number), "duration": d, "rate": 1e9 / d, "at": float64(f.Begin),
			"over": d - float64(x.rig.Env.View.Look().FrameBudgetNs()),
		})
	}
	return out
}

// threadTip is of the label of a thread.
func (x *tip) threadTip() figuresOf {
	t := x.s.Track(x.hit.Track)
	if t == nil { // threads that have one row together: some by name, the rest by how many they are
		ended, _ := read(x.said["ended"], 1)
		named := len(x.words) - 3 // but for the title, the rest and the click
		return figuresOf{{"more": ended.value - float64(named)}}
	}
	want := map[string]float64{"spans": float64(len(x.spans[x.hit.Track])), "frames": float64(t.NumFrames()), "missed": 0}
	if n := t.NumFrames(); n > 0 {
		last := t.Frame(n - 1)
		first, recent := last, 1
		for i := range n {
			if i > 0 {
				want["missed"] += max(missing(t, t.Frame(i-1).Number, t.Frame(i).Number, 2), 0)
			}
			if f := t.Frame(i); f.Begin > last.End-3e9 && first == last {
				first, recent = f, n-i
			}
		}
		want["rate"] = (float64(recent) + missing(t, first.Number, last.Number, recent)) / (float64(last.End-first.Begin) / 1e9)
		if v := x.rig.Env.View; x.selected {
			maps.Copy(want, x.shownWork(v, t.Def.ID))
		} else if i := v.FrameAtPlayhead(t.Def.ID, 0); i >= 0 {
			maps.Copy(want, x.work(t.Def.ID, i, i))
			want["first"], want["wall"] = float64(t.Frame(i).Number), float64(t.Frame(i).End-t.Frame(i).Begin)
		}
	}
	return figuresOf{want}
}

// coreTip is of the processors that a thread ran on.
func (x *tip) coreTip() figuresOf {
	want := map[string]float64{}
	for name, text := range x.said {
		switch measure, thread, _ := strings.Cut(name, " "); measure {
		case "since", "for":
		case "busy":
			w, _ := read(text, 1)
			if want[name] = x.busyOn(thread); math.Abs(want[name]-w.value) < 0.02 {
				want[name] = w.value // about as much
			}
		default:
			w, _ := read(text, 1)
			want[name] = w.value // see TestCores in charts/timeline
		}
	}
	for _, k := range x.s.Series().ByTrack(x.hit.Track) {
		d := x.s.Series().ByID(k)
		if d.Def.Role != model.RoleProcessor || x.said["since"] == "" {
			continue
		}
		since, core, known := int64(0), -1.0, false
		for _, v := range d.Samples(math.MinInt64/2, math.MaxInt64/2, int(d.Len()), nil) {
			if v.Time > x.hit.TimeNs {
				break
			}
			if v.Value != core || !known {
				since, core, known = v.Time, v.Value, true
			}
		}
		want["since"], want["for"], want["core"] = float64(since), float64(x.hit.TimeNs-since), core
	}
	return figuresOf{want}
}

// busyOn is the share of the time in view in which a thread was in an outermost span on the processor
// that the tooltip is of.
func (x *tip) busyOn(thread string) float64 {
	core, _ := read(x.said["core"], 1)
	begin, end := x.rig.Env.View.Time().Visible()
	ns := int64(0)
	for id := range model.TrackID(x.s.NumTracks()) {
		if x.s.Track(id).Title() != thread {
			continue
		}
		for _, k := range x.s.Series().ByTrack(id) {
			d := x.s.Series().ByID(k)
			if d.Def.Role != model.RoleProcessor {
				continue
			}
			list := d.Samples(math.MinInt64/2, math.MaxInt64/2, int(d.Len()), nil)
			for i, v := range list {
				from, to := max(begin, v.Time), end
				if i+1 < len(list) {
					to = min(end, list[i+1].Time)
				}
				for _, s := range x.spans[id] {
					if v.Value == core.value && s.Ref.Lane == 0 {
						ns += max(min(s.End, to)-max(s.Begin, from), 0)
					}
				}
			}
		}
	}
	return float64(ns) / float64(end-begin)
}

// messageTip counts messages of a thread within a stretch of time.
// sampleTip is of the sample of the thread's stack at the time of the tick, and how long after the one
// before it was taken.
func (x *tip) sampleTip() (out figuresOf) {
	for _, k := range x.s.Series().ByTrack(x.hit.Track) {
		d := x.s.Series().ByID(k)
		if d.Def.Role != model.RoleStack {
			continue
		}
		list := d.Samples(math.MinInt64/2, math.MaxInt64/2, 0, nil)
		for i := range list {
			if list[i].Time == x.hit.TimeNs {
				want := map[string]float64{"at": float64(list[i].Time)}
				if i > 0 {
					want["after"] = float64(list[i].Time - list[i-1].Time)
				}
				out = append(out, want)
			}
		}
	}
	return out
}

func (x *tip) messageTip() (out figuresOf) {
	w, _ := read(x.said["within"], 1)
	list := x.s.Messages().Of(x.hit.Track, math.MinInt64/2, math.MaxInt64/2, nil)
	at := []int64{}
	for i := range list {
		at = append(at, list[i].Time)
	}
	slices.Sort(at)
	for i, begin := range at {
		for k := i; k < len(at) && begin == x.hit.TimeNs; k++ {
			if w.says(float64(at[k] - begin)) {
				out = append(out, map[string]float64{"n": float64(k - i + 1), "within": float64(at[k] - begin), "time": float64(begin),
					"more": float64(k + 1 - i - (len(x.words) - 2)), // but for the title and this line
				})
			}
		}
		if x.said["within"] == "" && begin == x.hit.TimeNs {
			out = append(out, map[string]float64{"time": float64(begin)})
		}
	}
	return out
}

// framesRan are what ran in the frames of the part: the sums of each frame, where one begins where
// another ends of both as one stretch.
func (p *part) framesRan() *sums {
	switch {
	case p.timeless(): // of all threads
		return p.everywhere(p.rig().Env.View)
	case p.last < p.first:
		return p.calls()
	}
	t, all := p.s.Track(p.track), &sums{nodes: map[model.PathID]*node{}, of: map[model.CollectorID]*figures{}}
	for i := p.first; i <= p.last; i++ {
		position, begin, end := int64(i), t.Frame(i).Begin, t.Frame(i).End
		for i < p.last && t.Frame(i+1).Begin == end && end > begin {
			i++
			end = t.Frame(i).End
		}
		ran := p.sumsOf([]model.TrackID{p.track}, begin, end, position)
		all.total += ran.total
		for path, n := range ran.nodes {
			to := all.nodes[path]
			if to == nil {
				to = &node{path: path, parent: n.parent, collector: n.collector}
				all.nodes[path] = to
			}
			to.total, to.self, to.calls = to.total+n.total, to.self+n.self, to.calls+n.calls
		}
	}
	return all
}

// flameTip is of any call path that ends with the collector under the callers that are named.
func flameTip(x *tip) (out figuresOf) {
	if x.hit.Kind == panel.HitFrame { // the typical one below
		out = x.framesTip(x.hit.Track)
		for _, want := range out {
			want["typical"] = x.typical(x.track, x.first)
		}
		return out
	}
	if x.hit.Kind == panel.HitGap {
		return figuresOf{{"missed_first": float64(x.hit.Gap.FirstNumber), "missed_last": float64(x.hit.Gap.LastNumber)}}
	}
	ran, frames := x.framesRan(), 1.0
	if x.last >= x.first {
		frames = float64(x.last - x.first + 1)
	}
	for _, n := range ran.nodes {
		if n.collector != x.hit.Collector || x.callers(n.parent) != x.named["callers"] {
			continue
		}
		total, self := float64(n.total), float64(n.self)
		want := map[string]float64{
			"total": total / frames, "self": self / frames, "self_share": self / max(total, 1), "share": total / float64(ran.total),
			"calls": float64(n.calls) / frames, "frames": frames, "mean_of": frames, "sum": total,
			"sum_calls": float64(n.calls),
		}
		if up := ran.nodes[n.parent]; up != nil {
			want["of_caller "+x.s.Collector(up.collector).Name] = total / float64(up.total)
		}
		out = append(out, want)
	}
	return out
}

// callers are the names of the last six on a call path, the innermost last.
func (x *tip) callers(path model.PathID) string {
	var names []string
	for path != model.PathRoot {
		up, c := x.s.Path(path)
		if names = append(names, x.s.Collector(c).Name); len(names) > 6 {
			names[6] = "…"
			break
		}
		path = up
	}
	slices.Reverse(names)
	return strings.Join(names, " › ")
}

// pianoTip is of a collector in one frame: its runs, of which one within another is none.
func pianoTip(x *tip) (out figuresOf) {
	if x.hit.Kind == panel.HitGap {
		return x.gapTip()
	}
	t := x.s.Track(x.hit.Track)
	f := t.Frame(x.hit.Frame)
	shared := x.hit.Frame+1 < t.NumFrames() && t.Frame(x.hit.Frame+1).Begin == f.End && f.End > f.Begin
	var runs [][2]int64
	for i := range x.spans[x.hit.Track] {
		sp := &x.spans[x.hit.Track][i]
		touches := sp.Begin < f.End && sp.End > f.Begin || sp.Begin == sp.End && sp.Begin >= f.Begin && sp.Begin <= f.End
		_, _, ours := x.inFrames(sp, int64(x.hit.Frame))
		if sp.Collector != x.hit.Collector || !ours || !touches || sp.Begin == f.End && shared {
			continue
		}
		runs = append(runs, [2]int64{max(sp.Begin, f.Begin) - f.Begin, min(sp.End, f.End) - f.Begin})
	}
	slices.SortFunc(runs, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	all, n := 0.0, 0
	for _, r := range runs {
		if n > 0 && (r[0] < runs[n-1][1] || r[0] == runs[n-1][0]) {
			all += float64(max(r[1]-runs[n-1][1], 0))
			runs[n-1][1] = max(runs[n-1][1], r[1])
			continue
		}
		runs[n] = r
		n, all = n+1, all+float64(r[1]-r[0])
	}
	runs = runs[:n]
	whole := map[string]float64{"all": all, "runs": float64(n), "share": all / float64(f.End-f.Begin)}
	if x.hit.Kind == panel.HitCollector {
		return figuresOf{whole}
	}
	first, _ := read(x.said["first"], 1)
	last := first
	if x.said["last"] != "" {
		last, _ = read(x.said["last"], 1)
	}
	if first.value < 1 || int(last.value) > n {
		return nil
	}
	took := 0.0
	for _, r := range runs[int(first.value)-1 : int(last.value)] {
		took += float64(r[1] - r[0])
	}
	whole["first"], whole["last"], whole["took"] = first.value, last.value, took
	whole["from"], whole["to"] = float64(runs[int(first.value)-1][0]), float64(runs[int(last.value)-1][1])
	whole["step"] = float64(x.s.Info().Clock.Step(f.Begin))
	return figuresOf{whole}
}

// stripTip is of a band of a strip chart: of the frame under the mouse, and of the selected ones.
func stripTip(x *tip) (out figuresOf) {
	if x.hit.Kind == panel.HitGap {
		return x.gapTip()
	}
	levels := x.panel == "levels"
	// bands are what is stacked: the net of those that are named below the root, and what is the
	// root's own, or that of a collector whose children are stacked beside it.
	opened := strings.Contains(x.hit.Lines[0], ", self")
	band := func(f map[model.CollectorID]*framed) (value, starts float64) {
		v := f[x.hit.Collector]
		switch {
		case v == nil:
			return 0, 0
		case opened, x.hit.Collector == 0 && !levels:
			return (&framed{values: v.own}).mean(), float64(v.starts)
		}
		return v.mean(), float64(v.starts)
	}
	want := map[string]float64{"step": float64(x.s.Info().Clock.Step(x.hit.TimeNs))}
	if t := x.s.Track(x.hit.Track); x.hit.Frame >= 0 {
		f := x.framed(x.hit.Track, levels, x.hit.Frame, x.hit.Frame)
		want["frame"] = float64(t.Frame(x.hit.Frame).Number)
		want["value"], want["starts"] = band(f)
		want["net"] = x.stacked(f, levels)
		want["step"] = float64(x.s.Info().Clock.Step(t.Frame(x.hit.Frame).Begin))
	}
	if x.last >= x.first {
		n := float64(x.last - x.first + 1)
		want["mean"], want["starts_mean"] = band(x.over(levels))
		want["here"], want["starts_here"] = want["mean"], want["starts_mean"]
		want["starts_mean"] = math.Floor(want["starts_mean"]/n + 0.5)
		want["frames"], want["selected"] = n, float64(x.s.Track(x.track).Frame(x.first).Number)
	}
	if x.said["missed"] == "" {
		return figuresOf{want}
	}
	for _, gap := range x.gapTip() { // the rest is of the selected frames, and between the neighbours of the gap
		maps.Copy(gap, want)
		t := x.s.Track(x.hit.Track)
		for i := 1; i < t.NumFrames(); i++ {
			if t.Frame(i).Number != int64(gap["missed_last"])+1 {
				continue
			}
			a, _ := band(x.framed(x.hit.Track, levels, i-1, i-1))
			b, _ := band(x.framed(x.hit.Track, levels, i, i))
			w, _ := read(x.said["value"], 1)
			gap["value"] = min(max(w.value, min(a, b)), max(a, b))
		}
		out = append(out, gap)
	}
	return out
}

// stacked is the height of the stack of a frame.
func (x *tip) stacked(f map[model.CollectorID]*framed, levels bool) (sum float64) {
	if levels {
		return x.height(f, 0)
	}
	if f[0] != nil {
		return f[0].mean()
	}
	return 0
}

// frameTip is of a frame, or of frames that never came.
func frameTip(x *tip) figuresOf {
	if x.hit.Kind == panel.HitGap {
		return x.gapTip()
	}
	out := x.framesTip(x.hit.Track)
	for _, want := range out {
		if of, _ := read(x.said["of"], 1); of.value > 1 {
			want["median"] = x.medianOf(int(of.value))
		}
	}
	return out
}

// medianOf is the median of the frames that are merged with the one under the mouse: n of them, or
// as many as there are.
func (x *tip) medianOf(n int) float64 {
	t, merge := x.s.Track(x.hit.Track), 1
	for merge < n {
		merge *= 2
	}
	var lengths []int64
	first := x.hit.Frame / merge * merge
	for i := first; i < min(first+merge, t.NumFrames()); i++ {
		lengths = append(lengths, t.Frame(i).End-t.Frame(i).Begin)
	}
	slices.Sort(lengths)
	return float64(lengths[(len(lengths)-1)/2])
}
