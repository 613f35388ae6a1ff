package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// foundSummary is the calls that an expression finds: all of them are counted, and the longest are
// listed, or their sums.
type foundSummary struct {
	Where string `json:"where"` // the expression
	foundCount
	Total    int64 `json:"total_ns"` // of calls inside others that are found the outermost counts
	Shortest int64 `json:"shortest_ns"`
	Longest  int64 `json:"longest_ns"`
	foundSpread
	Found []foundCall `json:"found,omitempty"` // the longest first
	// With --stats, that with the greatest total first.
	Collectors []foundSum `json:"collectors,omitempty"`
	Threads    []foundSum `json:"threads,omitempty"`
	Paths      []foundSum `json:"paths,omitempty"`     // of each call path, on all threads
	Arguments  []foundArg `json:"arguments,omitempty"` // those with numbers
}

// foundCount is how many calls are found, or runs where stacks are sampled: the other is nil.
type foundCount struct {
	Calls *int64 `json:"calls,omitempty"` // of recorded spans
	Runs  *int64 `json:"runs,omitempty"`  // of sampled stacks
}

// countFound returns how many are found in a session.
func countFound(s *store.Session, n int64) foundCount {
	if s.Spans().AnySampled() {
		return foundCount{Runs: &n}
	}
	return foundCount{Calls: &n}
}

// n is how many they are, of either.
func (c *foundCount) n() int64 {
	switch {
	case c.Calls != nil:
		return *c.Calls
	case c.Runs != nil:
		return *c.Runs
	}
	return 0
}

// plus returns the count with more of the same.
func (c foundCount) plus(n int64) foundCount {
	n += c.n()
	if c.Runs != nil {
		return foundCount{Runs: &n}
	}
	return foundCount{Calls: &n}
}

// callWords are the names of calls or runs.
func (c *foundCount) callWords() *subject.CallWords { return subject.CallWordsOf(c.Runs != nil) }

// foundCall is one call.
type foundCall struct {
	Collector string   `json:"collector"`
	Path      []string `json:"path"` // names from the outermost caller to it
	Thread    string   `json:"thread"`
	ThreadID  int64    `json:"thread_id"`       // value for --thread
	Process   string   `json:"-"`               // of the thread; missing where the recording does not say
	Frame     *int64   `json:"frame,omitempty"` // of its thread, else of the main one; left out where it lies in none
	Begin     int64    `json:"begin_ns"`
	Duration  int64    `json:"duration_ns"`
	Self      *int64   `json:"self_ns,omitempty"` // missing for asynchronous spans
}

// foundSum is the sum of the calls of a collector, a thread, or a call path on all threads.
type foundSum struct {
	Collector string   `json:"collector,omitempty"`
	Thread    string   `json:"thread,omitempty"`
	ThreadID  *int64   `json:"thread_id,omitempty"` // value for --thread
	Process   string   `json:"-"`                   // of the thread; missing where the recording does not say
	Path      []string `json:"path,omitempty"`      // of names from the outermost caller to it
	foundCount
	Total    int64   `json:"total_ns"` // of recursive calls the outermost counts
	Mean     float64 `json:"mean_ns"`
	Shortest int64   `json:"shortest_ns"`
	Longest  int64   `json:"longest_ns"`
	foundSpread

	full    []string // Path, in full names
	all     int64    // the lengths of all calls, ns
	lengths foundLengths
}

// foundListed bounds the calls that are listed.
const foundListed = 10_000

// ErrFindTimeless is returned for a search of calls in a session of stacks without times.
var ErrFindTimeless = errors.New("the samples of this session have no times, so it has no calls to find; " +
	"report without --where lists what took most, and diff compares with another recording")

// writeFound writes the calls that an expression finds.
func writeFound(out *bufio.Writer, c *scope, o *Options) error {
	var values *foundValues
	if o.Stats {
		values = newFoundValues(c.s)
	}
	search, times, sum := searchFound(c.s, c.only, c.beginNs, c.endNs, o.Where, values)
	if o.Stats {
		sumFound(c.s, search, times, sum)
		sum.addSpread(values)
	} else {
		c.listFound(search, sum)
	}
	if o.JSON {
		return escape.WriteJSON(out, sum)
	}
	sum.text(out)
	return nil
}

