package report

import (
	"bufio"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model/place"
)

// The bookmarks of a range are those that touch it, of its threads, in the order of time.
func TestOfARange(t *testing.T) {
	at := func(text string, begin, end int64, note string) place.Mark {
		p := testkit.Must(place.Parse(text))(t)
		return place.Mark{Place: p, Number: len(note) % 10, Note: note, BeginNs: begin, EndNs: end}
	}
	list := []place.Mark{
		at("frame=7&thread=Draw", 70e6, 80e6, "late"), at("frame=1&thread=Main", 10e6, 20e6, ""),
		at("time=0.02s", 20e6, 20e6, "two\nlines"),
	}
	for _, x := range []struct {
		begin, end int64
		threads    []string
		want       string
	}{
		{0, 1e9, nil, "frame=1&thread=Main time=0.02s frame=7&thread=Draw"},
		{20e6, 70e6, nil, "time=0.02s"},
		{19e6, 71e6, nil, "frame=1&thread=Main time=0.02s frame=7&thread=Draw"},
		{0, 1e9, []string{"Draw"}, "time=0.02s frame=7&thread=Draw"},
		{80e6, 1e9, nil, ""},
	} {
		var got []string
		for _, b := range BookmarksOf(list, x.begin, x.end, x.threads) {
			got = append(got, b.Place)
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("[%d, %d) of %v: %v", x.begin, x.end, x.threads, got)
		}
	}
	var text strings.Builder
	out := bufio.NewWriter(&text)
	WriteBookmarks(out, BookmarksOf(list, 0, 1e9, nil))
	out.Flush()
	if want := `
Bookmarks
          frame=1&thread=Main, 10ms from 10ms on
  Ctrl+9  time=0.02s
          two
          lines
  Ctrl+4  frame=7&thread=Draw, 10ms from 70ms on
          late
`; text.String() != want {
		t.Errorf("%s", text.String())
	}
}
