package frametimes

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// made opens a text.
func made(t testing.TB, text string, o Source) (*store.Session, error) {
	t.Helper()
	return open(t, feedtest.File(t, "made.csv", text), o)
}

// framesOf writes the frames of the first track, in µs.
func framesOf(s *store.Session) string {
	var b strings.Builder
	if s.NumTracks() == 0 {
		return "no track"
	}
	tr := s.Track(0)
	for i := range tr.NumFrames() {
		f := tr.Frame(i)
		fmt.Fprintf(&b, "%d-%d ", f.Begin/1000, f.End/1000)
	}
	return strings.TrimSpace(b.String())
}

// TestGeneric opens tables of every sort: which column is what, in which unit, and what is told.
func TestGeneric(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Source
		want, told string
	}{
		{"time and length", "time (s),frame_ms,x\n0,10,1\n0.010,20,2\n0.030,10,3\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"ends", "time (s),frame_ms,x\n0.010,10,1\n0.030,20,2\n0.040,10,3\n", Source{}, "0-10000 10000-30000 30000-40000", "ends of frames"},
		{"time alone, by size", "t;load\n0;1\n16;1,5\n33;2\n", Source{}, "0-16000 16000-33000", "values suggest ms"},
		{"length alone", "frametime_us\tn\n100\t1\n300\t2\nNA\t3\n100\t4\n", Source{}, "0-100 100-400 400-500", ""},
		{"a gap", "t_ms,a\n0,1\n10,1\n20,1\n30,1\n500,1\n510,1\n", Source{}, "0-10000 10000-20000 20000-30000 500000-510000", "gaps, not frames"},
		{"two recordings", "t_ms,a\n0,1\n10,1\n20,1\n0,1\n10,1\n20,1\n", Source{}, "0-10000 10000-20000 1020000-1030000 1030000-1040000", "2 recordings"},
		{"the header again", "t_ms,a\n0,1\n10,1\nt_ms,a\n20,1\n30,1\n", Source{}, "0-10000 20000-30000", "2 recordings"},
		{"dates", "timestamp,a\n2026-11-21T22:59:59.98Z,1\n2026-11-21T23:00:00.00Z,1\n2026-11-21T23:00:00.02Z,1\n", Source{}, "0-20000 20000-40000", ""},
		{"by name", "Wann,Dauer,x\n5,4,1\n9,4,2\n13,4,3\n", Source{Time: "wann", FrameTime: "DAUER"}, "5000-9000 9000-13000 13000-17000", "values suggest ms"},
		{"without header", "4\n6\n8\n", Source{FrameTime: "1"}, "0-4000 4000-10000 10000-18000", "values suggest ms"},
		{"samples", "time (s),frame_ms,x\n0,10,1\n1,10,2\n2,10,3\n", Source{}, "no track", "one every 1000 ms"},
		{"none wanted", "time (s),frame_ms,x\n0,10,1\n0.010,20,2\n", Source{Frames: feed.NoFrames}, "no track", ""},
		{"exponents", "time (s),x\n0,1e3\n1.67e-02,2\n3.3e-02,3\n", Source{}, "0-16700 16700-33000", ""},
		{"cut after few rows", "time_ms,frame_ms\n0,10\n10,20\n30,10\n40", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"words below", "time_ms,frame_ms\n0,10\n10,20\n30,10\n\nSummary\nMean: 13\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"separators in quotes", "time_ms,\"a;b;c;d\",frame_ms\n0,1,10\n10,1,20\n30,1,10\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"an index without a name", ",time (s),frame_ms\n0,0,10\n1,0.010,20\n2,0.030,10\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"names twice", "time (s),frame_ms,x,x\n0,10,1,1\n0.010,20,2,2\n0.030,10,3,3\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"a title above", "Frame times,,\n,,\ntime (s),frame_ms,x\n0,10,1\n0.010,20,2\n0.030,10,3\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"a title above what has no name", "Frame times,,\ntime (s),frame_ms,\n0,10,1\n0.010,20,2\n0.030,10,3\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"since 1970, in ns", "t_ns,a\n1732229999000000001,1\n1732229999010000001,1\n1732229999030000001,1\n", Source{}, "0-10000 10000-30000", ""},
		{"since 1970, in ms", "t_ms,frame_ms\n1732229999000.5,10\n1732229999010.5,20\n1732229999030.5,10\n", Source{}, "0-10000 10000-30000 30000-40000", ""},
		{"since 1970", "timestamp;frame_ms\n1732229999,123;10\n1732229999,133;20\n1732229999,153;10\n", Source{}, "0-10000 10000-30000 30000-40000", "values suggest s"},
		{"zones without colon", "time;a\n2026-11-21T22:59:59,980+0130;1\n2026-11-21T23:00:00,000+0130;1\n2026-11-21 22:30:00,020 +01;1\n", Source{}, "0-20000 20000-40000", ""},
		{"dates to the minute", "date,a\n2026-11-21 22:59,1\n2026-11-21T23:00,1\n2026-11-21T23:01Z,1\n", Source{}, "0-60000000 60000000-120000000", ""},
		{"days", "date,a\n2026-11-21,1\n2026-11-22,1\n2026-11-23,1\n", Source{}, "0-86400000000 86400000000-172800000000", ""},
		{"quotes", "\"time (s)\",\"a, \"\"b\"\"\"\r\n0,1\r\n\"0.5\",2\r\n1,3\r\n", Source{}, "0-500000 500000-1000000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.Must(made(t, c.text, c.o))(t)
			testkit.Equal(t, framesOf(s), c.want, "frames")
			if told := strings.Join(s.Warnings(), "\n"); !strings.Contains(told, c.told) || c.told == "" && told != "" && c.name != "length alone" {
				t.Errorf("told %q, want %q", told, c.told)
			}
			if lost, lines := s.Losses(); lost[model.LossMalformed] != 0 && c.name != "length alone" && c.name != "words below" {
				t.Error(lines)
			}
		})
	}
}

