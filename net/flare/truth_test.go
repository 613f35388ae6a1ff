package flare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/trace"
)

// Every thread of a recording has the names, samples, times, CPU times, methods and stacks that the
// truth file says.
func TestRecordingsHoldTheirTruth(t *testing.T) {
	eachTruth(t, func(t *testing.T, dir string, want truth) {
		rec := readDir(t, dir)
		testkit.That(t, len(rec.Problems) <= 0 && rec.IntervalMs == want.Info.Interval &&
			rec.RecordStartMs == want.Info.RecordStart, "info %+v, problems %v", rec.Info, rec.Problems)
		NameFromNeighbours(t.Context(), rec, os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
		for id, w := range want.Threads {
			th := rec.Thread(id)
			if th == nil {
				t.Errorf("thread %d is missing", id)
				continue
			}
			checkRecords(t, th, w)
			checkSeries(t, th, w)
			checkMethods(t, rec, th, w)
		}
	})
}

func checkRecords(t *testing.T, th *Thread, w truthThread) {
	t.Helper()
	testkit.That(t, th.Name == w.Name && len(th.Records) == w.Samples,
		"thread %d: %q, %d samples; want %q, %d", th.ID, th.Name, len(th.Records), w.Name, w.Samples)
	testkit.That(t, w.Samples <= 0 || th.Records[0].TimeMs == w.First && th.Records[w.Samples-1].TimeMs == w.Last,
		"thread %d: from %d on, want %d to %d", th.ID, th.Records[0].TimeMs, w.First, w.Last)
	var cpu int64
	for _, r := range th.Records {
		cpu += r.CPUDeltaNs / 1000 // cut record by record, as the truth was
	}
	testkit.That(t, cpu == w.CPU, "thread %d: %d µs of CPU, want %d", th.ID, cpu, w.CPU)
}

func checkSeries(t *testing.T, th *Thread, w truthThread) {
	t.Helper()
	s, ws := &th.CPU, &w.Series
	placed := ws.Steps == 0 || s.BeginMs == ws.Begin && s.StepMs == ws.Step
	testkit.That(t, len(s.Values) == ws.Steps && total(s) == ws.Total && placed,
		"thread %d: %d steps from %d, %d µs; want %+v", th.ID, len(s.Values), s.BeginMs, total(s), ws)
	if s.StepMs == 0 {
		return
	}
	cpu := SumCPU(s, 0, 1<<53, 1000, false)
	n := len(ws.PerSecond)
	if cpu.TotalUs != ws.Total || 1000%s.StepMs == 0 && (len(cpu.Us) < n || !slices.Equal(cpu.Us[:n], ws.PerSecond)) {
		t.Errorf("thread %d: by the second %v, want %v", th.ID, cpu.Us, ws.PerSecond)
	}
	if made := SeriesOf(th, s.StepMs); !slices.Equal(made.Values, s.Values) || made.BeginMs != s.BeginMs {
		t.Errorf("thread %d: the series made of the samples differs", th.ID)
	}
}

func checkMethods(t *testing.T, rec *Recording, th *Thread, w truthThread) {
	t.Helper()
	root := testkit.Must(Merged(t.Context(), rec, []*Thread{th}, -1, -1))(t)
	inclusive, self := map[MethodID]sum{}, map[MethodID]int64{}
	addNode(root, nil, inclusive, self)
	for _, m := range w.Methods {
		testkit.That(t, inclusive[m.ID] == (sum{m.Inclusive, m.Samples}) && self[m.ID] == m.Self,
			"thread %d: %+v has %+v, itself %d", th.ID, m, inclusive[m.ID], self[m.ID])
	}
	lines := Collapsed(root, Duration)
	for _, c := range w.Collapsed {
		line := c.Stack + " " + strconv.FormatInt(c.Ms, 10)
		testkit.That(t, c.Ms <= 0 || c.Stack == "" || slices.Contains(lines, line),
			"thread %d: no line %q", th.ID, line)
	}
}

// addNode sums a tree by methods; a method counts once on each path.
func addNode(n *Node, above []MethodID, inclusive map[MethodID]sum, self map[MethodID]int64) {
	for _, c := range n.Children {
		if !slices.Contains(above, c.Method) {
			s := inclusive[c.Method]
			inclusive[c.Method] = sum{s.Ms + c.Ms, s.Calls + c.Calls}
		}
		self[c.Method] += Duration.Own(c)
		addNode(c, append(above, c.Method), inclusive, self)
	}
}

// A session of a folder has the times and the numbers of samples of every method of every thread,
// and the clocks and loads of the CPU. The truth counts samples that own time: it leaves out the
// newest of each thread.
func TestSessionsHoldTheirTruth(t *testing.T) {
	testkit.OneGoroutine(t)
	eachTruth(t, func(t *testing.T, dir string, want truth) {
		rec, s := readDir(t, dir), openDir(t, dir)
		checked := 0
		for id, w := range want.Threads {
			track := trackOf(s, id)
			if track == nil {
				testkit.That(t, w.Samples <= 0, "thread %d is missing", id)
				continue
			}
			testkit.That(t, track.Title() == w.Name, "thread %d is called %q, want %q", id, track.Title(), w.Name)
			ms, self := byMethod(s, track, spans.MeasureDuration)
			samples, _ := byMethod(s, track, spans.MeasureSamples)
			newest := newestStack(s, track.Def.ID)
			for _, m := range w.Methods {
				checked++
				n := samples[m.Name]
				if newest[m.Name] {
					n--
				}
				testkit.That(t, ms[m.Name] == m.Inclusive*1e6 && self[m.Name] == m.Self*1e6 && n == m.Samples,
					"thread %d: %d ns, itself %d, %d samples; want %+v", id, ms[m.Name], self[m.Name], n, m)
			}
			// What it had used before its first sample belongs to no time of the session.
			first := 0.0
			if th := rec.Thread(id); len(th.Records) > 0 {
				first = float64(th.Records[0].CPUDeltaNs)
			}
			checkLoad(t, s, track, w, first)
		}
		_, ended := s.Ended()
		if n, lines := s.Losses(); n != ([model.NumLossReasons]int64{}) || !ended || checked == 0 {
			t.Errorf("lost %v %q, ended %v, %d methods checked", n, lines, ended, checked)
		}
	})
}

// byMethod sums a track's tree by method; a recursive method counts once on each path.
func byMethod(s *store.Session, track *store.Track, m spans.Measure) (total, self map[string]int64) {
	var tree spans.Tree
	s.Spans().TreeOf(m, []model.TrackID{track.Def.ID}, math.MinInt64/4, math.MaxInt64/4, &tree)
	total, self = map[string]int64{}, map[string]int64{}
	for _, n := range tree.Nodes {
		name, again := methodName(s, n.Collector), false
		self[name] += n.Self
		for up := n.Parent; up >= 0 && !again; up = tree.Nodes[up].Parent {
			again = tree.Nodes[up].Collector == n.Collector
		}
		if !again {
			total[name] += n.Total
		}
	}
	return total, self
}

// ofRole returns a track's series of a role.
func ofRole(s *store.Session, track model.TrackID, role model.SeriesRole) *spans.Series {
	for _, id := range s.Series().ByTrack(track) {
		if x := s.Series().ByID(id); x.Def.Role == role {
			return x
		}
	}
	return nil
}

// newestStack is the set of the methods in a thread's newest sample.
func newestStack(s *store.Session, id model.TrackID) map[string]bool {
	x, out := ofRole(s, id, model.RoleStack), map[string]bool{}
	_, end := x.Positions()
	for path := model.PathID(x.Row(end - 1).Value); path != model.PathRoot; {
		up, c := s.Path(path)
		out[methodName(s, c)], path = true, up
	}
	return out
}

// checkLoad compares a thread's clock with the truth, and its load with its clock: spread over the
// time between two readings, the load gives the growth of the clock again.
func checkLoad(t *testing.T, s *store.Session, track *store.Track, w truthThread, first float64) {
	t.Helper()
	const from, to = math.MinInt64 / 4, math.MaxInt64 / 4
	n := ofRole(s, track.Def.ID, model.RoleStack).Len()
	testkit.That(t, int(n) == w.Samples, "%s: %d samples, want %d", w.Name, n, w.Samples)
	clock, load := ofRole(s, track.Def.ID, model.RoleCPUTime), ofRole(s, track.Def.ID, model.RoleCPULoad)
	if clock == nil || load == nil {
		return
	}
	begin, end, _ := clock.Bounds()
	st := clock.Stats(from, to)
	growth := st.Last - st.First
	testkit.That(t, w.Samples <= 1 || math.Abs((growth+first)/1000-float64(w.CPU)) <= float64(w.Samples),
		"%s: %.0f µs of CPU, want %d", w.Name, (growth+first)/1000, w.CPU)
	if all := load.Stats(from, to).Mean / 100 * float64(end-begin); math.Abs(all-growth) > 1000 {
		t.Errorf("%s: its mean load is %.0f ns of its life, the clock grew by %.0f", w.Name, all, growth)
	}
	var sum, at, share float64
	for _, v := range load.Samples(from, to, 0, nil) {
		sum += share / 100 * (float64(v.Time) - at)
		if at, share = float64(v.Time), v.Value; math.IsNaN(share) {
			share = 0
		}
	}
	if sum += share / 100 * (float64(end) - at); math.Abs(sum-growth) > 1000 {
		t.Errorf("%s: the load adds up to %.0f ns, the clock grew by %.0f", w.Name, sum, growth)
	}
}

// A session that is fed a few samples at a time, and flushed between, holds what one that is read at
// once does.
func TestFlushedEqualsWhole(t *testing.T) {
	dir := find(t, minutes[1])
	whole, pieces := openDir(t, dir), openInPieces(t, dir, 7)
	a, b := describe(whole), describe(pieces)
	testkit.That(t, a == b, "at once:\n%.2000s\nin pieces:\n%.2000s", a, b)
}

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
		var tree spans.Tree
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
	testkit.That(t, checked >= 3, "only %d methods were compared", checked)
}

