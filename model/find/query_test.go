package find_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

var names = [...]string{"Frame", "App", "Cull", "Draw", "DrawSky", "Wait"}

// session makes a session of two threads with frames and one without; frame 7 was never received.
func session(frames int) *store.Session {
	rnd := rand.New(rand.NewPCG(1, 2))
	s := store.NewSession()
	for i, n := range names {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: n})
	}
	// Paths: 1 App, 2 App/Cull, 3 App/Draw, 4 App/Draw/DrawSky, 5 App/Draw/DrawSky/Draw, 6 Wait.
	for i, p := range [...]struct {
		up model.PathID
		c  model.CollectorID
	}{{0, 1}, {1, 2}, {1, 3}, {3, 4}, {4, 3}, {0, 5}} {
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Parent: p.up, Collector: p.c})
	}
	for i, n := range [...]string{"Main", "Render", "Worker 1"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Index: i, Name: n, Main: i == 0})
	}
	for i, n := range [...]string{"job", "GPU wake", ""} {
		s.Apply(model.FlowDef{ID: model.FlowID(i), Name: n})
	}
	flown := rand.New(rand.NewPCG(3, 4))
	for f := range frames {
		if f == 7 {
			continue
		}
		for track := range 3 {
			begin := int64(f)*16_000_000 + 1000
			b := model.Batch{Track: model.TrackID(track), HasFrame: track < 2, Number: int64(f), Begin: begin, End: begin + 15_000_000}
			counts := map[model.CollectorID]int32{}
			put := func(p model.PathID, lane uint16, from, to int64) {
				b.Spans = append(b.Spans, model.Span{Begin: from, End: to, Path: p, Lane: lane})
				_, c := s.Path(p)
				counts[c]++
				b.Args = append(b.Args, argsOf(len(b.Spans)-1, p, from)...)
			}
			at := begin
			for at < b.End-4_000_000 {
				end := at + rnd.Int64N(4_000_000)
				if rnd.IntN(3) == 0 {
					put(6, 0, at, end)
					at = end
					continue
				}
				put(1, 0, at, end)
				for in := at; in < end; {
					to := min(in+rnd.Int64N(1_000_000), end)
					if rnd.IntN(2) == 0 {
						put(2, 1, in, to)
					} else if put(3, 1, in, to); rnd.IntN(2) == 0 {
						put(4, 2, in+(to-in)/4, to)
						if rnd.IntN(2) == 0 {
							put(5, 3, in+(to-in)/2, to)
						}
					}
					in = to + rnd.Int64N(100_000)
				}
				at = end
			}
			if b.HasFrame {
				for c, n := range counts {
					b.Self = append(b.Self, model.CollectorTime{Collector: c, Ns: 1, Count: n})
				}
			}
			b.Flows = flowsIn(flown, &b)
			s.Append(&b)
		}
	}
	return s
}

// argsOf returns what a span is given: many have nothing, some very much the same as the one before.
func argsOf(span int, p model.PathID, from int64) (out []model.Arg) {
	add := func(key string, v model.ArgValue) {
		out = append(out, model.Arg{Span: int32(span), Key: key, Value: v})
	}
	switch h := from / 1000 % 17; {
	case p == 2 && h < 12:
		add("texture", model.TextArg([]string{"rock.dds", "Sky.dds", "12", "grass.png"}[h%4]))
		add("size", model.IntArg(h*250))
	case p == 3 && h < 3:
		add("size", model.FloatArg(float64(h)+0.25))
		add("data.url", model.TextArg("https://x.example/"+string(rune('a'+h))))
	case p == 6:
		add("id", model.IntArg(1<<53+h))
	case p == 1 && h == 5:
		add("size", model.TextArg("1000"))
		add("why so", model.TextArg("because:it=is"))
	}
	return out
}

// each calls fn for every span.
func each(s *store.Session, fn func(b spans.Bar)) {
	for track := range model.TrackID(s.NumTracks()) {
		for lane := range s.Track(track).Lanes() {
			first, end := s.Spans().Kept(track, lane)
			for i := first; i < end; i++ {
				b, _ := s.Spans().ByRef(spans.Ref{Track: track, Lane: uint16(lane), Index: i})
				fn(b)
			}
		}
	}
}

