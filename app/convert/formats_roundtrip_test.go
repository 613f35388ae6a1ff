package convert_test

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
)

// recording is one that is here; whole: nothing of it is damaged.
type recording struct {
	name    string
	session *store.Session
	whole   bool
}

// allRecordings are read once.
var allRecordings []recording

// everything returns all recordings that are here, and their sessions.
func everything(t *testing.T) []recording {
	t.Helper()
	if allRecordings != nil {
		return allRecordings
	}
	reg := testkit.Must(load.Sources{}.Registry())(t)
	for _, path := range append(recordings.Few(recordings.All(t, reg)), filepath.Join(flaretest.Captures(t), "recorded-60s")) {
		if rec, err := load.File(t.Context(), path, load.Options{}); rec != nil {
			name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
			allRecordings = append(allRecordings, recording{name, rec.Session, err == nil})
		}
	}
	return allRecordings
}

// partsOf are a session, the middle of it, and its busiest thread.
func partsOf(t *testing.T, s *store.Session) map[string]*convert.Part {
	t.Helper()
	out := map[string]*convert.Part{}
	out["all"] = converttest.Part(t, s, "")
	if begin, end, ok := s.Bounds(); ok && !s.Contents().Timeless && end-begin > 3 {
		third := (end - begin) / 3
		out["middle"] = convert.Between(s, begin+third, begin+2*third)
	}
	best := model.NoTrack
	for id := range model.TrackID(s.NumTracks()) {
		tr := s.Track(id)
		if tr.Def.Kind.Calls() && tr.NumSpans() > 0 && (best == model.NoTrack || tr.NumSpans() > s.Track(best).NumSpans()) {
			best = id
		}
	}
	if best != model.NoTrack {
		one := testkit.Must(convert.Of(s, place.TimeRange{}, []string{s.Track(best).Title()}))(t)
		out["thread"] = one
	}
	return out
}

// same demands of what a part became what the format can hold of it.
var same = map[*convert.Format]func(t *testing.T, a, b *convert.Part){
	&convert.ChromeFormat: func(t *testing.T, a, b *convert.Part) {
		converttest.Differ(t, converttest.Of(a), converttest.Of(b))
		sameFigures(t, a, b)
	},
	&convert.PerfettoFormat: func(t *testing.T, a, b *convert.Part) {
		want, got := converttest.Named(a), converttest.Named(b)
		for i, m := range got.Messages { // which is what its reader calls those without words
			got.Messages[i] = strings.Replace(m, " (unnamed) [", "  [", 1)
		}
		slices.Sort(got.Messages)
		want.Arrows, got.Arrows = nil, nil // flows are those of spans
		converttest.Differ(t, want, got)
		sameFigures(t, a, b)
	},
	&convert.SpeedscopeFormat: func(t *testing.T, a, b *convert.Part) {
		if a.Session.Contents().Timeless {
			was, m := testkit.Must(a.Measure())(t), testkit.Must(b.Measure())(t)
			if !b.Session.Contents().Timeless { // sums of times
				m = spans.MeasureDuration
			}
			if want, got := sums(a, was), sums(b, m); len(want) == 0 || !slices.Equal(want, got) {
				t.Errorf("call paths: %s", firstDifference(want, got))
			}
			return
		}
		converttest.Differ(t, converttest.Of(a).Calls(), converttest.Of(b).Calls())
	},
	&convert.FoldedFormat: sameSums,
}

// lost are recordings, or parts of them, that have something which a format has no place for, or which its readers
// take for something else.
var lost = map[*convert.Format]map[string]string{
	&convert.ChromeFormat: {
		"perfetto/odd-tracks.pftrace":          "calls of a thread overlap",
		"gsttrace/stats-bins-ghostpads.log.gz": tooLong, "gsttrace/stats-mux.log.gz": tooLong, "gsttrace/truncated.log.gz": tooLong,
	},
	&convert.PerfettoFormat: {
		"perfetto/odd-tracks.pftrace":          "calls of a thread overlap",
		"gsttrace/stats-bins-ghostpads.log.gz": tooLong, "gsttrace/stats-mux.log.gz": tooLong, "gsttrace/truncated.log.gz": tooLong,
		"perfscript/game-events.txt.gz": framelike, "pstats/late.pstats": framelike,
		"frametimes/presentmon-v1-case5.csv.gz/middle": noState, "gotrace/gotest-126.trace.gz/middle": noState,
	},
	&convert.SpeedscopeFormat: {"perfetto/odd-tracks.pftrace": "calls of a thread overlap"},
	&convert.FoldedFormat:     {"gsttrace/odd-names.log": "names have what stands between names"},
}

