package load

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/app/report"
	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/records"
	"framescope/net/pstats/sessionfile"
	"framescope/net/puffin"
)

// text writes down a session: what the reports say, and its losses.
func text(s *store.Session) string {
	var b strings.Builder
	for _, o := range []report.Options{{Stats: true, JSON: true}, {JSON: true}} {
		if err := report.Write(&b, s, o); err != nil {
			fmt.Fprintln(&b, err)
		}
	}
	losses, lines := s.Losses()
	reason, ended := s.Ended()
	fmt.Fprintln(&b, losses, lines, reason, ended)
	return strings.ReplaceAll(b.String(), `"file":true`, `"file":false`)
}

// TestJournalsOpenAsTheyWere keeps a stream of each kind in a folder and in a file, and demands the
// session that was live of both.
func TestJournalsOpenAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		source, file string
		streamer     feed.Streamer
	}{
		{"gsttrace", "../../testdata/gsttrace/leaks-found.log", GStreamer()},
		{"profilelib", "../../testdata/profilelib/small-clean.prof", must(Sources{}.ProfileLib())},
		{"puffin", "../../testdata/puffin/http_join_late.puffinstream", puffin.Source{}},
		{"pstats", nested, nil},
	} {
		t.Run(c.source, func(t *testing.T) {
			data, err := os.ReadFile(c.file)
			testkit.NoErr(t, err)
			dir := t.TempDir()
			root := journal.OpenRoot(dir, journal.RootOptions{})
			defer root.Close()
			meta := journal.Meta{Source: c.source, Peer: "127.0.0.1:3", Program: "game"}
			for _, w := range []*journal.Writer{
				root.Create(meta, journal.Options{SegmentBytes: 100_000}),
				journal.CreateFile(filepath.Join(dir, "run"), meta, journal.Options{}),
			} {
				live := store.NewSession()
				sink := &feedtest.Into{Session: live}
				if c.streamer == nil {
					enc := records.NewEncoder(w)
					h := pstats.Tee(decode.New(sink, decode.Options{Peer: meta.Peer}), enc)
					_, err := sessionfile.Read(bytes.NewReader(data), "", 0, client{h}, nil)
					testkit.NoErr(t, err)
					h.Close("done")
				} else {
					stream := c.streamer.NewStream(sink, feed.StreamOptions{Name: meta.Peer, Program: "game"})
					tape := journal.ByteTape{Tape: w}
					for rest := data; len(rest) > 0; {
						n := min(len(rest), 1+rand.IntN(5000))
						stream.Write(rest[:n])
						tape.Write(rest[:n])
						rest = rest[n:]
					}
					stream.Close("done")
					w.Close("done")
				}
				testkit.NoErr(t, w.Wait(time.Minute))
				again, err := File(t.Context(), w.Path(), Options{})
				testkit.NoErr(t, err)
				a, b := text(live), text(again.Session)
				testkit.That(t, a == b, "%s: the session is\n%.2000s\nbut it was\n%.2000s", w.Path(), b, a)
				testkit.That(t, live.NumTracks() != 0, "the test shows nothing")
				// A file as it comes, in pieces.
				if st, _ := os.Stat(w.Path()); !st.IsDir() {
					s := store.NewSession()
					stream := Journals{}.NewStream(&feedtest.Into{Session: s}, feed.StreamOptions{Name: "run"})
					all, _ := os.ReadFile(w.Path())
					for rest := all; len(rest) > 0; {
						n := min(len(rest), 1+rand.IntN(3000))
						_, err := stream.Write(rest[:n])
						testkit.MustThat(t, err == nil || n >= len(rest), "%v", err)
						rest = rest[n:]
					}
					stream.Close("")
					a, b := text(live), text(s)
					testkit.That(t, a == b, "followed, the session is\n%.2000s\nbut it was\n%.2000s", b, a)
				}
			}
		})
	}
}

// client says hello as a client does, with a version; files do not know it.
type client struct{ pstats.Handler }

func (c client) Hello(h pstats.ClientHello) {
	h.Version = pstats.Version{Major: 3, Minor: 2}
	c.Handler.Hello(h)
}

func must(s feed.Streamer, err error) feed.Streamer {
	if err != nil {
		panic(err)
	}
	return s
}

// TestJournalsFollow follows a session while it is written, through eviction and to its end.
func TestJournalsFollow(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	defer root.Close()
	w := root.Create(journal.Meta{Source: "gsttrace", Peer: "p"}, journal.Options{SegmentBytes: 2000, Flush: time.Millisecond})
	data, err := os.ReadFile("../../testdata/gsttrace/leaks-found.log")
	testkit.NoErr(t, err)
	live, followed := store.NewSession(), store.NewSession()
	stream := GStreamer().NewStream(&feedtest.Into{Session: live}, feed.StreamOptions{Name: "p"})
	tape := journal.ByteTape{Tape: w}
	next := func() bool {
		n := min(len(data), 1000)
		stream.Write(data[:n])
		tape.Write(data[:n])
		data = data[n:]
		if len(data) == 0 {
			stream.Close("done")
			w.Close("done")
			<-w.Done()
		} else if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return len(data) > 0
	}
	next()
	waits := 0
	err = Journals{}.FollowFolder(t.Context(), w.Path(), &feedtest.Into{Session: followed}, func(context.Context) error {
		if waits++; !next() && waits > 1000 {
			return io.EOF
		}
		return nil
	})
	testkit.That(t, err == nil && waits >= 3, "%v after %d waits", err, waits)
	a, b := text(live), text(followed)
	testkit.That(t, a == b, "followed, the session is\n%.2000s\nbut it was\n%.2000s", b, a)
}

func TestJournalsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	unknown := journal.CreateFile(filepath.Join(dir, "unknown"), journal.Meta{Source: "other"}, journal.Options{})
	unknown.Data([]byte("x"))
	unknown.Close("")
	unknown.Wait(time.Minute)
	for path, want := range map[string]string{filepath.Join(dir, "unknown"): `"other"`, filepath.Join(dir, "none"): "none"} {
		s := store.NewSession()
		err := Journals{}.OpenFile(t.Context(), path, &feedtest.Into{Session: s})
		testkit.That(t, err != nil && strings.Contains(err.Error(), want), "%s: %v", path, err)
		_, ended := s.Ended()
		testkit.That(t, ended, "%s: the session has not ended", path)
	}
}