func frameOf(b *spans.Bar) int64 { return (b.Begin - 1000) / 16_000_000 }

// What is found is what a look at every span finds, however little is done at a time.
func TestSearchEqualsAPlainScan(t *testing.T) {
	s := session(60)
	self := map[spans.Ref]int64{}
	calls := map[[3]int64]int64{}
	var all []spans.Bar
	args := map[spans.Ref][]model.Arg{}
	each(s, func(b spans.Bar) {
		all = append(all, b)
		if list := s.Args().Of(b.Ref.Track, int(b.Ref.Lane), b.Ref.Index, nil); len(list) > 0 {
			args[b.Ref] = list
		}
		self[b.Ref] += b.End - b.Begin
		if up, ok := s.Spans().Caller(b.Ref); ok {
			self[up.Ref] -= b.End - b.Begin
		}
		f := frameOf(&b)
		if b.Ref.Track == 2 {
			f = 0
		}
		calls[[3]int64{int64(b.Ref.Track), f, int64(b.Collector)}]++
	})
	ns := func(b *spans.Bar) int64 { return b.End - b.Begin }
	callsOf := func(b *spans.Bar) int64 {
		f := frameOf(b)
		if b.Ref.Track == 2 {
			f = 0
		}
		return calls[[3]int64{int64(b.Ref.Track), f, int64(b.Collector)}]
	}
	num := func(is func(v float64) bool) func(v model.ArgValue) bool {
		return func(v model.ArgValue) bool {
			x, err := v.Float(), error(nil)
			if v.Kind == model.ArgText {
				x, err = strconv.ParseFloat(v.Text, 64)
			}
			return err == nil && is(x)
		}
	}
	text := func(is ...string) func(v model.ArgValue) bool {
		return func(v model.ArgValue) bool { return slices.Contains(is, v.String()) }
	}
	has := func(b *spans.Bar, key string, is func(v model.ArgValue) bool) bool {
		return slices.ContainsFunc(args[b.Ref], func(a model.Arg) bool {
			return (key == "" || a.Key == key) && is(a.Value)
		})
	}
	any1 := func(model.ArgValue) bool { return true }
	flowing := namesOfFlows(s)
	flows := func(b *spans.Bar, is func(name string) bool) bool { return slices.ContainsFunc(flowing[b.Ref], is) }
	called := func(name string) func(string) bool { return func(n string) bool { return n == name } }
	inPath := func(b *spans.Bar, paths ...model.PathID) bool { return slices.Contains(paths, b.Path) }
	for expr, want := range map[string]func(b *spans.Bar) bool{
		"":                      func(*spans.Bar) bool { return true },
		"draw":                  func(b *spans.Bar) bool { return b.Collector == 3 || b.Collector == 4 },
		"Draw* > 0.5ms":         func(b *spans.Bar) bool { return (b.Collector == 3 || b.Collector == 4) && ns(b) > 500_000 },
		"App >2ms <3ms":         func(b *spans.Bar) bool { return b.Collector == 1 && ns(b) > 2_000_000 && ns(b) < 3_000_000 },
		"-App ->100us":          func(b *spans.Bar) bool { return b.Collector != 1 && ns(b) <= 100_000 },
		"thread:render":         func(b *spans.Bar) bool { return b.Ref.Track == 1 },
		"thread:2 -Draw":        func(b *spans.Bar) bool { return b.Ref.Track == 2 && b.Collector != 3 && b.Collector != 4 },
		"-thread:W* Cull":       func(b *spans.Bar) bool { return b.Ref.Track != 2 && b.Collector == 2 },
		"frame:10-12":           func(b *spans.Bar) bool { f := frameOf(b); return f >= 10 && f <= 12 },
		"frame:5-9 frame:-6":    func(b *spans.Bar) bool { f := frameOf(b); return f >= 5 && f <= 6 },
		"frame:50- -frame:55":   func(b *spans.Bar) bool { f := frameOf(b); return f >= 50 && f != 55 },
		"frame:7":               func(*spans.Bar) bool { return false },
		"path:App/Draw":         func(b *spans.Bar) bool { return inPath(b, 3, 4, 5) },
		"path:App/Draw Draw":    func(b *spans.Bar) bool { return inPath(b, 3, 5, 4) },
		"path:Draw/*/Draw":      func(b *spans.Bar) bool { return inPath(b, 5) },
		"path:cull":             func(b *spans.Bar) bool { return inPath(b, 2) },
		"-path:App":             func(b *spans.Bar) bool { return inPath(b, 6) },
		`path:"Dr*"`:            func(b *spans.Bar) bool { return false },
		"self>1ms":              func(b *spans.Bar) bool { return self[b.Ref] > 1_000_000 },
		"self<10us Draw":        func(b *spans.Bar) bool { return self[b.Ref] < 10_000 && (b.Collector == 3 || b.Collector == 4) },
		"calls>10 Cull":         func(b *spans.Bar) bool { return callsOf(b) > 10 && b.Collector == 2 },
		"calls<=3 thread:main":  func(b *spans.Bar) bool { return callsOf(b) <= 3 && b.Ref.Track == 0 },
		"calls>100 thread:work": func(b *spans.Bar) bool { return callsOf(b) > 100 && b.Ref.Track == 2 },
		">4ms <3ms":             func(*spans.Bar) bool { return false },
		"=0ns":                  func(b *spans.Bar) bool { return ns(b) == 0 },
		"arg:*":                 func(b *spans.Bar) bool { return has(b, "", any1) },
		"-arg:*":                func(b *spans.Bar) bool { return !has(b, "", any1) },
		"arg:size":              func(b *spans.Bar) bool { return has(b, "size", any1) },
		"arg:Size":              func(b *spans.Bar) bool { return false },
		"arg:siz":               func(b *spans.Bar) bool { return false },
		"arg:data.*":            func(b *spans.Bar) bool { return has(b, "data.url", any1) },
		"arg:size>=1000":        func(b *spans.Bar) bool { return has(b, "size", num(func(v float64) bool { return v >= 1000 })) },
		"arg:size<1.5 >10us": func(b *spans.Bar) bool {
			return ns(b) > 10_000 && has(b, "size", num(func(v float64) bool { return v < 1.5 }))
		},
		"arg:size=1e3": func(b *spans.Bar) bool { return has(b, "size", num(func(v float64) bool { return v == 1000 })) },
		"-arg:size>500 Cull": func(b *spans.Bar) bool {
			return b.Collector == 2 && !has(b, "size", num(func(v float64) bool { return v > 500 }))
		},
		"arg:id>9007199254740993": func(b *spans.Bar) bool {
			return has(b, "id", func(v model.ArgValue) bool { return v.Int() > 1<<53+1 })
		},
		"arg:texture=rock.dds":  func(b *spans.Bar) bool { return has(b, "texture", text("rock.dds")) },
		"arg:texture=sky.dds":   func(b *spans.Bar) bool { return has(b, "texture", text("Sky.dds")) },
		`arg:texture="sky.dds"`: func(b *spans.Bar) bool { return false },
		"arg:tex*=*.dds thread:main": func(b *spans.Bar) bool {
			return b.Ref.Track == 0 && has(b, "texture", text("Sky.dds", "rock.dds"))
		},
		"arg:texture=12":  func(b *spans.Bar) bool { return has(b, "texture", text("12")) },
		`arg:size="1000"`: func(b *spans.Bar) bool { return has(b, "size", text("1000")) },
		"arg:*:1": func(b *spans.Bar) bool {
			return has(b, "", func(v model.ArgValue) bool { return strings.Contains(v.String(), "1") })
		},
		"arg:*url:/[ab]$/":   func(b *spans.Bar) bool { return has(b, "data.url", text("https://x.example/a", "https://x.example/b")) },
		`arg:"why so":e:it=`: func(b *spans.Bar) bool { return has(b, "why so", any1) },
		"arg:size -arg:texture self>1us": func(b *spans.Bar) bool {
			return has(b, "size", any1) && !has(b, "texture", any1) && self[b.Ref] > 1000
		},
		"arg:none":       func(*spans.Bar) bool { return false },
		"-arg:none draw": func(b *spans.Bar) bool { return b.Collector == 3 || b.Collector == 4 },
		"-=0ns":          func(b *spans.Bar) bool { return ns(b) != 0 },
		"flow:*":         func(b *spans.Bar) bool { return len(flowing[b.Ref]) > 0 },
		"-flow:*":        func(b *spans.Bar) bool { return len(flowing[b.Ref]) == 0 },
		"flow:jo":        func(b *spans.Bar) bool { return flows(b, called("job")) },
		"flow:JOB":       func(*spans.Bar) bool { return false },
		"flow:gpu":       func(b *spans.Bar) bool { return flows(b, called("GPU wake")) },
		`flow:"GPU wake" Draw*`: func(b *spans.Bar) bool {
			return flows(b, called("GPU wake")) && (b.Collector == 3 || b.Collector == 4)
		},
		"flow:/^flow$/": func(b *spans.Bar) bool { return flows(b, called("flow")) },
		"flow:job -flow:*wake >10us": func(b *spans.Bar) bool {
			return flows(b, called("job")) && !flows(b, called("GPU wake")) && ns(b) > 10_000
		},
		"-flow:job -flow:flow thread:main": func(b *spans.Bar) bool {
			return b.Ref.Track == 0 && !flows(b, called("job")) && !flows(b, called("flow"))
		},
		"flow:job flow:wake":     func(b *spans.Bar) bool { return flows(b, called("job")) && flows(b, called("GPU wake")) },
		"flow:job arg:size":      func(b *spans.Bar) bool { return flows(b, called("job")) && has(b, "size", any1) },
		"-flow:job arg:size":     func(b *spans.Bar) bool { return !flows(b, called("job")) && has(b, "size", any1) },
		"-flow:job -arg:size":    func(b *spans.Bar) bool { return !flows(b, called("job")) && !has(b, "size", any1) },
		"flow:job self>1us App*": func(b *spans.Bar) bool { return flows(b, called("job")) && self[b.Ref] > 1000 && b.Collector == 1 },
	} {
		e, err := find.Parse(expr)
		testkit.NoErr(t, err, expr)
		total := int64(0)
		var hits []spans.Bar
		count := map[spans.CallSum]int64{}
		isHit := make([]bool, len(all))
		for i := range all {
			b := &all[i]
			if isHit[i] = want(b); isHit[i] {
				total, hits = total+ns(b), append(hits, *b)
				count[spans.CallSum{Track: b.Ref.Track, Path: b.Path}]++
			}
		}
		slices.SortFunc(hits, func(a, b spans.Bar) int { // the longest, of these the earliest
			return cmp.Or(cmp.Compare(ns(&b), ns(&a)), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Track, b.Ref.Track),
				cmp.Compare(a.Ref.Lane, b.Ref.Lane), cmp.Compare(a.Ref.Index, b.Ref.Index))
		})
		n := int64(len(hits))
		for _, limit := range []int{10, 1 << 20} {
			for _, work := range []int64{100, math.MaxInt64 / 4} {
				if (limit == 10) != (work == 100) && !testkit.Long {
					continue
				}
				q := e.Query(s, []model.TrackID{0, 1, 2}, math.MinInt64, math.MaxInt64)
				q.Limit = limit
				var c spans.CallSearch
				c.Start(s.Spans(), q)
				for steps := 0; !c.Step(work); steps++ {
					testkit.MustThat(t, c.Visited <= int64(steps+1)*(work+20_000),
						"%s: %d looked at in %d steps of %d", expr, c.Visited, steps+1, work)
				}
				for i := range all {
					testkit.MustThat(t, limit <= 10 || c.Is(&all[i]) == isHit[i],
						"%s: %v is a hit: %v", expr, all[i], isHit[i])
				}
				sums := map[spans.CallSum]bool{}
				c.Sums.Each(func(x *spans.CallSum) { sums[spans.CallSum{Track: x.Track, Path: x.Path, Count: x.Count}] = true })
				if c.Sums.Count != n || c.Sums.SumNs != total || len(c.Calls()) != int(min(n, int64(limit))) || c.More != (n > int64(limit)) {
					t.Fatalf("%s: %d found, %d ns, %d kept; want %d, %d", expr, c.Sums.Count, c.Sums.SumNs, len(c.Calls()), n, total)
				}
				for i, x := range c.Calls() {
					testkit.MustThat(t, x.Ref == hits[i].Ref && x.SelfNs == self[x.Ref],
						"%s: %+v is listed where %+v should be; self %d", expr, x, hits[i], self[x.Ref])
				}
				for k, n := range count {
					k.Count = n
					testkit.That(t, sums[k], "%s: %+v is not among %v", expr, k, sums)
				}
				in := int64(0)
				for _, k := range c.Sums.Bins {
					in += k
				}
				testkit.That(t, in == n && len(sums) == len(count), "%s: %d in bins, %d sums", expr, in, len(sums))
			}
		}
	}
}

