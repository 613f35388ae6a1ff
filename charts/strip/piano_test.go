package strip

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

func TestGoldenPiano(t *testing.T) {
	s := chartstest.NewSession(t)
	geom := func(rig *chartstest.Rig) {
		rig.Env.View.SelectFrames(107, 107)
		rig.Env.View.SelectCollector(chartstest.CGeom)
	}
	gap := func(rig *chartstest.Rig) {
		rig.Env.View.SetPlayhead(s.Track(chartstest.TMain).Frame(chartstest.TestGapAfter).End + 60e6)
	}
	chartstest.Titled(t,
		look{Name: "piano_frame", S: s, W: 720, H: 420, Panel: NewPiano(model.NoTrack), Set: geom},
		look{Name: "piano_frame_2x", S: s, W: 720, H: 420, Panel: NewPiano(model.NoTrack), Set: geom, Scale: 2},
		look{Name: "piano_gap", S: s, W: 560, H: 320, Panel: NewPiano(model.NoTrack), Set: gap},
		look{Name: "piano_empty", S: store.NewSession(), W: 560, H: 200, Panel: NewPiano(model.NoTrack)})
}

func TestPianoHitTestFindsEveryBar(t *testing.T) {
	rig, p := pianoRig(chartstest.NewSession(t), 900, 600, 107)
	testkit.MustThat(t, len(p.bars) >= 20, "%d bars", len(p.bars))
	runs := int32(0)
	for i := range p.bars {
		b := &p.bars[i]
		runs += b.merged
		h := p.HitTest(rig.Env, (b.rect.X0+b.rect.X1)/2, (b.rect.Y0+b.rect.Y1)/2)
		if h.Rect != b.rect || h.Collector != p.rows[b.row].collector || (h.Kind == panel.HitMerged) != (b.merged > 1) {
			t.Fatalf("bar %d at %v: hit %v at %v", i, b.rect, h.Kind, h.Rect)
		}
		testkit.MustThat(t, i <= 0 || p.bars[i-1].row != b.row || b.rect.X0 >= p.bars[i-1].rect.X1,
			"bar %d overlaps the one before", i)
	}
	testkit.That(t, int(runs) == len(p.runs), "%d runs in bars, %d in the frame", runs, len(p.runs))
	// labels
	for row := range p.rows {
		h := p.HitTest(rig.Env, 20, p.rowY(rig.Env, row)+5)
		testkit.MustThat(t, h.Kind == panel.HitCollector && h.Collector == p.rows[row].collector,
			"label of row %d: %v of collector %d", row, h.Kind, h.Collector)
	}
}

func TestPianoRowsAreTheOfficialOrder(t *testing.T) {
	s := chartstest.NewSession(t)
	rig, p := pianoRig(s, 900, 600, 107)
	for i := 1; i < len(p.rows); i++ {
		a, b := s.Collector(p.rows[i-1].collector), s.Collector(p.rows[i].collector)
		testkit.That(t, a.Sort >= b.Sort && p.rowY(rig.Env, i-1) > p.rowY(rig.Env, i),
			"%s (sort %d) is not below %s (sort %d)", a.Name, a.Sort, b.Name, b.Sort)
	}
}

func TestPianoShowsStartsApart(t *testing.T) {
	s := chartstest.Named("Frame", "Task")
	b := model.Batch{HasFrame: true, Number: 7, Begin: 5e9, End: 5e9 + 10e6}
	for i := range int64(3) { // back to back
		b.Spans = append(b.Spans, model.Span{Begin: 5e9 + i*2e6, End: 5e9 + (i+1)*2e6, Path: 2})
	}
	s.Append(&b)
	rig, p := pianoRig(s, 900, 300, 0)
	testkit.MustThat(t, len(p.bars) == 3, "%d bars for three starts", len(p.bars))
	for i := range 2 {
		gap := p.bars[i+1].rect.X0 - p.bars[i].rect.X1
		testkit.That(t, gap >= 1, "%v px between bars %d and %d", gap, i, i+1)
	}
	h := p.HitTest(rig.Env, p.bars[1].rect.X0+5, p.bars[1].rect.Y0+5)
	want := []string{"Task (2.00 ms)", "run 2 of 3 · 6.00 ms in all", "from 2.00 ms to 4.00 ms in the frame"}
	testkit.That(t, slices.Equal(h.Lines, want), "the tooltip says %q", h.Lines)
	a := rig.DoubleClick(p, p.bars[1].rect.X0+5, p.bars[1].rect.Y0+5)
	testkit.That(t, a.Kind == panel.ActionOpenStrip && a.Collector == 1, "a double click asks for %v", a.Kind)
}

