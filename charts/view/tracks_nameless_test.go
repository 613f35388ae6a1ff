package view

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// A thread without a name of which there are samples alone is shown: charts of all threads sum it up.
func TestThreadsOfSamplesAloneAreShown(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Index: 7})
	s.Apply(model.TrackDef{ID: 1, Index: 8})
	s.Apply(model.SeriesDef{
		ID: 0, Name: "stacks", Kind: model.SeriesEvent, Role: model.RoleStack, Track: 1, Object: model.NoObject, Peer: model.NoObject,
	})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 0, Time: 5, Value: 1}}})
	if shown := New(s).Look().VisibleTracks(); len(shown) != 1 || shown[0] != 1 {
		t.Errorf("%v", shown)
	}
}