// searchFound looks for the calls that an expression finds on threads, all if none is named, and sums them
// up. values may be nil.
func searchFound(
	s *store.Session, tracks []model.TrackID, beginNs, endNs int64, where *find.Expr, values *foundValues,
) (*spans.CallSearch, *foundTimes, *foundSummary) {
	if len(tracks) == 0 {
		tracks = where.Tracks(s)
	}
	search, times := timed(s, tracks, beginNs, endNs, where, values)
	sum := &foundSummary{Where: where.Text(), foundCount: countFound(s, search.Sums.Count), Total: times.all()}
	if calls := search.Calls(); len(calls) > 0 {
		sum.Longest, sum.Shortest = calls[0].Ns, math.MaxInt64
		search.Sums.Each(func(x *spans.CallSum) { sum.Shortest = min(sum.Shortest, x.MinNs) })
	}
	return search, times, sum
}

// listFound lists the calls.
func (c *scope) listFound(search *spans.CallSearch, sum *foundSummary) {
	var numbers store.ThreadNumbers
	for i := range search.Calls() {
		x := &search.Calls()[i]
		of, on := c.s.Collector(x.Collector), c.s.Track(x.Ref.Track)
		f := foundCall{
			Collector: of.Title(), Path: pathNames(c.s, x.Path, false), Thread: on.Title(), Process: on.Def.Process,
			ThreadID: numbers.Of(c.s, x.Ref.Track), Begin: x.Begin, Duration: x.Ns,
		}
		if n, ok := find.FrameOf(c.s, x); ok {
			f.Frame = &n
		}
		if !of.Async {
			f.Self = &x.SelfNs
		}
		sum.Found = append(sum.Found, f)
	}
}

// sumFound sums the calls by collector, thread and path.
func sumFound(s *store.Session, search *spans.CallSearch, times *foundTimes, sum *foundSummary) {
	var numbers store.ThreadNumbers
	var by [3]map[int64]*foundSum
	for i := range by {
		by[i] = map[int64]*foundSum{}
	}
	add := func(of map[int64]*foundSum, key int64, x *spans.CallSum, totalNs int64, name func(*foundSum)) {
		f := of[key]
		if f == nil {
			f = &foundSum{foundCount: countFound(s, 0), Shortest: math.MaxInt64}
			name(f)
			of[key] = f
		}
		f.foundCount = f.plus(x.Count)
		f.all, f.Total = f.all+x.SumNs, f.Total+totalNs
		f.Shortest, f.Longest = min(f.Shortest, x.MinNs), max(f.Longest, x.MaxNs)
		if times.values != nil {
			f.lengths.add(times.values.at(foundPlace{x.Track, x.Path}))
		}
	}
	search.Sums.Each(func(x *spans.CallSum) {
		_, id := s.Path(x.Path)
		t := times.at(x.Track, x.Path)
		add(by[0], int64(id), x, t.ofName, func(f *foundSum) { f.Collector = s.Collector(id).Title() })
		add(by[1], int64(x.Track), x, t.outermost, func(f *foundSum) {
			n, on := numbers.Of(s, x.Track), s.Track(x.Track)
			f.Thread, f.ThreadID, f.Process = on.Title(), &n, on.Def.Process
		})
		add(by[2], int64(x.Path), x, x.SumNs, func(f *foundSum) {
			f.Path, f.full = pathNames(s, x.Path, false), pathNames(s, x.Path, true)
		})
	})
	for i, list := range [...]*[]foundSum{&sum.Collectors, &sum.Threads, &sum.Paths} {
		for _, f := range by[i] {
			f.Mean = float64(f.all) / float64(f.n())
			f.foundSpread = f.lengths.spread()
			f.lengths = foundLengths{}
			*list = append(*list, *f)
		}
		slices.SortFunc(*list, func(a, b foundSum) int {
			return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.name(), b.name()))
		})
	}
}