// flowsIn makes arrows that end within a batch, also where no span is, and begin on any thread, now and then
// in a lane that is named.
func flowsIn(rnd *rand.Rand, b *model.Batch) (list []model.Flow) {
	for range 12 {
		f := model.Flow{To: b.Begin + rnd.Int64N(b.End-b.Begin), Name: model.FlowID(rnd.IntN(3)), FromTrack: model.TrackID(rnd.IntN(3))}
		if k := rnd.IntN(len(b.Spans)); rnd.IntN(2) == 0 {
			f.To = b.Spans[k].Begin
		}
		f.From, f.FromLane, f.ToLane = f.To-rnd.Int64N(3_000_000), model.NoLane, model.NoLane
		if rnd.IntN(3) == 0 {
			f.ToLane = uint16(rnd.IntN(3))
		}
		list = append(list, f)
	}
	return list
}

// namesOfFlows are the names of the flows of each span.
func namesOfFlows(s *store.Session) map[spans.Ref][]string {
	of := map[spans.Ref][]string{}
	for id := range model.TrackID(3) {
		for _, a := range s.Flows().In(id, model.MinTime, model.MaxTime, nil) {
			name := s.Flows().Name(a.Name)
			if b, ok := a.Begin(s.Spans()); ok {
				of[b.Ref] = append(of[b.Ref], name)
			}
			if b, ok := a.End(s.Spans()); ok {
				of[b.Ref] = append(of[b.Ref], name)
			}
		}
	}
	return of
}

