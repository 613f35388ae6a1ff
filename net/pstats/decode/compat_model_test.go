package decode

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// The ways in which a capture gets into a session.
const (
	fromFile    = "pstats" // its session file, by OpenFile
	fromCapture = "pscap"  // its recorded connection, message by message into a decoder
)

// large are captures with so many frames that the short form takes them from their files alone.
var large = []string{"longrun", "render_gl_gpu"}

// sessionOf brings a capture into a session.
func sessionOf(t testing.TB, name, from string) *store.Session {
	t.Helper()
	s := &pstatstest.Sink{Session: store.NewSession()}
	switch from {
	case fromFile:
		testkit.OK(t, OpenFile(context.Background(), pstatstest.Path(t, name+".pstats"), s))
	case fromCapture:
		pstatstest.Replay(t, pstatstest.Bytes(t, name+".pscap"), New(s, Options{}))
	}
	testkit.Equal(t, s.Losses(), [model.NumLossReasons]int64{}, "losses")
	return s.Session
}

// trackOf returns the track of a thread index.
func trackOf(t testing.TB, s *store.Session, index int) *store.Track {
	t.Helper()
	for _, tr := range feedtest.Tracks(s) {
		if tr.Def.Index == index {
			return tr
		}
	}
	t.Fatalf("thread %d has no track", index)
	return nil
}

// TestOracle holds the session that we build against what the official code made of the same
// recordings. Whatever differs must be explained by a rule that is named, one by one. The tests of net/pstats/server
// show that a capture over sockets gives what its messages give.
func TestOracle(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, name := range pstatstest.Captures {
		for _, from := range []string{fromFile, fromCapture} {
			if from != fromFile && slices.Contains(large, name) && !testkit.Long {
				continue
			}
			t.Run(name+"/"+from, func(t *testing.T) {
				s := sessionOf(t, name, from)
				raw, _ := pstatstest.Raw(t, name, from == fromFile)
				results := []string{
					compareFrames(t, s, raw, name), compareDefs(t, s, name), compareBars(t, s, name), compareStrips(t, s, raw, name), compareFlame(t, s, raw, name), compareRates(t, s, name),
				}
				t.Logf("%-14s %s: %s", name, from, strings.Join(results, "; "))
			})
		}
	}
}

// Rules by which the intended result differs from the official one.
const (
	// ruleNoTime: a frame with levels only has no time. The official store says 0, ours puts it at the
	// end of the frame before.
	ruleNoTime = "have no time of their own"
	// ruleMemory: the official flame graph looks at one frame alone, and ignores the stop of what was
	// started before it, and forgets what outlives its caller; ours knows what is running. Ours is
	// held against plainFlames there.
	ruleMemory = "where something crosses the frame or outlives its caller, and the official graph forgets it"
	// ruleLostRun: the official view loses the second run of a collector that stopped while another
	// was running inside it (section 4.1, case 9). Ours is held against plainAlone there, as in the
	// next two.
	ruleLostRun = "where the official view loses a run"
	// ruleCarried: the official view charges what was running before the frame in retrospect, when it
	// stops, and takes as much from the others.
	ruleCarried = "where the official view charges in retrospect"
	// ruleWithin: in the official view, who is started while it runs already is not charged again.
	ruleWithin = "where a collector runs within itself"
)

// aloneDiffers says why the official exclusive times of a frame may not be those of who ran
// innermost; empty if they must be.
func aloneDiffers(f *pstats.Frame, s *sessionfile.Raw, thread int) string {
	depth, stopped := map[uint16]int{}, map[uint16]bool{}
	var order []uint16
	for _, e := range f.Events {
		c := e.Word &^ pstats.StopBit
		switch {
		case e.Word&pstats.StopBit == 0 && depth[c] > 0:
			return ruleWithin
		case e.Word&pstats.StopBit == 0 && stopped[c]:
			return ruleLostRun
		case e.Word&pstats.StopBit == 0:
			depth[c]++
			order = append(order, c)
		case depth[c] == 0:
			return ruleCarried
		default:
			depth[c]--
			stopped[c] = stopped[c] || order[len(order)-1] != c
			order = slices.DeleteFunc(order, func(o uint16) bool { return o == c })
		}
	}
	if before := s.FrameOf(thread, int32(f.Number)-1); before != nil { // it may go on all through this frame
		for _, e := range before.Events {
			if depth[e.Word&^pstats.StopBit]++; e.Word&pstats.StopBit != 0 {
				depth[e.Word&^pstats.StopBit] -= 2
			}
		}
	}
	for _, n := range depth {
		if n > 0 {
			return ruleCarried
		}
	}
	return ""
}