// addSpread adds the figures of all calls and of their arguments.
func (s *foundSummary) addSpread(v *foundValues) {
	var all foundLengths
	for _, l := range v.lengths {
		all.add(l)
	}
	s.foundSpread, s.Arguments = all.spread(), v.argsByName()
}

// fullName is name in full names.
func (f *foundSum) fullName() string { return f.Collector + f.Thread + strings.Join(f.full, "/") }

// name is the name of a sum.
func (f *foundSum) name() string { return f.Collector + f.Thread + strings.Join(f.Path, "/") }

// pathNames returns the names along a call path, in full or as they are in their parents, the outermost
// caller's first.
func pathNames(s *store.Session, p model.PathID, full bool) (names []string) {
	for p != model.PathRoot {
		up, id := s.Path(p)
		name := s.Collector(id).Name
		if full {
			name = s.Collector(id).Title()
		}
		names = append(names, name)
		p = up
	}
	slices.Reverse(names)
	return names
}

// text writes the found calls as text.
func (s *foundSummary) text(out *bufio.Writer) {
	count, words := s.n(), s.callWords()
	if count == 0 {
		fmt.Fprintln(out, "nothing was found")
		return
	}
	said := words.Many
	if count == 1 {
		said = words.One
	}
	fmt.Fprintf(out, "%d %s, %s ms in all; the shortest %s, the longest %s ms\n", count, said, AsMs(s.Total),
		AsMs(s.Shortest), AsMs(s.Longest))
	several := slices.ContainsFunc(s.Found, func(f foundCall) bool { return f.Process != s.Found[0].Process }) ||
		slices.ContainsFunc(s.Threads, func(f foundSum) bool { return f.Process != s.Threads[0].Process })
	of := func(process string) string {
		if several {
			return ofProcess(process)
		}
		return ""
	}
	if n := len(s.Found); n > 0 {
		if int64(n) < count {
			fmt.Fprintf(out, "the longest %d of them:\n", n)
		}
		table(out, s.Found, func(w io.Writer, f *foundCall) {
			frame := OrDash(f.Frame, func(n int64) string { return fmt.Sprintf("#%d", n) })
			fmt.Fprintf(w, "%.9f\t%s\t%s\t%s\t%s\t  %s\n", seconds(f.Begin), frame, AsMs(f.Duration), OrDash(f.Self, AsMs),
				escape.Name(f.Thread)+of(f.Process), pathText(f.Path))
		}, "begin (s)", "frame", "duration", "self", "thread", "collector (ms), and its callers")
	}
	for i, list := range [...][]foundSum{s.Collectors, s.Threads, s.Paths} {
		title := [...]string{"collector (ms)", "thread (ms)", "collector (ms), and its callers"}[i]
		table(out, list, func(w io.Writer, f *foundSum) {
			name := escape.Name(f.Collector+f.Thread) + of(f.Process)
			if f.Path != nil {
				name = pathText(f.Path)
			}
			fmt.Fprintf(
				w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", f.n(), AsMs(f.Total), OrDash(f.Self, AsMs), Number(f.Mean/1e6),
				Number(*f.StdDev/1e6), AsMs(f.Shortest), Number(*f.Median/1e6), AsMs(*f.P95), AsMs(*f.P99), AsMs(f.Longest), name,
			)
		}, words.Many, "total", "self", "mean", "std_dev", "shortest", "median", "p95", "p99", "longest", title)
	}
	table(out, s.Arguments, func(w io.Writer, a *foundArg) {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t  %s\n", a.Values, Number(a.Sum), Number(a.Mean), Number(a.Min), Number(a.Max),
			escape.Name(a.Argument))
	}, "count", "sum", "mean", "min", "max", "=argument")
}

// pathText writes a call path as expressions have it.
func pathText(names []string) string { return escape.Name(strings.Join(names, "/")) }
