package truth

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/calls"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/find"
	"framescope/model/place"
	"framescope/model/store"
)

// call is a span with what lists of calls say of it.
type call struct {
	*span
	ns, self int64
	// stack is the call, then again and again the callee that took most, as long as that took a third of
	// the call (flare, section 6.7: or 50 ms). Two may have taken the same: then it is not clear.
	stack []model.CollectorID
	clear bool
}

const (
	mostPrimaryNs = 50_000_000
	mostSpans     = 1_000 // of sessions whose calls are looked at one by one
	mostListed    = 2_000 // calls in a list
)

// callOf works out what lists say of a call. Where they are of calls of a least length, ns, a callee
// that takes that long is in the stack, too.
func (p *plain) callOf(x *span, least int64) (c call) {
	if c, ok := p.called[x]; ok && least == 0 {
		return c
	}
	if least == 0 {
		defer func() { p.called[x] = c }()
	}
	came, _ := p.s.Spans().FramesOf(x.Ref, x.Begin)
	ran := p.sumsOf([]model.TrackID{x.Ref.Track}, x.Begin, max(x.End, x.Begin+1), came).nodes
	c = call{span: x, ns: x.End - x.Begin, self: x.End - x.Begin, stack: []model.CollectorID{x.Collector}, clear: true}
	if own := ran[x.Path]; own != nil {
		c.self = min(max(own.self, 0), c.ns)
	}
	limit := min(c.ns/3, mostPrimaryNs)
	if least > 0 {
		limit = min(limit, least)
	}
	limit = max(limit, 1)
	for at := x.Path; ; {
		var most *node
		for _, n := range ran {
			if n.parent != at || n.total < limit {
				continue
			}
			c.clear = c.clear && (most == nil || n.total != most.total)
			if most == nil || n.total > most.total {
				most = n
			}
		}
		if most == nil {
			return c
		}
		at = most.path
		c.stack = append(c.stack, most.collector)
	}
}

// group is calls that have something in common.
type group []call

// figures are what a row of a group states.
func (g group) figures(p *plain) map[string]float64 {
	sum, own, least, most := int64(0), int64(0), g[0].ns, g[0].ns
	for i := range g {
		sum, own = sum+g[i].ns, own+g[i].self
		least, most = min(least, g[i].ns), max(most, g[i].ns)
	}
	n := int64(len(g))
	want := map[string]float64{
		"count": float64(n), "longest": float64(most), "shortest": float64(least), "mean": float64(sum / n), "self": float64(own / n),
	}
	if slices.ContainsFunc(g, func(c call) bool { return p.async[c.Collector] }) {
		delete(want, "self") // not all of them have one
	}
	return want
}

// grouped puts calls into groups by what they have in common.
func grouped(list []call, of func(x *call) string) (out []group) {
	at := map[string]int{}
	for i := range list {
		key := of(&list[i])
		k, known := at[key]
		if !known {
			k = len(out)
			at[key], out = k, append(out, nil)
		}
		out[k] = append(out[k], list[i])
	}
	return out
}

func byStack(x *call) string { return fmt.Sprint(x.stack) }

// slowRow wants calls of the collector that is selected: one by one, or groups of them by what took
// most of them.
func slowRow(p *part, v *view.View, r *record) (out figuresOf) {
	begin := r.cells["begin"]
	if begin == nil {
		return p.slowGroups(v, r)
	}
	for _, spans := range p.spans {
		for i := range spans {
			if x := &spans[i]; float64(x.Begin) == begin.Value {
				c := p.callOf(x, 0)
				want := group{c}.figures(&p.plain)
				want["begin"] = float64(x.Begin)
				out = append(out, want)
			}
		}
	}
	return out
}

