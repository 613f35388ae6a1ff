package cpuprofile

import (
	"fmt"
	"sort"

	"framescope/model"
	"framescope/net/trace"
)

// publish publishes the samples, or their counts where they have no times.
func (p *profile) publish(broken error) {
	def := p.describe()
	p.mend(broken)
	ids, times := &p.samples.Of, &p.samples.Sizes
	n := min(len(ids.List), len(times.List))
	cut := n == 0 && broken != nil && times.N == 0 && len(ids.List) > 0
	p.Info.Sampling.Timeless = n == 0 && (p.counted || cut)
	if !p.Info.Sampling.Timeless {
		p.Facts = append(p.Facts, fmt.Sprintf("0 is %d µs of its clock", p.in(p.start)/1000))
	} else {
		p.Facts = append(p.Facts, "samples without times")
	}
	p.Define()
	track, _ := p.Names.Track("", def)
	p.Bad.BadN(trace.NoMemory, max(ids.Refused(), times.Refused()), trace.Unknown)
	switch {
	case !p.Info.Sampling.Timeless:
		if n > 0 && broken == nil {
			p.Bad.BadN(trace.BadTime, int64(max(ids.N, times.N)-min(ids.N, times.N)), p.timesAt)
		}
		p.play(p.Out.Thread(track, def.Name), ids.List[:n], times.List[:n])
	case p.counted:
		for i, n := range p.nodes {
			p.weigh(track, p.path(int32(i)), n.hits)
		}
	default:
		for _, id := range ids.List {
			p.weigh(track, p.pathOf(id), 1)
		}
	}
}

// mend sets what damage left out of the lists of samples: ids of no call, and equal distances in the time of the
// profile that the others leave.
func (p *profile) mend(broken error) {
	n := float64(len(p.samples.Of.List))
	all := float64(p.in(p.end)-p.in(p.start)) / 1000 * n / (n + 1) // the last sample lasts, too
	if p.absolute {
		all, broken = 0, nil
	}
	if lost := p.samples.Mend(p.Room, noID, all, broken != nil); lost > 0 {
		p.Warn("The times of %d samples are lost in damaged places: they are shown at equal distances.", lost)
	}
}

// describe returns the thread, and sets what else the name of the file says.
func (p *profile) describe() model.TrackDef {
	def := model.TrackDef{Name: "main", Main: true}
	if pid, tid, ok := parseName(p.base); ok {
		p.Info.Program, p.Info.PID = fmt.Sprintf("node %d", pid), pid
		if tid > 0 {
			def.Name, def.Index = fmt.Sprintf("thread %d", tid), int(tid)
		}
	}
	if p.lines {
		p.Warn("Not shown from the file: the lines at which functions were sampled.")
	}
	return def
}

// weigh adds samples without times, unless they found the thread idle.
func (p *profile) weigh(track model.TrackID, path model.PathID, hits int64) {
	if hits > 0 && path != model.PathRoot {
		p.Weigh(track, path, float64(hits), trace.Unknown)
	}
}

// play publishes samples with times.
func (p *profile) play(out *trace.StackThread, ids, times []int64) {
	n := len(ids)
	if n == 0 {
		return
	}
	if back := p.sum(times); back > 0 {
		sort.Stable(&byTime{ids, times})
		p.Warn("%d samples were written after later ones: they are shown in order of time.", back)
	}
	zero := min(times[0], 0) // a sample may be of before the profile began, as it says
	for i, id := range ids {
		lasts := int64(0)
		if i+1 < n {
			lasts = times[i+1] - times[i]
		}
		path := p.pathOf(id)
		p.Info.Sampling.Idle = p.Info.Sampling.Idle || path == model.PathRoot
		p.Sample(out, times[i]-zero, lasts, path)
	}
	out.Stop(min(p.in(p.end)-p.in(p.start), trace.MaxTime) - zero)
}

// sum makes times since the profile began, in ns, of those of the file, and returns how many go back.
func (p *profile) sum(times []int64) (back int) {
	const most = trace.MaxTime / 1000 / 2 // µs
	sum := int64(0)
	for i, us := range times {
		at := us * 1000
		if p.absolute {
			at -= p.in(p.start)
		} else {
			at += sum
		}
		if us > most || us < -most || at > trace.MaxTime || at < -trace.MaxTime {
			p.Bad.Explain(trace.BadTime, p.timesAt, "that of sample %d", i+1)
			at = sum
		}
		if i > 0 && at < sum {
			back++
		}
		times[i], sum = at, at
	}
	return back
}

// byTime sorts samples.
type byTime struct{ ids, times []int64 }

func (s *byTime) Len() int           { return len(s.ids) }
func (s *byTime) Less(i, j int) bool { return s.times[i] < s.times[j] }
func (s *byTime) Swap(i, j int) {
	s.ids[i], s.ids[j] = s.ids[j], s.ids[i]
	s.times[i], s.times[j] = s.times[j], s.times[i]
}