// pathSums is what a call path has in the three measures.
type pathSums struct{ ms, cpuNs, samples int64 }

// toRoot calls f with each call path of a stack, the names joined from the outermost in.
func toRoot(rec *Recording, stack []MethodID, f func(path string)) {
	path := ""
	for _, id := range slices.Backward(stack) {
		path += ";" + rec.Method(id)
		f(path)
	}
}

// piecesOf adds up the pieces of a thread's time by call path. CPU time goes to code, which is told by
// such names; where nothing but waits was sampled between two readings of the clock it is spread over
// all of that time.
func piecesOf(rec *Recording, th *Thread, code map[string]bool, startMs, endMs int64) map[string]pathSums {
	out := map[string]pathSums{}
	pieces := Pieces(th, startMs, endMs)
	isCode := func(p *Piece) (is bool) {
		toRoot(rec, th.Records[p.Index].Stack, func(path string) { is = code[path] })
		return is
	}
	reading, last := make([]int, len(th.Records)), th.Records[0] // how often the clock changed up to a record
	for k := 1; k < len(th.Records); k++ {
		reading[k] = reading[k-1]
		if r := th.Records[k]; r.CPUNs < last.CPUNs || r.CPUNs > last.CPUNs && r.TimeMs > last.TimeMs {
			reading[k], last = reading[k]+1, r
		}
	}
	for i := 0; i < len(pieces); {
		end, cpu, ran := i, int64(0), int64(0)
		for ; end < len(pieces) && reading[pieces[end].Index] == reading[pieces[i].Index]; end++ {
			p := &pieces[end]
			if cpu += p.CPUNs; isCode(p) {
				ran += p.EndMs - p.BeginMs
			}
		}
		for ; i < end; i++ {
			if p := &pieces[i]; ran > 0 {
				if p.CPUNs = 0; isCode(p) {
					p.CPUNs = int64(float64(cpu) * float64(p.EndMs-p.BeginMs) / float64(ran))
				}
			}
		}
	}
	for _, p := range pieces {
		toRoot(rec, th.Records[p.Index].Stack, func(path string) {
			x := out[path]
			out[path] = pathSums{x.ms + p.EndMs - p.BeginMs, x.cpuNs + p.CPUNs, x.samples}
		})
	}
	for _, r := range th.Records {
		if r.TimeMs >= startMs && r.TimeMs < endMs {
			toRoot(rec, r.Stack, func(path string) {
				x := out[path]
				out[path] = pathSums{x.ms, x.cpuNs, x.samples + 1}
			})
		}
	}
	return out
}