func TestPianoInterpolatesBetweenNeighbours(t *testing.T) {
	s := chartstest.Named("Frame", "Task")
	frame := func(number, begin, from, to int64) {
		spans := []model.Span{{Begin: begin + from, End: begin + to, Path: 2}}
		s.Append(&model.Batch{HasFrame: true, Number: number, Begin: begin, End: begin + 10e6, Spans: spans})
	}
	frame(1, 1e9, 0, 2e6)
	frame(5, 1e9+50e6, 4e6, 8e6)
	rig := chartstest.NewRig(s, 1, 900, 300)
	rig.Env.View.SetPlayhead(1e9 + 20e6) // a quarter of the way from 10 ms to 50 ms
	p := NewPiano(model.NoTrack)
	rig.Tick(p)
	testkit.MustThat(t, len(p.runs) == 1 && p.runs[0].Begin == 1e6 && p.runs[0].End == 3.5e6, "runs %+v", p.runs)
	if h := p.HitTest(rig.Env, p.bars[0].rect.X0+3, p.bars[0].rect.Y0+3); h.Frame != -1 || h.Lines[len(h.Lines)-1] != "interpolated between the frames before and after the gap" {
		t.Errorf("frame %d, %q", h.Frame, h.Lines)
	}
	rig.Env.View.Look().SetShowInterpolated(false)
	if rig.Tick(p); len(p.bars) != 0 {
		t.Error("bars though interpolation is off")
	}
}

// TestLivePianoFollows runs a game and a piano roll together: it shows the newest frame, four times a
// second another one, as the figures of all panels are.
func TestLivePianoFollows(t *testing.T) {
	g, rig := chartstest.NewLiveRig(20, 200, 900, 400)
	piano := NewPiano(model.NoTrack)
	number, atNs, times := int64(0), int64(-panel.LiveValuesNs), 0
	for range 120 {
		g.Frame()
		rig.Move(piano, 500, 200)
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		if made := !panel.Stands(rig.Env, atNs); made {
			number, atNs, times = newest.Number, rig.Env.NowNs, times+1
		}
		if piano.source.number != number || piano.source.durNs != newest.End-newest.Begin && number == newest.Number {
			t.Fatalf("the roll shows frame %d, of the moment is %d", piano.source.number, number)
		}
	}
	testkit.That(t, times >= 4 && times <= 12, "%d frames of 2 s were shown", times)
}

// Where frames overlap a bar is of the span that came with the frame that is shown, also where one of
// the other's began at the same time.
func TestBarsAreOfTheirOwnFrame(t *testing.T) {
	s := chartstest.Named("Frame", "Draw")
	for k, end := range []int64{10_000, 15_000} {
		s.Append(&model.Batch{
			HasFrame: true, Number: int64(k), Begin: int64(k) * 5_000, End: end,
			Spans: []model.Span{{Begin: 5_000, End: end - 2_000, Path: 2, Lane: uint16(k)}},
			Self:  []model.CollectorTime{{Collector: 1, Ns: end - 7_000, Count: 1}},
		})
	}
	rig := chartstest.NewRig(s, 1, 600, 200)
	for k, end := range []int64{8_000, 13_000} {
		rig.Env.View.SelectFrames(k, k)
		p := NewPiano(model.NoTrack)
		rig.Tick(p)
		testkit.MustThat(t, len(p.bars) == 1, "frame %d has %d bars", k, len(p.bars))
		b, ok := p.spanOf(rig.Env, 0)
		testkit.That(t, ok && b.End == end && int(b.Ref.Lane) == k,
			"frame %d: the bar is of %+v (%v), want the one that ends at %d", k, b, ok, end)
	}
}

// pianoRig is a window with a piano roll of a frame.
func pianoRig(s *store.Session, w, h float32, frame int) (*chartstest.Rig, *Roll) {
	rig, p := chartstest.NewRig(s, 1, w, h), NewPiano(model.NoTrack)
	rig.Env.View.SelectFrames(frame, frame)
	rig.Tick(p)
	return rig, p
}
