package systrace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
)

// TestRecordings reads recordings.
func TestRecordings(t *testing.T) {
	for _, name := range []string{"game.systrace", "field-android.systrace", "field-binder.systrace", "field-trivial.html"} {
		feedtest.Outlines(t, Source{}, recordings.File(t, recordings.Systrace, name))
	}
}

// TestCases reads texts of what the format has.
func TestCases(t *testing.T) {
	feedtest.CasesOf(t, Source{}, "x.systrace")
}

// TestGame knows the frames of the game: in the twelfth the main thread had a processor for a fifth of the time.
func TestGame(t *testing.T) {
	s := feedtest.Open(t, Source{}, recordings.File(t, recordings.Systrace, "game.systrace"))
	main := s.Track(s.MainTrack())
	testkit.MustEqual(t, main.NumFrames(), 20, "frames")
	for i := range main.NumFrames() {
		want, share := int64(5_000_000), 1.0
		if i == 11 {
			want, share = 25_000_000, 0.2
		}
		f := main.Frame(i)
		testkit.Equal(t, f.End-f.Begin, want, "ns of frame %d", i)
		got, ok := s.Spans().CPULoad(main.Def.ID, f.Begin, f.End)
		testkit.That(t, ok && got > share-1e-9 && got < share+1e-9, "frame %d had a processor for %v of its time", i, got)
	}
	ran := int64(0)
	for _, track := range feedtest.Tracks(s) {
		for _, b := range feedtest.Bars(s, track.Def.ID, 0) {
			if track.Def.Name == "CPU 0" && s.Collector(b.Collector).Name == "kworker/u4:1" {
				ran += b.End - b.Begin
			}
		}
	}
	testkit.Equal(t, ran, 20_000_000, "ns of the thread that took the processor")
	testkit.Equal(t, s.Info().ZeroAt.UnixNs, 1_700_000_000_000*1e6-199_000-2_000, "time of day")
}

// TestCut cuts a recording anywhere: all lines before are there.
func TestCut(t *testing.T) {
	data := recordings.Read(t, recordings.Systrace, "game.systrace")
	first := bytes.Index(data, []byte("B|1000"))
	rapid.Check(t, func(x *rapid.T) {
		cut := data[:rapid.IntRange(first+100, len(data)).Draw(x, "bytes")]
		whole := cut[:bytes.LastIndexByte(cut, '\n')+1]
		events := func(data []byte) (n int) {
			s := feedtest.Made(t, Source{}, "x.systrace", data)
			feedtest.Unrefused(t, s)
			_, err := fmt.Sscanf(s.Info().Detail, "%d events", &n)
			testkit.OK(t, err)
			return n
		}
		want := bytes.Count(whole, []byte("] .... "))
		got := events(cut)
		testkit.Equal(t, events(whole), want, "events of whole lines")
		testkit.MustThat(x, got == want || got == want+1, "%d events of a text with %d whole ones", got, want)
	})
}

// TestHostile reads texts that make up threads, processors, names and counters without end: it ends, and says so.
func TestHostile(t *testing.T) {
	const line = "a-%d [%03d] .... 1.000000: %s\n"
	for name, one := range map[string]func(i int) string{
		"threads":    func(i int) string { return fmt.Sprintf(line, i, 0, "tracing_mark_write: B|1|x") },
		"processors": func(i int) string { return fmt.Sprintf(line, i, i, "sched_switch: a:1 [1] S ==> b:2 [1]") },
		"counters":   func(i int) string { return fmt.Sprintf(line, 1, 0, fmt.Sprint("0: C|1|c", i, "|1")) },
		"tasks":      func(i int) string { return fmt.Sprintf(line, 1, 0, fmt.Sprint("0: S|1|x|", i)) },
		"depth":      func(int) string { return fmt.Sprintf(line, 1, 0, "0: B|1|x") },
	} {
		var text strings.Builder
		text.WriteString("# tracer: nop\n")
		for i := range 40_000 {
			text.WriteString(one(i))
		}
		s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.systrace", text.String()))
		testkit.OK(t, err)
		feedtest.Unrefused(t, s)
		lost, _ := s.Losses()
		told := lost[model.LossLimit] > 0 || name == "threads" || name == "tasks" || name == "processors"
		testkit.That(t, told, "%s: %v", name, lost)
	}
}

// FuzzSource reads anything: nothing breaks.
func FuzzSource(f *testing.F) {
	for _, name := range []string{"field-android.systrace", "field-binder.systrace", "field-trivial.html"} {
		f.Add(recordings.Read(f, recordings.Systrace, name))
	}
	f.Add(recordings.Read(f, recordings.Systrace, "game.systrace")[:6000])
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.systrace", data))
		if err == nil {
			feedtest.Unrefused(t, s)
		}
	})
}
