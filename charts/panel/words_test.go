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
		if got := finalWords(&Env{View: v}, words); got != words {
			t.Errorf("while it runs: %q became %q", words, got)
		}
	}
	s.Apply(model.End{Reason: "closed"})
	for _, words := range sources {
		got := finalWords(&Env{View: v}, words)
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
	if got := finalWords(&Env{View: v}, words); !strings.HasSuffix(got, noFrameNow) {
		t.Errorf("while all is there: %q", got)
	}
	s.Apply(model.TrackDef{ID: 1, Name: "other"})
	s.Apply(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: 1, Frames: 1})
	other := view.New(s)
	other.SetTrack(1)
	if got := finalWords(&Env{View: other}, words); !strings.HasSuffix(got, noFrameKept) {
		t.Errorf("of a thread whose frames were dropped: %q", got)
	}
	v.PlacePlayhead(5)
	st.EnforceLimit(time.Time{})
	if s.Track(0).Evicted() == 0 {
		t.Fatal("nothing left")
	}
	if got := finalWords(&Env{View: v}, words); !strings.HasSuffix(got, noFrameHere+"\n"+NotKept) {
		t.Errorf("before the oldest, at %d, of %d: %q", v.Playhead(), s.Track(0).Frame(0).Begin, got)
	}
}

// Where all that came has left memory every panel says so, and how to get it back: no panel says that
// nothing came, or that it waits.
func TestWordsWhereAllHasLeft(t *testing.T) {
	st := &store.Store{MemoryLimit: 1}
	s := st.NewSession()
	for k := range int64(100) {
		s.Append(&model.Batch{Track: model.TrackID(k % 2), HasFrame: true, Number: k, Begin: k * 100, End: k*100 + 100})
	}
	s.Apply(model.TrackDef{ID: 2, Name: "never sent"})
	s.Apply(model.End{Reason: "closed"})
	st.EnforceLimit(time.Time{})
	for _, kept := range []bool{false, true} {
		for track := range model.TrackID(3) {
			v := view.New(s)
			v.SetTrack(track)
			env := &Env{View: v, Kept: kept}
			advice := NotKept
			if kept {
				advice = "It is on disk: " + KeyOfLeft + " opens it."
			}
			why := noFrameHere
			if track == 2 {
				why = noDataHere
			}
			for _, words := range []string{"The slowest frames.\n" + NoData, "Who ran inside whom.\n" + NoFrame} {
				head, _, _ := strings.Cut(words, "\n")
				if got, want := finalWords(env, words), head+"\n"+why+"\n"+advice; got != want {
					t.Errorf("kept %v, thread %d: %q, want %q", kept, track, got, want)
				}
			}
			if got, want := NothingLine(env, "Frames will be here."), why+" "+advice; got != want {
				t.Errorf("kept %v, thread %d, in a line: %q, want %q", kept, track, got, want)
			}
		}
	}
	if got := NothingLine(&Env{View: view.New(store.NewSession())}, "Frames will be here."); got != "Frames will be here." {
		t.Errorf("before anything came: %q", got)
	}
}
