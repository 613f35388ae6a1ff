package flare

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
)

// loggedMethods are what the program calls its methods in what it writes down.
var loggedMethods = map[string]string{"handleOrder": ".handleOrder()", "report": "ReportJob.run()"}

// What a sampled session says that methods took on a thread is what the program wrote down itself while
// it was sampled, within what the number of samples lets it be known by, and the samples at both ends.
func TestMethodTimesAreThoseOfTheProgram(t *testing.T) {
	dir := find(t, "recorded-60s/127*")
	data := testkit.Must(os.ReadFile(find(t, "recorded-60s/workload-events.tsv")))(t)
	s, rec := openDir(t, dir), readDir(t, dir)
	first, _, _ := rec.Bounds()
	type method struct {
		thread int64
		name   string
	}
	took, begun := map[method]int64{}, map[method]int64{}
	bounds := map[int64][2]int64{} // of a thread's samples, ms
	for _, th := range rec.Threads {
		bounds[th.ID] = [2]int64{th.Records[0].TimeMs, th.Records[len(th.Records)-1].TimeMs}
	}
	add := func(m method, from, to int64) {
		b := bounds[m.thread]
		took[m] += max(min(to, b[1])-max(from, b[0]), 0)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		f := strings.Split(lines.Text(), "\t")
		ms, err := strconv.ParseInt(f[0], 10, 64)
		way, name, _ := strings.Cut(f[3], " ")
		thread, _ := strconv.ParseInt(f[1], 10, 64)
		m := method{thread, name}
		switch {
		case err != nil || name == "": // the head, or the life of a thread
		case way == "B":
			begun[m] = ms
		default:
			add(m, begun[m], ms)
			delete(begun, m)
		}
	}
	for m, from := range begun { // it had not ended
		add(m, from, math.MaxInt64)
	}
	checked := 0
	for m, ms := range took {
		track, b := trackOf(s, m.thread), bounds[m.thread]
		if track == nil {
			t.Errorf("there is no thread %d", m.thread)
			continue
		}
		var tree paths.Tree
		from, to := (b[0]-first)*1e6, (b[1]-first)*1e6
		s.Spans().Tree([]model.TrackID{track.Def.ID}, from, to, &tree)
		said := int64(0)
		for _, n := range tree.Nodes {
			if strings.Contains(s.Collector(n.Collector).Name, loggedMethods[m.name]) {
				said += n.Total
			}
		}
		const edges = 2 * 177e6 // the longest distance of two samples, at either end
		if off := math.Abs(float64(said) - float64(ms)*1e6); off > edges || ms == 0 {
			t.Errorf("thread %d, %s: %d ms, the program says %d", m.thread, m.name, said/1e6, ms)
		}
		checked++
	}
	if checked < 3 {
		t.Errorf("only %d methods were compared", checked)
	}
}