// Of a search for flows only what has some is looked at, and their ends: not the other spans.
func TestFlowsAreCheap(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Load"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.FlowDef{ID: 0, Name: "job"})
	const n = 200_000
	b := model.Batch{}
	for i := range int64(n) {
		b.Spans = append(b.Spans, model.Span{Begin: i * 10, End: i*10 + 5, Path: 1})
	}
	for i := range int64(5) {
		b.Flows = append(b.Flows, model.Flow{From: i * 100_000, To: i*100_000 + 50_001})
	}
	s.Append(&b)
	e := testkit.Must(find.Parse("flow:job"))(t)
	q := e.Query(s, []model.TrackID{0}, math.MinInt64, math.MaxInt64)
	q.Bare = true
	var c spans.CallSearch
	c.Start(s.Spans(), q)
	for !c.Step(1 << 40) {
	}
	testkit.That(t, c.Sums.Count == 10 && c.Visited <= 2000, "%d found, %d looked at", c.Sums.Count, c.Visited)
}

func TestCallBins(t *testing.T) {
	last := -1
	for _, ns := range []int64{0, 1, 31, 32, 63, 64, 65, 127, 128, 1000, 4_000_000, 1 << 40, math.MaxInt64} {
		b := spans.CallBin(ns)
		if b < last || b >= spans.NumCallBins || spans.CallBinFrom(b) > ns || b+1 < spans.NumCallBins && spans.CallBinFrom(b+1) <= ns {
			t.Errorf("%d is in bin %d from %d", ns, b, spans.CallBinFrom(b))
		}
		last = b
	}
}