// firstSampleNs is the session time of a track's first sample.
func firstSampleNs(s *store.Session, track model.TrackID) int64 {
	begin, _, _ := ofRole(s, track, model.RoleStack).Bounds()
	return begin
}

// In whole recordings and in parts of them the trees of a session are those made of the raw records,
// and the CPU time of a thread is that of its tree and, in whole steps, of the series of the API.
func TestMeasuresEqualTheRecordsOwn(t *testing.T) {
	var of *store.Session
	var code map[string]bool
	eachTrack(t, func(t *testing.T, rec *Recording, th *Thread, s *store.Session, track *store.Track) {
		if of != s {
			of, code = s, codeOf(s)
		}
		first := th.Records[0].TimeMs
		zeroMs := first - firstSampleNs(s, track.Def.ID)/1e6
		parts := [][2]int64{{0, 1 << 40}, {1000, 2000}, {12_345, 12_346}, {20_003, 41_777}, {59_000, 70_000}}
		for _, part := range parts {
			want := piecesOf(rec, th, code, zeroMs+part[0], zeroMs+part[1])
			for _, m := range []spans.Measure{spans.MeasureDuration, spans.MeasureCPU, spans.MeasureSamples} {
				compareMeasure(t, s, track, m, part, want, int64(len(th.Records)))
			}
		}
		if len(th.Records[0].Stack) == 0 {
			return
		}
		used := Used(th, 20)
		for _, part := range [][2]int64{{0, 1 << 40}, {1000, 2000}, {20_000, 41_760}} {
			from, to := first+part[0], first+part[1]
			begin, end := (from-zeroMs)*1e6, min((to-zeroMs)*1e6, model.MaxTime)
			ns, ok := s.Spans().CPUTime(track.Def.ID, begin, end)
			var tree spans.Tree
			s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{track.Def.ID}, begin, end, &tree)
			pieces, roots := 0.0, int64(0)
			for _, p := range Pieces(th, from, to) {
				pieces += float64(p.CPUNs)
			}
			for _, n := range tree.Nodes {
				if n.Parent < 0 {
					roots += n.Total
				}
			}
			us := float64(SumCPU(&used, from, to, 20, false).TotalUs)
			near := math.Abs(ns-pieces) <= float64(len(th.Records))+1 && math.Abs(ns/1000-us) <= 2
			if !ok || int64(ns) != roots || !near {
				t.Errorf("%s of %v ms: %.0f ns, its tree %d, the API's tree %.0f, its series %.0f µs",
					track.Title(), part, ns, roots, pieces, us)
			}
		}
	})
}