// ns converts a time of a table, which is a 32-bit float in nine digits, as the decoder does.
func ns(sec float64) int64 {
	n, _ := pstats.Nanoseconds(float32(sec))
	return n
}

func compareFrames(t *testing.T, s *store.Session, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "frames"}
	next := map[int]int{}
	spans := map[int]int64{}
	for _, r := range pstatstest.Rows(t, name+".frames.tsv") {
		thread, number, events := pstatstest.Atoi(t, r[0]), pstatstest.Atoi(t, r[1]), pstatstest.Atoi(t, r[4])
		tr := trackOf(t, s, thread)
		if next[thread] >= tr.NumFrames() {
			c.Check(false, "frame %d of thread %d is missing", number, thread)
			continue
		}
		got := tr.Frame(next[thread])
		next[thread]++
		f := raw.FrameOf(thread, int32(number))
		if events == 0 {
			c.Name(ruleNoTime)
			c.Check(got.Number == int64(number) && got.Begin == got.End, "frame %+v, want number %d", got, number)
			c.Same--
		} else {
			c.Check(got.Number == int64(number) && got.Begin == ns(pstatstest.Atof(t, r[2])) && got.End == ns(pstatstest.Atof(t, r[3])), "frame %+v, want %v", got, r)
		}
		starts, levels := 0, map[uint16]bool{}
		for _, e := range f.Events {
			if e.Word&pstats.StopBit == 0 {
				starts++
			}
		}
		for _, l := range f.Levels {
			levels[l.Collector] = true
		}
		spans[thread] += int64(got.Spans)
		if len(f.Events) != events || int(got.Levels) != len(levels) || int(got.Spans) < starts {
			c.Check(false, "frame %d of thread %d: %d spans, %d levels; sent were %d starts, %d levels", number, thread, got.Spans, got.Levels, starts, len(levels))
		}
	}
	for thread, n := range next {
		tr := trackOf(t, s, thread)
		if tr.NumFrames() != n {
			c.Check(false, "thread %d: %d frames, want %d", thread, tr.NumFrames(), n)
		}
	}
	return c.String()
}

func compareDefs(t *testing.T, s *store.Session, name string) string {
	c := pstatstest.Tally{T: t, What: "definitions"}
	want := pstatstest.LoadDefs(t, name)
	info := s.Info()
	c.Check(info.Host == want.Host && info.Program == want.Program && info.PID == want.PID, "%+v", info)
	for _, w := range want.Collectors {
		got := s.Collector(model.CollectorID(w.Index))
		var color model.RGB
		if w.Color != [3]float64{} {
			color.R, color.G, color.B = assets.LinearToSRGB(float32(w.Color[0]), float32(w.Color[1]), float32(w.Color[2]))
			color.Set = true
		}
		full := w.Fullname
		if w.Index == 0 {
			full = got.FullName // the root's own name is left out of full names; the official viewer shows it
		}
		if w.Index == 0 && got.Parent == model.NoCollector {
			w.Parent = -1 // the root has no parent in the model; on the wire it is its own
		}
		c.Check(got.Defined && got.Name == w.Name && got.FullName == full && int(got.Parent) == w.Parent && got.Color == color && got.Sort == w.Sort && got.Unit == w.Units &&
			pstatstest.Near6(got.Scale, w.Scale) && pstatstest.Near6(got.Factor, w.Factor), "collector %+v, want %+v", got, w)
		c.Check(got.HasLevel == (len(w.LevelThreads) > 0) || w.Index == 0, "%s has levels: %v, want %v", w.Fullname, got.HasLevel, w.LevelThreads)
	}
	for _, w := range want.Threads {
		tr := trackOf(t, s, w.Index)
		kind := model.TrackThread
		if w.Name == "GPU" {
			kind = model.TrackGPU
		}
		c.Check(tr.Def.Name == w.Name && tr.Def.Kind == kind && !tr.Def.OwnClock, "track %+v, want %+v", tr.Def, w)
	}
	return c.String()
}

