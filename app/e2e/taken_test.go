package e2e

import (
	"net"
	"testing"

	"framescope/internal/testkit"
)

// A port that another program has is told beside the recording that is opened all the same.
func TestTakenPort(t *testing.T) {
	address := freePort(t)
	other := testkit.Must(net.Listen("tcp4", address))(t)
	defer other.Close()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address, files: []string{recording("late")}})
	v.rest()
	v.see("port-taken")
}

// Without a recording the middle of the window says it. The window listens when the port is free:
// by itself, or at once when its button is clicked.
func TestTakenPortAlone(t *testing.T) {
	address := freePort(t)
	other := testkit.Must(net.Listen("tcp4", address))(t)
	defer other.Close()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address})
	v.rest()
	v.see("port-taken-alone")
	other.Close()
	v.click(494, 288)
	testkit.WaitUntil(t, "somebody who listens", func() bool {
		v.ticks(1)
		conn, err := net.Dial("tcp4", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}
