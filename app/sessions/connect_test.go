package sessions

import (
	"net"
	"testing"

	"framescope/app/launch"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// The user connects to a Rust program before it runs: the session is there, says so, and fills when
// the program begins. Addresses are remembered for each kind of programs.
func TestConnectToRustProgram(t *testing.T) {
	data := recordings.Read(t, recordings.Puffin, "http_join_late.puffinstream")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.NoErr(t, err)
	defer l.Close()
	addr := l.Addr().String()
	rust, _ := launch.ServerOf("puffin")
	g := newViewer(t, Options{})
	g.ss.askServer(rust)
	p := g.ask.Dialog()
	testkit.MustThat(t, p != nil && p.Field.Text() == "127.0.0.1:8585", "no question, or another: %+v", p)
	p.Field.SetText(addr)
	p.Enter()
	testkit.That(t, g.ask.Dialog() == nil, "the dialog stays")
	c, err := l.Accept()
	testkit.NoErr(t, err)
	defer c.Close()
	pollUntil(t, g, "the session without frames", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].Live && rows[0].State == "connected, no frames yet"
	})
	c.Write(data)
	pollUntil(t, g, "the session to be shown", func(rows []widgets.SessionRow) bool {
		return rows[0].Active && rows[0].State == "connected" && rows[0].Session.NumTracks() == 8
	})
	s := g.ss.active.Info()
	testkit.That(t, s.Source == "puffin" && s.Program == "program at "+addr, "shows %+v", s)
	got := g.settings.Addresses("puffin")
	testkit.That(t, len(got) == 1 && got[0] == addr && len(g.settings.Addresses("flare")) == 0, "remembers %q", got)
}
