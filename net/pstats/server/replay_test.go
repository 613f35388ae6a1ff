package server

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
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
			if !testkit.Long && (name == "longrun" || name == "render_gl_gpu") {
				t.Skip("the largest; the others have all kinds of messages")
			}
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

func TestReadCapture(t *testing.T) {
	var file bytes.Buffer
	file.WriteString("PSCAP1 {\"note\":\"two records\",\"tcp_port\":1}\n")
	head := file.Len()
	file.Write([]byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'})
	file.Write([]byte{2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	zip.Write(file.Bytes())
	zip.Close()

	want := &pstatstest.Capture{Note: "two records", Records: []pstatstest.Record{
		{Channel: pstatstest.ClientTCP, Time: 1, Data: []byte("abc")},
		{Channel: pstatstest.ClientUDP, Time: 256, Data: []byte{}},
	}}
	for _, data := range [][]byte{file.Bytes(), zipped.Bytes()} {
		got := testkit.Must(pstatstest.Read(bytes.NewReader(data)))(t)
		testkit.That(t, reflect.DeepEqual(got, want), "got %+v, want %+v", got, want)
	}
	for cut := range file.Len() {
		got, err := pstatstest.Read(bytes.NewReader(file.Bytes()[:cut]))
		switch {
		case cut < head:
			testkit.MustThat(t, err != nil && got == nil, "cut at %d: %v, %v", cut, got, err)
		case cut == head || cut == head+16:
			testkit.MustThat(t, err == nil, "cut at %d, between records: %v", cut, err)
		default:
			testkit.MustThat(t, err != nil && len(got.Records) == (cut-head)/16,
				"cut at %d: %d records, error %v", cut, len(got.Records), err)
		}
	}
	for text, reason := range map[string]string{
		"PSCAP1 {\n": "first line", "nothing\n": "does not begin", "PSCAP1 {}\n\x07            ": "channel 7",
		"PSCAP1 {}\n\x00        \xff\xff\xff\xffabc": "record of 4294967295 bytes cut off after 3",
	} {
		if _, err := pstatstest.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: error %v, want one with %q", text, err, reason)
		}
	}
}
