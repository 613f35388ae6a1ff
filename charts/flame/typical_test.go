package flame

import (
	"fmt"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// The typical frame is that of those around which is nearest to what all panels call typical there,
// never the frame itself; where nobody knows that, there is none.
func TestTypicalOf(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	at := int64(0)
	for i := range 200 {
		ns := int64(16e6 + i*i%37*1e5)
		if i == 100 {
			ns = 75e6
		}
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: at, End: at + ns})
		at += ns
	}
	tr := s.Track(0)
	length := func(i int) int64 { f := tr.Frame(i); return f.End - f.Begin }
	for i := range 200 {
		k, ns := typicalOf(s, tr, i)
		if k == i || k < i-frames.Near || k > i+frames.Near || ns != s.Frames().Around(0, i).MedianNs {
			t.Fatalf("of frame %d: %d, %d ns", i, k, ns)
		}
		for j := max(0, i-frames.Near); j <= min(i+frames.Near, 199); j++ {
			if off := length(j) - ns; j != i && max(off, -off) < max(length(k)-ns, ns-length(k)) {
				t.Errorf("of frame %d: %d is further from %d ns than %d", i, k, ns, j)
			}
		}
	}
	alone := store.NewSession()
	alone.Apply(model.TrackDef{ID: 0, Name: "Main"})
	for i := range int64(5) {
		alone.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 1e6, End: i*1e6 + 1e6})
	}
	if k, _ := typicalOf(alone, alone.Track(0), 2); k != -1 {
		t.Errorf("where too few frames are to know, %d is typical", k)
	}
}

// The words of the typical frame name what is typical as the inspector does, and what they say of the
// frame is that frame's.
func TestTypicalWordsAreOfTheirFrame(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 400)
	v := rig.Env.View
	for _, i := range []int{20, 60, 107} {
		v.SelectFrames(i, i)
		f := New(model.NoCollector)
		rig.Tick(f)
		y, tr := &f.typical, v.Shown()
		ns := format.AppendDuration(nil, v.Session().Frames().Around(v.Track(), i).MedianNs)
		number := format.AppendCount(nil, tr.Frame(y.frame).Number)
		if said, want := string(f.appendTypical(rig.Env, nil, 0)), fmt.Sprintf("frame %s, nearest to the typical %s,", number, ns); !strings.HasPrefix(said, want) {
			t.Errorf("%q is not of %q", said, want)
		}
		took := format.AppendDuration(nil, int64(y.total))
		if said, want := string(f.appendTypical(rig.Env, nil, 1)), fmt.Sprintf("typical frame %s: %s ", number, took); !strings.HasPrefix(said, want) {
			t.Errorf("%q is not of %q", said, want)
		}
	}
}

// Below the graph the typical frame has the same scale and whole rows, and covers nothing.
func TestTypicalHasTheRoomThatIsLeft(t *testing.T) {
	for _, flip := range []bool{false, true} {
		for _, h := range []float32{60, 150, 200, 260, 360, 700} {
			rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, h)
			rig.Env.View.SelectFrames(107, 107)
			f := New(model.NoCollector)
			f.Flip = flip
			rig.Tick(f)
			y := &f.typical
			if room := f.room(rig.Env); room < f.rowHeight(rig.Env) && len(y.bars) > 0 || room > 60 && len(y.bars) == 0 {
				t.Fatalf("height %v: %d bars in a room of %v", h, len(y.bars), room)
			}
			plot, perPx := f.regions.plot, f.axis.NsPerPx(f.regions.plot)
			for _, b := range y.bars {
				if b.rect.Y0 < plot.Y0 || b.rect.Y1 > plot.Y1 {
					t.Fatalf("height %v: %v is cut by %v", h, b.rect, plot)
				}
				if wide := float64(b.rect.W()) * perPx; b.merged == 1 && (wide > b.total+2*perPx || wide < b.total-2*perPx) {
					t.Fatalf("height %v: %v ns wide, took %v", h, wide, b.total)
				}
				over := func(r draw.Rect) bool { return !r.Intersect(b.rect).Empty() }
				for _, of := range f.bars {
					if over(of.rect) {
						t.Fatalf("height %v: %v lies over %v", h, b.rect, of.rect)
					}
				}
				if over(y.words[0]) || over(y.words[1]) {
					t.Fatalf("height %v: %v lies over its words %v", h, b.rect, y.words)
				}
			}
			if len(y.bars) == 0 {
				continue
			}
			rows := map[float32]bool{}
			for _, b := range y.bars {
				rows[b.rect.Y0] = true
			}
			words := string(f.appendTypical(rig.Env, nil, 1))
			if cut := fmt.Sprintf(", %d of %d rows", len(rows), y.forest.rows); strings.HasSuffix(words, cut) != (len(rows) < y.forest.rows) {
				t.Errorf("height %v, upwards %v: %d of %d rows are there, “%s”", h, flip, len(rows), y.forest.rows, words)
			}
			r := y.bars[0].rect
			hit := f.HitTest(rig.Env, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
			if hit.Kind != panel.HitFrame || hit.Frame != y.frame {
				t.Errorf("height %v: over the typical frame %d: %v of frame %d", h, y.frame, hit.Kind, hit.Frame)
			}
		}
	}
}

// The word at the mark of the budget lies over no bar, and the mark crosses no words, at any height.
func TestTheBudgetsMarkCoversNothing(t *testing.T) {
	marked := 0
	for h := float32(60); h < 300; h += 6 {
		rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, h)
		rig.Env.View.SelectFrames(107, 107)
		budget := rig.Env.View.Shown().Frame(107)
		rig.Env.View.Look().SetFrameBudget((budget.End - budget.Begin) / 5)
		f := New(model.NoCollector)
		rig.Tick(f)
		rig.Tick(f)
		for _, text := range f.List().Texts() {
			if !strings.HasSuffix(text.Text, " Hz") {
				continue
			}
			marked++
			for _, b := range f.bars {
				if !b.rect.Intersect(text.Box).Empty() {
					t.Errorf("height %v: %q lies over the bar at %v", h, text.Text, b.rect)
				}
			}
		}
		target, y := draw.Color(rig.Env.Theme.Target), &f.typical
		for _, v := range f.List().Vertices {
			if v.A != 1 || int(v.R*255+0.5) != int(target.R) || int(v.G*255+0.5) != int(target.G) || int(v.B*255+0.5) != int(target.B) {
				continue
			}
			for i, r := range y.words {
				r.X1 = r.X0 + f.measureWords(rig.Env, i)
				if !r.Empty() && v.X > r.X0 && v.X < r.X1 && v.Y > r.Y0 && v.Y < r.Y1 {
					t.Errorf("height %v: the mark crosses the words at %v", h, r)
				}
			}
		}
	}
	if marked == 0 {
		t.Error("the budget is never told")
	}
}
