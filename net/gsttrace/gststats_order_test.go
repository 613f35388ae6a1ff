package gsttrace

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"framescope/internal/testkit"
)

// The figures of a log are those of what happened: in which order threads got to write their lines
// makes no difference. Loads, for which readings are compared with those before, are left aside.
func TestOrderOfLines(t *testing.T) {
	at := regexp.MustCompile(`, ts=\(guint64\)(\d+)`)
	type timedLine struct {
		ns   uint64
		line []byte
	}
	for _, name := range []string{"medium-av.log.gz", "stats-mux.log.gz", "rusage-threads.log.gz", "latency-tee-queues.log.gz"} {
		var head []byte // announcements stay where they are: before all else
		var timed []timedLine
		for line := range bytes.Lines(file(t, name)) {
			if found := at.FindSubmatch(line); found != nil && !bytes.Contains(line, []byte(": new-")) {
				ns, _ := strconv.ParseUint(string(found[1]), 10, 64)
				timed = append(timed, timedLine{ns, line})
			} else {
				head = append(head, line...)
			}
		}
		testkit.MustThat(t, len(timed) >= 1000, "%s: %d records", name, len(timed))
		figures := func() Figures {
			text := slices.Clone(head)
			for _, x := range timed {
				text = append(text, x.line...)
			}
			s := summary(t, text)
			slices.SortFunc(s.Threads, func(a, b Thread) int { return cmp.Compare(a.ID, b.ID) })
			var out strings.Builder
			err := s.WriteText(&out, false)
			testkit.That(t, err == nil && !strings.Contains(out.String(), "nan"), "%s: %v\n%s", name, err, &out)
			return s.Figures
		}
		slices.SortStableFunc(timed, func(a, b timedLine) int { return cmp.Compare(a.ns, b.ns) })
		want := figures()
		for i := 0; i < len(timed); i += 50 {
			slices.Reverse(timed[i:min(i+50, len(timed))])
		}
		got := figures()
		loads := cmpopts.IgnoreFields(Thread{}, "Load")
		if diff := gocmp.Diff(want, got, loads, cmpopts.IgnoreFields(Overall{}, "Load", "LoadCut"),
			cmpopts.IgnoreUnexported(Pad{}, Element{})); diff != "" {
			t.Errorf("%s (-in order +out of order):\n%s", name, diff)
		}
	}
}
