package records

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// TestReusedThreadsAreSaved sends what clients before 3.2 send when threads come and go: the same
// index, numbers from the beginning. A saved session must have every frame, in as many threads as
// were on screen.
func TestReusedThreadsAreSaved(t *testing.T) {
	s := &pstatstest.Sink{Session: store.NewSession()}
	raw := sessionfile.NewRaw()
	root := memoryRoot(t, journal.RootOptions{})
	w := root.Create(journal.Meta{Source: Source}, journal.Options{})
	h := pstats.Tee(decode.New(s, decode.Options{}), raw, NewEncoder(w))
	h.Hello(pstats.ClientHello{Program: "game", PID: -1, Version: pstats.Version{Major: 3}})
	h.Threads(0, []string{"Main", "worker"})
	at := float32(1)
	frames := func(thread uint16, n int) {
		for i := range n {
			h.Frame(&pstats.Frame{Thread: thread, Number: uint32(i), Events: []pstats.Event{{Word: 0, Time: at}, {Word: pstats.StopBit, Time: at + 0.5}}}, 0)
			at++
		}
	}
	frames(1, 3)
	frames(1, 5)                                                                                                                     // another worker
	h.Frame(&pstats.Frame{Thread: 1, Number: 7, Events: []pstats.Event{{Word: 0, Time: 3.6}, {Word: pstats.StopBit, Time: 3.7}}}, 0) // of the first worker, late
	h.Frame(&pstats.Frame{Thread: 1, Number: 6, Events: []pstats.Event{{Word: 0, Time: 3.5}, {Word: pstats.StopBit, Time: 3.6}}}, 0) // and before that
	frames(0, 2)
	frames(1, 2) // and another
	h.Expire(0)
	h.Threads(0, []string{"Other"}) // an expired index with another name
	frames(0, 1)
	h.Threads(2, []string{"second"}) // its index was given to a worker
	frames(2, 4)
	h.Close("")

	want := []string{`"Main" 2`, `"worker" 5`, `"worker" 5`, `"worker" 2`, `"Other" 1`, `"second" 4`}
	count := func(s *store.Session) (out []string) {
		for i := range s.NumTracks() {
			tr := s.Track(model.TrackID(i))
			out = append(out, fmt.Sprintf("%q %d", tr.Def.Name, tr.NumFrames()))
		}
		return out
	}
	if diff := cmp.Diff(want, count(s.Session)); diff != "" {
		t.Errorf("live (-want +got):\n%s", diff)
	}
	kept := kept(t, w, root.Open)
	saved := pstatstest.Written(t, func(out io.Writer) error { return ExportTo(t.Context(), out, kept, "") })
	var b bytes.Buffer
	if err := raw.WriteSession(&b, nil); err != nil || !bytes.Equal(b.Bytes(), saved) {
		t.Errorf("journal and raw session differ: %v", err)
	}
	again := &pstatstest.Sink{Session: store.NewSession()}
	decoder := decode.New(again, decode.Options{File: true})
	testkit.Must(sessionfile.Read(bytes.NewReader(saved), "saved", 0, decoder, nil))(t)
	if diff := cmp.Diff(want, count(again.Session)); diff != "" {
		t.Errorf("saved (-want +got):\n%s", diff)
	}
}
