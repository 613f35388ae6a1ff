package frametimes

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
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
