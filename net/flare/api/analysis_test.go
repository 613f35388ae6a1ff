package api

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

func TestMain(m *testing.M) { os.Exit(flaretest.Main(m)) }

// captured are the folders of the captures, those of a minute first.
var captured = []string{"constructed-60s/127*", "recorded-60s/127*", "constructed-roll/*200654", "constructed-roll/*200657"}

func read(t testing.TB, dir string) *flare.Recording {
	t.Helper()
	rec := testkit.Must(flare.ReadFolder(t.Context(), dir, nil))(t)
	flare.NameFromNeighbours(t.Context(), rec, os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	return rec
}

// analysisPaths lists a merged tree by path.
func analysisPaths(root *flare.Node) map[string]sum {
	out := map[string]sum{}
	var walk func(n *flare.Node, path string)
	walk = func(n *flare.Node, path string) {
		for _, c := range n.Children {
			p := pathOf(path, c.Method)
			s := out[p]
			out[p] = sum{s.Ms + c.Ms, s.Calls + c.Calls}
			walk(c, p)
		}
	}
	walk(root, "")
	return out
}

// ranges of a recording that are worth a look: all of it, pieces, and one that begins and ends
// within samples.
func ranges(rec *flare.Recording) [][2]int64 {
	a, b, _ := rec.Bounds()
	d := b - a
	return [][2]int64{{a, b}, {a - 1000, b + 1000}, {a + d/3, a + 2*d/3}, {a + d/7 + 3, a + d/7 + 1009}, {b, b + 1}, {a - 500, a}}
}

// Both trees of every thread give what counting record by record does, and all of the growth of its
// clock.
func TestTreesEqualPlainCounts(t *testing.T) {
	captures := flaretest.Captures(t)
	for _, glob := range captured {
		rec := read(t, flaretest.Find(t, captures, glob))
		for _, r := range ranges(rec) {
			for _, threads := range [][]*flare.Thread{rec.Threads, rec.Threads[:1], rec.Threads[len(rec.Threads)/2:]} {
				root := testkit.Must(flare.Merged(t.Context(), rec, threads, r[0], r[1]))(t)
				samePaths(t, threads, r, root, glob+": merged tree")
				for _, c := range root.Children {
					root.Ms -= c.Ms
				}
				testkit.That(t, root.Ms == 0, "%s: the root has %d ms more than its children", glob, root.Ms)
			}
			for _, th := range rec.Threads {
				line := testkit.Must(flare.Sequenced(t.Context(), false, rec, th, r[0], r[1]))(t)
				samePaths(t, []*flare.Thread{th}, r, line.Root, glob+": time-ordered tree")
				each(th, r[0], r[1], func(x flare.Record, a, b int64) {
					checkOrder(t, line, x, a-line.BeginMs, b-line.BeginMs)
				})
			}
		}
		for _, th := range rec.Threads {
			if n := len(th.Records); n > 1 {
				line := testkit.Must(flare.Sequenced(t.Context(), false, rec, th, -1, -1))(t)
				growth := th.Records[n-1].CPUNs - th.Records[0].CPUNs
				if lost := growth - line.Root.CPUNs; lost < 0 || lost > int64(n) {
					t.Errorf("%s thread %d: %d ns of %d", glob, th.ID, line.Root.CPUNs, growth)
				}
			}
		}
	}
}

// samePaths demands that a tree has the paths of some threads' records in a range.
func samePaths(t *testing.T, threads []*flare.Thread, r [2]int64, tree *flare.Node, what string) {
	t.Helper()
	want, got := pathsOf(threads, r[0], r[1]), analysisPaths(tree)
	testkit.MustThat(t, maps.Equal(want, got), "%s of %d threads %v:\n%s", what, len(threads), r, cmp.Diff(want, got))
}

// checkOrder looks at a time-ordered tree at the time of a record: the nodes there are its stack.
func checkOrder(t *testing.T, line flare.Timeline, x flare.Record, from, to int64) {
	t.Helper()
	var at []flare.MethodID
	for n := line.Root; n != nil; {
		var next *flare.Node
		for _, c := range n.Children {
			if c.StartMs <= from && to <= c.StartMs+c.Ms {
				next = c
			}
		}
		if n = next; n != nil {
			at = append(at, n.Method)
		}
	}
	slices.Reverse(at)
	testkit.MustThat(t, slices.Equal(at, x.Stack), "at %d: %v, want %v", from, at, x.Stack)
}

// TestFindEqualsPlainRuns: hits are the longest runs of samples with one method under the same
// callers.
func TestFindEqualsPlainRuns(t *testing.T) {
	testkit.OneGoroutine(t)
	captures := flaretest.Captures(t)
	for _, glob := range captured {
		rec := read(t, flaretest.Find(t, captures, glob))
		for i, r := range ranges(rec) {
			for k, m := range slices.Sorted(maps.Keys(rec.Methods)) {
				if i > 0 && k%10 != i && !testkit.Long {
					continue // each method over all of it, and over some of the pieces
				}
				for _, least := range []int64{0, 200} {
					groups, limited, err := flare.Find(t.Context(), rec, flare.Search{Methods: []flare.MethodID{m}, MinMs: least, MaxHits: 1 << 20, StartMs: r[0], EndMs: r[1]}, nil)
					testkit.MustThat(t, err == nil && !limited, "%v %v", err, limited)
					got := map[string]int{}
					for _, g := range groups {
						for _, c := range g.Calls {
							got[fmt.Sprint(c.Thread, c.AtMs, c.Ms, c.Samples)]++
							testkit.That(t, c.Stack[0] == m && c.StackMs[0] == c.Ms && slices.Equal(c.Stack, g.Stack),
								"%s: a call of %d in group %v: %v", glob, m, g.Stack, c)
						}
					}
					if want := runs(rec, m, r, least); !maps.Equal(want, got) {
						t.Fatalf("%s method %d %v:\n%s", glob, m, r, cmp.Diff(want, got))
					}
				}
			}
		}
	}
}

func runs(rec *flare.Recording, m flare.MethodID, r [2]int64, least int64) map[string]int {
	out := map[string]int{}
	for _, th := range rec.Threads {
		var begin, ms, n int64
		last := ""
		end := func() {
			if n > 0 && ms >= least {
				out[fmt.Sprint(th.ID, begin, ms, n)]++
			}
			n, ms = 0, 0
		}
		each(th, r[0], r[1], func(x flare.Record, a, b int64) {
			now, path := "", ""
			for _, id := range slices.Backward(x.Stack) {
				if path = pathOf(path, id); id == m {
					now = path
					break
				}
			}
			if now != last {
				end()
				begin, last = a, now
			}
			if now != "" {
				ms, n = ms+b-a, n+1
			}
		})
		end()
	}
	return out
}

// sum is what a plain count over the records gives a path or a method.
type sum struct{ Ms, Calls int64 }

// each calls f with every sample of a range and the part of its time that lies in it. A negative
// bound is the recording's.
func each(t *flare.Thread, start, end int64, f func(x flare.Record, a, b int64)) {
	for i := 0; i+1 < len(t.Records); i++ {
		a, b := max(t.Records[i].TimeMs, start), t.Records[i+1].TimeMs
		if end >= 0 {
			b = min(b, end)
		}
		if a < b {
			f(t.Records[i], a, b)
		}
	}
}

// pathOf says in words which methods follow each other, the outermost first.
func pathOf(above string, m flare.MethodID) string {
	return above + "/" + strconv.FormatInt(int64(m), 10)
}

// pathsOf counts every path of some threads over a range.
func pathsOf(threads []*flare.Thread, start, end int64) map[string]sum {
	out := map[string]sum{}
	for _, t := range threads {
		each(t, start, end, func(x flare.Record, a, b int64) {
			path := ""
			for _, m := range slices.Backward(x.Stack) {
				path = pathOf(path, m)
				p := out[path]
				out[path] = sum{p.Ms + b - a, p.Calls + 1}
			}
		})
	}
	return out
}
