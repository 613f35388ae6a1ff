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
type compatTrack struct{ times, levels compatView }

// compatView is a view, and which collectors have values.
type compatView struct {
	*decode.View
	seen map[int]bool
}

// Net implements tree.
func (v compatView) Net(c model.CollectorID) (net float64, ok bool) {
	return v.View.Net(int(c)), v.seen[int(c)]
}

// Children implements tree.
func (v compatView) Children(c model.CollectorID) (list []model.CollectorID) {
	for _, child := range v.View.Children(int(c)) {
		list = append(list, model.CollectorID(child))
	}
	return list
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
				compatView{decode.NewView(raw, false), map[int]bool{}}, compatView{decode.NewView(raw, true), map[int]bool{}},
			}
			threads[t.Def.Index] = ct
		}
		ct.times.Update(f)
		for _, e := range f.Events {
			ct.times.see(raw, int(e.Word&^pstats.StopBit))
		}
		ct.levels.Update(f)
		for _, l := range f.Levels {
			ct.levels.see(raw, int(l.Collector))
		}
		seconds := ct.total()
		p.header(t.Title(), int64(number), seconds, decode.FrameRate(raw, t.Def.Index, number), seconds)
		if o.Raw {
			p.raw(f)
		}
		for _, c := range ct.times.Children(0) {
			p.branch(ct.times, c, 1, false)
		}
		top := ct.levels.Children(0)
		slices.Sort(top)
		for _, c := range top {
			p.branch(ct.levels, c, 1, true)
		}
		return nil
	})
}

// see notes that a collector and those above it have values on the thread.
func (v compatView) see(raw *sessionfile.Raw, c int) {
	for !v.seen[c] {
		def, ok := raw.Collector(c)
		if !ok {
			return
		}
		v.seen[c] = true
		c = int(def.Parent)
	}
}

// total is the sum of all self times, printed as the time of the frame.
func (ct *compatTrack) total() (seconds float64) {
	for c := range ct.times.seen {
		seconds += ct.times.Self(c)
	}
	return seconds
}
