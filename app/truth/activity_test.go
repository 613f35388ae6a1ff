package truth

import (
	"math"
	"strings"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/widgets/details"
)

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
func (p *part) compareBurning(t complainer, rig *chartstest.Rig, pane *details.Panel, seen map[string]int) {
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
			if math.Abs(f.Value-d.share()) > 1e-9 {
				t.Errorf("%s: the headline says %v burns %v, it is %v", p, f.Name, f.Value, d.share())
			}
		case f.Measure == "samples" && seen["own_share"] > 0:
			if f.Value > with[f.Of.Collector] || f.Value > last && f.Row < 2 {
				t.Errorf("%s: the way to what burns has %v samples of %v, it is on the stack in %v", p, f.Value, f.Name, with[f.Of.Collector])
			}
			last = f.Value
		}
	}
}
