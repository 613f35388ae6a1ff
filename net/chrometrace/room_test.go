package chrometrace

import (
	"fmt"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

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
	const n, names = 400_000, 6
	sink := &held{Into: feedtest.Into{Session: store.NewSession()}}
	sink.names.SetLimit(1 << 20)
	sink.data.SetLimit(6 << 20)
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