// slowGroups are the groups of the calls of the selected collector on the threads that are shown, and
// of what is named below it where it only stands for that. A call inside another one is a part of it.
func (p *part) slowGroups(v *view.View, r *record) (out figuresOf) {
	of := v.Collector()
	wanted := func(c model.CollectorID) bool {
		return c == of || c >= 0 && !p.s.Collector(of).HasTime && p.s.Collectors().IsDescendant(c, of)
	}
	var list []*span
	for _, id := range v.Look().VisibleTracks() {
		for i := range p.spans[id] {
			x := &p.spans[id][i]
			up, c := p.s.Path(x.Path)
			for is := wanted(c); is; up, c = p.s.Path(up) {
				if up == model.PathRoot {
					list = append(list, x)
					break
				}
				_, above := p.s.Path(up)
				is = !wanted(above)
			}
		}
	}
	clear := len(list) <= mostListed
	var worked []call
	if clear && len(list)*len(p.spans[p.track]) < 1_000_000 {
		for _, x := range list {
			worked = append(worked, p.callOf(x, 0))
			clear = clear && worked[len(worked)-1].clear
		}
		if clear {
			for _, g := range grouped(worked, byStack) {
				if g[0].Collector == r.of.Collector {
					out = append(out, g.figures(&p.plain))
				}
			}
			return out
		}
	}
	// Too many, or it is not clear which of them are alike: no more than that they are calls is wanted.
	want := map[string]float64{"count": r.cells["count"].Value}
	for m, f := range r.cells {
		if f.Unit == "ns" && f.Value <= r.cells["longest"].Value && f.Value >= 0 {
			want[m] = f.Value
		}
	}
	return figuresOf{want}
}

// frameOf is the number of the frame that a call began in: of its own thread, or else of the main one.
// What begins between two frames is with the one before, unless others between them were lost.
func (p *plain) frameOf(x *span) (number int64, ok bool) {
	id, from, to := x.Ref.Track, int64(0), int64(0)
	if p.s.Track(id).NumFrames() > 0 {
		from, to = p.s.Spans().FramesOf(x.Ref, x.Begin) // it came with one of these
	} else if id = p.s.MainTrack(); id != model.NoTrack {
		to = int64(p.s.Track(id).NumFrames())
	}
	if id == model.NoTrack {
		return 0, false
	}
	t, at := p.s.Track(id), int64(-1)
	for i := max(from, 0); i < min(to, int64(t.NumFrames())); i++ {
		if t.Frame(int(i)).Begin <= x.Begin {
			at = i
		}
	}
	if at < 0 {
		return 0, false
	}
	f := t.Frame(int(at))
	if o, ok := t.OpenFrame(); ok && at == int64(t.NumFrames())-1 && x.Begin >= max(o.Begin, f.End) {
		return 0, false // it is in none that has ended
	}
	if next := at + 1; next < min(to, int64(t.NumFrames())) && x.Begin >= f.End && missing(t, f.Number, t.Frame(int(next)).Number, 2) > 0 {
		return 0, false
	}
	return f.Number, true
}

// question is an expression, and what it says when every call is looked at.
type question struct {
	text  string
	least int64 // length of what it finds, ns
	is    func(x *call) bool
}

// questions are some about a session.
func (x *subject) questions(all []call) (out []question) {
	lengths, selves := []int64{}, []int64{}
	for i := range all {
		lengths, selves = append(lengths, all[i].ns), append(selves, all[i].self)
	}
	slices.Sort(lengths)
	slices.Sort(selves)
	long, own := lengths[len(lengths)/2], selves[len(selves)/2]
	out = []question{
		{fmt.Sprintf("dur>=%dns", long), long, func(c *call) bool { return c.ns >= long }},
		{fmt.Sprintf("self>=%dns", own), own, func(c *call) bool { return c.self >= own && !x.async[c.Collector] }},
	}
	if name := x.s.Collector(all[len(all)/2].Collector).Name; !strings.ContainsAny(name, `"*?`) {
		out = append(out, question{`"` + name + `"`, 0, func(c *call) bool {
			of := x.s.Collector(c.Collector)
			return strings.Contains(strings.ToLower(of.Name), strings.ToLower(name)) ||
				strings.Contains(strings.ToLower(of.Title()), strings.ToLower(name))
		}})
	}
	if x.s.HasFrames() {
		t := x.s.Track(x.s.MainTrack())
		a, b := t.Frame(t.NumFrames()/3).Number, t.Frame(t.NumFrames()/2).Number
		out = append(out, question{fmt.Sprintf("frame:%d-%d", min(a, b), max(a, b)), 0, func(c *call) bool {
			n, ok := x.frameOf(c.span)
			return ok && n >= min(a, b) && n <= max(a, b)
		}})
	}
	if x.s.Flows().Any() {
		if x.arrows == nil {
			x.arrows = x.newFlows()
		}
		out = append(out, question{"flow:*", 0, func(c *call) bool { return len(x.arrows.in[c.Ref])+len(x.arrows.out[c.Ref]) > 0 }})
	}
	return out
}