// codeOf tells of the names of call paths whether what has them is code.
func codeOf(s *store.Session) map[string]bool {
	out := map[string]bool{}
	names := []string{""}
	for p := model.PathID(1); ; p++ {
		up, c := s.Path(p)
		if c == model.NoCollector {
			return out
		}
		names = append(names, names[up]+";"+methodName(s, c))
		out[names[p]] = s.Spans().StateOf(p) == spans.StateReady
	}
}

func compareMeasure(
	t *testing.T, s *store.Session, track *store.Track, m spans.Measure, part [2]int64, want map[string]pathSums, records int64,
) {
	t.Helper()
	var tree spans.Tree
	s.Spans().TreeOf(m, []model.TrackID{track.Def.ID}, part[0]*1e6, part[1]*1e6, &tree)
	there := 0
	for _, w := range want {
		long, sampled := m == spans.MeasureDuration && w.ms > 0, m != spans.MeasureDuration && w.samples > 0
		if long || sampled || m == spans.MeasureCPU && w.cpuNs > 0 {
			there++
		}
	}
	testkit.Equal(t, len(tree.Nodes), there, "%s, measure %d of %d ms: call paths", track.Title(), m, part)
	names := make([]string, len(tree.Nodes))
	for i, n := range tree.Nodes {
		if n.Parent >= 0 {
			names[i] = names[n.Parent]
		}
		names[i] += ";" + methodName(s, n.Collector)
		w, same := want[names[i]]
		switch m {
		case spans.MeasureDuration:
			same = same && n.Total == w.ms*1e6
		case spans.MeasureSamples:
			same = same && n.Total == w.samples && n.Count == w.samples
		case spans.MeasureCPU: // the records' own figures are cut to whole ns at each piece
			same = same && math.Abs(float64(n.Total-w.cpuNs)) <= float64(records) && n.Count == w.samples
		}
		if !same {
			t.Errorf("%s, measure %d of %d ms: %s has %d in %d samples, want %+v",
				track.Title(), m, part, names[i], n.Total, n.Count, w)
		}
	}
}

