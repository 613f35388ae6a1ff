package convert_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
)

// part is a range of a recording, all of it where the text is empty.
func part(t *testing.T, name, text string) *convert.Part {
	t.Helper()
	return testPart(t, opened(t, name), text)
}

// sums returns the own figures of all call paths of a part in a measure, by what stands in a line: names from the
// outermost on.
func sums(p *convert.Part, m spans.Measure) (out []string) {
	for _, id := range p.Tracks {
		out = append(out, sumsOf(p, m, id, func(c model.CollectorID) string {
			return strings.ReplaceAll(p.Name(c), "\t", " ") // a control character
		})...)
	}
	slices.Sort(out)
	return out
}

// sumsOf returns the own figures of the call paths of a thread in a measure.
func sumsOf(p *convert.Part, m spans.Measure, id model.TrackID, name func(c model.CollectorID) string) (out []string) {
	var tree spans.Tree
	p.Tree(m, id, &tree)
	var names []string
	for k := range tree.Nodes {
		n := &tree.Nodes[k]
		if names = append(names[:n.Depth], name(n.Collector)); n.Self > 0 {
			out = append(out, fmt.Sprintf("%q %d", names, n.Self))
		}
	}
	return out
}

// What is written comes back with the same figures by call path.
func TestFoldedRoundTrip(t *testing.T) {
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "cpuprofile/main.cpuprofile",
		"pprof/game-heap.pprof", "folded/game-threads.folded", "spall/game-v3.spall",
	} {
		t.Run(name, func(t *testing.T) {
			p := part(t, name, "")
			s := p.Session
			calls := p.Tracks[:0:0]
			for _, id := range p.Tracks {
				if s.Track(id).Def.Kind.Calls() {
					calls = append(calls, id)
				}
			}
			p.Tracks = calls[:1] // one thread: no root is written
			read, _ := reopened(t, &convert.FoldedFormat, p)
			again := testPart(t, read, "")
			was, _ := p.Measure()
			m, _ := again.Measure()
			if samples := was == spans.MeasureSamples; samples != (m == spans.MeasureSamples) || p.MeasureUnit(was) != again.MeasureUnit(m) {
				t.Errorf("measure %d in %q of what came back, of %d in %q", m, again.MeasureUnit(m), was, p.MeasureUnit(was))
			}
			if want, got := sums(p, was), sums(again, m); !slices.Equal(got, want) {
				t.Errorf("%d call paths instead of %d: %.600q instead of %.600q", len(got), len(want), got, want)
			}
		})
	}
}

// What was read of folded stacks is written as it was: threads become no functions on the way.
func TestAgain(t *testing.T) {
	s := opened(t, "spall/game-v3.spall")
	var texts []string
	for range 3 {
		var out strings.Builder
		testkit.OK(t, convert.FoldedFormat.Give(t.Context(), testPart(t, s, ""), &out))
		lines := strings.Split(out.String(), "\n")
		slices.Sort(lines)
		texts = append(texts, strings.Join(lines, "\n"))
		s, _ = reopened(t, &convert.FoldedFormat, testPart(t, s, ""))
	}
	testkit.That(t, texts[0] == texts[1] && texts[1] == texts[2] && strings.Contains(texts[0], "thread ("),
		"%.300s\nthen\n%.300s\nthen\n%.300s", texts[0], texts[1], texts[2])
}
