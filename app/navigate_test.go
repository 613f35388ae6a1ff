package app

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

func TestFrameCommands(t *testing.T) {
	g := openedGame(t, "gaps.pstats")
	v := g.View()
	track := v.Session().Track(v.Track())
	last := track.NumFrames() - 1
	at := func(what string, a, b int) {
		t.Helper()
		testkit.That(t, v.FrameA() == a && v.FrameB() == b,
			"%s: frames %d to %d are chosen, want %d to %d", what, v.FrameA(), v.FrameB(), a, b)
		testkit.That(t, !v.Live(), "%s: the view of a file is live", what)
	}
	worst := v.Session().Frames().Spikes(v.Track(), 0, last, 1, nil)[0]
	at("at first, the longest spike", worst, worst)
	g.commands.Run("frame.first")
	at("Home", 0, 0)
	g.commands.Run("frame.next")
	at("→", 1, 1)
	g.commands.Run("frame.on10")
	at("Ctrl+→", 11, 11)
	g.commands.Run("frame.moreright")
	g.commands.Run("frame.moreright")
	at("Shift+→ twice", 11, 13)
	g.commands.Run("frame.moreleft")
	at("Shift+←", 10, 13)
	g.commands.Run("escape")
	at("Esc", 10, 10)
	g.commands.Run("frame.last")
	at("End", last, last)
	g.commands.Run("frame.next")
	at("→ at the end", last, last)
	g.commands.Run("frame.first")
	at("Home", 0, 0)
	g.commands.Run("frame.back10")
	at("Ctrl+← at the begin", 0, 0)

	number := track.Frame(50).Number
	for _, text := range []string{"#" + itoa(number), " " + itoa(number)} {
		g.commands.Run("frame.first")
		testkit.Equal(t, g.nav.gotoFrame(text), "", "%q", text)
		at("go to "+text, 50, 50)
	}
	for _, text := range []string{"soon", "100-", "100 - 14s x", "5s-5s", "1000000-2000000", "900s-901s"} {
		before := v.FrameA()
		if complaint := g.nav.gotoFrame(text); !strings.Contains(complaint, strconv.Quote(text)) || v.FrameA() != before {
			t.Errorf("%q: it complains %q", text, complaint)
		}
	}
	a, b := track.Frame(20), track.Frame(40)
	for _, text := range []string{
		itoa(a.Number) + "-" + itoa(b.Number), "#" + itoa(b.Number) + " – " + itoa(a.Number), itoa(a.Number) + ".." + itoa(b.Number),
	} {
		g.commands.Run("frame.first")
		testkit.Equal(t, g.nav.gotoFrame(text), "", "%q", text)
		at("go to "+text, 20, 40)
	}
	g.commands.Run("frame.tolast")
	at("Shift+End", 20, last)
	g.commands.Run("frame.tofirst")
	at("Shift+Home", 0, last)
	for _, text := range []string{"1.2s-1.5s", "1.2 - 1.5 s", "0:01.5-0:01.2", "1200ms-1500ms"} {
		g.commands.Run("frame.first")
		if complaint := g.nav.gotoFrame(text); complaint != "" || v.RangeA() != 1200e6 || v.RangeB() != 1500e6 {
			t.Errorf("%q: %q, %d to %d ns", text, complaint, v.RangeA(), v.RangeB())
		}
	}
	if items := g.nav.typed(itoa(a.Number) + "-" + itoa(b.Number)); len(items) != 1 {
		t.Errorf("a range that is typed into the search leads to %d places", len(items))
	} else {
		items[0].Run()
		at("the search", 20, 40)
	}
	// A number that was never received leads to the next that was.
	for i := 1; i < track.NumFrames(); i++ {
		if f := track.Frame(i); f.Missing > 3 {
			g.nav.gotoFrame(itoa(f.Number - 2))
			at("go to a missing frame", i, i)
			break
		}
	}
}

func itoa(n int64) string {
	var b []byte
	for {
		b = append(b, byte('0'+n%10))
		if n /= 10; n == 0 {
			slices.Reverse(b)
			return string(b)
		}
	}
}

// N walks through the spikes in the order of time and Shift+N back, and both meet the same ones.
func TestSpikes(t *testing.T) {
	g := openedGame(t, "late.pstats")
	v := g.View()
	walk := func(command string) (found []int) {
		for range 1000 {
			before := v.FrameA()
			g.commands.Run(command)
			if v.FrameA() == before {
				return found
			}
			found = append(found, v.FrameA())
		}
		t.Fatalf("%s never ends", command)
		return nil
	}
	g.commands.Run("frame.first")
	there := walk("spike.next")
	testkit.MustThat(t, len(there) >= 3 && slices.IsSorted(there), "the spikes after the first frame are %v", there)
	longest := v.Session().Frames().Slowest(v.Track(), 0, v.Session().Track(v.Track()).NumFrames()-1, 1, nil)
	testkit.That(t, longest[0] == 0 || slices.Contains(there, longest[0]),
		"the longest frame, %d, is not among the spikes %v", longest[0], there)
	g.commands.Run("frame.last")
	back := walk("spike.previous")
	slices.Reverse(back)
	for _, i := range there {
		testkit.That(t, i == v.Session().Track(v.Track()).NumFrames()-1 || slices.Contains(back, i),
			"spike %d is met on the way on, not on the way back", i)
	}
}

// The search finds collectors by a part of their name; Enter goes through them, and occurrences of
// the chosen one are found on its thread.
func TestSearch(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	v := g.View()
	g.find.field.SetText("physics")
	g.find.update()
	testkit.MustThat(t, len(g.find.found) != 0, "nothing is called “physics”")
	g.find.next(false)
	c := v.Session().Collector(v.Collector())
	testkit.MustThat(t, c != nil && c.Name == "Physics", "the first hit is %+v", c)
	first := v.Collector()
	for range g.find.found {
		g.find.next(false)
	}
	testkit.Equal(t, v.Collector(), first, "going through all hits does not lead back to the first")
	v.PlacePlayhead(0)
	g.commands.Run("occurrence.next")
	testkit.MustThat(t, v.HasSpan() && v.Span().Collector == first, "no occurrence was found")
	begin := v.Span().Begin
	g.commands.Run("occurrence.next")
	testkit.That(t, v.Span().Begin > begin, "the next occurrence begins at %d, not after %d", v.Span().Begin, begin)
	g.commands.Run("occurrence.previous")
	testkit.Equal(t, v.Span().Begin, begin, "back again it begins at")
	g.commands.Run("escape")
	testkit.Equal(t, g.find.field.Text(), "", "Esc did not clear the search")
	g.commands.Run("escape")
	testkit.That(t, !v.HasSpan() && v.Collector() == model.NoCollector, "Esc did not clear the selection")
}
