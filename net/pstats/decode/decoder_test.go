package decode

import (
	"fmt"
	"testing"

	"framescope/internal/testkit"

	"github.com/google/go-cmp/cmp"

	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
)

// alone is an expectation: seconds and count of F, A, B, ….
type alone struct {
	c     model.CollectorID
	sec   float64
	count int32
}

// TestAloneCases runs the acceptance cases 1 to 10 of pstats-viewer section 18, by the rule that
// the innermost is charged.
func TestAloneCases(t *testing.T) {
	cases := []struct {
		name, events string
		want         []alone
	}{
		{"1 one", "+F@0 +A@1 -A@4 -F@10", []alone{{0, 7, 1}, {1, 3, 1}}},
		{"2 child inside parent", "+F@0 +A@1 +B@2 -B@3 -A@4 -F@10", []alone{{0, 7, 1}, {1, 2, 1}, {2, 1, 1}}},
		{"3 other inside", "+F@0 +A@1 +C@2 -C@3 -A@4 -F@10", []alone{{0, 7, 1}, {1, 2, 1}, {3, 1, 1}}},
		{"4 same nested", "+F@0 +A@1 +A@2 -A@3 -A@4 -F@10", []alone{{0, 7, 1}, {1, 3, 2}}},
		{"5 no start", "+F@0 -A@4 -F@10", []alone{{0, 6, 1}, {1, 4, 0}}},
		{"6 no stop", "+F@0 +A@6 -F@10", []alone{{0, 6, 1}, {1, 4, 1}}},
		{"7 never negative", "+F@0 +A@5 -B@7 -A@10 -F@12", []alone{{0, 2, 1}, {1, 5, 1}, {2, 5, 0}}},
		{"a collector within itself, another between", "+F@0 +A@1 +B@2 +A@3 -A@4 -B@5 -A@6 -F@10", []alone{{0, 5, 1}, {1, 3, 2}, {2, 2, 1}}},
		{"8 overlap", "+F@0 +A@1 +B@2 -A@4 -B@6 -F@10", []alone{{0, 5, 1}, {1, 1, 1}, {2, 4, 1}}},
		{"9 overlap and again", "+F@0 +A@1 +B@2 -A@4 -B@6 +A@7 -A@9 -F@10", []alone{{0, 3, 1}, {1, 3, 2}, {2, 4, 1}}},
		{"10 nested, never stopped", "+F@0 +A@1 +A@2 -F@10", []alone{{0, 1, 1}, {1, 9, 2}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, d := keeping()
			d.Frame(&pstats.Frame{Number: 1, Events: pstatstest.Events(c.events)}, 0)
			var got []alone
			for _, a := range s.Batches[0].Self {
				got = append(got, alone{a.Collector, float64(a.Ns) / 1e9, a.Count})
			}
			testkit.NoDiff(t, cmp.Diff(c.want, got, cmp.AllowUnexported(alone{})), "alone times (-want +got)")
		})
	}
}

// nestCase is one or more frames, numbered from 1 unless a number stands before a colon, and the
// spans that they give.
func spansOf(s *pstatstest.Sink) (out []string) {
	for _, b := range s.Batches {
		line := fmt.Sprintf("%d:", b.Number)
		if b.Rewind {
			line = "rewind " + line
		}
		for _, sp := range b.Spans {
			name := ""
			for _, c := range s.Path(sp.Path) {
				if c == 0 {
					name += "F"
				} else {
					name += string(rune('A' + c - 1))
				}
			}
			line += fmt.Sprintf(" %s/%d@%g-%g", name, sp.Lane, float64(sp.Begin)/1e9, float64(sp.End)/1e9)
			for i, mark := range []string{"<", ">", "~", "?", "^"} {
				if sp.Flags&(1<<i) != 0 {
					line += mark
				}
			}
		}
		out = append(out, line)
	}
	return out
}

type numbered struct {
	number uint32
	events string
}

