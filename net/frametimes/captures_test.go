package frametimes

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// figures are those of a column, of cells that are numbers.
type figures struct {
	N                             int64
	Sum, Mean, Min, Max, P50, P99 float64
}

// truth is what another program finds in a capture.
type truth struct {
	Error, Kind string
	Columns     []string
	Rows        int64
	Odd         []int   `json:"rows_with_other_column_count"`
	Version     float64 `json:"metrics_version"`
	AreRows     *bool   `json:"rows_are_frames"`
	Lengths     figures `json:"frametime_ns"`
	Unit        string  `json:"frametime_unit"`
	Frames      []struct {
		Begin float64 `json:"begin_ns"`
		End   float64 `json:"end_ns"`
	}
	Stats   map[string]figures `json:"columns_stats"`
	Streams []map[string]json.RawMessage
}

var captures = []string{
	"mangohud-0.6.8-frames", "mangohud-0.6.8-interval100-versioned", "mangohud-0.6.8-frames_summary",
	"byhand-mangohud-0.8-ms", "byhand-capframex-comments", "byhand-generic-semicolon-comma",
	"byhand-presentmon-v2-two-apps", "presentmon-2.5-case0", "presentmon-v2-case0", "presentmon-v1-case0",
	"presentmon-v1-case5",
}

func open(t testing.TB, path string, o Source) (*store.Session, error) {
	t.Helper()
	s, err := feedtest.Load(t, o, path)
	n := s.Limits()
	testkit.That(t, len(n) <= 0, "limits: %v", n)
	return s, err
}

// TestCaptures compares each capture with its truth: all frames or their figures, all columns, what was
// not shown.
func TestCaptures(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.FrameTimes, name+".csv")
			want := recordings.JSON[truth](t, recordings.FrameTimes, name+".truth.json")
			testkit.That(t, Source{}.Sniff(feedtest.Head(t, path), "x.txt"), "it is not recognised")
			s, err := open(t, path, Source{})
			if want.Error != "" {
				testkit.That(t, errors.Is(err, errSummary) && strings.Contains(err.Error(), "open the log"), "%v", err)
				return
			}
			testkit.OK(t, err)
			lost, lines := s.Losses()
			testkit.That(t, lost[model.LossMalformed] == int64(len(want.Odd)) && lost[model.LossLate] <= 0, "%v", lines)
			if want.Kind == "presentmon" {
				comparePresentMon(t, s, want)
			} else {
				compareOne(t, s, want)
			}
		})
	}
}

// TestOthers opens recordings that others made.
func TestOthers(t *testing.T) {
	s := testkit.Must(open(t, recordings.File(t, recordings.FrameTimes, "field-ocat.csv"), Source{}))(t)
	lost, _ := s.Losses()
	all := figuresOf(lengthsOf(s.Track(0)))
	testkit.That(t, all.N == 400 && near(all.Sum, 3847.412e6) && lost[model.LossMalformed] == 0, "%+v, %v", all, lost)

	s = testkit.Must(open(t, recordings.File(t, recordings.FrameTimes, "field-afterburner.csv"), Source{}))(t)
	lost, _ = s.Losses()
	testkit.That(t, s.Series().Len() == 3 && !s.HasFrames() && lost[model.LossMalformed] == 0, "%d series", s.Series().Len())
	for group, first := range map[string]float64{"Power": 142.515, "Framerate": 119.4, "Frame time": 8.854e6} {
		list := valuesOf(seriesOf(s, group)[0])
		testkit.That(t, len(list) == 300 && near(list[0], first), "%s: %d values from %v on", group, len(list), list[0])
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b), 1) }

// same compares figures in a unit with those of the truth.
func same(t *testing.T, what string, got, want figures, factor float64) {
	t.Helper()
	for i, pair := range [...][2]float64{
		{float64(got.N), float64(want.N) / 1}, {got.Sum, want.Sum * factor}, {got.Mean, want.Mean * factor},
		{got.Min, want.Min * factor}, {got.Max, want.Max * factor}, {got.P50, want.P50 * factor}, {got.P99, want.P99 * factor},
	} {
		testkit.That(t, near(pair[0], pair[1]) || i >= 1 && math.Abs(pair[0]-pair[1]) < 1e-6*float64(want.N)*factor,
			"%s: figure %d is %v, want %v", what, i, pair[0], pair[1])
	}
}

func figuresOf(list []float64) (f figures) {
	slices.Sort(list)
	for _, v := range list {
		f.N, f.Sum = f.N+1, f.Sum+v
	}
	if f.N > 0 {
		f.Mean, f.Min, f.Max = f.Sum/float64(f.N), list[0], list[f.N-1]
		f.P50, f.P99 = list[int(0.5*float64(f.N))], list[int(0.99*float64(f.N))]
	}
	return f
}

// valuesOf returns the values of a series.
func valuesOf(x *spans.Series) (list []float64) {
	for _, v := range x.Samples(math.MinInt64, math.MaxInt64, 0, nil) {
		list = append(list, v.Value)
	}
	return list
}

