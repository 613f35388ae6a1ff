package overview

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
)

// gappy returns a strip of many frames, merged into columns, of which some are missing before frames
// that are nowhere at the edge of a column: between 1 and 40, more and more.
func gappy(t *testing.T, scale float64) (env *panel.Env, fs *FrameStrip, missing int64) {
	t.Helper()
	w, number, at := chartstest.NewWriter(5), int64(0), int64(0)
	for i := range int64(4000) {
		if i%97 == 45 {
			n := i / 97
			number, at, missing = number+n, at+n*16_000_000, missing+n
		}
		w.Begin(chartstest.TMain, number, at, at+15_000_000)
		w.End()
		number, at = number+1, at+16_000_000
	}
	env = chartstest.NewEnv(w.S, scale)
	fs = stripOn(env)
	if _, merge := stripLevel(env, fs.level); merge < 4 {
		t.Fatalf("%d frames a column: nothing is merged", merge)
	}
	return env, fs, missing
}

// TestMissingFramesOfAPixelAreHatched checks that all gaps that have a pixel are hatched between the
// frames that they are between, wherever columns begin, and that all others make a mark.
func TestMissingFramesOfAPixelAreHatched(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		env, fs, missing := gappy(t, scale)
		tr, hatched, marked := env.View.Shown(), int64(0), int64(0)
		pitch, merge := stripLevel(env, fs.level)
		for i := range fs.columns {
			switch c := &fs.columns[i]; {
			case c.gap && (c.x1-c.x0 < 1 || i == 0 || fs.columns[i-1].gap || tr.Frame(int(c.bar.First)).Missing != c.bar.Missing):
				t.Fatalf("scale %v: gap %+v", scale, c)
			case c.gap:
				hatched += c.bar.Missing
			default:
				for k := c.bar.First + 1; k < c.bar.First+c.bar.Count; k++ {
					if n := tr.Frame(int(k)).Missing; float32(n)*pitch/float32(merge) >= env.Px(1) {
						t.Errorf("scale %v: %d frames are missing within column %+v", scale, n, c)
					}
				}
				marked += c.narrow
			}
		}
		if hatched == 0 || marked == 0 || hatched+marked != missing {
			t.Errorf("scale %v: %d of %d missing frames are hatched, %d make marks", scale, hatched, missing, marked)
		}
	}
}

// TestMarksOfMissingFramesHaveTips checks that a column has a mark exactly where its tooltip says that
// frames are missing, and that times in a gap lie in its hatching.
func TestMarksOfMissingFramesHaveTips(t *testing.T) {
	env, fs, _ := gappy(t, 1)
	tr := env.View.Shown()
	marks := map[float32]bool{} // by where they begin: 3 px high, at the top
	for q := fs.List().Vertices; len(q) >= 4; q = q[4:] {
		if q[0].Y == fs.plot.Y0 && q[2].Y == fs.plot.Y0+3 {
			marks[min(q[0].X, q[2].X)] = true
		}
	}
	for i := range fs.columns {
		c := &fs.columns[i]
		if c.gap {
			begin, end := tr.Frame(int(c.bar.First)-1).End, tr.Frame(int(c.bar.First)).Begin
			if x := fs.xOfTime(tr, begin/2+end/2); x < c.x0 || x > c.x1 {
				t.Errorf("the middle of %+v lies at %v", c, x)
			}
			continue
		}
		hit, said := fs.HitTest(env, (c.x0+c.x1)/2, 40), false
		for _, line := range hit.Lines {
			said = said || len(line) > 7 && line[:7] == "missing"
		}
		if said != (c.narrow > 0) || marks[c.x0] != said {
			t.Errorf("%+v: marked %v, the tooltip says so: %v", c, marks[c.x0], said)
		}
	}
}