func compareBars(t *testing.T, s *store.Session, name string) string {
	c := pstatstest.Tally{T: t, What: "bars"}
	want := oracleBars(t, name)
	slices.SortStableFunc(want, orderOfBars)
	var lane []spans.Bar
	at := 0
	for i, w := range want {
		tr := trackOf(t, s, w.Thread)
		if i == 0 || want[i-1].Thread != w.Thread || want[i-1].Row != w.Row {
			if i > 0 {
				c.Check(at == len(lane), "%d bars more than wanted in a row before %+v", len(lane)-at, w)
				c.Same--
			}
			lane = s.Spans().Visible(tr.Def.ID, w.Row, math.MinInt64/2, math.MaxInt64/2, 0, lane[:0])
			slices.SortStableFunc(lane, func(a, b spans.Bar) int { return int(a.Begin-b.Begin) + int(a.End-b.End) })
			at = 0
		}
		if at >= len(lane) {
			c.Check(false, "%+v is missing", w)
			continue
		}
		g := lane[at]
		at++
		c.Check(g.Begin == ns(w.Begin) && g.End == ns(w.End) && int(g.Collector) == w.Collector && g.Count == 1 &&
			g.Flags&model.SpanOpenBegin != 0 == w.OpenBegin && g.Flags&model.SpanOpenEnd != 0 == w.OpenEnd, "bar %+v, want %+v", g, w)
	}
	total := int64(0)
	for _, tr := range feedtest.Tracks(s) {
		total += tr.NumSpans()
	}
	if int(total) != len(want) {
		c.Check(false, "%d spans in all, want %d bars", total, len(want))
	}
	return c.String()
}

func compareStrips(t *testing.T, s *store.Session, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "strips"}
	flames := map[int]map[int32]map[string]float64{}
	for _, thread := range raw.ThreadIndices() {
		flames[thread] = plainFlames(raw, thread)
	}
	var buf []frames.Band
	for _, w := range oracleStrips(t, name) {
		tr := trackOf(t, s, w.thread)
		i, ok := tr.FrameByNumber(int64(w.frame))
		if !ok {
			c.Check(false, "frame %d of thread %d is not stored", w.frame, w.thread)
			continue
		}
		bands, net := s.Frames().OpenBands(tr.Def.ID, i, model.CollectorID(w.collector), 0, w.level, buf[:0])
		buf = bands
		f := raw.FrameOf(w.thread, int32(w.frame))
		bound := 1e-9 * float64(len(f.Events)+1) // every time is rounded to 1 ns
		if w.level {
			bound = levelRounding(f)
		}
		close := func(a, b float64) bool { return pstatstest.Near(a, b) || math.Abs(a-b) <= bound }
		got := make([]stripBand, 0, len(bands))
		for _, b := range bands {
			got = append(got, stripBand{int(b.Collector), b.Value})
		}
		got = slices.DeleteFunc(got, func(b stripBand) bool { // what the rounding makes of an exact 0
			return math.Abs(b.Value) <= bound && !slices.ContainsFunc(w.bands, func(o stripBand) bool { return o.Collector == b.Collector })
		})
		wantBands := slices.DeleteFunc(slices.Clone(w.bands), func(b stripBand) bool { // and the other way
			return math.Abs(b.Value) <= bound && !slices.ContainsFunc(got, func(o stripBand) bool { return o.Collector == b.Collector })
		})
		ok = close(net, w.net) && sameBands(got, wantBands, close)
		if !ok && !w.level {
			if why := aloneDiffers(f, raw, w.thread); why != "" { // then what is meant counts
				meant := NewView(raw, false)
				for k, v := range plainAlone(flames[w.thread][int32(w.frame)]) {
					meant.self[k] = v
				}
				want, wantNet := stripOf(meant, w.collector, nil)
				little := func(b stripBand) bool { return math.Abs(b.Value) <= bound }
				got, want = slices.DeleteFunc(got, little), slices.DeleteFunc(want, little)
				c.Check(close(net, wantNet) && sameBands(got, want, close), "thread %d collector %d frame %d: %v, meant %v", w.thread, w.collector, w.frame, got, want)
				c.Same--
				c.Name(why)
				continue
			}
		}
		if ok && w.level && !pstatstest.Near(net, w.net) {
			c.Name(ruleRounding)
			continue
		}
		c.Check(ok, "thread %d collector %d level %v frame %d: %v = %v, want %v = %v", w.thread, w.collector, w.level, w.frame, got, net, w.bands, w.net)
	}
	return c.String()
}

