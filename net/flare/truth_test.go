package flare

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
	"framescope/model/store"
)

// Every thread of a recording has the names, samples, times, CPU times, methods and stacks that the
// truth file says.
func TestRecordingsHoldTheirTruth(t *testing.T) {
	eachTruth(t, func(t *testing.T, dir string, want truth) {
		rec := readDir(t, dir)
		if len(rec.Problems) > 0 || rec.IntervalMs != want.Info.Interval || rec.RecordStartMs != want.Info.RecordStart {
			t.Errorf("info %+v, problems %v", rec.Info, rec.Problems)
		}
		NameFromNeighbours(t.Context(), rec, dir)
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
	if w.Samples > 0 && (th.Records[0].TimeMs != w.First || th.Records[w.Samples-1].TimeMs != w.Last) {
		t.Errorf("thread %d: from %d on, want %d to %d", th.ID, th.Records[0].TimeMs, w.First, w.Last)
	}
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
