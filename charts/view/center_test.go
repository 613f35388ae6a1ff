package view

import (
	"math"
	"testing"
)

// F centres the selection, then fits it, then what it is part of, with frames and without.
func TestCenterSelection(t *testing.T) {
	for name, s := range map[string]*View{"frames": viewOf(game()), "spans": viewOf(trace())} {
		t.Run(name, func(t *testing.T) {
			v := s
			b := spanOf(t, v.Session(), tMain, cApp, 3)
			v.Steer().ZoomTo(b.Begin-3*ms, b.End+30*ms)
			v.SelectSpanAt(b, b.Begin)
			width := v.Time().Width()
			v.Steer().CenterSelection()
			if w := v.Time(); w.Width() != width {
				t.Errorf("centred, %v is %v wide, was %v", w, w.Width(), width)
			}
			v.Steer().CenterSelection()
			if w, want := v.Time(), v.Steer().padded(b.Begin, b.End); w != want {
				t.Errorf("fitted, %v is in view, want the span in %v", w, want)
			}
			v.Steer().CenterSelection()
			want := v.Steer().padded(b.Begin, b.End)
			if v.HasRange() {
				want = v.Steer().padded(v.RangeA(), v.RangeB())
			}
			if w := v.Time(); w != want {
				t.Errorf("then %v is in view, want %v", w, want)
			}
		})
	}
}

// A time that is in view stays where it is, and none is centred beyond the data.
func TestRevealStaysWithinTheData(t *testing.T) {
	v := viewOf(game())
	begin, end, _ := v.Session().Bounds()
	v.Steer().PlaceTime(begin, begin+40*ms)
	was := v.Time()
	v.Steer().Reveal(begin + 1*ms)
	if v.Time() != was {
		t.Errorf("%v moved to %v", was, v.Time())
	}
	for _, at := range []int64{end, begin, end - 3*ms} {
		v.Steer().Reveal(at)
		w := v.Time()
		if w.BeginNs < float64(begin) || w.EndNs > float64(end) || float64(at) < w.BeginNs || float64(at) > w.EndNs {
			t.Errorf("%d: %v is in view of %d to %d", at, w, begin, end)
		}
	}
}

// What is gone to by its name or figures is wholly in view, with room at its sides, and wide enough to
// be looked at; where it is that already the scale stays.
func TestGoToFitsWhatIsTooWideOrTooNarrow(t *testing.T) {
	for name, s := range map[string]*View{"frames": viewOf(game()), "spans": viewOf(trace())} {
		b := spanOf(t, s.Session(), tMain, cApp, 3)
		begin, end := b.Begin, b.End
		goTo := func() { s.GoToSpan(b) }
		if name == "frames" {
			f := s.Session().Track(tMain).Frame(3)
			begin, end = f.Begin, f.End
			goTo = func() { s.GoToFrame(3) }
		}
		long := float64(end - begin)
		for width, keeps := range map[float64]bool{long / 4: false, long * 2: true, long * 20: true, long * 100: false} {
			s.Steer().PlaceTime(begin-int64(width), begin)
			if width < long {
				s.Steer().PlaceTime(begin+1, begin+int64(width)) // a part of it is in view
			}
			was := s.Time().Width()
			goTo()
			w := s.Time()
			if w.BeginNs > float64(begin) || w.EndNs < float64(end) {
				t.Errorf("%s, %v wide: %v is in view of %d to %d", name, width, w, begin, end)
			}
			kept := math.Abs(w.Width()/was-1) < 1e-6
			if share := long / w.Width(); kept != keeps || !keeps && (share < 0.5 || share > 0.9) {
				t.Errorf("%s, %v wide: %v wide now, it takes %v of that", name, was, w.Width(), share)
			}
		}
	}
}
