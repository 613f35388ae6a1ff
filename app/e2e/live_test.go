package e2e

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw/golden"
	"framescope/internal/testkit"
	"framescope/net/pstats/pstatstest"
)

// TestPauseAndResume plays a recorded client into a live viewer: it follows the newest frame, is
// paused while more frames come, is taken back in time, and follows again; then the client goes,
// and the session stays.
func TestPauseAndResume(t *testing.T) {
	if noHost != "" {
		t.Skip(noHost)
	}
	capture := testkit.Must(pstatstest.Open(filepath.Join("..", "..", "testdata", "pstats", "fragmented.pscap")))(t)
	address := freePort(t)
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address})
	v.rest()

	// The client sends by TCP in pieces of seven bytes; the capture is cut into three parts between
	// which it waits for the test.
	part := make(chan struct{})
	played := make(chan error, 1)
	records := append([]pstatstest.Record(nil), capture.Records...)
	go func() { played <- replay(address, records, part) }()

	part <- struct{}{}
	v.settle("live")

	// Paused: what comes now is received, and does not move the picture.
	v.press(ebiten.KeySpace)
	frozen := v.picture()
	part <- struct{}{}
	v.settle("paused")
	if golden.Compare(frozen, v.picture(), maxDiff).Pixels == 0 {
		t.Error("the paused viewer does not say how far it is behind")
	}

	// Back in time, and live again.
	for range 8 {
		v.press(ebiten.KeyArrowLeft)
	}
	v.rest()
	v.settle("stepped-back")
	v.press(ebiten.KeyL)
	v.settle("live-again")

	part <- struct{}{}
	if err := <-played; err != nil {
		t.Fatal(err)
	}
	v.settle("ended")
}

// replay sends what the client of a capture sent by TCP, in three parts.
func replay(address string, records []pstatstest.Record, part <-chan struct{}) error {
	var stream []byte
	for _, r := range records {
		if r.Channel == pstatstest.ClientTCP {
			stream = append(stream, r.Data...)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	n := len(stream)
	for _, to := range []int{n / 2, n * 3 / 4, n} {
		<-part
		if _, err := conn.Write(stream[:to-(n-len(stream))]); err != nil {
			return err
		}
		stream = stream[to-(n-len(stream)):]
	}
	return nil
}

// freePort returns an address that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer ln.Close()
	return strings.Replace(ln.Addr().String(), "localhost", "127.0.0.1", 1)
}

// settle waits until what the window shows is the picture of that name: what a client sent takes
// its time to arrive. It fails like see when that does not come to be.
func (v *viewer) settle(name string) {
	v.t.Helper()
	path := filepath.Join("testdata", name+".png")
	if testkit.WaitFor(func() bool {
		v.ticks(10)
		shapes, texts := v.layout()
		return golden.SameLayout(path, shapes, texts)
	}) {
		return
	}
	v.ticks(600)
	v.see(name)
}