func compareFlame(t *testing.T, s *store.Session, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "flame"}
	plain := map[int]map[int32]map[string]float64{}
	for _, thread := range raw.ThreadIndices() {
		plain[thread] = plainFlames(raw, thread)
	}
	var tree spans.Tree
	for key, want := range oracleFlame(t, name) {
		tr := trackOf(t, s, key[0])
		i, ok := tr.FrameByNumber(int64(key[1]))
		if !ok {
			c.Check(false, "frame %d of thread %d is not stored", key[1], key[0])
			continue
		}
		f := tr.Frame(i)
		s.Spans().Tree([]model.TrackID{tr.Def.ID}, f.Begin, f.End, &tree)
		got := layTree(&tree, 1000)
		same := len(got) == len(want)
		for _, g := range got {
			same = same && slices.ContainsFunc(want, func(w FlameBar) bool {
				return g.Depth == w.Depth && g.Collector == w.Collector && g.Parent == w.Parent && apart(g.X0-w.X0) <= 1 && apart(g.X1-w.X1) <= 1
			})
		}
		if !same && sameFlame(&tree, plainTotals(plain[key[0]][int32(key[1])]), len(raw.FrameOf(key[0], int32(key[1])).Events)) == "" {
			c.Name(ruleMemory)
			continue
		}
		c.Check(same, "thread %d frame %d:\n got %v\nwant %v", key[0], key[1], got, want)
	}
	return c.String()
}

// sameFlame compares a tree with the seconds of each path; empty means equal but for the rounding
// of that many events to 1 ns.
func sameFlame(tree *spans.Tree, want map[string]float64, events int) string {
	paths := make([]string, len(tree.Nodes))
	seen := 0
	for i, n := range tree.Nodes {
		paths[i] = strconv.Itoa(int(n.Collector))
		if n.Parent >= 0 {
			paths[i] = paths[n.Parent] + "/" + paths[i]
		}
		sec, ok := want[paths[i]]
		if ok {
			seen++
		}
		if math.Abs(float64(n.Total)/1e9-sec) > 1e-9*float64(events+1) {
			return fmt.Sprintf("path %s: %d ns, want %v s", paths[i], n.Total, sec)
		}
	}
	for path, sec := range want {
		if !slices.Contains(paths, path) && sec > 1e-9*float64(events+1) {
			return fmt.Sprintf("path %s with %v s is missing", path, sec)
		}
	}
	return ""
}