// What an expression finds is what it says of every call: in the report, its sums, and the list of
// calls, whatever the groups of that have in common.
func TestFoundCalls(t *testing.T) {
	found, groups := 0, 0
	eachSubject(t, func(t *testing.T, x *subject) {
		var all []call
		n := 0
		for _, list := range x.spans {
			n += len(list)
		}
		if n == 0 || n > mostSpans {
			return
		}
		for id := range model.TrackID(x.s.NumTracks()) {
			for i := range x.spans[id] {
				if x.spans[id][i].Collector >= 0 { // what was never defined has no name
					all = append(all, x.callOf(&x.spans[id][i], 0))
				}
			}
		}
		for _, q := range x.questions(all) {
			e := testkit.Must(find.Parse(q.text))(t, q.text)
			var want []call
			for i := range all {
				if q.is(&all[i]) {
					want = append(want, x.callOf(all[i].span, q.least))
				}
			}
			found += len(want)
			x.compareFound(t, e, want)
			x.compareFoundSums(t, e, want)
			groups += x.compareFoundGroups(t, e, want)
		}
	})
	testkit.That(t, found >= 1_000 && groups >= 1_000, "only %d calls were found, in %d groups", found, groups)
}

// foundBy is what the report says of an expression.
func (x *subject) foundBy(t *testing.T, e *find.Expr, stats bool) (r row) {
	testkit.OK(t, asJSON(&r, func(w io.Writer) error {
		return report.Write(w, x.s, report.Options{Where: e, JSON: true, Stats: stats})
	}), e.Text())
	return r
}

// along are the names on a call path, the outermost first.
func (p *plain) along(path model.PathID) (names []string) {
	for path != model.PathRoot {
		up, c := p.s.Path(path)
		names, path = append([]string{p.s.Collector(c).Name}, names...), up
	}
	return names
}

// compareFound compares the calls that are listed.
func (x *subject) compareFound(t *testing.T, e *find.Expr, want []call) {
	r := x.foundBy(t, e, false)
	w := x.foundSums(want)
	delete(w, "mean_ns") // of no call in particular
	testkit.That(t, len(differences(row{"head": map[string]any(r)}, prefixed("head.", w))) == 0,
		"%s: %s: %v", x.name, e.Text(), differences(row{"head": map[string]any(r)}, prefixed("head.", w)))
	lines := map[string]int{}
	var numbers store.ThreadNumbers
	for i := range want {
		c := &want[i]
		line := row{
			"thread_id": numbers.Of(x.s, c.Ref.Track),
			"collector": x.s.Collector(c.Collector).Title(), "thread": x.s.Track(c.Ref.Track).Title(), "path": x.along(c.Path),
			"begin_ns": c.Begin, "duration_ns": c.ns,
		}
		if !x.async[c.Collector] {
			line["self_ns"] = c.self
		}
		if n, ok := x.frameOf(c.span); ok {
			line["frame"] = n
		}
		b, _ := json.Marshal(line)
		lines[string(b)]++
	}
	for _, said := range r.rows("found") {
		for name, v := range said {
			if n, ok := v.(float64); ok {
				said[name] = int64(n)
			}
		}
		b, _ := json.Marshal(said)
		lines[string(b)]--
		testkit.That(t, lines[string(b)] >= 0, "%s: %s finds %s", x.name, e.Text(), b)
	}
	for line, n := range lines {
		testkit.That(t, n <= 0, "%s: %s does not find %s", x.name, e.Text(), line)
	}
}

func prefixed(prefix string, of map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for name, v := range of {
		out[prefix+name] = v
	}
	return out
}

// inside tells whether a call runs inside one of others: what is under way besides others of its kind
// does in none.
func (p *plain) inside(x *call, others []call) bool {
	for i := range others {
		y := &others[i]
		if y.Ref.Track != x.Ref.Track || y.Ref.Lane >= x.Ref.Lane || y.Begin > x.Begin || y.End < x.End || !p.s.Track(x.Ref.Track).Def.Kind.Calls() {
			continue
		}
		for up, _ := p.s.Path(x.Path); up != model.PathRoot; up, _ = p.s.Path(up) {
			if up == y.Path {
				return true
			}
		}
	}
	return false
}