// Blocks of spans in which there can be no hit are not looked into.
func TestSearchPassesBlocksOver(t *testing.T) {
	s := session(2500)
	n := int64(0)
	for id := range model.TrackID(3) {
		n += s.Track(id).NumSpans()
	}
	for expr, most := range map[string]int64{
		"nowhere": n / 20, ">1s": n / 20, "frame:100-110": n / 10, "thread:none": 1,
	} {
		e, _ := find.Parse(expr)
		var c spans.CallSearch
		c.Start(s.Spans(), e.Query(s, []model.TrackID{0, 1, 2}, math.MinInt64, math.MaxInt64))
		for !c.Step(1000) {
		}
		testkit.That(t, c.Visited <= most, "%s: %d steps for %d spans", expr, c.Visited, n)
	}
}

// Of a search for arguments only spans that have some are looked at.
func TestSearchOfArgumentsVisitsThose(t *testing.T) {
	const frames = 1500
	s := session(frames)
	for i := range int64(800) {
		b := model.Batch{HasFrame: true, Number: frames + i, Begin: (frames + i) * 16_000_000}
		b.End = b.Begin + 15_000_000
		for k := range int64(100) {
			b.Spans = append(b.Spans, model.Span{Begin: b.Begin + k*1000, End: b.Begin + k*1000 + 500, Path: 6})
		}
		b.Args = append(b.Args, model.Arg{Span: int32(i % 100), Key: "rare", Value: model.IntArg(i)})
		s.Append(&b)
	}
	all, with := int64(0), s.Args().Stored()
	for id := range model.TrackID(3) {
		all += s.Track(id).NumSpans()
	}
	testkit.MustThat(t, all >= 3*with, "%d of %d have arguments", with, all)
	for expr, most := range map[string]int64{
		"arg:rare": with * 3 / 2, "arg:size:nothing": with + 200, "arg:rare=7 nowhere": with + 200, "arg:rare frame:1600-1609": 500,
	} {
		e := testkit.Must(find.Parse(expr))(t)
		var c spans.CallSearch
		c.Start(s.Spans(), e.Query(s, []model.TrackID{0, 1, 2}, math.MinInt64, math.MaxInt64))
		steps := 0
		for ; !c.Step(1000); steps++ {
		}
		testkit.That(t, c.Visited <= most,
			"%s: %d looked at in %d steps, of %d spans, %d with arguments", expr, c.Visited, steps, all, with)
	}
}