// What is sampled has runs, and a total that its number of samples makes uncertain; what every sample
// has is certain.
func TestRunsAndTheirUncertainty(t *testing.T) {
	s := openDir(t, find(t, minutes[1]))
	worker := trackOf(s, 9).Def.ID
	testkit.MustThat(t, s.Spans().Sampled(worker) && s.Spans().AnySampled(), "it is not taken for sampled")
	want := map[string]struct {
		samples int64
		error   float64
	}{
		"java.lang.Thread.run()":                   {1153, 0},
		"shopapp.Workload$OrderService.validate()": {121, 5415e6 * math.Sqrt((1-121./1153)/121)},
	}
	for _, st := range s.Spans().Stats([]model.TrackID{worker}, math.MinInt64, math.MaxInt64, nil) {
		testkit.MustThat(t, st.Sampled && st.OfSamples == 1153, "%+v", st)
		name := methodName(s, st.Collector)
		if w, ok := want[name]; ok && (st.Samples != w.samples || math.Abs(float64(st.ErrorNs())-w.error) > 1) {
			t.Errorf("%s: %d samples, ± %d ns, want %+v", name, st.Samples, st.ErrorNs(), w)
		}
		delete(want, name)
	}
	testkit.That(t, len(want) == 0, "missing are %v", want)
}

