package frametimes

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
)

// TestLong reads states and names of programs that are too long.
func TestLong(t *testing.T) {
	const head, row = "Application,ProcessID,SwapChainAddress,PresentMode,CPUStartTime,FrameTime\n", "a,1,0,Flip,0,10\n"
	long := strings.Repeat("x", 5000)
	s := feedtest.Made(t, Source{}, "made.csv", head+row+"a,1,0,"+long+",10,10\n")
	testkit.That(t, s.Track(0).NumFrames() == 2 && len(s.Diagnostics()) == 0, "a state: %+v", s.Diagnostics())
	s = feedtest.Made(t, Source{}, "made.csv", head+row+long+",1,0,Flip,20,10\n")
	d := s.Diagnostics()
	testkit.That(t, s.Track(0).NumFrames() == 1 && len(d) == 1 && d[0].Kind == "many-threads" && d[0].Place == "line 3", "a program: %+v", d)
}

// TestPieces reads each case as it comes, also with pauses: what it has is the same.
func TestPieces(t *testing.T) {
	for _, text := range feedtest.CaseTexts(t) {
		want := facts(inPieces([]byte(text), len(text)+1, false))
		testkit.Equal(t, facts(inPieces([]byte(text), 7, false)), want, "%s\nin pieces", text)
		if !strings.Contains(text, "dwm.exe") { // rows that are late are lost, where what was there is shown
			testkit.Equal(t, facts(inPieces([]byte(text), 64, true)), want, "%s\nwith pauses", text)
		}
	}
}

// BenchmarkOpen reads tables of 100,000 frames: the file alone, and into a session.
func BenchmarkOpen(b *testing.B) {
	const rows = 100_000
	var pm, hud strings.Builder
	pm.WriteString("Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType," +
		"CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,AnimationError,ClickToPhotonLatency\n")
	hud.WriteString("fps,frametime,cpu_load,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,elapsed\n")
	for i := range rows {
		fmt.Fprintf(&pm, "game.exe,4321,0x1E5A0,DXGI,0,512,1,Hardware: Independent Flip,Application,%.4f,6.9444,5.%04d,1.0000,0.8529,"+
			"5.5144,5.0752,0.4392,0.0000,32.7296,6.9440,%.4f,NA\n", float64(i)*6.9444, i%10000, float64(i%7)-3)
		fmt.Fprintf(&hud, "144.0012,6.9444,%d,97,61,70,1800,1000,3.1,120.5,9.13,%d\n", i%100, int64(i+1)*6944400)
	}
	feedtest.BenchOpen(b, Source{}, "presentmon.csv", pm.String())
	feedtest.BenchOpen(b, Source{}, "mangohud.csv", hud.String())
}

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"mangohud-0.6.8-interval100-versioned", "byhand-capframex-comments", "byhand-presentmon-v2-two-apps", "byhand-generic-semicolon-comma", "presentmon-2.5-case0"} {
		data := recordings.Read(f, recordings.FrameTimes, name+".csv")
		f.Add(uint8(3), data[:min(len(data), 4000)])
	}
	f.Add(uint8(0), []byte("t,frametime\n0,1\n5,1e300\n4,-2\nt,frametime\n9e99,3\n0,NA\n1,1\n"))
	f.Add(uint8(9), []byte("timestamp;a;mode\n2026-11-21 22:59:59.98;1,5;x\n2026-11-21 22:59:59.99;;y\n"))
	f.Add(uint8(5), []byte("thread_id,thread,frame,begin_ns,duration_ns,spans,missing\n0,Main,1,10,16,2,0\n1,GPU,1,9,4,2,0\n0,Main,2,26,90,1,0\n"))
	for _, text := range feedtest.CaseTexts(f) {
		f.Add(uint8(13), []byte(text))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		read := func(step int) string {
			k := feedtest.NewRuled(t)
			k.Also = func(b *model.Batch) {
				at := [2]int64{math.MinInt64, math.MinInt64}
				for _, s := range b.Spans {
					testkit.MustThat(t, s.Begin >= at[s.Lane] && (!b.HasFrame || s.End <= b.End),
						"a span %+v in the frame from %d to %d, %d before it", s, b.Begin, b.End, at[s.Lane])
					at[s.Lane] = s.End
				}
			}
			_ = feedtest.Stream(Source{}, k, data, feedtest.Steps(step), false)
			s := k.Session
			n := s.Limits()
			testkit.That(t, len(n) <= 0, "limits: %v", n)
			feedtest.Unrefused(t, s)
			return facts(s) + feedtest.Losses(s)
		}
		got, want := read(1+int(step)), read(len(data)+1)
		testkit.MustThat(t, got == want, "in pieces of %d:\n%s\nas a whole\n%s", step, got, want)
		Source{}.Sniff(data, "x")
	})
}
