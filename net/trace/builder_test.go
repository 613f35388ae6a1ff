package trace

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/net/feed"
)

var roles = map[string]FlowRole{
	"begins": FlowBegins, "steps": FlowSteps, "ends": FlowEnds, "next": FlowEnds, "through": FlowThrough,
	"out": FlowOut, "in": FlowIn,
}

// play hands a script of events to a builder, between semicolons:
//
//	at PID TID, line, async PID [TITLE]   choose the track of what follows, at first that of "at 1 1"
//	is NAME, program NAME, sort PROCESS THREAD   name and order the thread and its process
//	B 1 NAME, E 2 [NAME], X 1 2 NAME, O 1 NAME, i 1 TEXT, F 1 NUMBER
//	frame BEGIN END NUMBER   declares a frame
//	C 1 PID NAME VALUE, flow 1 ROLE KEY, bind 1 ROLE KEY, arg KEY VALUE
//
// bind and arg are about the event before them.
func play(b *Builder, script string) {
	n := func(s string) int64 {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			panic(script)
		}
		return v
	}
	th := b.Thread([]byte("1"), []byte("1"))
	t, event := &th.Track, uint32(0)
	for line := range strings.SplitSeq(script, ";") {
		f := append(strings.Fields(line), "", "", "")
		name := func() Symbol {
			if f[2] == "" {
				return NoSymbol
			}
			return b.Symbol([]byte(f[2]))
		}
		switch f[0] {
		case "at":
			th = b.Thread([]byte(f[1]), []byte(f[2]))
			t = &th.Track
		case "line":
			t = b.NewTrack()
			th.Attach(t)
		case "async":
			t = b.NewTrack()
			b.Process([]byte(f[1])).Attach(t, name())
		case "is":
			th.Name = f[1]
		case "program":
			th.Process().Name = f[1]
		case "sort":
			th.Process().Sort, th.Sort = n(f[1]), n(f[2])
		case "frame":
			p := th.Process()
			p.Frames(t, append(p.borders, Border{Number: n(f[3]), Begin: n(f[1]), End: n(f[2])}))
		case "B":
			event = t.Begin(n(f[1]), name())
		case "E":
			event = t.End(n(f[1]), name())
		case "X":
			event = t.Span(n(f[1]), n(f[2]), b.Symbol([]byte(f[3])))
		case "O":
			event = t.OpenSpan(n(f[1]), name())
		case "i":
			event = t.Note(n(f[1]), Note{Text: name(), Category: EmptySymbol, Object: EmptySymbol})
		case "F":
			_, ticks := b.Ticks([]byte("frame"))
			event = t.Note(n(f[1]), Note{
				Text: b.Symbol([]byte("frame")), Category: EmptySymbol, Object: EmptySymbol, Ticks: ticks, Frame: n(f[2]),
			})
		case "C":
			v, _ := strconv.ParseFloat(f[4], 64)
			def := model.SeriesDef{Name: f[3], Group: "g"}
			c := b.Counter(b.Process([]byte(f[2])), []byte(f[3]), func() model.SeriesDef { return def })
			b.Value(c, n(f[1]), v, Unknown)
		case "flow":
			t.Flow(n(f[1]), Flow{Key: []byte(f[3]), Name: EmptySymbol, Role: roles[f[2]], OnNext: f[2] == "next"})
		case "bind":
			t.Flow(n(f[1]), Flow{Key: []byte(f[3]), Role: roles[f[2]], Event: event})
		case "arg":
			b.Args.Text(event, []byte(f[1]), Plain([]byte(f[2])))
		case "":
		default:
			panic(line)
		}
	}
}

// built publishes a recording.
func built(t *testing.T, o Options, script string) *feedtest.Kept {
	t.Helper()
	k := &feedtest.Kept{}
	b := NewBuilder(k, nil, o)
	play(b, script)
	testkit.OK(t, b.Close(nil), script)
	return k
}