// untrue says what a session's exclusive times, its call tree and its timeline tell differently of
// some frame; empty if nothing. No time of a collector by itself is below zero, all of them add up
// to the roots of the call tree, those of a collector are what the tree says, no callee takes
// longer than its caller, and the bars of the timeline take as long as the tree says.
func untrue(s *store.Session) string {
	var tree spans.Tree
	var alone []model.CollectorTime
	var bars []spans.Bar
	for _, tr := range feedtest.Tracks(s) {
		id := tr.Def.ID
		for i := range tr.NumFrames() {
			f := tr.Frame(i)
			s.Spans().Tree([]model.TrackID{id}, f.Begin, f.End, &tree)
			self, total := map[model.CollectorID]int64{}, map[model.CollectorID]int64{}
			for _, n := range tree.Nodes {
				self[n.Collector] += n.Self
				total[n.Collector] += n.Total
				if n.Self < 0 || n.Parent >= 0 && n.Total > tree.Nodes[n.Parent].Total {
					return fmt.Sprintf("track %d frame %d: node %+v", id, f.Number, n)
				}
			}
			var sum int64
			alone = s.Frames().Self(id, i, alone[:0])
			for _, a := range alone {
				sum += a.Ns
				if a.Ns < 0 || a.Ns != self[a.Collector] {
					return fmt.Sprintf("track %d frame %d: collector %d took %d ns by itself, %d in the call tree", id, f.Number, a.Collector, a.Ns, self[a.Collector])
				}
				delete(self, a.Collector)
			}
			if sum != tree.Total {
				return fmt.Sprintf("track %d frame %d: %d ns in all, %d in the call tree", id, f.Number, sum, tree.Total)
			}
			for c, ns := range self {
				if ns != 0 {
					return fmt.Sprintf("track %d frame %d: collector %d took %d ns in the call tree only", id, f.Number, c, ns)
				}
			}
			for lane := range tr.Lanes() {
				bars = s.Spans().Visible(id, lane, f.Begin, f.End, 0, bars[:0])
				for _, b := range bars {
					total[b.Collector] -= max(0, min(b.End, f.End)-max(b.Begin, f.Begin))
				}
			}
			for c, ns := range total {
				if ns != 0 && c != 0 { // a frame that was lost has no bar, but its time is that of what ran in it
					return fmt.Sprintf("track %d frame %d: the bars of collector %d take %d ns less than the call tree says", id, f.Number, c, ns)
				}
			}
		}
	}
	return ""
}

// TestFlameOfEveryFrame holds the flame tree and the exclusive times of every frame of every
// capture against the plain computation, and what the panels say against each other.
func TestFlameOfEveryFrame(t *testing.T) {
	for _, name := range pstatstest.Captures {
		t.Run(name, func(t *testing.T) {
			s := sessionOf(t, name, fromFile)
			raw, _ := pstatstest.Raw(t, name, true)
			what := untrue(s)
			testkit.That(t, what == "", "%v", what)
			var tree spans.Tree
			var alone []model.CollectorTime
			for _, thread := range raw.ThreadIndices() {
				tr := trackOf(t, s, thread)
				want := plainFlames(raw, thread)
				for i := range tr.NumFrames() {
					f := tr.Frame(i)
					number := int32(f.Number)
					events := raw.FrameOf(thread, number).Events
					s.Spans().Tree([]model.TrackID{tr.Def.ID}, f.Begin, f.End, &tree)
					diff := sameFlame(&tree, plainTotals(want[number]), len(events))
					testkit.MustThat(t, diff == "", "thread %d frame %d: %s", thread, number, diff)
					alone = s.Frames().Self(tr.Def.ID, i, alone[:0])
					wantAlone := plainAlone(want[number])
					for _, a := range alone {
						if math.Abs(float64(a.Ns)/1e9-wantAlone[int(a.Collector)]) > 1e-9*float64(len(events)+1) {
							t.Fatalf("thread %d frame %d collector %d: %d ns, want %v s", thread, number, a.Collector, a.Ns, wantAlone[int(a.Collector)])
						}
					}
				}
			}
		})
	}
}

func apart(n int) int { return max(n, -n) }

// layTree lays out a flame tree as the official viewer does: packed, in the order of the nodes;
// what is narrower than a pixel is left out with all above it.
func layTree(tree *spans.Tree, width float64) (out []FlameBar) {
	total := float64(tree.Total)
	type place struct {
		x, end float64 // next child's x
		shown  bool
	}
	places := make([]place, len(tree.Nodes))
	x := 0.0
	for i, n := range tree.Nodes {
		at := &x
		shown, parent := true, -1
		if n.Parent >= 0 {
			at = &places[n.Parent].end
			shown = places[n.Parent].shown
			parent = int(tree.Nodes[n.Parent].Collector)
		}
		x0, x1 := int(*at/total*width), int((*at+float64(n.Total))/total*width)
		shown = shown && x1 > x0
		places[i] = place{*at, *at, shown}
		*at += float64(n.Total)
		if shown {
			out = append(out, FlameBar{Depth: int(n.Depth), X0: x0, X1: x1, Collector: int(n.Collector), Parent: parent})
		}
	}
	return out
}

