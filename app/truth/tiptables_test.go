package truth

import (
	"maps"
	"math"
	"slices"
	"strings"

	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/spans"
)

// tableTip takes what the row of a table should state.
func tableTip(x *tip) (out figuresOf) {
	r := &record{of: x.hit, name: x.words[0]}
	rule := tableRules[x.panel]
	if rule == nil {
		return nil // it has no rows, so that tipRules must say what its tooltips state
	}
	for _, want := range rule(x.part, x.rig.Env.View, r) {
		want = maps.Clone(want)
		if c := x.hit.Collector; c >= 0 && x.last >= x.first {
			want["frames"], want["present"] = float64(x.last-x.first+1), 0
			for _, levels := range []bool{false, true} {
				if f := x.over(levels)[c]; f != nil {
					want["present"] = float64(f.present)
				}
			}
		}
		out = append(out, want)
	}
	return out
}

// callTreeTip is of any call path that ends with the collector, below the caller that is named.
func callTreeTip(x *tip) (out figuresOf) {
	all := x.treeOf(x.rig.Env.View)
	for _, n := range all.nodes {
		if n.collector != x.hit.Collector {
			continue
		}
		want := map[string]float64{
			"total": float64(n.total), "self": float64(n.self), "mean": float64(n.total) / float64(max(n.calls, 1)),
			"count": float64(n.calls),
		}
		if up := all.nodes[n.parent]; up != nil {
			want["of_caller "+x.s.Collector(up.collector).Name] = float64(n.total) / float64(up.total)
		}
		out = append(out, want)
	}
	return out
}

// threadsTip is of a thread.
func threadsTip(x *tip) figuresOf {
	id := x.hit.Track
	want := x.threadTip()[0]
	want["width"], want["heard"] = float64(x.t1-x.t0), math.Inf(-1)
	for i := range x.spans[id] {
		want["heard"] = max(want["heard"], float64(x.spans[id][i].End))
	}
	for _, k := range x.s.Series().ByTrack(id) {
		if d := x.s.Series().ByID(k); d.Len() > 0 {
			list := d.Samples(math.MinInt64/2, math.MaxInt64/2, int(d.Len()), nil)
			want["heard"] = max(want["heard"], float64(list[len(list)-1].Time))
		}
	}
	list := x.s.Messages().Of(id, math.MinInt64/2, math.MaxInt64/2, nil)
	for i := range list {
		want["heard"] = max(want["heard"], float64(list[i].Time))
	}
	for _, a := range x.s.Flows().In(id, model.MinTime, model.MaxTime, nil) {
		want["heard"] = max(want["heard"], float64(a.To))
	}
	if !x.s.HasFrames() {
		want["load"] = x.load(id, x.t0, x.t1)
		want["samples"], _ = x.numSamples(id, x.t0, x.t1)
		_, want["time"] = x.grown(id, model.RoleCPUTime, x.t0, x.t1)
		x.didTip(id, want)
	}
	if x.s.Track(id).NumFrames() > 0 {
		maps.Copy(want, x.shownWork(x.rig.Env.View, id))
		x.paceTip(x.rig.Env.View, id, want)
	}
	def := &x.s.Track(id).Def
	want["moved"], want["spread"], want["by"] = float64(def.ShiftNs), float64(def.ShiftSpreadNs/2), float64(def.ShiftFrames)
	return figuresOf{want}
}

// spikeTip is of a frame or a span that stands out.
func spikeTip(x *tip) (out figuresOf) {
	switch x.hit.Kind {
	case panel.HitFrame:
		out = x.framesTip(x.hit.Track)
		for _, want := range out {
			want["over_typical"] = x.overTypical(x.hit.Track, x.hit.Frame)
		}
		return out
	case panel.HitCollector, panel.HitLabel:
		return x.hitchesOf(x.rig.Env.View, &record{of: x.hit})
	}
	for _, spans := range x.spans {
		for i := range spans {
			if sp := &spans[i]; sp.Ref == x.hit.Bar.Ref {
				want := map[string]float64{
					"duration": float64(sp.End - sp.Begin), "at": float64(sp.Begin), "step": float64(x.s.Info().Clock.Step(sp.End)),
				}
				out = append(out, want)
				if x.s.Track(sp.Ref.Track).Def.Kind == model.TrackStream {
					out = append(out, x.lateTip(sp))
				}
			}
		}
	}
	return out
}

