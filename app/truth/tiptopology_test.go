package truth

import (
	"math"
	"slices"
	"strings"

	"framescope/model"
)

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