// TestBuilder publishes the recordings in testdata/builder.txt.
func TestBuilder(t *testing.T) {
	options := map[string]Options{
		"exact":       {Slack: 1},
		"threads end": {EndWithThread: true},
		"all threads": {EmptyThreads: true},
		"named":       {FrameNames: []string{"tick", "frame"}, LeastFrames: 2, DeepestFrame: 2},
		"f":           {FrameNames: []string{"f"}, LeastFrames: 2},
		"x":           {Frames: "x"},
		"no frames":   {Frames: feed.NoFrames},
	}
	testkit.Blocks(t, "testdata/builder.txt", func(about, script string) string {
		_, o, _ := strings.Cut(strings.TrimSuffix(about, "]"), " [")
		k := built(t, options[o], strings.TrimSpace(script))
		told := strings.Join(append([]string{""}, k.Warnings...), "; ")
		return fmt.Sprintf("%s\n%s, program %q %d%s", k.Words(), k.Titles(), k.Info.Program, k.Info.PID, told)
	})
}

// TestSuggests tells which spans may be frames where nothing says so: those of a usual name, many of one thread, not
// deep and never inside each other. It makes no frames of them.
func TestSuggests(t *testing.T) {
	calls := func(name string, n, around int) (script string) {
		for i := range n {
			for k := range around {
				script += fmt.Sprintf("X %d %d around;", i*100, i*100+90-k)
			}
			script += fmt.Sprintf("X %d %d %s;", i*100+1, i*100+10, name)
		}
		return script
	}
	for script, want := range map[string]string{
		calls("Frame", 10, 2):                                    "10 calls of “Frame” may be",
		calls("Frame", 9, 0):                                     "",
		calls("Frame", 10, 3):                                    "",
		calls("Fame", 10, 0):                                     "",
		calls("Frame", 10, 0) + "X 105 107 Frame":                "",
		calls("tick", 10, 0) + "at 1 2;" + calls("Frame", 11, 0): "11 calls of “Frame” may be",
		calls("Frame", 9, 0) + strings.Repeat("i 5 Frame x=1;i 6 other;", 10): "10 instants “Frame” may be frames: open it with --frames",
		strings.Repeat("i 5 Frame;", 9):                                       "",
	} {
		k := built(t, Options{Suggest: []string{"tick", "Frame"}}, script)
		told := strings.Join(k.Warnings, "\n")
		testkit.That(t, (told == "") == (want == "") && strings.Contains(told, want) &&
			!strings.Contains(k.Words(), "#"), "%s: told %q, want %q", script, told, want)
	}
}

// TestTiled tells which spans are frames by their structure alone: many of one name, outermost on a thread or below one
// span of all its time, that cover most of it in a steady rhythm.
func TestTiled(t *testing.T) {
	calls := func(name string, n, apart, lasts, irregular int) (script string) {
		at := 0
		for i := range n {
			script += fmt.Sprintf("X %d %d %s;X %d %d work;", at, at+lasts, name, at+1, at+lasts/2)
			at += apart + irregular*apart*(i%3)*(i%3)
		}
		return script
	}
	for _, c := range []struct {
		script string
		frames int
		says   string
	}{
		{calls("FEngineLoop::Tick", 20, 100, 95, 0), 20, "the 20 calls of “FEngineLoop::Tick”, which cover 95 %"},
		{"X 0 2995 main;" + calls("run_frame", 30, 100, 90, 0), 30, "the 30 calls of “run_frame”"},
		{calls("run_frame", 19, 100, 95, 0), 0, ""},
		{calls("run_frame", 40, 100, 50, 0), 0, ""},
		{calls("task", 40, 100, 99, 9), 0, ""},
		{calls("Render", 40, 100, 99, 0) + "at 1 2;" + calls("Frame", 40, 100, 80, 0), 40, "the 40 calls of “Frame”"},
		{calls("a", 40, 100, 50, 0) + "at 1 2;" + calls("b", 40, 100, 80, 0), 40, "the 40 calls of “b”"},
	} {
		k := &feedtest.Kept{}
		b := NewBuilder(k, nil, Options{Suggest: []string{"Frame"}, Tiled: true})
		play(b, c.script)
		testkit.OK(t, b.Close(nil))
		frames := map[int64]bool{} // each thread is cut by them
		for _, b := range k.Batches {
			if b.HasFrame {
				frames[b.Number] = true
			}
		}
		testkit.Equal(t, len(frames), c.frames, "%.60s", c.script)
		if says := b.TiledBy(); (says == "") != (c.says == "") || !strings.Contains(says, c.says) {
			t.Errorf("%.60s: said %q, want %q", c.script, says, c.says)
		}
	}
}