// TestNest checks rows, call paths and gluing. In the results "FA/1@1-4<>~^" is the span of path F,
// A in row 1 from 1 to 4 s, with an open begin, an open end, continuing the span before it, as the
// rest of the span before it with another path.
func TestNest(t *testing.T) {
	cases := []struct {
		name   string
		frames []numbered
		want   []string
	}{
		{"nested", []numbered{{1, "+F@0 +A@1 +B@2 -B@3 -A@4 -F@10"}}, []string{"1: F/0@0-10 FA/1@1-4 FAB/2@2-3"}},
		{"recursion", []numbered{{1, "+F@0 +A@1 +A@2 -A@3 -A@4 -F@10"}}, []string{"1: F/0@0-10 FA/1@1-4 FAA/2@2-3"}},
		{"overlap keeps its row, and goes on below the caller's caller (case 16)", []numbered{{1, "+F@0 +A@1 +B@2 -A@4 -B@6 -F@10"}},
			[]string{"1: F/0@0-10 FA/1@1-4 FAB/2@2-4 FB/2@4-6^"}},
		{"after overlap the row is free again", []numbered{{1, "+F@0 +A@1 +B@2 -A@4 -B@6 +C@7 -C@8 -F@10"}},
			[]string{"1: F/0@0-10 FA/1@1-4 FAB/2@2-4 FB/2@4-6^ FC/1@7-8"}},
		{"no staircase", []numbered{{1, "+F@0 +A@1 +B@2 -A@4 +C@5 -B@6 +D@6 -C@7 -D@8 -F@10"}},
			[]string{"1: F/0@0-10 FA/1@1-4 FAB/2@2-4 FB/2@4-6^ FBC/1@5-6 FC/1@6-7^ FCD/2@6-7 FD/2@7-8^"}},
		{"glued (case 17)", []numbered{{1, "+F@0 +A@6 -F@10"}, {2, "+F@10 -A@14 +B@15 -B@16 -F@20"}},
			[]string{"1: F/0@0-10 FA/1@6-10>", "2: F/0@10-20 FA/1@10-14~ FB/1@15-16"}},
		{"glued over a frame without its events", []numbered{{1, "+F@0 +A@6 -F@10"}, {2, "+F@10 +B@12 -B@13 -F@20"}, {3, "+F@20 -A@21 -F@30"}},
			[]string{"1: F/0@0-10 FA/1@6-10>", "2: F/0@10-20 FA/1@10-20>~ FAB/2@12-13", "3: F/0@20-30 FA/1@20-21~"}},
		{"not glued over a missing frame (case 17)", []numbered{{1, "+F@0 +A@6 -F@10"}, {3, "+F@20 -A@24 -F@30"}},
			[]string{"1: F/0@0-10 FA/1@6-10>", "3: F/0@20-30 FA/1@20-24<"}},
		{"stop without start moves the others down", []numbered{{1, "+F@0 +A@1 +B@2 -B@3 -A@4 -C@5 +A@6 -A@7 -F@10"}},
			[]string{"1: F/0@0-10 FC/1@0-5< FCA/2@1-4 FCAB/3@2-3 FA/2@6-7"}},
		{"two stops without start", []numbered{{1, "+F@0 +A@1 -A@2 -C@3 +B@4 -B@5 -D@6 -F@10"}},
			[]string{"1: F/0@0-10 FD/1@0-6< FDC/2@0-3< FDCA/3@1-2 FDB/3@4-5"}},
		{"late frame is put in its place", []numbered{{1, "+F@0 +A@6 -F@10"}, {3, "+F@20 -A@24 -F@30"}, {2, "+F@10 -F@20"}},
			[]string{"1: F/0@0-10 FA/1@6-10>", "3: F/0@20-30 FA/1@20-24<", "rewind 2: F/0@10-20 FA/1@10-20>~", "3: F/0@20-30 FA/1@20-24~"}},
		{"identical repetition is ignored", []numbered{{1, "+F@0 -F@10"}, {1, "+F@0 -F@10"}}, []string{"1: F/0@0-10"}},
		{"repetition replaces", []numbered{{1, "+F@0 -F@10"}, {1, "+F@0 -F@9"}}, []string{"1: F/0@0-10", "rewind 1: F/0@0-9"}},
		{"time runs backwards", []numbered{{1, "+F@5 +A@7 -A@6 +B@4 -B@6 -F@10"}}, []string{"1: F/0@5-13 FA/1@7-7 FB/1@7-9"}},
		{"an event is dated back", []numbered{{1, "+F@5 +A@6 -A@7 +B@6.9995 -B@8 -F@10"}}, []string{"1: F/0@5-10 FA/1@6-7 FB/1@7-8"}},
		{"time runs backwards between frames", []numbered{{1, "+F@5 +A@6 -A@8 -F@9"}, {2, "+F@7 +A@8 -A@9 -F@10"}, {3, "+F@10 -F@11"}},
			[]string{"1: F/0@5-9 FA/1@6-8", "2: F/0@9-12 FA/1@10-11", "3: F/0@12-13"}},
		{"a span moves before its frame begins", []numbered{{1, "+A@1 +B@2 -A@3"}, {2, "+F@3 -B@5 -F@6"}},
			[]string{"1: A/0@1-3 AB/1@2-3 B/1@3-3>^", "2: F/0@3-6 B/1@3-3~ FB/1@3-5^"}},
		{"only levels", []numbered{{1, "+F@0 +A@6 -F@10"}, {2, ""}, {3, "+F@10 -A@14 -F@20"}},
			[]string{"1: F/0@0-10 FA/1@6-10>", "2: FA/1@10-10>~", "3: F/0@10-20 FA/1@10-14~"}},
		{"what outlived its caller crosses a frame", []numbered{{1, "+F@0 +A@1 +B@2 -A@4 -F@10"}, {2, "+F@10 +C@11 -C@12 -B@13 -F@20"}},
			[]string{"1: F/0@0-10 FA/1@1-4 FAB/2@2-4 FB/2@4-10>^", "2: F/0@10-20 FB/2@10-13~ FBC/3@11-12"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, d := keeping()
			for _, f := range c.frames {
				d.Frame(&pstats.Frame{Number: f.number, Events: pstatstest.Events(f.events)}, 0)
			}
			testkit.NoDiff(t, cmp.Diff(c.want, spansOf(s)), "spans (-want +got)")
		})
	}
}
