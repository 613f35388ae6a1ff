package store

import (
	"slices"
	"testing"

	"framescope/model"
)

// Each thread has a number that no other has: the source's where it is the first thread with it.
func TestThreadNumbers(t *testing.T) {
	s := NewSession()
	define := func(defs ...model.TrackDef) {
		for _, def := range defs {
			def.ID = model.TrackID(s.NumTracks())
			s.Apply(def)
		}
	}
	define(model.TrackDef{Name: "task", Kind: model.TrackAsync, Index: 7}, model.TrackDef{Name: "a", Index: 7},
		model.TrackDef{Name: "b", Index: 8}, model.TrackDef{Name: "a of another", Index: 7}, model.TrackDef{Name: "none", Index: -1},
		model.TrackDef{Name: "low", Index: 1})
	var x ThreadNumbers
	got := func() (out []int64) {
		for id := range model.TrackID(s.NumTracks()) {
			out = append(out, x.Of(s, id))
		}
		return out
	}
	if want := []int64{0, 7, 8, 2, 3, 1}; !slices.Equal(got(), want) {
		t.Errorf("numbers %v, want %v", got(), want)
	}
	define(model.TrackDef{Name: "late", Index: 3}, model.TrackDef{Name: "later", Index: 9})
	if want := []int64{0, 7, 8, 2, 3, 1, 4, 9}; !slices.Equal(got(), want) {
		t.Errorf("with two that came later %v, want %v", got(), want)
	}
	if n := x.Of(s, 99); n != -1 {
		t.Errorf("a thread that is not there has number %d", n)
	}
}