// TestTouching has frames that follow each other at once, each with calls from its begin to its end, with begins and
// lengths rounded each for itself, to ns or to µs, up, down or to the nearest: every frame stays, no longer or shorter
// than by a step, nothing is missing between them, and their calls lie in them.
func TestTouching(t *testing.T) {
	for seed := range uint64(testkit.Rounds(18, 60)) {
		r := rand.New(rand.NewPCG(seed, 1))
		step := []float64{1, 1000}[seed%2]
		round := []func(float64) float64{math.Round, math.Floor, math.Ceil}[seed/2%3]
		k := &feedtest.Kept{}
		b := NewBuilder(k, nil, Options{Frames: "Frame"})
		th := b.Thread([]byte("1"), []byte("1"))
		add := func(name string, begin, end float64) int64 {
			from, ns := round(begin/step)*step, round((end-begin)/step)*step
			th.Span(int64(from), int64(from+ns), b.Symbol([]byte(name)))
			return int64(ns)
		}
		var want []int64
		for at := 1e6 * r.Float64(); len(want) < 300; {
			end := at + 1e5*(0.2+r.Float64())
			mid := at + (end-at)*r.Float64()
			add("a", at, mid) // children come first, as they end first
			add("b", mid, end)
			want = append(want, add("Frame", at, end))
			at = end
		}
		th.See(1e9) // one time in whole µs does not make the others so
		testkit.OK(t, b.Close(nil))
		n, rows := 0, map[uint16]int{}
		for _, b := range k.Batches {
			if b.HasFrame {
				off := float64(b.End - b.Begin - want[n])
				testkit.That(t, math.Abs(off) <= step, "seed %d: frame %d takes %v ns more than %d", seed, n, off, want[n])
				n++
			}
			for _, s := range b.Spans {
				rows[s.Lane]++
			}
		}
		testkit.That(t, n == len(want), "seed %d: %d frames", seed, n)
		testkit.That(t, step > 1 || rows[0] == n && rows[1] == 2*n, "seed %d: spans by row: %v", seed, rows)
	}
}

// held is a sink with a room for names and for data that accepts so many batches; 0: all.
type held struct {
	feedtest.Kept
	names, data feed.Held
	accepts     int
}

func (h *held) NamesHeld() *feed.Held       { return &h.names }
func (h *held) DataHeld() *feed.Held        { return &h.data }
func (h *held) Publish(b *model.Batch) bool { return h.Kept.Publish(b) && len(h.Batches) != h.accepts }

// TestRoom fills the room for names and data: each event is shown or counted, and the names of spans that are left out
// take no room from others.
func TestRoom(t *testing.T) {
	const n = 50_000
	for kind, line := range map[string]string{
		"no-memory": "X %[1]d %[1]d a%[2]d", "no-memory-for-names": "X %[1]d %[1]d name%[1]d",
		"many-counters": "C 1 1 name%d 5", "many-rows": "B %d a",
	} {
		sink := &held{}
		sink.names.SetLimit(1 << 20)
		sink.data.SetLimit(3 << 19)
		room := feed.NamesOf(sink)
		b := NewBuilder(sink, room, Options{})
		for i := range n {
			play(b, fmt.Sprintf(line, i, i%6))
		}
		testkit.OK(t, b.Close(nil))
		room.Close()
		events, told := int64(0), false
		for _, b := range sink.Batches {
			events += int64(len(b.Spans) + len(b.Samples))
		}
		for _, l := range sink.Losses {
			told = told || l.Kind == kind && l.Reason == model.LossLimit
			if l.Kind != "" && l.Kind != "no-memory-for-names" {
				events += l.N
			}
		}
		testkit.That(t, told && events == n, "%s: %d of %d events, %+v", kind, events, n, sink.Losses)
		testkit.That(t, kind != "no-memory" || slices.Contains(sink.Names, "a5"), "names are %q", sink.Names)
		testkit.That(t, sink.names.Bytes() == 0, "%s: %d bytes are held at the end", kind, sink.names.Bytes())
	}
}

// counting is a sink that counts batches.
type counting struct {
	feedtest.Kept
	n int
}

