package view

import (
	"testing"

	"framescope/model"
)

// The series of an object's references stands out with the object, and with no other.
func TestResourceLightsItsSeries(t *testing.T) {
	s := game()
	for i, address := range []string{"0x56", "0x567"} {
		s.Apply(model.ResourceDef{ID: model.ResourceID(i), Type: "GstCaps", Address: address, Listing: 1})
	}
	for i, name := range []string{"GstCaps 0x56 #1", "GstCaps 0x567 #1"} {
		s.Apply(model.SeriesDef{
			ID: model.SeriesID(i), Name: name, Role: model.RoleRefCount, Track: model.NoTrack,
			Object: model.NoObject, Peer: model.NoObject,
		})
	}
	v := viewOf(s)
	for i := range 2 {
		v.Select(Resource(model.ResourceID(i)))
		for k := range 2 {
			if got := v.Lights(Series(model.SeriesID(k))); got != (k == i) {
				t.Errorf("object %d lights series %d: %v", i, k, got)
			}
		}
	}
}
