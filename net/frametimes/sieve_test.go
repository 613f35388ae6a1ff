package frametimes

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// cannotBe are rows of a table of frames of 10 ms, the 21st of 40, that can't be.
var cannotBe = []struct {
	row, told string
	frames    int
}{
	{"0.200,10", "", 40},
	{"-100,10", "time outside of that of the rows around them are left out: line 22", 39},
	{"0.1,10", "time outside of that of the rows around them are left out: line 22", 39},
	{"7.2,10", "time outside of that of the rows around them are left out: line 22", 39},
	{"1e9,10", "time outside of that of the rows around them are left out: line 22", 39},
	{"1e30,10", "time outside of that of the rows around them are left out: line 22", 39},
	{"x,10", "without a valid time are left out: line 22", 39},
	{"0.200,1e9", "or more than a day, are left out: line 22", 39},
	{"0.200,1e30", "or more than a day, are left out: line 22", 39},
	{"0.200,-5", "or more than a day, are left out: line 22", 39},
	{"0.200,1\x000", "valid frame time do not count as frames: line 22", 39},
	{"0.200,NA", "", 39},
	{"0.200,1000000", "", 40},
}

// tableWith is a table of frames of 10 ms with such a row in it.
func tableWith(row string) string {
	var b strings.Builder
	b.WriteString("time (s),frame_ms\n")
	for i := range 40 {
		if i == 20 {
			fmt.Fprintln(&b, row)
		} else {
			fmt.Fprintf(&b, "%.3f,10\n", float64(i)/100)
		}
	}
	return b.String()
}

// TestCannotBe leaves out rows that can't be, says which they are, and takes the others for what they are.
func TestCannotBe(t *testing.T) {
	for _, c := range cannotBe {
		s := testkit.Must(made(t, tableWith(c.row), Source{}))(t)
		for _, s := range []*store.Session{s, inPieces([]byte(tableWith(c.row)), 7, false), inPieces([]byte(tableWith(c.row)), 64, true)} {
			_, lines := s.Losses()
			told := strings.Join(lines, "\n")
			if s.NumTracks() != 1 || s.Track(0).NumFrames() != c.frames || !strings.Contains(told, c.told) || (told == "") != (c.told == "") {
				t.Errorf("%q: %d tracks, %q, want %q; %q", c.row, s.NumTracks(), told, c.told, s.Warnings())
			}
			if strings.Contains(strings.Join(s.Warnings(), "\n"), "recordings") {
				t.Errorf("%q: %q", c.row, s.Warnings())
			}
		}
	}
}

// Pauses, recordings that begin anew and times out of order of several programs are no damage.
func TestTimesThatCan(t *testing.T) {
	rows := func(from, n, step int) (out string) {
		for i := range n {
			out += fmt.Sprintf("%d,%d\n", from+i*step, step)
		}
		return out
	}
	for name, c := range map[string]struct {
		text   string
		frames int
	}{
		"a pause":                    {rows(0, 20, 10) + rows(900_000, 20, 10), 40},
		"a last row after a pause":   {rows(0, 20, 10) + rows(5000, 1, 10), 21},
		"another recording":          {rows(0, 20, 10) + rows(0, 20, 10), 40},
		"small recordings":           {rows(0, 2, 16) + rows(0, 2, 16) + rows(0, 3, 16), 7},
		"a long step":                {rows(0, 20, 10) + rows(700, 1, 10) + rows(710, 20, 10), 41},
		"several programs, unsorted": {"", 6},
	} {
		head := "time (ms),frame_ms\n"
		if c.text == "" {
			head = "Application,ProcessID,SwapChainAddress,TimeInSeconds,msBetweenPresents\n"
			c.text = "a,1,0,0.020,10\nb,2,0,0.010,10\na,1,0,0.030,10\nb,2,0,0.021,10\na,1,0,0.040,10\nb,2,0,0.035,10\n"
		}
		s := testkit.Must(made(t, head+c.text, Source{}))(t, name)
		n := 0
		for id := range model.TrackID(s.NumTracks()) {
			n += s.Track(id).NumFrames()
		}
		if _, lines := s.Losses(); n != c.frames || len(lines) > 0 {
			t.Errorf("%s: %d frames, want %d; %q, %q", name, n, c.frames, lines, s.Warnings())
		}
	}
}

// A last time and a first one that can't be do not make the table longer.
func TestFirstAndLast(t *testing.T) {
	text := tableWith("0.200,10")
	for _, c := range []string{strings.Replace(text, "\n0.000,10", "\n1e9,10", 1), text + "1e9,10\n", text + "0.001,10\n"} {
		s := testkit.Must(made(t, c, Source{}))(t)
		tr := s.Track(0)
		if _, lines := s.Losses(); tr.NumFrames() < 39 || tr.Frame(tr.NumFrames()-1).End > 1e9 || len(lines) != 1 {
			t.Errorf("%d frames, %q", tr.NumFrames(), lines)
		}
	}
}

// A NUL does not make a table unknown.
func TestSniffSpoilt(t *testing.T) {
	text := tableWith("0.200,10")
	for _, c := range []string{"\x00" + text, strings.Replace(text, "0.010", "0.0\x000", 1), strings.Replace(text, "time", "time\x00", 1)} {
		testkit.That(t, (Source{}).Sniff([]byte(c), "x.csv"), "%.40q is not recognised", c)
		if s, err := made(t, c, Source{}); err != nil || s.Track(0).NumFrames() < 39 {
			t.Errorf("%.40q: %v", c, err)
		}
	}
	if binary := strings.Repeat("a,b\x00\n1,2\x00\n", 20); (Source{}).Sniff([]byte(binary), "x.csv") {
		t.Error("a binary is recognised")
	}
}
