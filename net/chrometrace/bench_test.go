package chrometrace

import (
	"bytes"
	"fmt"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// traceOf returns a trace of so many events, as programs write them: frames, spans of three depths on
// four threads, counters, arguments.
func traceOf(events int) []byte {
	var b bytes.Buffer
	b.WriteString("[\n")
	names := []string{"Update", "Physics::Step", "Collide", "Render", "Cull", "Submit draw calls", "Audio mix"}
	for i := 0; i < events; i++ {
		ts := float64(i/8)*10 + float64(i%8)*0.125
		switch tid := i % 4; {
		case i%400 == 0:
			fmt.Fprintf(&b, `{"ph":"i","pid":4711,"tid":1,"ts":%.3f,"name":"frame","s":"t","args":{"n":%d}},`+"\n", ts, i/400)
		case i%50 == 7:
			fmt.Fprintf(&b, `{"ph":"C","pid":4711,"ts":%.3f,"name":"memory","args":{"heap":%d,"gpu":%d.5}},`+"\n", ts, i, i%99)
		case tid < 2:
			fmt.Fprintf(&b, `{"ph":"X","pid":4711,"tid":%d,"ts":%.3f,"dur":%.3f,"name":%q,"cat":"engine","args":{"index":%d}},`+
				"\n", tid, ts, 3.141, names[i/8%7], i)
		case i%8 < 4:
			fmt.Fprintf(&b, `{"ph":"B","pid":4711,"tid":%d,"ts":%.3f,"name":%q,"cat":"engine"},`+"\n", tid, ts, names[i/8%7])
		default:
			fmt.Fprintf(&b, `{"ph":"E","pid":4711,"tid":%d,"ts":%.3f},`+"\n", tid, ts)
		}
	}
	b.WriteString(`{"ph":"M","pid":4711,"name":"process_name","args":{"name":"game"}}]`)
	return b.Bytes()
}

// BenchmarkScan reads events without keeping them.
func BenchmarkScan(b *testing.B) {
	text := traceOf(200_000)
	b.SetBytes(int64(len(text)))
	events := 0
	for b.Loop() {
		s := scanner{take: func(*event, int64) { events++ }}
		s.write(text)
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOpen reads a file from the disk up to its last batch.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "trace.json", traceOf(2_000_000)) }

// held is a sink whose decoder's room is bounded.
type held struct {
	feedtest.Into
	names, data feed.Held
}

// NamesHeld tells feed.NamesOf what bounds the decoder.
func (h *held) NamesHeld() *feed.Held { return &h.names }

// DataHeld tells it what bounds what it gathers.
func (h *held) DataHeld() *feed.Held { return &h.data }

// Events for which there is no room take none from the names of those that are shown, and each is either
// shown or counted.
func TestRoomForNames(t *testing.T) {
	const n, names = 100_000, 6
	sink := &held{Into: feedtest.Into{Session: store.NewSession()}}
	sink.names.SetLimit(1 << 20)
	sink.data.SetLimit(3 << 19)
	d := newDecoder(sink, "room.json", "")
	d.scan.write([]byte("["))
	for i := range n {
		d.scan.write(fmt.Appendf(nil, `{"ph":"X","pid":1,"tid":1,"name":"N%d","ts":%d,"dur":1},`, i%names, 2*i))
	}
	d.scan.write([]byte("{}]"))
	testkit.OK(t, d.finish(nil))
	s := sink.Session
	shown, lost := s.Track(0).NumSpans(), int64(0)
	for _, l := range s.Limits() {
		lost += l.N
	}
	if shown == 0 || lost == 0 || shown+lost != n {
		t.Errorf("%d shown, %d beyond a limit of %d: %v", shown, lost, n, s.Limits())
	}
	for c := range model.CollectorID(s.Collectors().Len()) {
		if s.Collector(c).Name == fmt.Sprintf("N%d", names-1) {
			return
		}
	}
	t.Error("the last name is missing")
}
