package library

import (
	"testing"
	"time"
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
	if err != nil || found.ID != "2" {
		t.Fatal(found, err)
	}
	if s, ok := NewerLive(list, &found); !ok || s.ID != "1" {
		t.Error(s, ok)
	}
	if s, ok := NewerLive(list[1:], &found); ok {
		t.Error(s)
	}
}
