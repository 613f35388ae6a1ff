// These tests build the client for games in C and C++, and look at what it sends.
package tracy_test

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/tracy"
)

// compilers are tried with all warnings.
var compilers = [][]string{
	{"gcc", "-std=c99"}, {"clang", "-std=c99"}, {"g++", "-x", "c++", "-std=c++11"}, {"clang++", "-x", "c++", "-std=c++11"},
}

// build compiles the example.
func build(t *testing.T, compiler []string, more ...string) string {
	t.Helper()
	testkit.Program(t, compiler[0])
	game := filepath.Join(t.TempDir(), "game")
	args := append([]string{"-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", game}, compiler[1:]...)
	args = append(append(args, more...), filepath.Join("..", "cclient", "game.c"), "-pthread")
	out, err := exec.CommandContext(t.Context(), compiler[0], args...).CombinedOutput()
	testkit.MustThat(t, err == nil, "%v\n%s", err, out)
	return game
}

// TestRealCClient plays the example, in its own words and as viewers see it; other compilers compile it, too.
func TestRealCClient(t *testing.T) {
	game := build(t, compilers[0])
	for name, test := range map[string]func(t *testing.T, game string){
		"a viewer sees what the game did": seesAll, "a viewer goes": goes, "a viewer reads nothing": readsNothing, "nobody looks": nobodyLooks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait for each other
			test(t, game)
		})
	}
	for _, c := range compilers[1:] {
		t.Run(c[0], func(t *testing.T) { build(t, c) })
	}
}

// playing is a game that runs.
type playing struct {
	addr string
	log  *bufio.Reader
}

func play(t *testing.T, game string, args ...string) playing {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), game, args...)
	out := testkit.Must(cmd.StdoutPipe())(t)
	testkit.OK(t, cmd.Start())
	t.Cleanup(func() { cmd.Wait() })
	p := playing{log: bufio.NewReader(out)}
	port := 0
	_, err := fmt.Fscanf(p.log, "port %d\n", &port)
	testkit.OK(t, err)
	p.addr = fmt.Sprintf("127.0.0.1:%d", port)
	return p
}

// told is what the game says that it did.
type told struct {
	zones                             map[string]int64
	frames, counters, messages, lost  int64
	updates, draws, enemies, loads, n int64
}

func (p playing) end(t *testing.T) (s told) {
	t.Helper()
	text := string(testkit.Must(io.ReadAll(p.log))(t))
	_, err := fmt.Sscanf(text, "zones Update %d Draw %d Enemy %d Load %d Read %d\nframes %d counters %d messages %d lost %d\n",
		&s.updates, &s.draws, &s.enemies, &s.loads, &s.n, &s.frames, &s.counters, &s.messages, &s.lost)
	testkit.MustThat(t, err == nil, "%v: %s", err, text)
	t.Log(text)
	s.zones = map[string]int64{"Update": s.updates, "Draw": s.draws, "Enemy": s.enemies, "Load": s.loads, "Read": s.n}
	return s
}

// look is Framescope: it connects, and takes what comes until the game ends, or gone says so.
func look(t *testing.T, addr string, gone func(taken int) bool) *store.Session {
	t.Helper()
	conn, hello, err := tracy.Greet(t.Context(), addr, 10*time.Second)
	testkit.OK(t, err)
	defer conn.Close()
	into := &feedtest.Into{Session: store.NewSession()}
	stream := tracy.Source{}.NewStream(into, feed.StreamOptions{Name: "game"}).(tracy.Conversation)
	stream.Ask(func(questions []byte) error { _, err := conn.Write(questions); return err })
	testkit.Must(stream.Write(hello))(t)
	buf := make([]byte, 64<<10)
	for taken := 0; !stream.Over() && (gone == nil || !gone(taken)); {
		n, err := conn.Read(buf)
		testkit.OK(t, err)
		taken += n
		testkit.Must(stream.Write(buf[:n]))(t)
	}
	conn.Write(tracy.Farewell())
	stream.Close("")
	return into.Session
}

// seen returns what a session holds: calls by name, frames, values, and messages but for those about losses.
func seen(s *store.Session) (calls map[string]int64, frames, values, messages, losses int64) {
	const from, to = math.MinInt64 / 4, math.MaxInt64 / 4
	calls = map[string]int64{}
	var tracks []model.TrackID
	for _, tr := range feedtest.Tracks(s) {
		tracks = append(tracks, tr.Def.ID)
		frames = max(frames, int64(tr.NumFrames()))
		for _, m := range s.Messages().Of(tr.Def.ID, from, to, nil) {
			if strings.HasPrefix(m.Text, "framescope:") {
				losses++
			} else {
				messages++
			}
		}
	}
	var tree spans.Tree
	s.Spans().Tree(tracks, from, to, &tree)
	for _, n := range tree.Nodes {
		calls[s.Collector(n.Collector).Name] += n.Count
	}
	for i := range s.Series().Len() {
		values += s.Series().ByID(model.SeriesID(i)).Len()
	}
	return calls, frames, values, messages, losses
}

// seesAll compares a session with the game's own log.
func seesAll(t *testing.T, game string) {
	played := play(t, game, "400", "-1", "20")
	s := look(t, played.addr, nil)
	want := played.end(t)
	calls, frames, values, messages, losses := seen(s)
	for name, n := range want.zones {
		testkit.Equal(t, calls[name], n, "calls of "+name)
	}
	testkit.Equal(t, want.lost, 0, "lost")
	got := []int64{frames / want.frames, values, messages, losses}
	testkit.EqualSlices(t, got, []int64{1, want.counters, want.messages, 0}, "frames, values, messages, losses")
}

// goes: the game goes on when its viewer was killed, and another one can come.
func goes(t *testing.T, game string) {
	played := play(t, game, "20000", "-1", "20")
	look(t, played.addr, func(taken int) bool { return taken > 100_000 })
	s := look(t, played.addr, nil)
	want := played.end(t)
	calls, _, _, _, _ := seen(s)
	testkit.That(t, calls["Draw"] > 0 && calls["Draw"] < want.draws, "%d of %d", calls["Draw"], want.draws)
}

// readsNothing: the game does not wait, and counts what it leaves out.
func readsNothing(t *testing.T, game string) {
	played := play(t, game, "2000", "-1", "1000")
	conn, _, err := tracy.Greet(t.Context(), played.addr, 10*time.Second)
	testkit.OK(t, err)
	defer conn.Close()
	want := played.end(t)
	testkit.That(t, want.lost > 0, "nothing was left out")
}

// nobodyLooks: the game plays alone.
func nobodyLooks(t *testing.T, game string) {
	testkit.Equal(t, play(t, game, "100", "-1").end(t).frames, 100, "frames")
}