// TestPresentMon makes a table of two programs with rows out of order, ticks of another rate, a row
// without length, states that change, and a GPU that is late.
func TestPresentMon(t *testing.T) {
	const head = "Application,ProcessID,SwapChainAddress,PresentMode,FrameType,CPUStartQPC,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,DisplayedTime\n"
	var b strings.Builder
	b.WriteString(head)
	row := func(app string, tick int, rest string) {
		fmt.Fprintf(&b, "%s,1,0x1,%s,%d,%s\n", app, map[bool]string{false: "Flip,Application", true: "Copy,Application"}[tick > 240_000*20], tick, rest)
	}
	for i := range 40 { // 24 MHz: 10 ms are 240,000
		at := 240_000 * i
		if i%10 == 5 {
			at += 240_000 // the two are in the wrong order
		} else if i%10 == 6 {
			at -= 240_000
		}
		row("game.exe", at, "10.0,6.0,4.0,1.0,9.5,10.0")
	}
	row("dwm.exe", 0, "16.0,NA,NA,NA,NA,NA")
	row("game.exe", 240_000*40, "NA,NA,NA,NA,NA,NA")
	s := testkit.Must(made(t, b.String(), Source{}))(t)
	tr := s.Track(s.MainTrack())
	testkit.MustThat(t, tr.Def.Name == "game.exe" && tr.NumFrames() == 40 && s.Info().Program == "game.exe",
		"%q has %d frames", tr.Def.Name, tr.NumFrames())
	for i := range 40 {
		f := tr.Frame(i)
		testkit.MustThat(t, f.Begin == int64(i)*1e7 && f.End == f.Begin+1e7, "frame %d: %d-%d", i, f.Begin, f.End)
	}
	told := strings.Join(s.Warnings(), "\n")
	for _, want := range []string{"24000000 per second", "1 rows have no frame time", "2 of 42 frames were not shown"} {
		testkit.That(t, strings.Contains(told, want), "%q is not told: %s", want, told)
	}
	modes := seriesOf(s, "Present mode")
	if got := valuesOf(modes[0]); len(got) != 3 || !math.IsNaN(got[2]) || !reflect.DeepEqual(modes[0].Def.States, []string{"Flip", "Copy"}) {
		t.Errorf("states %v %v", got, modes[0].Def.States)
	}
	gpu := s.Spans().Visible(1, 0, math.MinInt64, math.MaxInt64, 0, nil)
	testkit.That(t, len(gpu) == 40 && gpu[1].Begin == 11e6 && gpu[1].End == 205e5,
		"%d spans of the GPU: %+v", len(gpu), gpu[:min(len(gpu), 2)])
	bars := s.Spans().Visible(0, 1, 0, 1e7-1, 0, nil)
	testkit.That(t, len(bars) == 2 && bars[0].End == 6e6 && bars[1].End == 10e6, "the processor: %+v", bars)
}