// seriesOf returns the series of a group that belong to tracks.
func seriesOf(s *store.Session, group string, tracks ...model.TrackID) (list []*spans.Series) {
	for id := range model.SeriesID(s.Series().Len()) {
		x := s.Series().ByID(id)
		if x.Def.Group == group && (len(tracks) == 0 || slices.Contains(tracks, x.Def.Track)) {
			list = append(list, x)
		}
	}
	return list
}

func lengthsOf(tr *store.Track) (list []float64) {
	for i := range tr.NumFrames() {
		f := tr.Frame(i)
		list = append(list, float64(f.End-f.Begin))
	}
	return list
}

// compareOne compares a table of one stream of frames.
func compareOne(t *testing.T, s *store.Session, want *truth) {
	if want.AreRows != nil && !*want.AreRows {
		if s.HasFrames() || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0], "samples, one every 100 ms") {
			t.Error("frames of samples", s.Warnings())
		}
		factor := map[string]float64{"us": 1e3, "ms": 1e6}[want.Unit]
		same(t, "frame time", figuresOf(valuesOf(seriesOf(s, "Frame time")[0])), want.Stats["frametime"], factor)
	} else {
		tr := s.Track(0)
		if want.Kind == "generic" {
			testkit.Equal(t, int64(tr.NumFrames()), want.Rows-1, "frames of %d rows", want.Rows)
			span := tr.Frame(tr.NumFrames()-1).End - tr.Frame(0).Begin
			w := (want.Stats["time"].Max - want.Stats["time"].Min) * 1e9
			testkit.That(t, near(float64(span), w), "%d ns in all, want %v", span, w)
		} else {
			same(t, "frames", figuresOf(lengthsOf(tr)), want.Lengths, 1)
		}
		end := int64(math.MinInt64) // none begins before the one above ended: they are as long as was measured
		for i, w := range want.Frames {
			begin := max(int64(w.Begin), end)
			end = begin + int64(w.End) - int64(w.Begin)
			if f := tr.Frame(i); f.Begin != begin || f.End != end {
				t.Fatalf("frame %d from %d to %d, want %+v", i, f.Begin, f.End, w)
			}
		}
		testkit.That(t, want.Frames == nil || len(want.Frames) == tr.NumFrames(),
			"%d frames, want %d", tr.NumFrames(), len(want.Frames))
	}
	seen := 0
	for name, w := range want.Stats {
		if name == "frametime" || name == "elapsed" || name == "time" {
			continue
		}
		c := shownColumn(kindOf(want.Kind), name)
		var found []*spans.Series
		for _, x := range seriesOf(s, c.group) {
			if x.Def.Name == c.name {
				found = append(found, x)
			}
		}
		if hidden := want.Kind == "mangohud" && w.Min == 0 && w.Max == 0; hidden {
			testkit.That(t, len(found) == 0, "%s was not measured, and is shown", name)
			continue
		}
		if len(found) != 1 {
			t.Errorf("%d series of %s", len(found), name)
			continue
		}
		seen++
		same(t, name, figuresOf(valuesOf(found[0])), w, c.factor)
	}
	testkit.That(t, seen >= 3, "only %d columns are shown", seen)
}

func kindOf(s string) kind {
	switch s {
	case "mangohud":
		return mangoHud
	case "presentmon":
		return presentMon
	}
	return generic
}

func comparePresentMon(t *testing.T, s *store.Session, want *truth) {
	version := map[float64]string{1: "PresentMon 1", 2: "PresentMon 2.0 to 2.3", 2.5: "PresentMon 2.4 or later"}[want.Version]
	testkit.Equal(t, s.Info().Version, version, "version")
	framed, rows := 0, 0
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id).HasFrames() {
			framed++
		}
	}
	testkit.That(t, framed == len(want.Streams), "%d streams, want %d", framed, len(want.Streams))
	for _, w := range want.Streams {
		n := compareStream(t, s, w)
		rows += n
	}
	testkit.That(t, int64(rows) == want.Rows, "%d rows, want %d", rows, want.Rows)
}