// What is looked for of a session that grows is found a little later, and all the while what was
// found before.
func TestHitsGrowWithTheSession(t *testing.T) {
	s := session(20)
	e := testkit.Must(find.Parse("Cull >0.2ms thread:main"))(t)
	is := func(b *spans.Bar) bool { return b.Collector == 2 && b.End-b.Begin > 200_000 && b.Ref.Track == 0 }
	var h find.Hits
	h.Search(s, e)
	now := int64(0)
	steps := 0
	for ; !h.Done(); steps++ {
		h.Step(50, now)
		each(s, func(b spans.Bar) { // known of each at once, found or not
			testkit.MustEqual(t, h.Is(&b), is(&b), "%+v is a hit", b)
		})
	}
	testkit.That(t, steps >= 3, "all at once, in %d steps", steps)
	check := func() {
		t.Helper()
		want := int64(0)
		var first, last *spans.Bar
		each(s, func(b spans.Bar) {
			if !is(&b) {
				return
			}
			want++
			if first == nil || b.Begin < first.Begin {
				first = &b
			}
			if last == nil || b.Begin > last.Begin {
				last = &b
			}
			testkit.That(t, h.In(b.Begin, b.Begin+1) && !h.In(b.Begin+1, b.Begin+1), "nothing begins at %d", b.Begin)
			merged := b
			merged.Ref.Index, merged.Count, merged.Path = max(b.Ref.Index-2, 0), 5, 6
			testkit.That(t, h.Is(&merged), "%+v has no hit in it", merged)
		})
		if n, all := h.Count(); n != want || !all {
			t.Errorf("%d hits, want %d", n, want)
		}
		c := h.Collectors(nil)
		testkit.That(t, len(c) == 1 && c[0] == 2, "of collectors %v", c)
		n, at := int64(0), (*spans.Bar)(nil)
		from := int64(math.MinInt64)
		for {
			b, ok := h.Next(at, from, 1)
			if !ok {
				break
			}
			testkit.MustThat(t, (n != 0 || b == *first) && is(&b) && b.Begin >= from, "hit %d is %+v", n, b)
			back, ok := h.Next(&b, b.Begin, -1)
			testkit.MustThat(t, ok == (n > 0) && (!ok || back == *at), "before hit %d is %+v", n, back)
			n, at, from = n+1, &b, b.Begin
		}
		testkit.That(t, n == want && *at == *last, "a way of %d hits, want %d", n, want)
	}
	check()
	was, _ := h.Count()
	begin := int64(20)*16_000_000 + 1000
	for k := range 10 {
		s.Append(&model.Batch{HasFrame: true, Number: int64(20 + k), Begin: begin, End: begin + 1_000_000, Spans: []model.Span{
			{Begin: begin, End: begin + 1_000_000, Path: 1}, {Begin: begin, End: begin + 500_000, Path: 2, Lane: 1},
		}})
		begin += 16_000_000
	}
	changes := h.Changes()
	h.Step(1<<40, now+1) // a second has not gone by
	n, _ := h.Count()
	testkit.That(t, n == was && h.Changes() == changes, "%d hits at once, %d before", n, was)
	h.Step(10, now+2_000_000_000)
	n, _ = h.Count()
	testkit.That(t, n == was, "%d hits while they are searched, %d before", n, was)
	for range 10_000 {
		h.Step(10, now+2_000_000_000)
	}
	n, _ = h.Count()
	testkit.That(t, n == was+10, "%d hits, %d before", n, was)
	check()
	h.Search(nil, nil)
	h.Step(1<<40, now)
	n, _ = h.Count()
	testkit.That(t, n == 0 && h.Done(), "%d hits of nothing", n)
}