// callsTip is of a call, which the begin of the row's bar tells.
func callsTip(x *tip) figuresOf {
	if x.hit.Kind == panel.HitSpan {
		return x.spanTip()
	}
	return nil
}

// topologyTip is of an element, of one of its pads, or of what goes from one pad to another.
func topologyTip(x *tip) (out figuresOf) {
	id := x.hit.Thing.Element()
	want := map[string]float64{}
	if to := x.named["to"]; to != "" { // an edge, between two names
		for _, l := range x.s.Topology().Links() {
			if l.From == id && x.padName(l.To) == to {
				want = map[string]float64{}
				x.linkTip(l.From, l.To, want)
				out = append(out, want)
			}
		}
		return out
	}
	x.elementTip(id, want)
	for _, l := range x.s.Topology().Links() { // a pad
		n, bytes := x.flow(l.From, l.To)
		for _, peer := range []model.ObjectID{l.From, l.To} {
			name := x.padName(peer)
			if w, ok := read(x.said["per_second "+name], 1); ok && w.says(n/x.seconds()) {
				want["per_second "+name], want["bytes_per_second "+name] = n/x.seconds(), bytes/x.seconds()
			}
		}
	}
	return figuresOf{want}
}

func (x *tip) seconds() float64 { return float64(x.t1-x.t0) / 1e9 }

// owner is the element that a pad, or a pad of a pad, belongs to.
func (p *plain) owner(id model.ObjectID) model.ObjectID {
	for {
		o, ok := p.s.Topology().Object(id)
		if !ok || o.Kind == model.ObjectElement || o.Kind == model.ObjectBin {
			return o.ID
		}
		id = o.Parent
	}
}

func (p *plain) padName(id model.ObjectID) string {
	o, _ := p.s.Topology().Object(id)
	e, _ := p.s.Topology().Object(p.owner(id))
	return e.Name + "." + o.Name
}

// flows are the series of what goes from one pad to another: those that their links name, else those
// between the two.
func (p *plain) flows(from, to model.ObjectID) (out []model.SeriesID) {
	for _, l := range p.s.Topology().Links() {
		if l.From == from && l.To == to && p.s.Series().ByID(l.Flow) != nil {
			out = append(out, l.Flow)
		}
	}
	for id := range model.SeriesID(p.s.Series().Len()) {
		d := &p.s.Series().ByID(id).Def
		if d.Role == model.RoleFlow && d.Object == from && d.Peer == to && len(out) == 0 {
			out = append(out, id)
		}
	}
	return out
}

// flow is how many buffers went from one pad to another in the range, and how large they were.
func (p *part) flow(from, to model.ObjectID) (n, bytes float64) {
	if p.flown == nil {
		p.flown = map[[2]model.ObjectID][2]float64{}
	}
	ends := [2]model.ObjectID{from, to}
	if sum, known := p.flown[ends]; known {
		return sum[0], sum[1]
	}
	for _, id := range p.flows(from, to) {
		v := p.samples(id, p.t0, p.t1)
		n, bytes = n+float64(v.n), bytes+v.sum
	}
	p.flown[ends] = [2]float64{n, bytes}
	return n, bytes
}

// linkTip is of what went from one pad to another.
func (x *tip) linkTip(from, to model.ObjectID, want map[string]float64) {
	n, bytes := x.flow(from, to)
	want["n"], want["per_second"] = n, n/x.seconds()
	want["bytes"], want["bytes_per_second"], want["size"] = bytes, bytes/x.seconds(), bytes/n
	last := math.Inf(-1)
	for _, id := range x.flows(from, to) {
		d := x.s.Series().ByID(id)
		for _, v := range d.Samples(math.MinInt64/2, x.t1, int(d.Len()), nil) {
			last = max(last, float64(v.Time))
		}
	}
	want["last_at"], want["before"] = last, max(0, float64(x.t1-1)-last)
	for _, k := range x.s.Series().ByObject(from) {
		if d := &x.s.Series().ByID(k).Def; d.Role == model.RoleInterval && d.Object == from && d.Peer == to {
			v := x.samples(k, x.t0, x.t1)
			want["interval"], want["interval_most"], want["jitter"] = v.mean, v.most, v.spread
		}
	}
	for _, l := range x.s.Topology().Links() { // the newest of these
		if l.From == from && l.To == to {
			want["since"], want["until"] = float64(l.Since), float64(l.Until)
		}
	}
}

