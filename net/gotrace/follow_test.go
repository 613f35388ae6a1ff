package gotrace

import (
	"bytes"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// followed reads a trace as a file that grows no more, and hands the session to look, again and again,
// until it is content.
func followed(t *testing.T, name string, data []byte, look func(s *store.Session) bool) {
	t.Helper()
	hub, all := feed.NewHub(), store.New(0)
	defer hub.Close()
	defer all.Close()
	st := Source{}.NewStream(hub.NewFeed(feed.Options{Live: true, Wait: true}), feed.StreamOptions{Name: name})
	written := make(chan struct{})
	go func() {
		defer close(written)
		st.Write(data) //nolint:errcheck // it takes all
	}()
	testkit.WaitUntil(t, name+" to be shown", func() bool {
		select {
		case <-written:
			st.Idle()
		default:
		}
		hub.Poll(all, 1e9)
		list := hub.Entries()
		return len(list) > 0 && list[0].Session != nil && look(list[0].Session)
	})
	closed := make(chan struct{})
	go func() { defer close(closed); st.Close("") }()
	testkit.WaitUntil(t, "the end", func() bool {
		hub.Poll(all, 1e9)
		select {
		case <-closed:
			return true
		default:
			return false
		}
	})
}

// A trace that grows no more is shown to its end, and what is looked at first is what it is of the
// finished file.
func TestFollowedToItsEnd(t *testing.T) {
	for _, name := range []string{"game-122.trace", "flight-126.trace", "gotest-126.trace"} {
		data := recordings.Read(t, recordings.GoTrace, name)
		whole := read(t, Options{}, data)
		_, end, _ := whole.Bounds()
		first := whole.Track(whole.FirstTrack()).Title()
		followed(t, name, bytes.Clone(data), func(s *store.Session) bool {
			_, now, _ := s.Bounds()
			tr := s.Track(s.FirstTrack())
			return now >= end-1e6 && tr != nil && tr.Title() == first
		})
	}
}

// A trace that stops and goes on later, at the end of a generation, loses nothing of what is complete,
// and is told as one: also where only the begin of the next generation says that one has ended.
func TestGoesOnAfterAPause(t *testing.T) {
	data, ends := withoutEnds(recordings.Read(t, recordings.GoTrace, "samples-126.trace"))
	testkit.MustThat(t, len(ends) >= 2, "%d generations", len(ends))
	k := &feedtest.Into{Session: store.NewSession()}
	st := Source{}.NewStream(k, feed.StreamOptions{Name: "paused"})
	from := 0
	for _, to := range ends {
		st.Write(data[from:to]) //nolint:errcheck // it takes all
		in := st.(*stream)
		testkit.WaitUntil(t, "the pause", func() bool { st.Idle(); return in.in == nil }, func() any { l, w := k.Session.Losses(); return []any{from, to, len(data), l, w} })
		from = to
	}
	st.Close("")
	whole := read(t, Options{}, data)
	losses, _ := k.Session.Losses()
	testkit.That(t, losses[model.LossBetween]+losses[model.LossMalformed]+losses[model.LossTruncated] == 0,
		"%v", losses)
	_, want := mainFrames(whole)
	_, n := mainFrames(k.Session)
	testkit.That(t, n >= want && n <= want+len(ends), "%d frames, want %d", n, want)
	_, end, _ := whole.Bounds()
	_, now, _ := k.Session.Bounds()
	testkit.That(t, now >= end-1e6, "ends at %d, want %d", now, end)
}

// withoutEnds makes of a trace one of the form before, in which nothing says where a generation ends, and
// returns where each does.
func withoutEnds(data []byte) (old []byte, ends []int) {
	m := &meter{room: feed.NamesOf(&feedtest.Kept{}), version: firstParted}
	old = header(firstWithEnd - 1)
	for _, b := range data[headSize:] {
		if len(m.head) == 0 && m.left == 0 && b == evEndOfGeneration {
			ends = append(ends, len(old))
			continue
		}
		m.follow([]byte{b})
		old = append(old, b)
	}
	return old, ends
}
