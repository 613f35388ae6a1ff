package cpuprofile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// publish sends the profile to the sink. broken is why the file was not read to its end, nil where it
// was.
func (p *profile) publish(path string, broken error) error {
	_, spoiled := errors.AsType[*trace.SpoiledError](broken)
	t := newTree(p, (broken == nil || spoiled) && p.refused == 0)
	info := model.Info{
		Source: "cpuprofile", Program: programOf(filepath.Base(path)), Peer: path, PID: -1, File: true,
		Version: "V8 CPU profile",
	}
	def := model.TrackDef{Name: "main", Main: true}
	if pid, tid, ok := thread(filepath.Base(path)); ok {
		info.Program, info.PID = fmt.Sprintf("node %d", pid), pid
		if tid > 0 {
			def.Name, def.Index = fmt.Sprintf("thread %d", tid), int(tid)
		}
	}
	p.sink.Define(info)
	w := trace.NewStackRuns(p.sink, p.room)
	track, _ := p.names.Track("", def)
	var err error
	p.countSamples(t, broken)
	if n := min(p.ids, p.times, len(p.samples)); n == 0 && p.counts() {
		err = p.count(t, track, &info)
	} else {
		if n > 0 && broken == nil {
			p.uneven = int64(p.ids - p.times)
		}
		p.play(t, w.Thread(track, def.Name), p.samples[:n], &info)
	}
	w.Close()
	p.sink.Define(info)
	p.tell(w, broken)
	return cmp.Or(err, cancelled(w), readError(broken))
}

func cancelled(w *trace.StackWriter) error {
	if w.Cancelled() {
		return feed.ErrCancelled
	}
	return nil
}

// readError returns why the file could not be read; invalid JSON is a loss in the session instead.
func readError(broken error) error {
	var cut *feed.ReadError
	if errors.As(broken, &cut) {
		return broken
	}
	return nil
}

// sample is one of the file's: the id of a node, and the distance from the one before in µs, or its time where times
// are absolute; play makes this a time in ns since the profile began.
type sample struct{ at, id int64 }