// elementTip is of an element, or of a bin with what it has in it.
func (x *tip) elementTip(id model.ObjectID, want map[string]float64) {
	o, _ := x.s.Topology().Object(id)
	want["made"], want["gone"] = float64(o.Created), float64(o.Gone)
	parent := func(of model.ObjectID) model.ObjectID {
		o, _ := x.s.Topology().Object(x.owner(of))
		return o.Parent
	}
	var seen [][2]model.ObjectID
	for _, l := range x.s.Topology().Links() {
		ends := [2]model.ObjectID{l.From, l.To}
		if slices.Contains(seen, ends) {
			continue
		}
		seen = append(seen, ends)
		n, bytes := x.flow(l.From, l.To)
		if x.owner(l.From) == id && parent(l.To) != id {
			want["out"], want["out_bytes"] = want["out"]+n, want["out_bytes"]+bytes
		}
		if x.owner(l.To) == id && parent(l.From) != id {
			want["in"], want["in_bytes"] = want["in"]+n, want["in_bytes"]+bytes
		}
	}
	sum, most := 0.0, -1.0
	for k := range model.SeriesID(x.s.Series().Len()) {
		d := x.s.Series().ByID(k)
		if d.Def.Object == model.NoObject || x.owner(d.Def.Object) != id {
			continue
		}
		v := x.samples(k, x.t0, x.t1)
		switch d.Def.Role {
		case model.RoleLatency:
			if d.Def.Peer != model.NoObject && x.owner(d.Def.Peer) != id {
				peer, _ := x.s.Topology().Object(x.owner(d.Def.Peer))
				want["through "+peer.Name], want["through_most "+peer.Name] = v.mean, v.most
				continue
			}
			if v.n > 0 && v.sum > most { // the median of the pad that takes most
				most = v.sum
				want["latency_median"], want["latency_p99"] = v.rank(0.5), v.rank(0.99)
			}
			sum += v.sum
			want["measured"] += float64(v.n)
			want["latency_most"] = max(want["latency_most"], v.most)
		case model.RoleReported:
			if v, ok := d.At(x.t1 - 1); ok && !strings.HasSuffix(d.Def.Group, " max") {
				want["reported"] = max(want["reported"], v.Value)
			}
		case model.RoleActivity:
			want["events"] += float64(v.n)
		case model.RoleLevel:
			if d.Def.Object == id {
				level := d.Def.Group
				if d.Def.Name != "" && d.Def.Name != o.Name { // one of several
					level += " of " + d.Def.Name
				}
				want["fill "+level], want["fill_most "+level] = v.last, v.most
			}
		case model.RoleState:
			want["state_since"] = math.NaN()
			if now, ok := d.At(x.t1 - 1); ok {
				want["state_since"] = float64(now.Time)
			}
		}
	}
	want["latency"] = sum / want["measured"]
	pads := map[model.ObjectKind]float64{}
	for _, pad := range x.s.Topology().Objects() {
		if pad.Parent == id {
			pads[pad.Kind]++
		}
	}
	if want["pads"] = pads[model.ObjectPad]; pads[model.ObjectGhostPad] > 0 { // behind each stands one that faces what is inside
		want["pads"] = pads[model.ObjectGhostPad]
	}
}

