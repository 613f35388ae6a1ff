package server

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/pstats"
)

// A program that dies while it is connected is found by its socket, and how it died is known.
func TestDeathOfAPeer(t *testing.T) {
	if os.Getenv("PEER_OF") != "" {
		c := testkit.Must(net.Dial("tcp", os.Getenv("PEER_OF")))(t)
		c.Write([]byte("\n"))
		c.Read(make([]byte, 1))
		return
	}
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	peer := exec.Command(os.Args[0], "-test.run", "^TestDeathOfAPeer$")
	peer.Env = append(os.Environ(), "PEER_OF="+l.Addr().String())
	testkit.OK(t, peer.Start())
	c := testkit.Must(l.Accept())(t)
	r := bufio.NewReader(c)
	r.ReadByte()
	var p *process
	testkit.WaitUntil(t, "its process", func() bool { // the system's list of a moment may lack a line
		p = processOf(c.RemoteAddr().(*net.TCPAddr).AddrPort(), c.LocalAddr().(*net.TCPAddr).AddrPort())
		return p != nil
	})
	testkit.Equal(t, p.pid, peer.Process.Pid, "process")
	defer p.close()
	heard := newRecording(SessionInfo{})
	conn := &conn{handler: heard}
	conn.hello.Store(&pstats.ClientHello{Program: "game", PID: -1})
	conn.identify(p)
	testkit.EqualSlices(t, heard.hellos, []pstats.ClientHello{{Program: "game", PID: int64(p.pid)}}, "identity")
	testkit.OK(t, peer.Process.Kill())
	r.ReadByte()
	testkit.Equal(t, p.death(), "killed by signal 9 (killed), process "+strconv.Itoa(p.pid), "its death")
}