// TestInNoOrder puts rows of a file far from their place: all are frames, in order of time, those that were
// generated as well.
func TestInNoOrder(t *testing.T) {
	const head = "Application,ProcessID,SwapChainAddress,FrameType,CPUStartTime,FrameTime\n"
	const n = 300
	for name, at := range map[string]func(i int) int{
		"backwards": func(i int) int { return n - 1 - i },
		"halves":    func(i int) int { return (i + n/2) % n },
		"mixed":     func(i int) int { return i * 7 % n },
		"one late": func(i int) int {
			switch {
			case i < 50:
				return i
			case i == n-1:
				return 50
			}
			return i + 1
		},
	} {
		text := head
		for i := range n {
			text += fmt.Sprintf("game.exe,1,0x1,Application,%d,10\n", 10*at(i))
			if i%10 == 0 {
				text += fmt.Sprintf("game.exe,1,0x1,AMD_AFMF,%d.5,10\n", 10*at(i))
			}
			text += fmt.Sprintf("dwm.exe,2,0x2,Application,%d,16\n", 16*i)
		}
		s := testkit.Must(made(t, text, Source{}))(t, name)
		tr := s.Track(s.MainTrack())
		if lost, lines := s.Losses(); tr.Def.Name != "game.exe" || tr.NumFrames() != n || lost[model.LossLate] != 0 {
			t.Errorf("%s: %d frames of %q, lost %q", name, tr.NumFrames(), tr.Def.Name, lines)
		}
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			testkit.MustThat(t, f.Begin == int64(i)*1e7, "%s: frame %d begins at %d", name, i, f.Begin)
		}
	}
}

// TestRounded rounds times to ever fewer places: frames are as long as their column says, none is
// before the one above, and each but the first begins in the Present of the one above.
func TestRounded(t *testing.T) {
	for places := 2; places <= 7; places++ {
		var b strings.Builder
		b.WriteString("Application,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents\n")
		const n = 3000
		at, lengths, presents := 0.0001, []int64(nil), int64(0)
		for i := range n {
			length, present := int64(4_000_000+(i*7919)%9_000_000/100*100), int64(200_000+(i*104729)%900_000/100*100)
			at += float64(length) / 1e9
			if lengths = append(lengths, length); i < n-1 {
				presents += present
			}
			fmt.Fprintf(&b, "game.exe,1,0x1,0,%.*f,%.4f,%.4f\n", places, at, float64(present)/1e6, float64(length)/1e6)
		}
		s := testkit.Must(made(t, b.String(), Source{}))(t)
		tr, end := s.Track(0), int64(math.MinInt64)
		testkit.MustThat(t, tr.NumFrames() == n && len(s.Warnings()) <= 0,
			"%d places: %d frames, %q", places, tr.NumFrames(), s.Warnings())
		for i := range n {
			f := tr.Frame(i)
			if f.End-f.Begin != lengths[i] || f.Begin < end {
				t.Fatalf("%d places: frame %d from %d to %d, %d long, want %d", places, i, f.Begin, f.End, f.End-f.Begin, lengths[i])
			}
			end = f.End
		}
		late := end - int64(at*1e9)
		testkit.That(t, late >= -1e7 && late <= 1e7, "%d places: the last frame ends %d ns late", places, late)
		calls, ns := 0, int64(0)
		for _, c := range s.Spans().Visible(0, 1, math.MinInt64, math.MaxInt64, 0, nil) {
			calls, ns = calls+1, ns+c.End-c.Begin
		}
		testkit.That(t, calls == n-1 && ns == presents,
			"%d places: %d calls of Present of %d ns, want %d of %d", places, calls, ns, n-1, presents)
	}
}