// seriesTip is of a series over the range, or of the column under the mouse.
func seriesTip(x *tip) figuresOf {
	for id := range model.SeriesID(x.s.Series().Len()) {
		d := x.s.Series().ByID(id)
		if x.hit.Thing != view.Series(id) {
			continue
		}
		t0, t1 := x.t0, x.t1
		if x.hit.Kind == panel.HitBand {
			t0, t1 = x.hit.From, x.hit.Until
		}
		unit := inBase(&d.Def)
		v, width := x.samples(id, t0, t1), float64(t1-t0)
		want := map[string]float64{
			"n": float64(v.n), "time": float64(t0), "from": float64(t0), "width": width, "sum": v.sum * unit, "last": v.last * unit, "min": v.least * unit,
			"max": v.most * unit, "growth": (v.last - v.first) * unit, "per_second": float64(v.n) * 1e9 / width,
			"mean_rate": v.rate * unit, "sum_per_second": v.sum * unit * 1e9 / width,
		}
		if d.Def.Holds() {
			want["mean_by_time"] = v.mean * unit
		} else {
			want["mean_by_number"] = v.mean * unit
		}
		if v.n > 0 {
			want["p50"], want["p90"], want["p99"] = v.rank(0.5)*unit, v.rank(0.9)*unit, v.rank(0.99)*unit
			want["p95"], want["deviation"] = v.rank(0.95)*unit, v.spread*unit
		}
		if d.Def.Unit == "ns" {
			want["mean_rate"] /= 1e9 // time per time is a share
			want["sum_per_second"] /= 1e9
		}
		at := t1 - 1
		if v.n == 0 && x.said["last_value"] != "" {
			at = math.MaxInt64 / 2
		}
		before, changed, known := model.Sample{}, int64(0), false
		for _, s := range d.Samples(math.MinInt64/2, math.MaxInt64/2, int(d.Len()), nil) {
			if s.Time > at {
				if !known || changed == 0 {
					changed = s.Time
				}
				break
			}
			before, known = s, true
		}
		if known {
			want["value"], want["last_value"], want["since"], want["total"] = before.Value*unit, before.Value*unit, float64(before.Time), before.Value*unit
			want["for"] = float64(changed - before.Time)
			want["last_at"] = float64(before.Time)
			if v.n <= 1 { // one value, or the one that is in force
				want["time"] = float64(before.Time)
			}
		}
		if v.n == 1 { // and a gap may begin right behind it
			for _, s := range d.Samples(t0, t1, int(d.Len()), nil) {
				if s.Time >= t0 && s.Time < t1 && s.Value == s.Value {
					want["value"], want["time"] = s.Value*unit, float64(s.Time)
				}
			}
		}
		if d.Def.Kind == model.SeriesCounter && x.hit.Kind == panel.HitBand {
			want["time"], want["per_second"] = float64(t0), growth(d, t0, t1)
			if d.Def.Unit == "ns" {
				want["per_second"] /= 1e9
			}
		}
		return figuresOf{want}
	}
	return nil
}

// growth is by how much a counter grows in a second in a column: between the last value of a column
// that has any and the last one before that column it grows evenly.
func growth(d *spans.Series, t0, t1 int64) float64 {
	before, _ := d.At(t0 - 1)
	after, ok := d.At(t1 - 1)
	if !ok || after.Time < t0 {
		next := d.Samples(t1, math.MaxInt64/2, 1, nil)
		if len(next) == 0 {
			return math.NaN()
		}
		columns := (next[0].Time - t1) / (t1 - t0)
		after, _ = d.At(t1 + (columns+1)*(t1-t0) - 1)
	}
	return (after.Value - before.Value) * 1e9 / float64(after.Time-before.Time)
}

// uses are all uses of a lock, one by one.
func (p *plain) uses(lock model.CollectorID) []locks.Bar {
	return p.s.Locks().Bars(lock, math.MinInt64/4, math.MaxInt64/4, 0, nil)
}