// play publishes samples with times.
func (p *profile) play(t *tree, th *trace.StackThread, list []sample, info *model.Info) {
	old := p.old || p.absolute
	start, n := p.start.of(old), len(list)
	sum, back, far, firstFar := int64(0), 0, int64(0), 0
	longest := p.longest(old, list)
	for i := range list {
		us := list[i].at
		can := bounded(us) == us && max(us, -us) <= longest
		if can && !p.absolute {
			us += sum
		}
		if can = can && bounded(us) == us; can {
			sum = us
		} else {
			if far++; far == 1 {
				firstFar = i
			}
		}
		list[i].at = sum * 1000
		if p.absolute {
			list[i].at -= start
		}
		if i > 0 && list[i].at < list[i-1].at {
			back++
		}
	}
	if far > 0 {
		p.sink.Define(model.Loss{
			Reason: model.LossMalformed, Track: model.NoTrack, N: far, Detail: fmt.Sprintf("invalid times of samples: "+
				"these samples are shown at the time of the one before; the first is sample %d", firstFar+1),
		})
	}
	if back > 0 {
		trace.SortRuns(list, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
		p.sink.Define(model.Warning{Text: fmt.Sprintf(
			"%d samples were written after later ones: they are shown in order of time.", back)})
	}
	if n > 0 && list[0].at < 0 { // before the profile began, as it says
		first := list[0].at
		for i := range list {
			list[i].at -= first
		}
		start += first
	}
	var space trace.Spacing
	idles, idleNs := 0, int64(0)
	end := p.until(list, p.end.of(old)-start)
	for i, x := range list {
		th.Sample(x.at, t.sample(x.id))
		if i > 0 {
			space.Add(x.at - list[i-1].at)
		}
		next := max(end, x.at)
		if i+1 < n {
			next = list[i+1].at
		}
		isIdle, known := t.isIdle(x.id)
		if !known {
			p.strange++
		}
		if isIdle {
			idles++
			idleNs += next - x.at
		}
	}
	if n > 0 {
		th.Stop(end)
	}
	space.Measured(&info.Sampling)
	info.Sampling.Idle = idles > 0
	info.Clock.StepNs = info.Sampling.MedianNs
	info.Detail = fmt.Sprintf("0 is %d µs of its clock", start/1000)
	if idles > 0 {
		info.Detail += fmt.Sprintf("; %d of %d samples, %d µs, found it idle", idles, n, idleNs/1000)
	}
}

// longest returns the largest plausible distance between neighbouring samples, in µs: the length of
// the profile, unless half of the distances are longer, which proves its end wrong. With absolute
// times there is no bound.
func (p *profile) longest(old bool, list []sample) int64 {
	lasts := (p.end.of(old) - p.start.of(old)) / 1000
	if p.absolute || lasts <= 0 {
		return math.MaxInt64
	}
	beyond := 0
	for i := range list {
		if us := list[i].at; us > lasts || us < -lasts {
			beyond++
		}
	}
	if 2*beyond >= len(list) {
		return math.MaxInt64
	}
	return lasts
}

// until returns when the newest of samples, which are in order, ends: when the profile does, as it says, unless that
// is far behind it.
func (p *profile) until(list []sample, end int64) int64 {
	const pause = 60e9 // ns, that the end may be behind the last sample in any case: a call may block its thread
	n := len(list)
	if n == 0 {
		return end
	}
	last, longest := list[n-1].at, int64(0)
	for i := range list[1:] {
		longest = max(longest, list[i+1].at-list[i].at)
	}
	if end > last+max(pause, last, 10*min(longest, math.MaxInt64/20)) {
		p.badEnd = true
		return last
	}
	return end
}

// bounded keeps sums of times from overflowing.
func bounded(us int64) int64 {
	const most = 1 << 51 / 1000 * 1000
	return min(max(us, -most), most)
}

// counts reports whether the tree counts samples.
func (p *profile) counts() bool {
	return slices.ContainsFunc(p.nodes, func(n node) bool { return n.hits > 0 })
}

// shows reports whether there is something to show of a file that is cut off.
func (p *profile) shows() bool { return len(p.nodes) > 0 && (p.counts() || p.ids > 0) }

// countSamples counts samples with missing times that the tree does not count.
func (p *profile) countSamples(t *tree, broken error) {
	if broken == nil || p.times > 0 || p.counts() {
		return
	}
	for _, s := range p.samples {
		if i, ok := t.byID[s.id]; ok {
			p.nodes[i].hits++
		}
	}
}

// count publishes the counts of the tree, where there are no samples.
func (p *profile) count(t *tree, track model.TrackID, info *model.Info) error {
	info.Sampling.Timeless = true
	info.Detail = "samples without times"
	p.sink.Define(*info)
	all := trace.NewWeighted(p.room, trace.WeightKind{Name: model.WeightSamples})
	for i := range p.nodes {
		if n := &p.nodes[i]; n.hits > 0 && n.kind != idle {
			t.define(int32(i))
			switch {
			case n.hits == noCount:
				p.noCount.Add(n.at)
			case all.Add(track, n.path, n.hits) != nil:
				p.tooMany++
			}
		}
	}
	return all.Publish(p.sink)
}

// tell defines the losses with their reasons.
func (p *profile) tell(w *trace.StackWriter, broken error) {
	losses := trace.Losses{Define: p.sink.Define}
	lose := losses.Lose
	losses.LoseRest(broken)
	lose(model.LossMalformed, max(p.uneven, 0), "there are more samples than times: the last samples are left out")
	lose(model.LossMalformed, max(-p.uneven, 0), "there are more times than samples: the last times are left out")
	if p.badEnd {
		lose(model.LossMalformed, 1, "the end of the profile (endTime) is invalid or far after its last sample: it ends there")
	}
	p.noCount.Tell(p.sink.Define, model.LossMalformed, "hit counts are not numbers, or more than 2^53: they are left out")
	p.tellTree()
	lose(model.LossMalformed, p.strange, "samples refer to unknown nodes: shown as (unknown)")
	lose(model.LossLimit, p.tooMany, trace.LeftOut)
	lose(model.LossLimit, p.refused, p.room.FullOfNames("there are too many calls in the tree: further ones are left out"))
	noRoom := func(n int64, what string) {
		lose(model.LossLimit, n, p.room.FullOfData("memory has no room for more "+what+": further ones are left out"))
	}
	noRoom(int64(max(p.ids, p.times)-len(p.samples)), "samples")
	noRoom(p.unnamed, "callers of calls")
	lose(model.LossLimit, p.beyond, fmt.Sprintf("there are more than %d callers of calls: further ones are left out", maxEdges))
	lose(model.LossLimit, w.Refused, fmt.Sprintf("stacks deeper than %d frames are shown without their innermost part", trace.MaxDepth))
	lose(model.LossMalformed, p.odd, fmt.Sprintf(
		"calls have several callers, or call themselves in a circle: the first caller counts; the first is that with the id %d", p.oddID))
	p.names.Tell()
	if p.ticks > 0 {
		p.sink.Define(model.Warning{Text: fmt.Sprintf(
			"Not shown from the file: the lines at which %d functions were sampled.", p.ticks)})
	}
}