// inPieces reads a text as it comes.
func inPieces(text []byte, step int, idle bool) *store.Session {
	k := &feedtest.Into{Session: store.NewSession()}
	_ = feedtest.Stream(Source{}, k, text, feedtest.Steps(step), idle)
	return k.Session
}

// facts are what two sessions of one table have in common.
func facts(s *store.Session) string {
	_, all, _ := strings.Cut(feedtest.Outline(s), "\n")
	return all
}

// TestSniff takes tables and nothing else, and sees to it that those of unknown columns are opened,
// which tells what to say.
func TestSniff(t *testing.T) {
	yes := []string{
		"fps,frametime,elapsed\n", "a,b,c\n1,2,3\n4,5,6\n", "time,x\n1,2\n2,3\n", "# hello\nframetime\n16\n17\n18\n",
	}
	no := []string{
		"", "hello\n", "hello\n1\n2\n", "a;b;c 12\na;b 3\n", "main;work 1\nmain;idle 2\n", "0:00:01.000 1 0x2 TRACE x, y\n",
		"import (\n\t\"io\"\n\t\"time\"\n\n\t\"x/y\"\n)\n\nfunc f() {\n\tg()\n\th()\n}\n",
		"\tfor _, c := range []struct {\n\t\tx, q, want float64\n\t}{\n\t\t{0.5, 1, 2},\n\t\t{0.6, 2, 3},\n\t}\n",
		"{\"a\":1}\n", "main 12/13 [001] 100.5: cycles:\n\tffff f (x)\n", "a,b\n1,2\n", "int x = 1, y;\n1,2\n3,4\n",
	}
	for _, text := range yes {
		testkit.That(t, (Source{}).Sniff([]byte(text), "x"), "%q is not recognised", text)
	}
	for _, text := range no {
		testkit.That(t, !(Source{}).Sniff([]byte(text), "x"), "%q is taken for a table", text)
	}
}

// Frames that were exported have their own numbers, and those that are missing between them are.
func TestOwnNumbers(t *testing.T) {
	s, err := made(t, "thread_id,thread,frame,begin_ns,duration_ns,spans,missing\n"+
		"0,Main,26,0,10,0,0\n0,Main,27,10,10,0,0\n1,GPU,7,5,5,0,0\n0,Main,31,50,10,0,3\n0,Main,9e30,60,10,0,0\n0,Main,x,70,10,0,0\n", Source{})
	testkit.OK(t, err)
	var got []int64
	main := s.Track(0)
	for i := range main.NumFrames() {
		got = append(got, main.FrameNumber(i))
	}
	testkit.That(t, fmt.Sprint(got) == "[26 27 31 32 33]" && main.Missing() == 3 && s.Track(1).FrameNumber(0) == 7,
		"frames %d, %d missing", got, main.Missing())
}

// TestAsks: of tables that need a word of the user, or are none to open, the error says so.
func TestAsks(t *testing.T) {
	spans := "thread_id,thread,frame,begin_ns,duration_ns,self_ns,name,path,depth,open\n1,a,0,10,20,5,x,x,0,false\n1,a,1,40,20,5,x,x,0,false\n"
	for _, c := range []struct {
		text string
		o    Source
		want string
	}{
		{"a,b\n1,2\n3,4\n", Source{}, "--time COLUMN or --frame-time COLUMN; the columns are: a, b"},
		{"a,b\n1,2\n3,4\n", Source{Time: "c"}, `--time: no column "c"; the columns are: a, b`},
		{"1\n2\n3\n", Source{}, "--frame-time 1"}, {"hello\nworld\n", Source{}, "no header row"},
		{"time,fps\n", Source{}, "no header row"}, {spans, Source{}, "for other programs"},
	} {
		_, err := made(t, c.text, c.o)
		testkit.Fails(t, err, c.want)
	}
	for _, c := range []struct{ name, head, want string }{
		{"x.csv", "a,b\n1,2\n", "--time COLUMN, --frame-time COLUMN"}, {"x", "PAR1\x15\x06", "for other programs"}, {"x", "thread_id,", "for other programs"},
	} {
		testkit.Contains(t, Source{}.Hint([]byte(c.head), c.name), c.want)
	}
	testkit.Equal(t, Source{}.Hint([]byte("a,b\n1,2\n"), "x.txt"), "", "a text")
}
