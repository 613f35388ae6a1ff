package truth

import (
	"fmt"
	"testing"

	"framescope/model"
)

// eachPart runs a test for every part of every session that is here.
func eachPart(t *testing.T, f func(t *testing.T, p *part)) {
	eachSubject(t, func(t *testing.T, x *subject) {
		for _, p := range x.parts() {
			f(t, &p)
		}
	})
}

func eachSubject(t *testing.T, f func(t *testing.T, x *subject)) {
	for _, path := range recorded(t) {
		x := open(t, path)
		t.Run(x.name, func(t *testing.T) { f(t, x) })
	}
	for _, x := range made(t) {
		t.Run(x.name, func(t *testing.T) { f(t, x) })
	}
}

// What report says of a range is what the definitions give.
func TestReport(t *testing.T) {
	eachPart(t, func(t *testing.T, p *part) {
		r := p.report()
		if r == nil {
			return
		}
		differ := func(what string, got, want float64) {
			if !near(got, want) {
				t.Errorf("%s: %s: report says %v, it is %v", p, what, got, want)
			}
		}
		for _, th := range r.rows("threads") {
			p.checkFrames(th, differ)
		}
		p.checkCalls(r.object("calls"), differ)
		for _, x := range r.rows("series") {
			p.checkSeries(x, differ)
		}
	})
}

// checkFrames compares what is said of a thread with frames.
func (p *part) checkFrames(th row, differ func(string, float64, float64)) {
	t := p.s.Track(p.track)
	n := p.last - p.first + 1
	say := func(name string, want float64) {
		got, _ := th.number(name)
		differ(name, got, want)
	}
	a, b := t.Frame(p.first), t.Frame(p.last)
	say("frames", float64(n))
	say("first_frame", float64(a.Number))
	say("last_frame", float64(b.Number))
	say("missing_frames", float64(b.Number-a.Number+1-int64(n)))
	if b.End > a.Begin {
		say("frames_per_second", float64(b.Number-a.Number+1)/(float64(b.End-a.Begin)/1e9))
	}
	for _, levels := range []bool{false, true} {
		want, lines, unit := p.over(levels), th.rows("times"), 1.0
		if levels {
			lines = th.rows("levels")
		}
		if differ("collectors", float64(len(lines)), float64(len(want))); len(lines) != len(want) {
			continue
		}
		for _, line := range lines {
			if unit = 1; line.text("unit") == "ms" && !levels {
				unit = 1e6
			}
			f := want[p.collector(line.text("collector"), want)]
			if f == nil {
				differ(line.text("collector")+" is", 1, 0)
				continue
			}
			for name, v := range map[string]float64{
				"mean": f.mean(), "median": f.median(), "p95": f.rank(0.95), "p99": f.rank(0.99), "sum": f.sum(),
				"min": f.rank(0), "max": f.rank(1),
			} {
				got, ok := line.number(name)
				if ok {
					differ(line.text("collector")+" "+name, got*unit, v)
				}
			}
			for name, v := range map[string]int64{"count": f.starts, "present": f.present, "max_frame": f.maxFrame} {
				if got, ok := line.number(name); ok {
					differ(line.text("collector")+" "+name, got, float64(v))
				}
			}
		}
	}
}

// collector returns which of some collectors has a full name.
func (p *part) collector(name string, among map[model.CollectorID]*framed) model.CollectorID {
	for c := range among {
		if fullName(p.s.Collector(c)) == name {
			return c
		}
	}
	return model.NoCollector
}

// checkCalls compares what is said of calls.
func (p *part) checkCalls(calls row, differ func(string, float64, float64)) {
	if calls == nil || p.track == model.NoTrack {
		return
	}
	want := p.calls()
	lines := calls.rows("all")
	n := 0
	for c, f := range want.of {
		n++
		name := fullName(p.s.Collector(c))
		found := 0
		for _, line := range lines {
			if line.text("collector") != name {
				continue
			}
			found++
			for field, v := range map[string]float64{
				"calls": float64(f.calls), "total": float64(f.total), "self": float64(f.self), "mean": f.mean,
				"min": float64(f.least), "max": float64(f.most),
			} {
				got, _ := line.number(field)
				differ(name+" "+field, got, v)
			}
		}
		if found != 1 {
			differ(fmt.Sprintf("lines of %s", name), float64(found), 1)
		}
	}
	if len(lines) != n {
		differ("lines of calls", float64(len(lines)), float64(n))
	}
}

// checkSeries compares what is said of a series.
func (p *part) checkSeries(line row, differ func(string, float64, float64)) {
	for id := range model.SeriesID(p.s.NumSeries()) {
		x := p.s.Series(id)
		if x == nil || x.Def.Name != line.text("name") || x.Def.Group != line.text("group") || x.Def.Role == model.RoleStack {
			continue
		}
		thread, object := "", ""
		if th := p.s.Track(x.Def.Track); th != nil {
			thread = th.Title()
		}
		if o, ok := p.s.Object(x.Def.Object); ok {
			object = o.Name
		}
		if thread != line.text("thread") || object != line.text("object") {
			continue
		}
		v := p.samples(id, p.t0, p.t1)
		if v.n == 0 {
			continue
		}
		for name, want := range map[string]float64{
			"count": float64(v.n), "gaps": float64(v.gaps), "min": v.least, "mean": v.mean, "max": v.most, "sum": v.sum,
			"p50": v.rank(0.5), "p90": v.rank(0.9), "p95": v.rank(0.95), "p99": v.rank(0.99), "first": v.first,
			"last": v.last, "std_dev": v.spread,
		} {
			if got, ok := line.number(name); ok {
				differ("series "+x.Def.Name+" "+name, got, want)
			}
		}
		if got, ok := line.number("rate_per_second"); ok {
			differ("series "+x.Def.Name+" rate", got, v.rate)
		}
		return
	}
	differ("series "+line.text("name")+" is", 1, 0)
}
