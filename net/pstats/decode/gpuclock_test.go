package decode

import (
	"fmt"
	"testing"

	"framescope/model"
	"framescope/net/pstats"
)

// TestClockOfAGPU sends a main thread and the GPU of an old client, whose clock is elsewhere,
// drifts and loses frames: its frames are shown where those of the main thread with the same
// numbers are, their durations as they were sent.
func TestClockOfAGPU(t *testing.T) {
	const frames = 400
	for _, c := range []struct {
		name  string
		ahead func(n int) float64 // seconds by which the GPU's clock is ahead
		late  int                 // frames by which the GPU's arrive later
		moved bool
	}{
		{"0.84 s ahead", func(int) float64 { return 0.84 }, 3, true},
		{"0.84 s ahead, frames at once", func(int) float64 { return 0.84 }, 0, true},
		{"5,000 s ahead", func(int) float64 { return 5000 }, 3, true},
		{"behind", func(int) float64 { return -0.5 }, 3, true},
		{"drifts by 12 ms a second", func(n int) float64 { return 0.84 + 0.0002*float64(n) }, 3, true},
		{"starts anew", func(n int) float64 { return 0.84 + 3*float64(n/200) }, 3, true},
		{"in step", func(int) float64 { return 0.012 }, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, d := decoding()
			d.Threads(0, []string{"Main", "NVIDIA GeForce GTX 1050/PCIe/SSE2"})
			begin := func(n int) float64 { return 10 + float64(n)/60 }
			for n := range frames + c.late {
				if n < frames && n%50 != 7 { // some are lost
					at := begin(n)
					d.Frame(bare(0, n, float32(at), float32(at+0.016)), 0)
				}
				if k := n - c.late; k >= 0 && k%37 != 5 {
					at := begin(k) + c.ahead(k) + 0.0005*float64(k%3)
					d.Frame(&pstats.Frame{Thread: 1, Number: uint32(k), Events: []pstats.Event{
						{Word: 0, Time: float32(at)}, {Word: 1, Time: float32(at + 0.002)}, {Word: 1 | pstats.StopBit, Time: float32(at + 0.008)}, {Word: pstats.StopBit, Time: float32(at + 0.010)},
					}}, 0)
				}
			}
			d.Close("")
			main, gpu := s.Session.Track(0), s.Session.Track(1)
			if gpu.Def.OwnClock || gpu.Def.Kind != model.TrackGPU || (gpu.Def.ShiftNs != 0) != c.moved {
				t.Errorf("the GPU's track: %+v", gpu.Def)
			}
			if id := s.Session.MainTrack(); id != main.Def.ID {
				t.Errorf("track %d is looked at first", id)
			}
			far, shared := 0, 0
			for i := range gpu.NumFrames() {
				g := gpu.Frame(i)
				if length := g.End - g.Begin; length < 9e6 || length > 11e6 {
					t.Fatalf("frame %d of the GPU takes %d ns", g.Number, length)
				}
				k, ok := main.FrameByNumber(g.Number)
				if !ok {
					continue
				}
				shared++
				if off := g.Begin - main.Frame(k).Begin; c.moved && abs(off) > 40e6 || !c.moved && abs(off-12.5e6) > 1e6 {
					far++
				}
			}
			if most := map[bool]int{true: clockFrames, false: 0}[c.name == "starts anew"]; far > most || shared < 300 {
				t.Errorf("%d of %d frames are not where those of the main thread are", far, shared)
			}
			if b, e, _ := s.Session.Bounds(); e-b > 7.5e9 {
				t.Errorf("the session takes %s", fmt.Sprint(e-b))
			}
			if n := s.Losses(); n != [model.NumLossReasons]int64{} {
				t.Errorf("losses %v", n)
			}
		})
	}
}

// TestClockOfAGPUAlone sends frames of numbers that the main thread never has: nothing says where
// they belong.
func TestClockOfAGPUAlone(t *testing.T) {
	s, d := decoding()
	d.Threads(0, []string{"Main", "NVIDIA GeForce GTX 1050/PCIe/SSE2"})
	for n := range 10 {
		for thread, at := range []float32{1, 5000} {
			d.Frame(bare(thread, n+100*thread, at+float32(n), at+float32(n)+0.5), 0)
		}
	}
	d.Close("")
	if def := s.Session.Track(1).Def; !def.OwnClock || def.ShiftNs != 0 {
		t.Errorf("%+v", def)
	}
	if id := s.Session.MainTrack(); id != 0 {
		t.Errorf("track %d is looked at first", id)
	}
}
