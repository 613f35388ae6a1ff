package frametimes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// tableWith is a table of frames of 10 ms with a row as the 21st of 40.
func tableWith(row string) string {
	var b strings.Builder
	b.WriteString("time (s),frame_ms,x\n")
	for i := range 40 {
		if i == 20 {
			fmt.Fprintln(&b, row)
		} else {
			fmt.Fprintf(&b, "%.3f,10,1\n", float64(i)/100)
		}
	}
	return b.String()
}

// rowsOf are rows of frames of so many ms, from a time on.
func rowsOf(from, n, step int) (out string) {
	for i := range n {
		out += fmt.Sprintf("%d,%d\n", from+i*step, step)
	}
	return out
}

const (
	inMs    = "time (ms),frame_ms\n"
	present = "Application,ProcessID,SwapChainAddress,PresentMode,CPUStartTime,FrameTime\n"
)

var long = strings.Repeat("x", 5000)

// damaged are tables with something in them that can't be, or seems so.
var damaged = []struct {
	name, text string
	frames     int
	want       string // kinds, each with how many there are and the place
}{
	{"none", tableWith("0.200,10,1"), 40, ""},
	{"a time before the others", tableWith("-100,10,1"), 39, "bad-time 1 line 22"},
	{"a time of one above", tableWith("0.1,10,1"), 39, "bad-time 1 line 22"},
	{"a time of one below", tableWith("7.2,10,1"), 39, "bad-time 1 line 22"},
	{"a time far away", tableWith("1e9,10,1"), 39, "bad-time 1 line 22"},
	{"a time that can't be", tableWith("1e30,10,1"), 39, "bad-time 1 line 22"},
	{"no time", tableWith("x,10,1"), 39, "bad-time 1 line 22"},
	{"the first time far away", inMs + "1000000,10\n" + rowsOf(10, 20, 10), 20, "bad-time 1 line 2"},
	{"a length of days", tableWith("0.200,1e9,1"), 39, "bad-length 1 line 22"},
	{"a length that can't be", tableWith("0.200,1e30,1"), 39, "bad-length 1 line 22"},
	{"a length below 0", tableWith("0.200,-5,1"), 39, "bad-length 1 line 22"},
	{"a NUL in a length", tableWith("0.200,1\x000,1"), 39, "bad-length 1 line 22, nul-bytes 1 "},
	{"no length", tableWith("0.200,NA,1"), 39, ""},
	{"a long frame", tableWith("0.200,1000000,1"), 40, ""},
	{"no length and no time", "frametime_us,n\n100,1\n300,2\nNA,3\n100,4\n", 3, "bad-length 1 line 4"},
	{"a text among numbers", tableWith("0.200,10,xx"), 40, "bad-number 1 line 22"},
	{"a great number", tableWith("0.200,10,1e99"), 40, "bad-number 1 line 22"},
	{"no number", tableWith("0.200,10,NA"), 40, ""},
	{"too few cells", tableWith("0.200"), 39, "bad-line 1 line 22"},
	{"a cell less at the end", tableWith("0.200,10"), 40, ""},
	{"too many cells", tableWith("0.200,10,1,2,3"), 39, "bad-line 1 line 22"},
	{"a NUL before the header", "\x00" + tableWith("0.200,10,1"), 40, "nul-bytes 1 "},
	{"a NUL in the header", "time\x00" + tableWith("0.200,10,1")[4:], 40, "nul-bytes 1 "},
	{"a pause", inMs + rowsOf(0, 20, 10) + rowsOf(900_000, 20, 10), 40, ""},
	{"a last row after a pause", inMs + rowsOf(0, 20, 10) + rowsOf(5000, 1, 10), 21, ""},
	{"another recording", inMs + rowsOf(0, 20, 10) + rowsOf(0, 20, 10), 40, ""},
	{"small recordings", inMs + rowsOf(0, 2, 16) + rowsOf(0, 2, 16) + rowsOf(0, 3, 16), 7, ""},
	{"a long step", inMs + rowsOf(0, 20, 10) + rowsOf(700, 1, 10) + rowsOf(710, 20, 10), 41, ""},
	{"a last number that may be whole", "time_ms,x\n0,10\n10,10\n20,1", 2, ""},
	{"a last number that is cut", "time_ms,x\n0,10\n10,10\n20,1.", 1, "cut 1 line 4"},
	{"a last row that is cut", present + "a,1,0,Flip,0,10\na,1,0,Flip,10,1", 1, "cut 1 line 3"},
	{"a long state", present + "a,1,0,Flip,0,10\na,1,0," + long + ",10,10\n", 2, ""},
	{"a long program", present + "a,1,0,Flip,0,10\n" + long + ",1,0,Flip,20,10\n", 1, "many-threads 1 line 3"},
}

// TestDamaged leaves out what can't be, says which it is, and takes the rest for what it is.
func TestDamaged(t *testing.T) {
	for _, c := range damaged {
		s := testkit.Must(feedtest.Load(t, Source{}, feedtest.File(t, "made.csv", c.text)))(t, c.name)
		whole := []*store.Session{s, inPieces([]byte(c.text), 7, false), inPieces([]byte(c.text), 64, true)}
		for _, s := range whole[:3] {
			var kinds []string
			for _, l := range s.Diagnostics() {
				kinds = append(kinds, fmt.Sprintf("%s %d %s", l.Kind, l.N, l.Place))
			}
			slices.Sort(kinds)
			testkit.Equal(t, strings.Join(kinds, ", "), c.want, "%s", c.name)
			n := 0
			for id := range model.TrackID(s.NumTracks()) {
				n += s.Track(id).NumFrames()
			}
			testkit.Equal(t, n, c.frames, "%s: frames", c.name)
			again := strings.Contains(strings.Join(s.Warnings(), "\n"), "recordings")
			testkit.That(t, again == strings.HasSuffix(c.name, "recording") || again == strings.HasSuffix(c.name, "recordings"),
				"%s: %q", c.name, s.Warnings())
		}
		testkit.That(t, (Source{}).Sniff([]byte(c.text), "x.csv"), "%s is not recognised", c.name)
	}
	binary := strings.Repeat("a,b\x00\n1,2\x00\n", 20)
	testkit.That(t, !(Source{}).Sniff([]byte(binary), "x.csv"), "a binary is recognised")
}
