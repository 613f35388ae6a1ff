package server

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
)

// A capture that is sent over real sockets gives the handler what its messages, one by one, give: those
// are held against the official server in the tests of the decoder.
func TestReplayCaptures(t *testing.T) {
	for _, name := range pstatstest.Captures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, nil)
			pstatstest.OverSockets(t, name, s.Addr().String(), func(messages int64) {
				s.waitClients(t, fmt.Sprintf("%d messages", messages), func(c []ClientInfo) bool {
					return len(c) == 1 && c[0].Messages == messages
				})
			})
			got, want := s.session(t), newRecording(SessionInfo{})
			got.waitClosed(t)
			s.Close()
			pstatstest.Replay(t, pstatstest.Bytes(t, name+".pscap"), want)
			equal(t, "hellos", got.hellos, want.hellos)
			equal(t, "definitions", got.defs, want.defs)
			equal(t, "threads", got.threads, want.threads)
			equal(t, "expired", got.expired, want.expired)
			equal(t, "frames", len(got.frames), len(want.frames))
			for _, r := range []*recording{got, want} { // the first datagrams wait for the next
				slices.SortStableFunc(r.frames, func(a, b pstats.Frame) int {
					return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Number, b.Number))
				})
			}
			for i := range want.frames {
				equal(t, "frame", got.frames[i], want.frames[i])
			}
			equal(t, "losses", got.lost, [model.NumLossReasons]int64{})
		})
	}
}
