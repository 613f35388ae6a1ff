package tracy

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// crates are versions of the Rust crate tracy-client-sys, which bundles Tracy's own client, by the client's version.
var crates = map[string]string{"0.10": "0.22.2", "0.11.1": "0.24.3", "0.12": "0.26.1", "0.14": "0.29.0"}

// TestRealTracyClient builds testdata/game.cpp with clients of several versions, records each game as Framescope does live, and
// compares that with what the game did; and 10 M zones as fast as they come.
func TestRealTracyClient(t *testing.T) {
	if !testkit.Long {
		t.Skip("builds Tracy's client")
	}
	testkit.Program(t, "cargo")
	testkit.Program(t, "g++")
	for version, crate := range crates {
		t.Run(version, func(t *testing.T) {
			game := buildGame(t, version, crate)
			gameIsWhole(t, recordGame(t, game, "40"), 40)
			many := testkit.Must(tracetest.Open(t, Source{}, recordGame(t, game, "100", "100000")))(t)
			n := 0
			for _, list := range many.Spans {
				for i := range list {
					if many.Name(list[i].Path) == "tiny" && list[i].Flags&model.SpanContinues == 0 {
						n++
					}
				}
			}
			testkit.Equal(t, n, 10_000_000, "zones")
		})
	}
}

// buildGame builds the game with the client in a version of the crate.
func buildGame(t *testing.T, version, crate string) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "cargo", "init", "-q", "--name", "fetch", "--vcs", "none")
	run(t, dir, "cargo", "add", "-q", "tracy-client-sys@="+crate)
	run(t, dir, "cargo", "vendor", "-q")
	tracy := filepath.Join(dir, "vendor", "tracy-client-sys", "tracy")
	game := filepath.Join(dir, "game")
	args := []string{
		"-O1", "-std=c++20", "-DTRACY_ENABLE", "-DTRACY_NO_EXIT", "-DTRACY_ONLY_LOCALHOST", "-DTRACY_NO_SAMPLING",
		"-DTRACY_NO_SYSTEM_TRACING", "-DTRACY_FIBERS", "-DTRACY_DATA_PORT=18086", "-DTRACY_NO_BROADCAST",
		"-I", filepath.Join(tracy, "tracy"), "-I", tracy, "-o", game,
		testkit.Must(filepath.Abs(filepath.Join("testdata", "game.cpp")))(t), filepath.Join(tracy, "TracyClient.cpp"),
		"-lpthread", "-ldl",
	}
	if version == "0.10" {
		args = append(args, "-DNO_COLOR")
	}
	run(t, dir, "g++", args...)
	return game
}

func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	testkit.MustThat(t, err == nil, "%s %v: %v\n%s", program, args, err, out)
}

// recordGame runs a game, and records it by a conversation as that of the viewer.
func recordGame(t *testing.T, game string, args ...string) string {
	t.Helper()
	cmd := exec.Command(game, args...)
	testkit.NoErr(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer cmd.Process.Kill()
	path := filepath.Join(t.TempDir(), "game.tracystream")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	converse(t, "127.0.0.1:18086", f)
	select {
	case err := <-ended:
		testkit.NoErr(t, err)
	case <-time.After(time.Minute):
		t.Fatal(fmt.Errorf("%s does not end", game))
	}
	return path
}

// converse takes what a program sends until it has ended.
func converse(t *testing.T, addr string, into io.Writer) {
	t.Helper()
	var conn net.Conn
	var hello []byte
	testkit.WaitUntil(t, "the game listens", func() (ok bool) {
		var err error
		conn, hello, err = Greet(t.Context(), addr, 10*time.Second)
		return err == nil
	})
	defer conn.Close()
	s := Source{}.NewStream(&feedtest.Into{Session: store.NewSession()}, feed.StreamOptions{Name: addr}).(Conversation)
	s.Ask(func(questions []byte) error { _, err := conn.Write(questions); return err })
	buf := make([]byte, 64<<10)
	for p := hello; !s.Over(); {
		testkit.Must(s.Write(p))(t)
		testkit.Must(into.Write(p))(t)
		if s.Over() {
			break
		}
		n, err := conn.Read(buf)
		testkit.NoErr(t, err)
		p = buf[:n]
	}
	s.Close("")
	testkit.Must(conn.Write(Farewell()))(t)
}
