package decode

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
)

// starved is a session on disk whose viewer has no room while it says so.
type starved struct {
	*journal.Writer
	root  *journal.Root
	busy  atomic.Bool
	beats int
	fails error
}

func (s *starved) Crowded() bool { return s.busy.Load() }
func (s *starved) Roomy() bool   { return !s.busy.Load() }
func (s *starved) Beat()         { s.beats++ }

func (s *starved) Reopen(since time.Time) (*journal.Reader, error) {
	if s.fails != nil {
		return nil, s.fails
	}
	if err := s.Flush(); err != nil {
		return nil, err
	}
	return s.root.OpenSince(s.Path(), since)
}

// What comes while the viewer has no room is shown later, from the disk, as if it had been there: the frames, the
// definitions and losses between them, and the end.
func TestStarvedViewerLosesNothing(t *testing.T) {
	for _, end := range []string{"live again", "ends starved", "starves twice", "unreadable"} {
		t.Run(end, func(t *testing.T) {
			root := memoryRoot(t, journal.RootOptions{})
			s := &starved{Writer: root.Create(journal.Meta{Source: JournalSource}, journal.Options{}), root: root}
			got, want := &pstatstest.Sink{Session: store.NewSession()}, &pstatstest.Sink{Session: store.NewSession()}
			b := NewBehind(New(got, Options{}), s, s, t.Context().Done())
			both := pstats.Tee(b, New(want, Options{}))
			number := 0
			frames := func(n int) {
				for range n {
					at := float32(number) / 60
					both.Frame(&pstats.Frame{Number: uint32(number), Events: []pstats.Event{
						{Time: at}, {Word: 1, Time: at + 0.001}, {Word: 1 | pstats.StopBit, Time: at + 0.002}, {Word: pstats.StopBit, Time: at + 0.01},
					}}, 100)
					number++
				}
			}
			stall := func() {
				s.busy.Store(true)
				frames(100)
				both.Collectors([]pstats.CollectorDef{{Index: 2, Name: fmt.Sprint("late ", number)}})
				both.Lost(model.Loss{Reason: model.LossChecksum, N: 3, Frames: 3})
				frames(100)
				testkit.Equal(t, b.Waiting(), 200, "frames that wait on disk")
			}
			both.Hello(pstats.ClientHello{Program: "game"})
			both.Threads(0, []string{"Main"})
			both.Lost(model.Loss{Reason: model.LossChecksum, N: 2, Frames: 2})
			frames(100)
			switch end {
			case "unreadable":
				s.fails = fmt.Errorf("no such disk")
			case "starves twice":
				stall()
				s.busy.Store(false)
				b.idle.Wait()
			}
			stall()
			if end == "ends starved" {
				both.Close("bye")
			}
			s.busy.Store(false)
			b.idle.Wait()
			if end != "ends starved" {
				frames(100)
				both.Close("bye")
			}
			g, w := got.Session.Ledger(), want.Session.Ledger()
			if end == "unreadable" {
				w.Received, w.Ours, w.Missing = w.Received-200, 200, 200
				testkit.Equal(t, g, w, "the account")
				return
			}
			testkit.Equal(t, g, w, "the account")
			compareSessions(t, want.Session, got.Session)
		})
	}
}