// foundSums are those of calls. Of calls inside each other the outermost counts.
func (p *plain) foundSums(list []call) map[string]float64 {
	count := "calls"
	if p.s.Spans().AnySampled() {
		count = "runs"
	}
	out := map[string]float64{count: float64(len(list)), "total_ns": 0, "mean_ns": 0, "shortest_ns": 0, "longest_ns": 0}
	for i := range list {
		ns := float64(list[i].ns)
		if out["mean_ns"] += ns; !p.inside(&list[i], list) {
			out["total_ns"] += ns
		}
		if i == 0 || ns < out["shortest_ns"] {
			out["shortest_ns"] = ns
		}
		out["longest_ns"] = max(out["longest_ns"], ns)
	}
	out["mean_ns"] /= float64(max(len(list), 1))
	return out
}

// said is a figure, nil where it is left out.
func said(f map[string]float64, name string) any {
	if v, ok := f[name]; ok {
		return v
	}
	return nil
}

// compareFoundSums compares the sums by collector, thread and path.
func (x *subject) compareFoundSums(t *testing.T, e *find.Expr, want []call) {
	r := x.foundBy(t, e, true)
	for list, of := range map[string]func(c *call) string{
		"collectors": func(c *call) string { return fmt.Sprint(c.Collector) },
		"threads":    func(c *call) string { return fmt.Sprint(c.Ref.Track) },
		"paths":      func(c *call) string { return fmt.Sprint(c.Path) },
	} {
		lines := []string{}
		for _, line := range r.rows(list) {
			lines = append(lines, fmt.Sprint(line.text("collector"), line.text("thread"), line["path"], line["calls"], line["runs"], line["total_ns"],
				line["mean_ns"], line["shortest_ns"], line["longest_ns"]))
		}
		sums := []string{}
		for _, g := range grouped(want, of) {
			collector, thread, path := "", "", any(nil)
			switch list {
			case "collectors":
				collector = x.s.Collector(g[0].Collector).Title()
			case "threads":
				thread = x.s.Track(g[0].Ref.Track).Title()
			default:
				path = x.along(g[0].Path)
			}
			f := x.foundSums(g)
			sums = append(sums, fmt.Sprint(collector, thread, path, said(f, "calls"), said(f, "runs"), f["total_ns"],
				f["mean_ns"], f["shortest_ns"], f["longest_ns"]))
		}
		slices.Sort(lines)
		slices.Sort(sums)
		testkit.That(t, slices.Equal(lines, sums), "%s: %s: %s are %q, want %q", x.name, e.Text(), list, lines, sums)
	}
}

// compareFoundGroups compares the rows of the list of calls, in all groups that there are.
func (x *subject) compareFoundGroups(t *testing.T, e *find.Expr, want []call) (compared int) {
	p := &part{subject: x, track: model.NoTrack, last: -1}
	p.t0, p.t1, _ = x.s.Bounds()
	rig, c, hits := p.rig(), calls.NewSlow(), new(find.Hits)
	hits.Search(x.s, e)
	for !hits.Done() {
		hits.Step(1<<40, 0)
	}
	rig.Env.View.Look().SetFoundCalls(hits)
	n, _ := hits.Count()
	testkit.That(t, n == int64(len(want)), "%s: %s finds %d, not %d", x.name, e.Text(), n, len(want))
	settle(rig, c)
	shown := map[model.TrackID]bool{}
	for _, id := range rig.Env.View.Look().VisibleTracks() {
		shown[id] = true
	}
	want = slices.DeleteFunc(slices.Clone(want), func(c call) bool { return !shown[c.Ref.Track] })
	if len(want) == 0 || len(want) > mostListed {
		return 0
	}
	for _, tool := range c.Tools(rig.Env) {
		if !slices.Contains(tool.Options, "By thread") {
			continue
		}
		for k, name := range slices.Clone(tool.Options) {
			of := foundGroupings[name]
			testkit.MustThat(t, of != nil, "nothing says what %q has in common", name)
			c.Use(rig.Env, tool.ID, k)
			settle(rig, c)
			compared += x.compareGroupRows(t, e.Text()+" "+name, c.Facts(rig.Env, nil), want, func(c *call) string { return of(x, c) })
		}
	}
	return compared
}

// foundGroupings are what the calls of a group have in common.
var foundGroupings = map[string]func(x *subject, c *call) string{
	"By stack":  func(_ *subject, c *call) string { return byStack(c) },
	"By thread": func(_ *subject, c *call) string { return fmt.Sprint(c.Ref.Track) },
	"By path":   func(_ *subject, c *call) string { return fmt.Sprint(c.Path) },
	"By caller": func(x *subject, c *call) string { up, _ := x.s.Path(c.Path); return fmt.Sprint(up) },
	"By frame":  func(x *subject, c *call) string { n, ok := x.frameOf(c.span); return fmt.Sprint(n, ok) },
}

