package app

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"framescope/app/convert"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// session returns one with so many frames of two spans each on a thread.
func session(frames int) *store.Session { return filled(store.NewSession(), frames) }

func filled(s *store.Session, frames int) *store.Session {
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Object: model.NoObject, Peer: model.NoObject})
	s.Apply(model.CollectorDef{ID: 1, Name: "Update"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	add(s, 0, frames)
	return s
}

// add appends frames from a number on.
func add(s *store.Session, from, n int) {
	for i := from; i < from+n; i++ {
		at := int64(i) * 1000
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: at, End: at + 1000, Spans: []model.Span{
			{Begin: at, End: at + 400, Path: 1}, {Begin: at + 500, End: at + 900, Path: 1},
		}})
	}
}

// all is a part of what a session has now.
func all(s *store.Session) *convert.Part {
	begin, end, _ := s.Bounds()
	return convert.Between(s, begin, end)
}

// exportingWritten is what is written of a part at once.
func exportingWritten(t *testing.T, p *convert.Part) []byte {
	t.Helper()
	var out bytes.Buffer
	testkit.NoErr(t, convert.ChromeFormat.Write(t.Context(), p, &out))
	return out.Bytes()
}

// A session is written in pieces, between which it goes on: what is written is what it had when that
// began.
func TestPieces(t *testing.T) {
	s := session(20_000)
	want := exportingWritten(t, all(s))
	path := filepath.Join(t.TempDir(), "out.json")
	j := newJob(&convert.ChromeFormat, all(s), path)
	pieces, shares := 0, 0
	for before := int64(0); j.goOn(0); pieces++ {
		add(s, 20_000+pieces, 1)
		if j.done > before && j.done <= j.total {
			shares++
		}
		before = j.done
	}
	got, err := os.ReadFile(path)
	testkit.MustThat(t, err == nil && j.err == nil, "%v %v", err, j.err)
	testkit.That(t, bytes.Equal(got, want), "%d bytes instead of %d", len(got), len(want))
	testkit.That(t, pieces >= 8 && shares >= 8, "%d pieces, %d of them further on", pieces, shares)
}

// What is given up leaves nothing behind, whenever that is.
func TestGiveUp(t *testing.T) {
	for _, pieces := range []int{0, 1, 4} {
		dir := t.TempDir()
		j := newJob(&convert.ChromeFormat, all(session(20_000)), filepath.Join(dir, "out.json"))
		for range pieces {
			testkit.MustThat(t, j.goOn(0), "it is done already")
		}
		j.giveUp(errClosed)
		if left, _ := os.ReadDir(dir); len(left) > 0 || !errors.Is(j.err, context.Canceled) || j.why != errClosed {
			t.Errorf("after %d pieces: %v is there, %v, %v", pieces, left, j.err, j.why)
		}
	}
}

// Tables go into a folder.
func TestFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables")
	j := newJob(&convert.CSVFormat, all(session(1000)), path)
	for j.goOn(time.Hour) {
	}
	files, err := os.ReadDir(path)
	testkit.That(t, err == nil && j.err == nil && len(files) >= 3, "%v, %v, %v", files, err, j.err)
}

// A disk that refuses ends it with the reason.
func TestNoFolder(t *testing.T) {
	j := newJob(&convert.ChromeFormat, all(session(20_000)), filepath.Join(t.TempDir(), "none", "out.json"))
	for j.goOn(0) {
	}
	testkit.That(t, errors.Is(j.err, os.ErrNotExist), "%v", j.err)
}

// What leaves memory meanwhile is not written, and no harm.
func TestLeaves(t *testing.T) {
	keeper := store.New(1 << 20)
	s := filled(keeper.NewSession(), 30_000)
	j := newJob(&convert.ChromeFormat, all(s), filepath.Join(t.TempDir(), "out.json"))
	for range 3 {
		j.goOn(0)
	}
	keeper.EnforceLimit(time.Now().Add(time.Hour))
	for j.goOn(0) {
	}
	gone := s.Ledger().Evicted - j.evicted
	testkit.That(t, j.err == nil && gone != 0, "%v, %d frames left", j.err, gone)
}
