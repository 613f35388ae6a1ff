package overview

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// framesOf is a session whose frames take as long as said.
func framesOf(lengths ...int64) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	at := int64(0)
	for i, ns := range lengths {
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: at, End: at + ns})
		at += ns
	}
	return s
}

// The axis is one for games, unless all that is shown lies elsewhere; a hitch is never cut off.
func TestFrameStripAxis(t *testing.T) {
	usual := format.LogNs{Lo: axisLoNs, Hi: axisHiNs}
	for name, c := range map[string]struct {
		lengths []int64
		want    format.LogNs
	}{
		"60 Hz":             {[]int64{16e6, 16e6, 16e6, 17e6}, usual},
		"60 Hz and a hitch": {[]int64{16e6, 16e6, 16e6, 75e6}, usual},
		"a second's stall":  {[]int64{16e6, 16e6, 16e6, 1e9}, format.LogNs{Lo: axisLoNs, Hi: 16 * axisHiNs}},
		"1000 Hz":           {[]int64{1e6, 1e6, 1.1e6, 1e6}, format.LogNs{Lo: axisLoNs / 16, Hi: axisHiNs / 16}},
		"one a second":      {[]int64{1e9, 1e9, 1e9}, format.LogNs{Lo: 32 * axisLoNs, Hi: 256 * axisLoNs}},
	} {
		env := chartstest.NewEnv(framesOf(c.lengths...), 1)
		env.View.Tick(1, false)
		fs := stripOn(env)
		if fs.axis != c.want {
			t.Errorf("%s: %+v, want %+v", name, fs.axis, c.want)
		}
		for i := range fs.columns {
			if ns := fs.columns[i].bar.WorstNs; ns > fs.axis.Hi {
				t.Errorf("%s: %d ns is beyond the axis", name, ns)
			}
		}
	}
}

// Every frame that stands out has a mark on it, or one near it on a worse one.
func TestFrameStripMarks(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(3000), 1)
	fs := stripOn(env)
	if len(fs.marks) == 0 {
		t.Fatal("no marks")
	}
	c := &fs.columns[fs.marks[0].column]
	if hit := fs.HitTest(env, (c.x0+c.x1)/2, fs.rect.Y0+4); !slices.Contains(hit.Lines, "thread\t"+env.View.Shown().Title()) {
		t.Errorf("a mark does not say of which thread it is: %q", hit.Lines)
	}
	v := env.View
	v.SelectCollector(2)
	in := chartstest.MouseAt((c.x0+c.x1)/2+3, fs.rect.Y0+4) // beside its column, which is narrower
	in.Left = panel.Button{Down: true, Pressed: true, DownX: in.X, DownY: in.Y}
	if want := int(c.bar.Worst); fs.HitTest(env, in.X, in.Y).Frame != want {
		t.Errorf("the mark of frame %d is over %d", want, fs.HitTest(env, in.X, in.Y).Frame)
	} else if fs.tick(env, in); v.FrameA() != want || v.FrameB() != want || v.Collector() != model.NoCollector {
		t.Errorf("a press on it selects frames %d to %d and collector %d", v.FrameA(), v.FrameB(), v.Collector())
	}
	fs = stripOn(env)
	for i := range fs.columns {
		c := &fs.columns[i]
		near := slices.ContainsFunc(fs.marks, func(m stripMark) bool {
			at := &fs.columns[m.column]
			return at.bar.WorstNs >= c.bar.WorstNs && at.x0-c.x0 < markPx && c.x0-at.x0 < 2*markPx
		})
		marked := slices.ContainsFunc(fs.marks, func(m stripMark) bool { return m.column == i })
		if hitch := c.hitch; hitch && !near || marked && !hitch {
			t.Errorf("column %d of %d ns: marked %v, one near it %v", i, c.bar.WorstNs, marked, near)
		}
	}
}

// The body of a column is what is typical of its frames: a hitch among them does not lift it.
func TestFrameStripMedians(t *testing.T) {
	s := chartstest.SessionOf(3000)
	tr := s.Track(chartstest.TMain)
	for _, merge := range []int{1, 2, 7, 16, 31} {
		var bars []frames.Bar
		for _, b := range s.Frames().Bars(chartstest.TMain, 0, merge, 4000, bars) {
			var d []int64
			for i := b.First; i < b.First+b.Count; i++ {
				f := tr.Frame(int(i))
				d = append(d, f.End-f.Begin)
			}
			slices.Sort(d)
			if want := d[(len(d)-1)/2]; b.MedianNs != want || b.Sampled() {
				t.Fatalf("the median of %d frames is %d, want %d", b.Count, b.MedianNs, want)
			}
		}
	}
	for _, b := range s.Frames().Bars(chartstest.TMain, 0, 500, 10, nil) {
		if !b.Sampled() || b.MedianNs <= 0 || b.MedianNs >= b.WorstNs {
			t.Errorf("of %d frames: median %d, worst %d", b.Count, b.MedianNs, b.WorstNs)
		}
	}
}