// The search for long calls of a session finds what that in the raw records does.
func TestSlowCallsEqualTheRecordsOwn(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, pattern := range minutes {
		dir := find(t, pattern)
		rec, s := readDir(t, dir), openDir(t, dir)
		var tracks []model.TrackID
		starts := map[int64]int64{} // ns of the first sample by thread
		for _, tr := range feedtest.Tracks(s) {
			tracks = append(tracks, tr.Def.ID)
			starts[int64(tr.Def.Index)] = firstSampleNs(s, tr.Def.ID)
		}
		var search spans.CallSearch
		hits := 0
		byName := map[string][]MethodID{} // overloaded methods share their name, and their collector
		for id, name := range rec.Methods {
			byName[name] = append(byName[name], id)
		}
		for name, ids := range byName {
			wanted := make([]bool, s.Collectors().Len())
			for c := range wanted {
				wanted[c] = methodName(s, model.CollectorID(c)) == name
			}
			for _, minMs := range []int64{1, 40, 150} {
				x := Search{Methods: ids, MinMs: minMs, MaxHits: 1 << 20, StartMs: -1, EndMs: -1}
				groups, limited, err := Find(t.Context(), rec, x, nil)
				testkit.MustThat(t, err == nil && !limited, "%v %v", err, limited)
				var want, got [][]int64 // thread, begin, length
				for _, g := range groups {
					for _, c := range g.Calls {
						want = append(want, []int64{c.Thread, starts[c.Thread]/1e6 + c.StartMs, c.Ms})
					}
				}
				search.Start(s.Spans(), spans.CallQuery{Tracks: tracks, T0: math.MinInt64, T1: math.MaxInt64,
					Wanted: wanted, MinNs: minMs * 1e6, Limit: 1 << 20})
				for !search.Step(1000) {
				}
				for _, c := range search.Calls() {
					got = append(got, []int64{int64(s.Track(c.Ref.Track).Def.Index), c.Begin / 1e6, c.Ns / 1e6})
				}
				slices.SortFunc(want, slices.Compare)
				slices.SortFunc(got, slices.Compare)
				testkit.That(t, slices.EqualFunc(want, got, slices.Equal),
					"%s: %s of %d ms: %d calls, want %d", dir, name, minMs, len(got), len(want))
				hits += len(got)
			}
		}
		testkit.That(t, hits != 0, "%s: nothing was found", dir)
	}
}

func TestMain(m *testing.M) { os.Exit(flaretest.Main(m)) }

// sink hands everything to a session at once.
type sink struct {
	mu sync.Mutex
	s  *store.Session
	b  model.Batch
}

func newSink() *sink { return &sink{s: store.NewSession()} }

func (k *sink) Define(c model.Change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.s.Apply(c)
}
func (k *sink) Begin() *model.Batch { k.b.Reset(); return &k.b }
func (k *sink) Publish(b *model.Batch) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.s.Append(b)
	return true
}
func (k *sink) Progress(done, total int64) {}

// find returns the path of a file or folder of the captures, unpacked.
func find(t testing.TB, pattern string) string {
	t.Helper()
	return flaretest.Find(t, flaretest.Captures(t), pattern)
}

func capture(t testing.TB, name string) []byte {
	t.Helper()
	return testkit.Must(os.ReadFile(find(t, name)))(t)
}

// readDir reads a folder as a recording.
func readDir(t testing.TB, dir string) *Recording {
	t.Helper()
	return testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
}

// openDir reads a folder as a session.
func openDir(t testing.TB, dir string) *store.Session {
	t.Helper()
	k := newSink()
	testkit.OK(t, (Source{}).OpenFile(t.Context(), dir, k))
	return k.s
}

// minutes are the two captures of a minute.
var minutes = []string{"constructed-60s/127*", "recorded-60s/127*"}

// truths are the folders of the captures with what their truth files say.
var truths = map[string]string{
	minutes[0]:                 "constructed-60s/truth.json",
	minutes[1]:                 "recorded-60s/truth.json",
	"constructed-roll/*200654": "constructed-roll/truth-1-*.json",
	"constructed-roll/*200657": "constructed-roll/truth-2-*.json",
}

// truth is what the truth file of a folder says.
type truth struct {
	Info struct {
		Interval    int64 `json:"sample_interval"`
		RecordStart int64 `json:"record_start_time"`
	} `json:"sample_info"`
	Threads map[int64]truthThread
}

