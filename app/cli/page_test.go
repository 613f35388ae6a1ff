package cli

import (
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/charts/chartstest"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
)

// pageOf writes the page of a session.
func pageOf(t *testing.T, s *store.Session, o PageOptions) string {
	t.Helper()
	var b strings.Builder
	testkit.OK(t, WritePage(&b, s, o))
	return b.String()
}

// TestPageOfHostileNames: what programs call themselves and their threads is text on the page.
func TestPageOfHostileNames(t *testing.T) {
	s := chartstest.NewSession(t)
	s.Apply(model.Info{Program: "</p><script>alert(1)</script>", Host: "\x00\xff"})
	page := pageOf(t, s, PageOptions{Name: "<img src=x onerror=alert(1)>.pstats"})
	for _, bad := range []string{"<script>alert", "<img", "\x00"} {
		testkit.That(t, !strings.Contains(page, bad), "the page holds %q", bad)
	}
	testkit.That(t, strings.Count(page, "<script>") == 1, "there are other scripts than the page's own")
}

// TestPageOfSampledStacks: why methods have more samples is told of a range alone, and the page of all of a
// session has the rest.
func TestPageOfSampledStacks(t *testing.T) {
	rec, err := load.File(t.Context(), flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*"), load.Options{})
	testkit.OK(t, err)
	part := place.TimeRange{Times: true, HasA: true, HasB: true, A: 1e9, B: 20e9}
	ranges := pageOf(t, rec.Session, PageOptions{Name: "part", Range: part})
	page := pageOf(t, rec.Session, PageOptions{Name: "all"})
	for name, has := range map[string]bool{page: false, ranges: true} {
		if strings.Contains(name, "Why it was slow") != has || strings.Contains(name, "The worst, one by one") || strings.Count(name, "<details") < 2 {
			t.Errorf("of a range %t: why is told %t, %d tables", has, !has, strings.Count(name, "<details"))
		}
	}
}

// TestPagesShareNoNames: patterns and clips of one picture are not those of another.
func TestPagesShareNoNames(t *testing.T) {
	page := pageOf(t, chartstest.NewSession(t), PageOptions{Name: "session"})
	seen := map[string]bool{}
	for _, part := range strings.Split(page, ` id="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		testkit.That(t, !seen[id], "two parts are called %s", id)
		seen[id] = true
	}
	testkit.That(t, len(seen) != 0 && strings.Count(page, "<svg ") >= 3,
		"%d parts with names in %d pictures", len(seen), strings.Count(page, "<svg "))
}

// TestTablesSayWhatTheyLeaveOut: long tables end, and say how many rows more there are.
func TestTablesSayWhatTheyLeaveOut(t *testing.T) {
	var x table
	x.add(mostRows+1234, func(int) row { return row{Name: "a"} })
	testkit.That(t, len(x.Rows) == mostRows && strings.Contains(x.What, "1234 more: framescope report --stats"),
		"%d rows, %s", len(x.Rows), x.What)
}