// Searching again and again takes no memory, and neither does asking.
func TestHitsTakeNoMemory(t *testing.T) {
	s := session(50)
	e, _ := find.Parse("Draw >10us")
	var h find.Hits
	h.Search(s, e)
	h.Step(1<<40, 0)
	bar, ok := h.Next(nil, math.MinInt64, 1)
	testkit.MustThat(t, ok, "nothing was found")
	now := int64(0)
	if n := testing.AllocsPerRun(20, func() {
		h.Step(1000, now)
		h.Is(&bar)
		h.In(bar.Begin, bar.End)
		h.Next(&bar, bar.Begin, 1)
	}); n > 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}

// A call's place is how many calls begin before it, of few as of more than are told apart; those that
// are no hits have none.
func TestPlaceAmongTheHits(t *testing.T) {
	for frames, told := range map[int]bool{20: true, 1200: false} {
		s := session(frames)
		e := testkit.Must(find.Parse("Draw"))(t)
		var h find.Hits
		h.Search(s, e)
		for !h.Done() {
			h.Step(1<<20, 0)
		}
		of, all := h.Count()
		testkit.MustEqual(t, all, told, "%d frames: %d calls, all told apart", frames, of)
		var hits []spans.Bar
		others := 0
		each(s, func(b spans.Bar) {
			if b.Collector == 3 || b.Collector == 4 {
				hits = append(hits, b)
			} else if others++; others < 50 {
				n, _, is := placed(&h, &b)
				testkit.MustThat(t, !is, "a span of %s is hit %d", names[b.Collector], n)
			}
		})
		testkit.MustEqual(t, int64(len(hits)), of, "%d frames: %d hits, %d are counted", frames, len(hits), of)
		for k := 0; k < len(hits); k += 1 + len(hits)/40 {
			b := hits[k]
			least, most := int64(1), int64(0)
			for _, o := range hits {
				if o.Begin < b.Begin {
					least++
				}
				if o.Begin <= b.Begin {
					most++
				}
			}
			n, all, ok := placed(&h, &b)
			if !ok || all != of || n < least || n > most {
				t.Errorf("%d frames: call %d of %s: place %d of %d (%v), want %d to %d of %d",
					frames, b.Begin, names[b.Collector], n, all, ok, least, most, of)
			}
		}
		if b, ok := h.Next(nil, math.MinInt64, 1); told {
			n, _, is := placed(&h, &b)
			testkit.That(t, ok && is && n == 1, "the first hit has place %d", n)
		}
	}
}

// placed asks for the place of a span until it is counted.
func placed(h *find.Hits, b *spans.Bar) (n, of int64, ok bool) {
	for range 1000 {
		if n, of, ok = h.Place(b); ok {
			break
		}
		h.Step(1<<20, 0)
	}
	return n, of, ok
}
