package gsttrace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The particular traps of FORMAT.md section 9, each by name.

func TestTrapColorsChangeNothing(t *testing.T) {
	log := string(file(t, "color-all.log.gz"))
	got, counts := read(log)
	want, wantCounts := read(stripAll(log))
	strip := func(text string) (lines []string) {
		for line := range strings.Lines(text) { // offsets differ
			_, rest, _ := strings.Cut(line, " line ")
			lines = append(lines, rest)
		}
		return lines
	}
	if diff := cmp.Diff(strip(want), strip(got)); diff != "" {
		t.Errorf("(-plain +colored):\n%.2000s", diff)
	}
	if counts.Records != wantCounts.Records || counts.Records != 2205 {
		t.Errorf("%d and %d records", counts.Records, wantCounts.Records)
	}
}

// stripAll removes all escape sequences.
func stripAll(log string) string {
	var out strings.Builder
	for i, part := range strings.Split(log, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		out.WriteString(part)
	}
	return out.String()
}

func TestTrapTruncated(t *testing.T) {
	s, c := table(string(file(t, "truncated.log.gz")))
	if !c.CutLast || c.Unreadable != 1 || !strings.HasPrefix(s.unreadable[0], "the log ends in the middle of this line: 0:00:00.035657270") {
		t.Errorf("%+v %q", c, s.unreadable)
	}
}

// A log whose beginning is lost: the stock layouts read it, and the odd names of it.
func TestTrapLogWithoutBeginning(t *testing.T) {
	for _, name := range []string{"all-audio-chain.log.gz", "odd-names.log", "leaks-refs-traces.log.gz", "leaks-signals.log", "rusage-threads.log.gz", "factories.log", "latency-tee-queues.log.gz"} {
		log := string(file(t, name))
		whole, _ := table(log)
		var rest strings.Builder
		for line := range strings.Lines(log) {
			if !strings.Contains(line, "build_format") {
				rest.WriteString(line)
			}
		}
		late, c := table(rest.String())
		if diff := cmp.Diff(whole.all, late.all); diff != "" || c.Generic != 0 || c.Unreadable != 0 {
			t.Errorf("%s: %+v\n%.1000s", name, c, diff)
		}
		for class, known := range late.classes {
			want := whole.classes[class]
			if known.Origin != OriginBuiltin {
				t.Errorf("%s: %v", class, known.Origin)
			}
			for i := range want.Fields { // the stock layouts know all but descriptions and idle ranges
				w := want.Fields[i]
				w.Description = ""
				if w != known.Fields[i] {
					t.Errorf("%s: built in %+v, announced %+v", class, known.Fields[i], w)
				}
			}
		}
	}
}
