package frametimes

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// made opens a text.
func made(t testing.TB, text string, o Source) (*store.Session, error) {
	t.Helper()
	return open(t, feedtest.File(t, "made.csv", text), o)
}

// TestCases opens tables of every sort: which column is what, in which unit, what is told, and what is damaged. Options
// are the columns that the user names, which frames are wanted, and the name of the file.
func TestCases(t *testing.T) {
	feedtest.Cases(t, func(option string) (feed.Source, string) {
		word := append(strings.Split(option, ","), "", "", "")
		return Source{Time: word[0], FrameTime: word[1], Frames: feed.Frames(word[2])}, cmp.Or(word[3], "made.csv")
	})
}

// TestInNoOrder puts rows of a file far from their place: all are frames, in order of time, those that were
// generated as well.
func TestInNoOrder(t *testing.T) {
	const head = "Application,ProcessID,SwapChainAddress,FrameType,CPUStartTime,FrameTime\n"
	const n = 300
	for name, at := range map[string]func(i int) int{
		"backwards": func(i int) int { return n - 1 - i },
		"halves":    func(i int) int { return (i + n/2) % n },
		"mixed":     func(i int) int { return i * 7 % n },
		"one late": func(i int) int {
			switch {
			case i < 50:
				return i
			case i == n-1:
				return 50
			}
			return i + 1
		},
	} {
		text := head
		for i := range n {
			text += fmt.Sprintf("game.exe,1,0x1,Application,%d,10\n", 10*at(i))
			if i%10 == 0 {
				text += fmt.Sprintf("game.exe,1,0x1,AMD_AFMF,%d.5,10\n", 10*at(i))
			}
			text += fmt.Sprintf("dwm.exe,2,0x2,Application,%d,16\n", 16*i)
		}
		s := testkit.Must(made(t, text, Source{}))(t, name)
		tr := s.Track(s.MainTrack())
		if lost, lines := s.Losses(); tr.Def.Name != "game.exe" || tr.NumFrames() != n || lost[model.LossLate] != 0 {
			t.Errorf("%s: %d frames of %q, lost %q", name, tr.NumFrames(), tr.Def.Name, lines)
		}
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			testkit.MustThat(t, f.Begin == int64(i)*1e7, "%s: frame %d begins at %d", name, i, f.Begin)
		}
	}
}

// inPieces reads a text as it comes.
func inPieces(text []byte, step int, idle bool) *store.Session {
	k := &feedtest.Into{Session: store.NewSession()}
	_ = feedtest.Stream(Source{}, k, text, feedtest.Steps(step), idle)
	return k.Session
}

// facts are what two sessions of one table have in common.
func facts(s *store.Session) string {
	_, all, _ := strings.Cut(feedtest.Outline(s), "\n")
	return all
}

// TestAsks: the hint of what is not recognised says what a table needs.
func TestAsks(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"x.csv", "a,b\n1,2\n", "--time COLUMN, --frame-time COLUMN"}, {"x", "PAR1\x15\x06", "for other programs"}, {"x", "thread_id,", "for other programs"},
	} {
		testkit.Contains(t, Source{}.Hint([]byte(c.head), c.name), c.want)
	}
	testkit.Equal(t, Source{}.Hint([]byte("a,b\n1,2\n"), "x.txt"), "", "a text")
}
