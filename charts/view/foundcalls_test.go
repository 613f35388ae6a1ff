package view

import (
	"testing"

	"framescope/model/find"
)

// What is found of another session says nothing of this one, even where both are shown.
func TestCallsOfAnotherSessionAreNotFound(t *testing.T) {
	v := viewOf(game())
	e, err := find.Parse(">=0ns")
	if err != nil {
		t.Fatal(err)
	}
	var hits find.Hits
	hits.Search(v.Session(), e)
	v.Look().SetFoundCalls(&hits)
	if v.Look().FoundCalls() != &hits {
		t.Error("what is found is not known")
	}
	hits.Search(game(), e)
	if v.Look().FoundCalls() != nil {
		t.Error("what is found of another session is taken for this one's")
	}
}