type truthThread struct {
	Name    string
	Samples int
	First   int64 `json:"first_sample_time"`
	Last    int64 `json:"last_sample_time"`
	CPU     int64 `json:"cpu_time_delta_sum_us"`
	Methods []struct {
		ID        MethodID
		Name      string
		Inclusive int64 `json:"inclusive_ms"`
		Self      int64 `json:"self_ms"`
		Samples   int64
	}
	Series struct {
		Begin     int64   `json:"begin_time"`
		Step      int64   `json:"unit_time_ms"`
		Steps     int     `json:"values"`
		Total     int64   `json:"sum_us"`
		PerSecond []int64 `json:"per_second_us"`
	}
	Collapsed []struct {
		Stack string
		Ms    int64
	} `json:"collapsed_top"`
}

// eachTruth runs a test for each folder of the captures.
func eachTruth(t *testing.T, f func(t *testing.T, dir string, want truth)) {
	captures := flaretest.Captures(t)
	for dir, file := range truths {
		t.Run(filepath.Dir(dir), func(t *testing.T) {
			data := testkit.Must(os.ReadFile(flaretest.Find(t, captures, file)))(t)
			var want truth
			testkit.OK(t, json.Unmarshal(data, &want))
			f(t, flaretest.Find(t, captures, dir), want)
		})
	}
}

// eachTrack runs a test for each thread of two recordings and its track in the session.
func eachTrack(t *testing.T, f func(t *testing.T, rec *Recording, th *Thread, s *store.Session, track *store.Track)) {
	captures := flaretest.Captures(t)
	for _, pattern := range minutes {
		dir := flaretest.Find(t, captures, pattern)
		rec, s, n := readDir(t, dir), openDir(t, dir), 0
		for _, track := range feedtest.Tracks(s) {
			if th := rec.Thread(int64(track.Def.Index)); th != nil && len(th.Records) > 1 {
				f(t, rec, th, s, track)
				n++
			}
		}
		testkit.That(t, n >= 3, "%s: only %d threads were looked at", dir, n)
	}
}

// trackOf returns the track of a thread, nil where there is none.
func trackOf(s *store.Session, thread int64) *store.Track {
	for _, t := range feedtest.Tracks(s) {
		if int64(t.Def.Index) == thread {
			return t
		}
	}
	return nil
}

// methodName is the full name of a method's collector.
func methodName(s *store.Session, c model.CollectorID) string {
	d := s.Collector(c)
	if d.Parent != trace.Root {
		return s.Collector(d.Parent).Name + "." + d.Name
	}
	return d.Name
}

// timed is a sample with its thread.
type timed struct {
	*Thread
	x Record
}

// inTime lists all samples of a recording in order of time.
func inTime(rec *Recording) (all []timed) {
	for _, th := range rec.Threads {
		for _, x := range th.Records {
			all = append(all, timed{th, x})
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return int(a.x.TimeMs - b.x.TimeMs) })
	return all
}

// openInPieces plays a folder as an agent would send it: all threads' samples in order of time,
// names late, with a flush after every n samples.
func openInPieces(t testing.TB, dir string, n int) *store.Session {
	rec := readDir(t, dir)
	all, to := inTime(rec), newSink()
	m := NewMapper(to, model.Info{}, all[0].x.TimeMs)
	for _, th := range inOrder(rec.Threads) { // tracks in the same order as when a folder is read
		if len(th.Records) > 0 {
			m.thread(th.ID, th.Name)
		}
	}
	for i, x := range all {
		m.Sample(x.ID, x.Name, x.x)
		if i == len(all)/2 {
			for _, id := range slices.Sorted(maps.Keys(rec.Methods)) {
				m.Method(id, rec.Methods[id])
			}
		}
		if i%n == 0 {
			m.Flush()
		}
	}
	m.Close("end")
	return to.s
}

// sum is what a plain count over the records gives a path or a method.
type sum struct{ Ms, Calls int64 }

// total returns the sum of all steps in µs.
func total(s *Series) (us int64) {
	for _, v := range s.Values {
		us += v
	}
	return us
}
