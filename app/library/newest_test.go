package library

import (
	"testing"
	"time"

	"framescope/internal/testkit"
)

// "last" is the newest that has ended; the live one that is newer is known, to be told.
func TestNewerLive(t *testing.T) {
	now := time.Now()
	list := []Session{
		{ID: "1", State: Live, Began: now},
		{ID: "2", State: Ended, Began: now.Add(-time.Minute)},
		{ID: "3", State: Live, Began: now.Add(-time.Hour)},
	}
	found, err := Find(list, Newest)
	testkit.MustThat(t, err == nil && found.ID == "2", "%v %v", found, err)
	s, ok := NewerLive(list, &found)
	testkit.That(t, ok && s.ID == "1", "%v %v", s, ok)
	s, ok = NewerLive(list[1:], &found)
	testkit.That(t, !ok, "%v", s)
}