func (c *counting) Publish(*model.Batch) bool { c.n++; return true }

// Empty frames of threads that have little else are bounded; those of the main track are not.
func TestEmptyFrames(t *testing.T) {
	k := &counting{}
	b := NewBuilder(k, nil, Options{})
	play(b, "X 0 1 a; at 1 2; X 0 1 a")
	frames := make([]Border, emptyCredit+100)
	for i := range frames {
		frames[i] = Border{Number: int64(i), Begin: int64(i), End: int64(i + 1)}
	}
	main := b.Thread([]byte("1"), []byte("1"))
	main.Process().Frames(&main.Track, frames)
	testkit.OK(t, b.Close(nil))
	testkit.Equal(t, k.n, len(frames)+1+emptyCredit+2*emptyEach, "batches")
	testkit.Equal(t, k.Words(), fmt.Sprintf("many-empty-frames×%d", 2*len(frames)-k.n), "losses")
}

// A sink that accepts no more gets no more.
func TestCancelled(t *testing.T) {
	sink := &held{accepts: 1}
	b := NewBuilder(sink, nil, Options{})
	play(b, "X 0 1 a; flow 0 begins k; at 1 2; X 0 1 a; flow 1 ends k; C 1 1 x 1")
	err := b.Close(nil)
	testkit.That(t, err == feed.ErrCancelled && len(sink.Batches) == 1, "%v after %d batches", err, len(sink.Batches))
}

// Names that are no UTF-8 are shown alike, and stay apart; those that are written in different ways are one.
func TestSymbols(t *testing.T) {
	k := &feedtest.Kept{}
	b := NewBuilder(k, nil, Options{})
	for i, name := range []string{"a\xff", "a\xfe", "a\xff", "ü", `\u00fc`, "", strings.Repeat("x", 2*MaxText)} {
		b.Thread(nil, nil).Span(int64(i), int64(i+1), b.JSONSymbol([]byte(name)))
	}
	testkit.OK(t, b.Close(nil))
	want := []string{"", feed.MoreNames, "a\ufffd", "a\ufffd", "ü", "(unnamed)", strings.Repeat("x", MaxText-1) + "…"}
	testkit.Same(t, k.Names, want, "names")
}

// event is a begin (B), an end (E) or a whole span (X).
type event struct {
	kind    byte
	at, end int64
	name    string
}

// known is a span as it must come out, with the path of the spans around it.
type known struct {
	begin, end int64
	path       string
	open, out  bool // it has no end, it sticks out
}

// plainly pairs and nests events of different times in the plainest way, and counts what is wrong.
func plainly(events []event, last int64, wrong map[string]int64) (list []known) {
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	var open []int
	for _, e := range events {
		switch e.kind {
		case 'X':
			list = append(list, known{e.at, e.end, e.name, false, false})
		case 'B':
			open = append(open, len(list))
			list = append(list, known{e.at, last, e.name, true, false})
		case 'E':
			at := len(open) - 1
			for at >= 0 && e.name != "" && list[open[at]].path != e.name {
				at--
			}
			if at < 0 {
				wrong["unmatched-end"]++
				continue
			}
			wrong["missing-end"] += int64(len(open) - at - 1)
			for _, i := range open[at:] {
				list[i].end, list[i].open = e.at, false
			}
			open = open[:at]
		}
	}
	for i := range list {
		s := &list[i]
		name, around := s.path, s.end
		for _, o := range list[:i] {
			if !o.out && o.end > s.begin {
				s.path, around = o.path+";"+name, o.end
			}
		}
		if s.out = s.end > around; s.out {
			s.path = name
		}
	}
	return list
}