// compareGroupRows compares the rows of groups, and those of a group's calls below it, in any order.
func (x *subject) compareGroupRows(t *testing.T, what string, facts []panel.Fact, want []call, of func(c *call) string) (compared int) {
	if slices.ContainsFunc(want, func(c call) bool { return !c.clear }) && strings.HasSuffix(what, "By stack") {
		return 0
	}
	text := func(cells map[string]float64) string {
		out := ""
		for _, m := range []string{"count", "longest", "mean", "shortest", "self"} {
			if v, ok := cells[m]; ok && (m != "self" || v != 0) { // no time of its own is written as none
				out += fmt.Sprintf("%s %v ", m, v)
			}
		}
		return out
	}
	var said, rows []string
	for _, r := range records(facts) {
		if r.cells["count"] == nil {
			continue // a call
		}
		cells := map[string]float64{}
		for m, f := range r.cells {
			cells[m] = f.Value
			if w, ok := read(f.Text, factors[f.Header]); m != "count" && strings.ContainsAny(f.Text, " ") && (!ok || !w.says(f.Value)) {
				t.Errorf("%s: %s: %s is written %q, it is %v", x.name, what, m, f.Text, f.Value)
			}
		}
		said = append(said, text(cells))
	}
	for _, g := range grouped(want, of) {
		figures := g.figures(&x.plain)
		slices.SortFunc(g, func(a, b call) int { return cmp.Compare(b.ns, a.ns) })
		rows = append(rows, text(figures))
	}
	slices.Sort(said)
	slices.Sort(rows)
	testkit.That(t, slices.Equal(said, rows), "%s: %s: the groups are %q, want %q", x.name, what, said, rows)
	return len(rows)
}

// What diff says that an expression finds on a side is what a report of that side's calls says, in all and
// of each collector and thread; what both sides have in common is in one row.
func TestFoundOnBothSides(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	main := a.MainTrack()
	seen := 0
	for _, text := range []string{">0ns", "Physics", "thread:Draw >1ms", "path:App/*", "nothing at all"} {
		where := testkit.Must(find.Parse(text))(t)
		written := func(write func(io.Writer) error) (r row) {
			testkit.OK(t, asJSON(&r, write))
			return r
		}
		for ranges, sides := range map[[2]string][2]compare.Side{
			{"", ""}:             {compare.All(a), compare.All(b)},
			{"10:40", "200:207"}: {compare.FramesOf(a, main, 10, 40), compare.FramesOf(b, main, 200, 207)},
		} {
			said := written(func(w io.Writer) error {
				return report.WriteFoundDiff(w, sides, where, report.DiffOptions{JSON: true})
			})
			for side, name := range []string{"a", "b"} {
				r := testkit.Must(place.ParseRange(ranges[side]))(t)
				want := written(func(w io.Writer) error {
					return report.Write(w, sides[side].Session, report.Options{JSON: true, Stats: true, Where: where, Range: r})
				})
				for _, figure := range []string{"calls", "total_ns", "shortest_ns", "longest_ns"} {
					testkit.Equal(t, said.object(name)[figure], want[figure], "%s in %q: %s of %s", text, ranges[side], figure, name)
				}
				for _, list := range []string{"collectors", "threads"} {
					of := map[string]row{}
					for _, x := range said.rows(list) {
						key := x.text("collector") + x.text("thread")
						testkit.That(t, of[key] == nil, "%s: two rows of %s", text, key)
						of[key] = x
					}
					for _, x := range want.rows(list) {
						got := of[x.text("collector")+x.text("thread")].object(name)
						for _, figure := range []string{"calls", "total_ns", "mean_ns", "shortest_ns", "longest_ns"} {
							if seen++; got[figure] != x[figure] {
								t.Errorf("%s in %q: %s of %v is %v, a report has %v", text, ranges[side], figure, x, got[figure], x[figure])
							}
						}
					}
				}
			}
			var out bytes.Buffer
			testkit.OK(t, report.WriteFoundDiff(&out, sides, where, report.DiffOptions{Markdown: true}))
			testkit.Equal(t, strings.Contains(out.String(), "nothing was found"), (text == "nothing at all"), "%s:\n%s", text,
				out.String())
		}
	}
	testkit.That(t, seen >= 100, "only %d figures were compared", seen)
}