// What is lost of several recordings.
const (
	tooLong   = "messages are longer than names that are read"
	framelike = "spans are called as frames are, and are more than these"
	noState   = "that a state is none at first is nothing"
)

// sameFigures compares the statistics of frames, and the account of them, of what is all of a session.
func sameFigures(t *testing.T, a, b *convert.Part) {
	t.Helper()
	if !a.Whole() {
		return
	}
	if want, got := figures(a.Session), figures(b.Session); !slices.Equal(want, got) {
		t.Errorf("figures of frames: %s", firstDifference(want, got))
	}
	counts := func(l model.Ledger) [6]int64 {
		return [...]int64{int64(l.Threads), l.Sent, l.Received, l.Missing, l.Outside, l.Unframed}
	}
	if want, got := counts(a.Session.Ledger()), counts(b.Session.Ledger()); want != got {
		t.Errorf("the account of frames is %d, not %d", got, want)
	}
}

// samplesCut tells whether a part is of samples that are cut: their runs end where a reader of samples supposes it.
func samplesCut(f *convert.Format, what string, s *store.Session) bool {
	return f == &convert.SpeedscopeFormat && what == "middle" && s.Contents().Sampled
}

// sameSums compares own figures by name.
func sameSums(t *testing.T, a, b *convert.Part) {
	t.Helper()
	want, got := own(t, a), own(t, b)
	if a.Session.Contents().Timeless && !b.Session.Contents().Timeless { // sums of times
		got = ownOf(b, spans.MeasureDuration)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %d, not %d", name, got[name], want[name])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d names, not %d", len(got), len(want))
	}
}

// TestEverythingComesBack: every recording, its middle, and its busiest thread come back from each format as what that
// can hold of them.
func TestEverythingComesBack(t *testing.T) {
	done := map[string]int{}
	for _, rec := range everything(t) {
		name, s := rec.name, rec.session
		if !rec.whole || !s.Contents().Any() {
			continue
		}
		for what, p := range partsOf(t, s) {
			for f, compare := range same {
				if f.Check(p) != nil || lost[f][name]+lost[f][name+"/"+what] != "" || samplesCut(f, what, s) ||
					f.Give(t.Context(), p, io.Discard) != nil { // an empty file opens nowhere
					continue
				}
				done[f.ID]++
				t.Run(fmt.Sprintf("%s/%s/%s", name, what, f.ID), func(t *testing.T) {
					again, path := converttest.Again(t, f, p)
					compare(t, p, converttest.Part(t, again, ""))
					if f == &convert.SpeedscopeFormat && (what == "thread" || s.Contents().Timeless) {
						fits(t, path)
					}
				})
			}
		}
	}
	t.Log(done)
	for f := range same {
		if done[f.ID] < testkit.Rounds(15, 40) {
			t.Errorf("%s: only %d", f.ID, done[f.ID])
		}
	}
}

// Of a range of frames, or of times, what is in it comes back, as of a whole session.
func TestRangesComeBack(t *testing.T) {
	for _, of := range [][2]string{
		{"pstats/nested.pstats", "10:20"}, {"chrometrace/bevy-async.json.gz", "10ms:25ms"}, {"gotrace/game-122.trace.gz", "100ms:250ms"},
	} {
		for _, f := range []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat} {
			p := part(t, of[0], of[1])
			again, _ := converttest.Again(t, f, p)
			same[f](t, p, converttest.Part(t, again, ""))
		}
	}
}