// TestRandom makes random recordings and compares them with the plainest way: each span has its begin, its end and the
// path of the spans around it, no two of a row overlap, and each frame has the self times of its names.
func TestRandom(t *testing.T) {
	const last = 400
	for seed := range uint64(testkit.Rounds(500, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		var want [3][]string // by track
		wrong, k := map[string]int64{}, &feedtest.Kept{}
		b := NewBuilder(k, nil, Options{Slack: 1})
		for i, track := range []string{"at 1 1", "at 1 2", "line", "async 1 jobs"} {
			var events []event
			script, kinds := "at 1 2;"+track, []string{"X", "BE", "BBE", "XXBE"}[r.IntN(4)]
			for _, at := range r.Perm(last / 10)[:1+r.IntN(30)] {
				e := event{kinds[r.IntN(len(kinds))], int64(10 * at), 0, string(rune('a' + r.IntN(4)))}
				e.end = min(e.at+5+10*r.Int64N(1+r.Int64N(30)), last)
				if e.kind == 'E' && r.IntN(3) > 0 {
					e.name = ""
				}
				events = append(events, e)
				if e.kind == 'X' {
					script += fmt.Sprintf("; X %d %d %s", e.at, e.end, e.name)
				} else {
					script += fmt.Sprintf("; %c %d %s", e.kind, e.at, e.name)
				}
			}
			play(b, script)
			for _, x := range plainly(events, last, wrong) {
				want[i-i/2] = append(want[i-i/2], fmt.Sprint(x.path, x.begin, x.end, x.open))
			}
		}
		var frames []Border
		for at := r.Int64N(50); at < last; at += r.Int64N(40) {
			f := Border{Number: int64(len(frames)), Begin: at, End: min(at+1+r.Int64N(60), last)}
			at = f.End
			f.Open = at == last && r.IntN(2) == 0
			frames = append(frames, f)
		}
		main := b.Thread([]byte("1"), []byte("1"))
		main.See(0)
		main.See(last)
		main.Process().Frames(&main.Track, frames)
		testkit.OK(t, b.Close(nil))

		var got [3][]string
		var spans [3][]model.Span
		ends := map[string]int64{}
		for tr, s := range k.Spans() {
			row := fmt.Sprint(tr.ID, ".", s.Lane)
			testkit.That(t, s.Begin >= ends[row], "a span at %d in row %s, which is taken up to %d", s.Begin, row, ends[row])
			ends[row], spans[tr.ID] = s.End, append(spans[tr.ID], *s)
			got[tr.ID] = append(got[tr.ID], fmt.Sprint(k.Stack(s.Path), s.Begin, s.End, s.Flags&model.SpanOpenEnd != 0))
		}
		for i := range got {
			slices.Sort(got[i])
			slices.Sort(want[i])
		}
		testkit.Same(t, got, want, "spans by track")
		for id := range 2 {
			wrong["outside-frames"] += compareFrames(t, k, model.TrackID(id), spans[id], frames)
		}
		for _, l := range k.Losses {
			wrong[l.Kind] -= l.N
		}
		for kind, n := range wrong {
			testkit.That(t, n == 0, "%s: %d are not counted", kind, n)
		}
		testkit.MustThat(t, !t.Failed(), "seed  %v", seed)
	}
}

// compareFrames gives each ns of the frames to the span that began last of those that run then, and each span to the
// frame in which it begins. It returns how many begin in none.
func compareFrames(
	t *testing.T, k *feedtest.Kept, id model.TrackID, spans []model.Span, frames []Border,
) (outside int64) {
	outside = int64(len(spans))
	type sum struct{ ns, starts int64 }
	for _, f := range frames {
		got, want := map[string]sum{}, map[string]sum{}
		for _, s := range spans {
			if s.Begin >= f.Begin && s.Begin < f.End {
				outside--
				x := want[k.Name(s.Path)]
				want[k.Name(s.Path)] = sum{x.ns, x.starts + 1}
			}
		}
		for at := f.Begin; at < f.End; at++ {
			for _, s := range slices.Backward(spans) {
				if s.Begin <= at && at < s.End {
					x := want[k.Name(s.Path)]
					want[k.Name(s.Path)] = sum{x.ns + 1, x.starts}
					break
				}
			}
		}
		found := false
		for _, b := range k.Batches {
			if b.Track == id && (b.HasFrame || b.Open) && b.Number == f.Number {
				found = b.Begin == f.Begin && b.End == f.End && b.Open == f.Open
				for _, x := range b.Self {
					got[k.Names[x.Collector]] = sum{x.Ns, int64(x.Count)}
				}
			}
		}
		testkit.That(t, maps.Equal(got, want) && (found || id > 0), "track %d, frame %+v: %v, want %v", id, f, got, want)
	}
	return outside
}