func compareStream(t *testing.T, s *store.Session, w map[string]json.RawMessage) (rows int) {
	var app, chain string
	var pid, frames, dropped, notShown int64
	for key, to := range map[string]any{
		"application": &app, "swapchain": &chain, "pid": &pid, "frames": &frames, "dropped": &dropped, "not_displayed": &notShown,
	} {
		err := json.Unmarshal(w[key], to)
		testkit.MustThat(t, err == nil, "%v %v", key, err)
	}
	d := decoderNames(s, app, pid, chain)
	var tracks []model.TrackID
	for id := range model.TrackID(s.NumTracks()) {
		if n := s.Track(id).Def.Name; n == d || n == d+" generated" {
			tracks = append(tracks, id)
		}
	}
	if len(tracks) == 0 {
		t.Errorf("no track %q", d)
		return 0
	}
	main := s.Track(tracks[0])
	lengths := lengthsOf(main)
	for _, id := range tracks[1:] { // frames of the driver are spans
		for _, b := range s.Spans().Visible(id, 0, math.MinInt64, math.MaxInt64, 0, nil) {
			lengths = append(lengths, float64(b.End-b.Begin))
		}
	}
	testkit.That(t, int64(len(lengths)) == frames, "%s: %d frames, want %d", d, len(lengths), frames)
	var f figures
	testkit.OK(t, json.Unmarshal(w["frame_time_ms"], &f))
	same(t, d, figuresOf(lengths), f, 1e6)
	var first, last float64
	json.Unmarshal(w["time_first"], &first)
	json.Unmarshal(w["time_last"], &last)
	scale := map[string]float64{`"TimeInSeconds"`: 1e9, `"CPUStartTime"`: 1e6, `"CPUStartQPC"`: 100}[string(w["time_column"])]
	testkit.MustThat(t, scale != 0, "times are by %s", w["time_column"])
	span := float64(main.Frame(main.NumFrames()-1).Begin - main.Frame(0).Begin)
	if scale == 1e9 { // of ends
		span = float64(main.Frame(main.NumFrames()-1).End - main.Frame(0).End)
	}
	if w := (last - first) * scale; len(tracks) == 1 && math.Abs(span-w) > 500 { // times have 100 ns at most, and frames do not overlap
		t.Errorf("%s: from %v to %v is %v ns, want %v", d, first, last, span, w)
	}
	unshown := 0.0
	for _, x := range seriesOf(s, "Frames not shown", tracks...) {
		unshown += figuresOf(valuesOf(x)).Sum
	}
	if raw, ok := w["MsUntilDisplayed"]; ok && s.Info().Version == "PresentMon 2.4 or later" {
		// What has a time on the screen was shown, also where nothing was before it that changed.
		var f figures
		json.Unmarshal(raw, &f)
		notShown = frames - f.N
	}
	testkit.That(t, int64(unshown) == max(dropped, notShown),
		"%s: %v frames were not shown, want %d", d, unshown, max(dropped, notShown))
	columns := 0
	for key, raw := range w {
		var f figures
		if json.Unmarshal(raw, &f) != nil || key == "frame_time_ms" || len(raw) == 0 || raw[0] != '{' || key == "present_modes" {
			continue
		}
		if key == "MsBetweenPresents" || key == "msBetweenPresents" {
			if s.Info().Version == "PresentMon 1" {
				continue // the frames
			}
		}
		columns++
		var got []float64
		for _, x := range seriesOf(s, shownColumn(presentMon, key).group, tracks...) {
			got = append(got, valuesOf(x)...)
		}
		if norm := strings.ToLower(key); dropped > 0 && f.Min == 0 && (norm == "msuntildisplayed" || norm == "msbetweendisplaychange") {
			testkit.That(t, !slices.Contains(got, 0) && int64(len(got)) == frames-dropped,
				"%s %s: %d values of %d frames that were shown", d, key, len(got), frames-dropped)
			got = append(got, make([]float64, dropped)...) // the truth counts what was not shown as 0
		}
		same(t, d+" "+key, figuresOf(got), f, 1e6)
	}
	testkit.That(t, columns != 0, "%s: no column was compared", d)
	var modes map[string]int64
	json.Unmarshal(w["present_modes"], &modes)
	for _, x := range seriesOf(s, "Present mode", tracks...) {
		for _, state := range x.Def.States {
			testkit.That(t, modes[state] != 0, "%s: there is no present mode %q", d, state)
		}
	}
	return len(lengths)
}

// decoderNames is what the track of a swap chain is called.
func decoderNames(s *store.Session, app string, pid int64, chain string) string {
	digits := strings.TrimLeft(strings.TrimPrefix(chain, "0x"), "0")
	if digits == "" {
		digits = "0"
	}
	for _, name := range []string{
		app, app + " " + fmt.Sprint(pid), app + " 0x" + digits, app + " " + fmt.Sprint(pid) + " 0x" + digits,
	} {
		for id := range model.TrackID(s.NumTracks()) {
			if s.Track(id).Def.Name == name {
				return name
			}
		}
	}
	return ""
}

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

// made opens a text.
func made(t testing.TB, text string, o Source) (*store.Session, error) {
	t.Helper()
	return open(t, feedtest.File(t, "made.csv", text), o)
}

// TestCases opens tables of every sort: which column is what, in which unit, its notes, and its damage. Options
// are the columns that the user names, which frames are wanted, and the name of the file.
func TestCases(t *testing.T) {
	feedtest.Cases(t, func(option string) (feed.Source, string) {
		word := append(strings.Split(option, ","), "", "", "")
		return Source{Time: word[0], FrameTime: word[1], Frames: feed.Frames(word[2])}, cmp.Or(word[3], "made.csv")
	})
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

// TestAsks: the hint of what is not recognised says what a table needs.
func TestAsks(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"x.csv", "a,b\n1,2\n", "--time COLUMN, --frame-time COLUMN"}, {"x", "PAR1\x15\x06", "for other programs"}, {"x", "thread_id,", "for other programs"},
	} {
		testkit.Contains(t, Source{}.Hint([]byte(c.head), c.name), c.want)
	}
	testkit.Equal(t, Source{}.Hint([]byte("a,b\n1,2\n"), "x.txt"), "", "a text")
}
