package frametimes

import (
	"cmp"
	"fmt"
	"math"
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

// TestRounded rounds times to ever fewer places: frames are as long as their column says, none is
// before the one above, and each but the first begins in the Present of the one above.
func TestRounded(t *testing.T) {
	for places := 2; places <= 7; places++ {
		var b strings.Builder
		b.WriteString("Application,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents\n")
		const n = 3000
		at, lengths, presents := 0.0001, []int64(nil), int64(0)
		for i := range n {
			length, present := int64(4_000_000+(i*7919)%9_000_000/100*100), int64(200_000+(i*104729)%900_000/100*100)
			at += float64(length) / 1e9
			if lengths = append(lengths, length); i < n-1 {
				presents += present
			}
			fmt.Fprintf(&b, "game.exe,1,0x1,0,%.*f,%.4f,%.4f\n", places, at, float64(present)/1e6, float64(length)/1e6)
		}
		s := testkit.Must(made(t, b.String(), Source{}))(t)
		tr, end := s.Track(0), int64(math.MinInt64)
		testkit.MustThat(t, tr.NumFrames() == n && len(s.Warnings()) <= 0,
			"%d places: %d frames, %q", places, tr.NumFrames(), s.Warnings())
		for i := range n {
			f := tr.Frame(i)
			if f.End-f.Begin != lengths[i] || f.Begin < end {
				t.Fatalf("%d places: frame %d from %d to %d, %d long, want %d", places, i, f.Begin, f.End, f.End-f.Begin, lengths[i])
			}
			end = f.End
		}
		late := end - int64(at*1e9)
		testkit.That(t, late >= -1e7 && late <= 1e7, "%d places: the last frame ends %d ns late", places, late)
		calls, ns := 0, int64(0)
		for _, c := range s.Spans().Visible(0, 1, math.MinInt64, math.MaxInt64, 0, nil) {
			calls, ns = calls+1, ns+c.End-c.Begin
		}
		testkit.That(t, calls == n-1 && ns == presents,
			"%d places: %d calls of Present of %d ns, want %d of %d", places, calls, ns, n-1, presents)
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
