package report

import (
	"bufio"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// compatTrack is a thread's views as in the official program.
type compatTrack struct {
	times, levels         *decode.View
	seenTimes, seenLevels map[int]bool
}

// writeCompat prints frames with the official program's own arithmetic, on the events as they were
// sent.
func writeCompat(out *bufio.Writer, c *scope, o *Options) error {
	p := &framePrinter{out: out, s: c.s, o: o}
	raw := o.Events
	threads := map[int]*compatTrack{}
	return c.each(func(track model.TrackID, i int) error {
		t := c.s.Track(track)
		number := int32(t.Frame(i).Number)
		f := raw.FrameOf(t.Def.Index, number)
		if f == nil {
			return nil // the decoder keeps frames that the official program treats as repetitions
		}
		ct := threads[t.Def.Index]
		if ct == nil {
			ct = &compatTrack{
				times: decode.NewView(raw, false), levels: decode.NewView(raw, true),
				seenTimes: map[int]bool{}, seenLevels: map[int]bool{},
			}
			threads[t.Def.Index] = ct
		}
		ct.times.Update(f)
		for _, e := range f.Events {
			ct.see(raw, ct.seenTimes, int(e.Word&^pstats.StopBit))
		}
		ct.levels.Update(f)
		for _, l := range f.Levels {
			ct.see(raw, ct.seenLevels, int(l.Collector))
		}
		p.header(t.Title(), int64(number), ct.total(), decode.FrameRate(raw, t.Def.Index, number))
		if o.Raw {
			p.raw(f)
		}
		for _, c := range ct.times.Children(0) {
			p.compat(ct.times, ct.seenTimes, c, 1, false)
		}
		top := slices.Clone(ct.levels.Children(0))
		slices.Sort(top)
		for _, c := range top {
			p.compat(ct.levels, ct.seenLevels, c, 1, true)
		}
		return nil
	})
}

// see notes that a collector and those above it have values on the thread.
func (ct *compatTrack) see(raw *sessionfile.Raw, seen map[int]bool, c int) {
	for !seen[c] {
		def, ok := raw.Collector(c)
		if !ok {
			return
		}
		seen[c] = true
		c = int(def.Parent)
	}
}

// total is the sum of all self times, printed as the time of the frame.
func (ct *compatTrack) total() (seconds float64) {
	for c := range ct.seenTimes {
		seconds += ct.times.Self(c)
	}
	return seconds
}

func (p *framePrinter) compat(v *decode.View, seen map[int]bool, c, depth int, level bool) {
	if !seen[c] {
		return
	}
	value := v.Net(c)
	if !level {
		value *= 1000
	}
	b := p.value(model.CollectorID(c), depth, value)
	if b = append(b, ' '); level {
		b = append(b, p.s.Collector(model.CollectorID(c)).Unit...)
	} else {
		b = append(b, "ms"...)
	}
	p.flush(append(b, '\n'))
	for _, kid := range v.Children(c) {
		p.compat(v, seen, kid, depth+1, level)
	}
}