func compareRates(t *testing.T, s *store.Session, name string) string {
	c := pstatstest.Tally{T: t, What: "rates"}
	for _, r := range pstatstest.Rows(t, name+".summary.tsv") {
		tr := trackOf(t, s, pstatstest.Atoi(t, r[0]))
		got, want := tr.FrameRate(3e9), pstatstest.Atof(t, r[4])
		c.Check(math.Abs(got-want) <= 1e-6*want, "thread %s: %v frames/s, want %v", r[0], got, want)
	}
	return c.String()
}

// This file computes exclusive times and call paths as they are meant, in the plainest way, with no
// care for speed: references for the decoder.

// plainSpan is a running span of plainFlames.
type plainSpan struct {
	collector int
	path      string
	before    bool
}

// plainFlames returns for each frame of a thread the seconds that each call path took in it by
// itself, knowing what was running before: at any moment the innermost running span is charged.
// Paths are collectors joined by '/'.
func plainFlames(s *sessionfile.Raw, thread int) map[int32]map[string]float64 {
	out := map[int32]map[string]float64{}
	ignore := ignored(s)
	var stack []plainSpan
	name := func(from int) { // the paths of those on the stack from a place on
		for k := from; k < len(stack); k++ {
			o := &stack[k]
			if o.path = fmt.Sprint(o.collector); k > 0 {
				o.path = stack[k-1].path + "/" + o.path
			}
		}
	}
	last := int32(-2)
	for _, number := range s.Numbers(thread) {
		f := s.FrameOf(thread, number)
		if number != last+1 {
			stack = nil
		}
		last = number
		sum := map[string]float64{}
		out[number] = sum
		if len(f.Events) == 0 {
			continue
		}
		since := float64(f.Events[0].Time)
		for i := range stack {
			stack[i].before = true
		}
		carried := len(stack)
		stack = append(stack, orphansOf(f, stack, ignore)...)
		name(carried)
		for i, e := range f.Events {
			c, now := int(e.Word&^pstats.StopBit), float64(e.Time)
			if c == ignore {
				continue
			}
			if k := len(stack) - 1; k >= 0 {
				sum[stack[k].path] += now - since
			}
			since = now
			if e.Word&pstats.StopBit == 0 {
				if k := len(stack) - 1; c == 0 && k >= 0 && stack[k].before {
					stack = slices.Insert(stack, 0, plainSpan{collector: 0})
					name(0)
				} else {
					stack = append(stack, plainSpan{collector: c})
					name(len(stack) - 1)
				}
				continue
			}
			for k, o := range slices.Backward(stack) {
				if o.collector == c {
					stack = slices.Delete(stack, k, k+1)
					if c != 0 || i < len(f.Events)-1 { // what goes on into the next frame stays below this one
						name(k)
					}
					break
				}
			}
		}
		if k := len(stack) - 1; k >= 0 {
			sum[stack[k].path] += float64(f.Events[len(f.Events)-1].Time) - since
		}
	}
	return out
}

// plainAlone returns the seconds that each collector took by itself.
func plainAlone(flame map[string]float64) map[int]float64 {
	alone := map[int]float64{}
	for path, sec := range flame {
		c, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
		alone[c] += sec
	}
	return alone
}

// plainTotals returns the seconds that each call path took with what it called.
func plainTotals(flame map[string]float64) map[string]float64 {
	total := map[string]float64{}
	for path, sec := range flame {
		for at := len(path); at > 0; at = strings.LastIndexByte(path[:at], '/') {
			total[path[:at]] += sec
		}
	}
	return total
}

// orphansOf returns the spans of which only the stop is in this frame and nothing before it.
func orphansOf(f *pstats.Frame, carried []plainSpan, ignore int) (out []plainSpan) {
	depth, known := map[int]int{}, map[int]int{}
	for _, o := range carried {
		known[o.collector]++
	}
	var stops []int
	for _, e := range f.Events {
		c := int(e.Word &^ pstats.StopBit)
		switch {
		case c == ignore:
		case e.Word&pstats.StopBit == 0:
			depth[c]++
		case depth[c] > 0:
			depth[c]--
		case known[c] > 0:
			known[c]--
		default:
			stops = append(stops, c)
		}
	}
	for _, c := range slices.Backward(stops) {
		out = append(out, plainSpan{collector: c, before: true})
	}
	return out
}
