package panel

import (
	"strings"
	"testing"
	"time"

	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// A session that has ended does not wait for anything.
func TestWordsOfSessionsThatHaveEnded(t *testing.T) {
	s := store.NewSession()
	v := view.New(s)
	sources := []string{"Collectors with their times.\n" + NoData, "Who ran inside whom.\n" + NoFrame}
	for _, words := range sources {
		if got := finalWords(v, words); got != words {
			t.Errorf("while it runs: %q became %q", words, got)
		}
	}
	s.Apply(model.End{Reason: "closed"})
	for _, words := range sources {
		got := finalWords(v, words)
		if strings.Contains(got, "yet") || strings.Contains(got, "Waiting") || !strings.HasPrefix(got, words[:strings.IndexByte(words, '\n')+1]) {
			t.Errorf("after the end: %q became %q", words, got)
		}
	}
}

// A thread of which there were frames waits for none: not before its oldest, nor beside a gap.
func TestWordsOfThreadsWithFrames(t *testing.T) {
	st := &store.Store{MemoryLimit: 1}
	s := st.NewSession()
	for k := range int64(4000) {
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: k, Begin: k * 100, End: k*100 + 100})
	}
	v := view.New(s)
	const words = "Who ran inside whom.\n" + NoFrame
	if got := finalWords(v, words); !strings.HasSuffix(got, noFrameNow) {
		t.Errorf("while all is there: %q", got)
	}
	s.Apply(model.TrackDef{ID: 1, Name: "other"})
	s.Apply(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: 1, Frames: 1})
	other := view.New(s)
	other.SetTrack(1)
	if got := finalWords(other, words); !strings.HasSuffix(got, noFrameKept) {
		t.Errorf("of a thread whose frames were dropped: %q", got)
	}
	v.PlacePlayhead(5)
	st.EnforceLimit(time.Time{})
	if s.Track(0).Evicted() == 0 {
		t.Fatal("nothing left")
	}
	if got := finalWords(v, words); !strings.HasSuffix(got, noFrameHere) {
		t.Errorf("before the oldest, at %d, of %d: %q", v.Playhead(), s.Track(0).Frame(0).Begin, got)
	}
}