// locksTip is of one use of a lock, or of a lock in view.
func locksTip(x *tip) (out figuresOf) {
	lock := x.hit.Collector
	switch use, single := x.hit.Thing.Use(); {
	case x.hit.Kind == panel.HitAxis:
		return x.framesTip(x.hit.Track)
	case x.hit.Kind == panel.HitCollector:
		for _, l := range x.report().rows("locks") {
			if l.text("lock") != x.s.Collector(lock).Title() {
				continue
			}
			want := map[string]float64{"longest'": 0} // who never had to wait waited no time
			for _, field := range []string{"waited", "waits", "held", "holds", "failed", "conditions", "condition_wait", "signals", "threads"} {
				want[field], _ = l.number(field)
			}
			longest, means := []string{}, []string{}
			for _, field := range []string{"longest_hold", "longest_wait", "longest_condition_wait"} {
				if l.object(field) != nil {
					longest = append(longest, field)
				}
			}
			for i, field := range longest {
				want["longest"+"''"[:i]], _ = l.object(field).number("duration")
			}
			for _, of := range [][2]string{{"held", "holds"}, {"waited", "waits"}} {
				if n := want[of[1]]; n > 0 {
					want["mean"+"'"[:len(means)]] = want[of[0]] / n
					means = append(means, of[0])
				}
			}
			want["share"] = want["held"] / float64(x.t1-x.t0)
			if wait := l.object("longest_wait"); wait != nil {
				want["meanwhile"], _ = wait.number("meanwhile_held")
			}
			out = append(out, want)
		}
	case single:
		want := map[string]float64{"duration": float64(use.End - use.Begin), "at": float64(use.Begin), "depth": float64(use.Depth)}
		sums := map[string]float64{}
		for _, u := range x.uses(use.Lock) {
			who := x.s.Track(u.Track).Title()
			meanwhile := float64(min(u.End, use.End) - max(u.Begin, use.Begin))
			switch {
			case u.Track == use.Track && u.Kind == locks.Waiting && u.End == use.Begin && u.End > u.Begin:
				want["before"] = float64(u.End - u.Begin)
			case u.Track != use.Track && meanwhile > 0 && u.Depth == 0 && u.Kind == locks.Waiting:
				sums["kept "+who] += meanwhile
			case u.Track != use.Track && meanwhile > 0 && u.Depth == 0 && u.Kind == locks.Holding:
				sums["held "+who] += meanwhile
			}
		}
		for name, ns := range sums {
			want[name] = ns
		}
		out = append(out, want)
	}
	return out
}

// overviewTip is of how busy all threads were in the columns under the mouse, of how much was under
// way in elements where there are no threads, or of how much came in.
func overviewTip(x *tip) figuresOf {
	t0, t1 := x.hit.From, x.hit.Until
	want := map[string]float64{"at": float64(x.hit.TimeNs), "busy": 0, "load": 0, "under_way": 0}
	shown := x.rig.Env.View.Look().VisibleTracks()
	threads := slices.ContainsFunc(shown, func(id model.TrackID) bool {
		return x.s.Track(id).Def.Kind.Calls() && len(x.spans[id]) > 0
	})
	for _, id := range shown {
		share := 0.0
		switch calls := x.s.Track(id).Def.Kind.Calls(); {
		case x.said["load"] != "" && !x.loaded(id), x.said["load"] == "" && threads != calls:
			continue
		case x.loaded(id):
			share = x.load(id, t0, t1)
		case calls:
			share = float64(x.busy(id, t0, t1)) / float64(t1-t0)
		default: // several at a time
			share = float64(x.sums([]model.TrackID{id}, t0, t1).total) / float64(t1-t0)
		}
		if share == share { // else nothing is known of it there
			want["busy"] += share
			want["load"] += share
			want["under_way"] += share
			x.orEither(want, "of "+x.s.Track(id).Title(), share)
		}
	}
	samples, messages := 0.0, 0.0
	for id := range model.SeriesID(x.s.Series().Len()) {
		v := x.samples(id, t0, t1)
		samples += float64(v.n)
	}
	for id := range model.TrackID(x.s.NumTracks()) {
		messages += float64(len(x.s.Messages().Of(id, t0, t1-1, nil)))
	}
	want["samples"], want["messages"] = samples*1e9/float64(t1-t0), messages*1e9/float64(t1-t0)
	return figuresOf{want}
}

// loaded tells whether the processor load of a thread was measured.
func (p *plain) loaded(id model.TrackID) bool {
	for _, k := range p.s.Series().ByTrack(id) {
		if p.s.Series().ByID(k).Def.Role == model.RoleCPULoad {
			return true
		}
	}
	return false
}

// orEither notes a figure under a name, of those that several have that which is said.
func (x *tip) orEither(want map[string]float64, name string, v float64) {
	before, twice := want[name]
	if w, ok := read(x.said[name], 1); !twice || ok && math.Abs(w.value-v) < math.Abs(w.value-before) {
		want[name] = v
	}
}
