package store

import (
	"testing"

	"framescope/internal/testkit"
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
	testkit.EqualSlices(t, got(), []int64{0, 7, 8, 2, 3, 1}, "numbers")
	define(model.TrackDef{Name: "late", Index: 3}, model.TrackDef{Name: "later", Index: 9})
	testkit.EqualSlices(t, got(), []int64{0, 7, 8, 2, 3, 1, 4, 9}, "with two that came later")
	testkit.Equal(t, x.Of(s, 99), -1, "a thread that is not there has number")
}
