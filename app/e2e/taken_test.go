package e2e

import (
	"net"
	"path/filepath"
	"testing"
)

// A port that another program has, and a recording that is not there, keep the other recording from nothing: both are
// told. The window listens as soon as the port is free and it is asked to.
func TestTakenPort(t *testing.T) {
	address := freePort(t)
	other, err := net.Listen("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address, files: []string{recording("late"), filepath.Join("nowhere", "missing.pstats")}})
	v.rest()
	v.see("port-taken")
	v.click(217, 139) // the cross of the recording that is not there
	v.rest()
	v.move(130, 139)
	v.ticks(3)
}

// Without a recording the middle of the window says it, and its button tries again.
func TestTakenPortAlone(t *testing.T) {
	address := freePort(t)
	other, err := net.Listen("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address})
	v.rest()
	v.see("port-taken-alone")
	other.Close()
	v.click(486, 272) // Listen again
	v.settle("port-free")
}
