package gotrace

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	exptrace "golang.org/x/exp/trace"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// endless is a trace of a version that begins and goes on with the same for ever, so far as it is read.
type endless struct {
	head io.Reader
	more []byte
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	if n, _ := e.head.Read(p); n > 0 {
		return n, nil
	}
	n := copy(p, bytes.Repeat(e.more, len(p)/len(e.more)+1))
	n -= n % len(e.more)
	e.read += int64(n)
	return n, nil
}

// A trace that goes on without end of a generation, or without events that can be shown, ends where there
// is no room for more.
func TestNoEndOfAGeneration(t *testing.T) {
	batch := func(kind byte, size int) []byte {
		return append([]byte{evEventBatch, 1, 1, 1, byte(size), kind}, bytes.Repeat([]byte{1}, size-1)...)
	}
	for name, c := range map[string]struct {
		version string
		more    []byte
	}{
		"empty batches":   {"go 1.23 trace\x00\x00\x00", []byte{evEventBatch, 1, 1, 1, 0}},
		"batches of one":  {"go 1.26 trace\x00\x00\x00", []byte{evEventBatch, 1, 1, 1, 1, 1}},
		"tables":          {"go 1.25 trace\x00\x00\x00", append(batch(evStrings, 4), 0)[:9]},
		"large batches":   {"go 1.22 trace\x00\x00\x00", batch(evEventBatch, 100)},
		"the older form":  {"go 1.19 trace\x00\x00\x00", []byte{0x4c, 1, 1}},
		"its empty parts": {"go 1.11 trace\x00\x00\x00", []byte{0}},
	} {
		t.Run(name, func(t *testing.T) {
			v := feedtest.New(t, 16<<20)
			in := &endless{head: strings.NewReader(c.version), more: c.more}
			var err error
			v.Run(func(sink feed.Sink) {
				room := feed.NamesOf(sink)
				defer room.Close()
				m := &meter{room: room}
				var e *exptrace.Reader
				for e, _, err = newEvents(in, m); err == nil; _, err = nextEvent(e) {
				}
				m.done()
				testkit.That(t, room.TakeData(1<<20), "what was held is not given back")
			})
			if !testing.Short() { // the race detector takes memory of its own
				v.Check(t)
			}
			testkit.That(t, err != nil && in.read <= 16<<20, "%d bytes were read: %v", in.read, err)
		})
	}
}

// What is weighed is the generation that is being read, in whatever pieces its bytes come, and all of a real
// trace is followed.
func TestMeterFollowsGenerations(t *testing.T) {
	data := recordings.Read(t, recordings.GoTrace, "game-126.trace")
	weigh := func(r io.Reader) (m meter, most int64) {
		m = meter{r: r, version: 26}
		p := make([]byte, 1<<12)
		for {
			if _, err := m.Read(p); errors.Is(err, io.EOF) {
				return m, most
			} else if err != nil {
				t.Fatal(err)
			}
			most = max(most, m.held)
		}
	}
	whole, most := weigh(bytes.NewReader(data[headSize:]))
	testkit.That(t, len(whole.head) == 0 && whole.left == 0 && !whole.lost && whole.gen != 0 && most != 0 && most <= 64*int64(len(data)),
		"%+v, at most %d bytes", whole, most)
	single, _ := weigh(iotest.OneByteReader(bytes.NewReader(data[headSize:])))
	testkit.That(t, single.held == whole.held && single.gen == whole.gen,
		"%+v in single bytes, %+v in large pieces", single, whole)
}
