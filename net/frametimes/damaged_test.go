package frametimes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// tableWith is a table of frames of 10 ms with a row as the 21st of 40.
func tableWith(row string) string {
	var b strings.Builder
	b.WriteString("time (s),frame_ms,x\n")
	for i := range 40 {
		if i == 20 {
			fmt.Fprintln(&b, row)
		} else {
			fmt.Fprintf(&b, "%.3f,10,1\n", float64(i)/100)
		}
	}
	return b.String()
}

// rowsOf are rows of frames of so many ms, from a time on.
func rowsOf(from, n, step int) (out string) {
	for i := range n {
		out += fmt.Sprintf("%d,%d\n", from+i*step, step)
	}
	return out
}

const (
	inMs    = "time (ms),frame_ms\n"
	present = "Application,ProcessID,SwapChainAddress,PresentMode,CPUStartTime,FrameTime\n"
)

var long = strings.Repeat("x", 5000)

// damaged are tables with something in them that can't be, or seems so.
var damaged = []struct {
	name, text string
	frames     int
	want       string // kinds, each with how many there are and the place
}{
	{"none", tableWith("0.200,10,1"), 40, ""},
	{"a time before the others", tableWith("-100,10,1"), 39, "bad-time 1 line 22"},
	{"a time of one above", tableWith("0.1,10,1"), 39, "bad-time 1 line 22"},
	{"a time of one below", tableWith("7.2,10,1"), 39, "bad-time 1 line 22"},
	{"a time far away", tableWith("1e9,10,1"), 39, "bad-time 1 line 22"},
	{"a time that can't be", tableWith("1e30,10,1"), 39, "bad-time 1 line 22"},
	{"no time", tableWith("x,10,1"), 39, "bad-time 1 line 22"},
	{"the first time far away", inMs + "1000000,10\n" + rowsOf(10, 20, 10), 20, "bad-time 1 line 2"},
	{"a length of days", tableWith("0.200,1e9,1"), 39, "bad-length 1 line 22"},
	{"a length that can't be", tableWith("0.200,1e30,1"), 39, "bad-length 1 line 22"},
	{"a length below 0", tableWith("0.200,-5,1"), 39, "bad-length 1 line 22"},
	{"a NUL in a length", tableWith("0.200,1\x000,1"), 39, "bad-length 1 line 22, nul-bytes 1 "},
	{"no length", tableWith("0.200,NA,1"), 39, ""},
	{"a long frame", tableWith("0.200,1000000,1"), 40, ""},
	{"no length and no time", "frametime_us,n\n100,1\n300,2\nNA,3\n100,4\n", 3, "bad-length 1 line 4"},
	{"a text among numbers", tableWith("0.200,10,xx"), 40, "bad-number 1 line 22"},
	{"a great number", tableWith("0.200,10,1e99"), 40, "bad-number 1 line 22"},
	{"no number", tableWith("0.200,10,NA"), 40, ""},
	{"too few cells", tableWith("0.200"), 39, "bad-line 1 line 22"},
	{"a cell less at the end", tableWith("0.200,10"), 40, ""},
	{"too many cells", tableWith("0.200,10,1,2,3"), 39, "bad-line 1 line 22"},
	{"a NUL before the header", "\x00" + tableWith("0.200,10,1"), 40, "nul-bytes 1 "},
	{"a NUL in the header", "time\x00" + tableWith("0.200,10,1")[4:], 40, "nul-bytes 1 "},
	{"a pause", inMs + rowsOf(0, 20, 10) + rowsOf(900_000, 20, 10), 40, ""},
	{"a last row after a pause", inMs + rowsOf(0, 20, 10) + rowsOf(5000, 1, 10), 21, ""},
	{"another recording", inMs + rowsOf(0, 20, 10) + rowsOf(0, 20, 10), 40, ""},
	{"small recordings", inMs + rowsOf(0, 2, 16) + rowsOf(0, 2, 16) + rowsOf(0, 3, 16), 7, ""},
	{"a long step", inMs + rowsOf(0, 20, 10) + rowsOf(700, 1, 10) + rowsOf(710, 20, 10), 41, ""},
	{"a last number that may be whole", "time_ms,x\n0,10\n10,10\n20,1", 2, ""},
	{"a last number that is cut", "time_ms,x\n0,10\n10,10\n20,1.", 1, "cut 1 line 4"},
	{"a last row that is cut", present + "a,1,0,Flip,0,10\na,1,0,Flip,10,1", 1, "cut 1 line 3"},
	{"a long state", present + "a,1,0,Flip,0,10\na,1,0," + long + ",10,10\n", 2, ""},
	{"a long program", present + "a,1,0,Flip,0,10\n" + long + ",1,0,Flip,20,10\n", 1, "many-threads 1 line 3"},
}

// TestDamaged leaves out what can't be, says which it is, and takes the rest for what it is.
func TestDamaged(t *testing.T) {
	for _, c := range damaged {
		s := testkit.Must(feedtest.Load(t, Source{}, feedtest.File(t, "made.csv", c.text)))(t, c.name)
		whole := []*store.Session{s, inPieces([]byte(c.text), 7, false), inPieces([]byte(c.text), 64, true)}
		for _, s := range whole[:3] {
			var kinds []string
			for _, l := range s.Diagnostics() {
				kinds = append(kinds, fmt.Sprintf("%s %d %s", l.Kind, l.N, l.Place))
			}
			slices.Sort(kinds)
			testkit.Equal(t, strings.Join(kinds, ", "), c.want, "%s", c.name)
			n := 0
			for id := range model.TrackID(s.NumTracks()) {
				n += s.Track(id).NumFrames()
			}
			testkit.Equal(t, n, c.frames, "%s: frames", c.name)
			again := strings.Contains(strings.Join(s.Warnings(), "\n"), "recordings")
			testkit.That(t, again == strings.HasSuffix(c.name, "recording") || again == strings.HasSuffix(c.name, "recordings"),
				"%s: %q", c.name, s.Warnings())
		}
		testkit.That(t, (Source{}).Sniff([]byte(c.text), "x.csv"), "%s is not recognised", c.name)
	}
	binary := strings.Repeat("a,b\x00\n1,2\x00\n", 20)
	testkit.That(t, !(Source{}).Sniff([]byte(binary), "x.csv"), "a binary is recognised")
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
	for _, c := range damaged {
		f.Add(uint8(13), []byte(c.text[:min(len(c.text), 4000)]))
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
