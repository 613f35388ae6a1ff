package place

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]TimeRange{
		"":           {},
		":":          {},
		"120:180":    {A: 120, B: 180, HasA: true, HasB: true},
		"120:":       {A: 120, HasA: true},
		":180":       {B: 180, HasB: true},
		"120":        {A: 120, B: 120, HasA: true, HasB: true},
		"-100:":      {A: -100, HasA: true},
		"1.5s:2.5s":  {Times: true, A: 15e8, B: 25e8, HasA: true, HasB: true},
		" 200ms : ":  {Times: true, A: 2e8, HasA: true},
		":1m30s":     {Times: true, B: 9e10, HasB: true},
		"5:-1":       {A: 5, B: -1, HasA: true, HasB: true},
		"-2s:-500ms": {Times: true, A: -2e9, B: -5e8, HasA: true, HasB: true},
	} {
		got, err := ParseRange(text)
		testkit.That(t, err == nil, "%q: %v", text, err)
		testkit.NoDiff(t, cmp.Diff(want, got), "%q", text)
	}
	for text, want := range map[string]string{
		"a:b":                   "neither a frame number",
		"1:2s":                  "both",
		"180:120":               "ends before it begins",
		"1.5s":                  "two ends",
		"1s:1000ms":             "nothing is in it",
		"1:2:3":                 "neither",
		"1.5:2.5":               "neither",
		"99999999999999999999:": "neither",
	} {
		if _, err := ParseRange(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// timerangeSession has frames 10…19 of 10 ms each, 14 and 15 missing, on track 1; track 0 has none.
func timerangeSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.TrackDef{ID: 0, Name: "Empty"})
	s.Apply(model.TrackDef{ID: 1, Name: "Main", Index: 7})
	for n := int64(10); n < 20; n++ {
		if n == 14 || n == 15 {
			continue
		}
		ns := (n - 10) * int64(10*time.Millisecond)
		s.Append(&model.Batch{Track: 1, HasFrame: true, Number: n, Begin: ns, End: ns + int64(10*time.Millisecond)})
	}
	return s
}

func TestFrames(t *testing.T) {
	s := timerangeSession()
	for text, want := range map[string][2]int64{
		"":          {10, 19},
		"12:13":     {12, 13},
		"12:15":     {12, 13},
		"14:17":     {16, 17},
		"-2:":       {18, 19},
		":-9":       {10, 11},
		"0:100":     {10, 19},
		"20ms:30ms": {12, 12},
		"20ms:31ms": {12, 13},
		"21ms:":     {13, 19},
		"45ms:61ms": {16, 16},
		"-20ms:":    {18, 19},
	} {
		r, err := ParseRange(text)
		testkit.NoErr(t, err)
		first, last, err := r.Frames(s, 1)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		testkit.Equal(t, [2]int64{s.Track(1).Frame(first).Number, s.Track(1).Frame(last).Number}, want, "%q: frames", text)
	}
	for _, text := range []string{"14:15", "30:", ":5", "42ms:55ms", "45ms:60ms", "1h:", "-100h:0s"} {
		r, _ := ParseRange(text)
		_, _, err := r.Frames(s, 1)
		testkit.That(t, err != nil, "%q: no error", text)
	}
	_, _, err := (TimeRange{}).Frames(s, 0)
	testkit.That(t, err == ErrNoFrames, "empty track: %v", err)
}

func TestResolve(t *testing.T) {
	s := timerangeSession()
	r, _ := ParseRange("12:13")
	a, b, err := r.Resolve(s, 1)
	testkit.That(t, err == nil && a == 2e7 && b == 4e7, "%d %d %v", a, b, err)
	_, _, err = r.Resolve(store.NewSession(), 0)
	testkit.That(t, err == ErrNoFrames, "empty session: %v", err)
}

func TestFindTrack(t *testing.T) {
	s := timerangeSession()
	for name, want := range map[string]model.TrackID{"": 1, "Main": 1, "main": 1, "7": 1, "Empty": 0, "mai": 1, "M*": 1, "/^ma/": 1, "*pt?": 0} {
		got, err := FindTrack(s, name)
		testkit.That(t, err == nil && got == want, "%q: %d %v", name, got, err)
	}
	s.Apply(model.TrackDef{ID: 2, Name: "Job", Index: 3_855_321_344}) // as systems number threads
	got, err := FindTrack(s, "3855321344")
	testkit.That(t, err == nil && got == 2, "%d %v", got, err)
	_, err = FindTrack(s, "Draw")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "Empty, Main, Job"), "%v", err)
	if _, err := FindTrack(s, "m"); err == nil || !strings.Contains(err.Error(), "2 threads") || !strings.Contains(err.Error(), "Empty, Main") {
		t.Errorf("%v", err)
	}
	s.Apply(model.TrackDef{ID: 3, Name: "Job 7", Index: 7}) // of another process; the number is another's
	s.Apply(model.TrackDef{ID: 4, Name: "Job 7", Index: 7})
	for name, want := range map[string]model.TrackID{"7": 1, "1": 3, "2": 4} {
		got, err := FindTrack(s, name)
		testkit.That(t, err == nil && got == want, "%q: %d %v", name, got, err)
	}
	_, err = FindTrack(s, "b 7")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "Job 7 (1), Job 7 (2)"), "%v", err)
	_, err = FindTrack(s, "/(/")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "missing closing"), "%v", err)
}
