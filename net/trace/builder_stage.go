package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

// output is a track of the session: a thread, or the asynchronous tracks of a process that have one title.
type output struct {
	def     model.TrackDef
	process *Process
	thread  *Thread // nil: asynchronous
	tracks  []*Track
	trees   []tree // of asynchronous spans
	notes   []note
	arrows  []model.Flow // that lead to it
}

// tree is an asynchronous span with all inside it.
type tree struct {
	spans []span
	end   int64 // of its outermost span
	rows  int
}

// release forgets the data of an output that was published, but for the longest list of spans, which the next one may
// use.
func (b *Builder) release(o *output) {
	for _, t := range o.tracks {
		if cap(t.spans) > cap(b.scratch.spans) {
			b.scratch.spans = t.spans[:0]
		}
		t.spans = nil
	}
	o.tracks, o.trees, o.notes = nil, nil, nil
}

// has reports whether there is anything to show of a track.
func (t *Track) has() bool { return t.marks.n+t.whole.n+t.notes.n > 0 || len(t.spans) > 0 }

// stage makes tracks of the session of those of the recording.
func (b *Builder) stage() {
	var threads []*Thread
	for _, p := range b.processes {
		for _, t := range p.list {
			if b.options.EmptyThreads || t.has() || t.samples.n > 0 || slices.ContainsFunc(t.more, (*Track).has) {
				threads = append(threads, t)
			}
		}
	}
	main := func(t *Thread) int64 {
		if t.isMain() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(threads, func(x, y *Thread) int {
		return SortRunPairs(
			x.process.Sort, y.process.Sort, int64(x.process.order), int64(y.process.order), x.Sort, y.Sort,
			main(x), main(y), int64(x.order), int64(y.order),
		)
	})
	for _, t := range threads {
		o := &output{process: t.process, thread: t, def: model.TrackDef{Kind: t.Kind}}
		for _, track := range append([]*Track{&t.Track}, t.more...) {
			o.add(track)
		}
		b.outputs = append(b.outputs, o)
	}
	b.stageAsync()
	for _, o := range b.outputs {
		SortRuns(o.notes, func(x, y note) int { return SortRunPairs(x.time, y.time, int64(x.event), int64(y.event)) })
	}
}

// moveTimes puts the tracks of other clocks on that of the session, and together those that were joined. Then it finds
// the first and the last times anew.
func (b *Builder) moveTimes() {
	if !b.late {
		return
	}
	for i := range b.flows.knots {
		k := &b.flows.knots[i]
		if t := b.flows.tracks[k.track]; t.move != nil {
			k.time = t.move(k.time)
			k.order = k.time
		}
	}
	b.first, b.last = math.MaxInt64, math.MinInt64
	for _, ns := range b.seen {
		b.first, b.last = min(b.first, ns), max(b.last, ns)
	}
	b.samples.each(func(s *model.Sample) { b.first, b.last = min(b.first, s.Time), max(b.last, s.Time) })
	for _, t := range b.loose {
		if t.move != nil {
			t.moveTimes()
		}
		if t.process != nil {
			t.seeAll()
		}
	}
	for _, p := range b.processes {
		for _, t := range p.list {
			t.seeAll()
		}
		for _, f := range p.borders {
			p.declared.see(f.Begin)
		}
	}
	for _, t := range b.loose {
		for _, x := range t.joined {
			x.marks.each(func(m *mark) { t.marks.add(*m) })
			x.notes.each(func(n *note) { t.notes.add(*n) })
			x.whole.each(func(s *span) { t.whole.add(*s) })
			x.marks, x.notes, x.whole = chunks[mark]{}, chunks[note]{}, chunks[span]{}
		}
	}
}

// moveTimes puts the events of a track on the clock of the session.
func (t *Track) moveTimes() {
	t.marks.each(func(m *mark) { m.time = t.move(m.time) })
	t.notes.each(func(n *note) { n.time = t.move(n.time) })
	t.whole.each(func(s *span) {
		begin := t.move(s.begin)
		s.begin, s.end = begin, min(s.end+begin-s.begin, model.MaxTime)
	})
}

// seeAll takes the times of all events of a track.
func (t *Track) seeAll() {
	t.marks.each(func(m *mark) { t.see(m.time) })
	t.notes.each(func(n *note) { t.see(n.time) })
	t.whole.each(func(s *span) {
		if t.see(s.begin); s.flags&model.SpanOpenEnd == 0 {
			t.see(s.end)
		}
	})
}

// add adds a track of the recording to an output.
func (o *output) add(t *Track) {
	t.out = o
	for _, x := range t.joined {
		x.out = o
	}
	o.notes = t.notes.drain(o.notes)
	o.tracks = append(o.tracks, t)
}

// stageAsync groups asynchronous tracks by process and title, those without one by the names of their outermost spans.
func (b *Builder) stageAsync() {
	type group struct {
		process *Process
		title   Symbol
	}
	groups := map[group]*output{}
	of := func(g group) *output {
		if groups[g] == nil && len(groups) >= maxGroups {
			g = group{b.async[0].process, MoreSymbol}
		}
		o := groups[g]
		if o == nil {
			o = &output{process: g.process, def: model.TrackDef{Name: b.Words(g.title), Kind: model.TrackOutput}}
			groups[g] = o
			b.outputs = append(b.outputs, o)
		}
		return o
	}
	for _, t := range b.async {
		if !t.has() {
			continue
		}
		b.settle(t, ofTasks)
		if t.title != NoSymbol {
			of(group{t.process, t.title}).add(t)
		}
		for rest := t.spans; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].lane > 0 {
				n++
			}
			o := t.out
			if o == nil {
				o = of(group{t.process, rest[0].name})
			}
			o.addTree(rest[:n])
			if t.Processor {
				o.def.Kind = model.TrackProcessor
			}
			rest = rest[n:]
		}
		t.spans = nil
	}
}

func (o *output) addTree(spans []span) {
	t := tree{spans: spans, end: spans[0].end}
	for i := range spans {
		t.rows = max(t.rows, int(spans[i].lane)+1)
	}
	o.trees = append(o.trees, t)
	o.def.Kind = model.TrackAsync
}

// dropEmpty forgets the tracks that are empty since their instants became frames of another track.
func (b *Builder) dropEmpty() {
	b.outputs = slices.DeleteFunc(b.outputs, func(o *output) bool {
		kept := o.process.main == o || o.isSampled() || b.options.EmptyThreads && o.thread != nil
		return !kept && len(o.notes)+len(o.trees) == 0 && !slices.ContainsFunc(o.tracks, (*Track).has)
	})
}

// isSampled reports whether a track shows samples.
func (o *output) isSampled() bool { return o.thread != nil && o.thread.samples.n > 0 }

// shownProcesses returns the processes that the session has anything of.
func (b *Builder) shownProcesses() map[*Process]bool {
	used := map[*Process]bool{}
	for _, o := range b.outputs {
		used[o.process] = true
	}
	for _, c := range b.counters {
		used[c.process] = true
	}
	delete(used, nil)
	delete(used, b.byPID[""])
	return used
}

// titles returns how processes are called where the session has several, and nothing otherwise.
func (b *Builder) titles() func(*Process) string {
	used := b.shownProcesses()
	alike := map[string]int{}
	for p := range used {
		alike[p.Name]++
	}
	return func(p *Process) string {
		switch {
		case p == nil || p.ID == "" || len(used) < 2:
			return ""
		case p.Name == "":
			return "process " + p.ID
		case alike[p.Name] > 1:
			return p.Name + " " + p.ID
		}
		return p.Name
	}
}

// define defines tracks, series and the info of the program.
func (b *Builder) define(main *output, detail func(info *model.Info)) {
	title := b.titles()
	type place struct {
		process *Process
		name    string
	}
	within, across := map[place]int{}, map[string]map[*Process]bool{}
	for _, o := range b.outputs {
		if o.thread != nil {
			o.def.Name = o.thread.Name
		}
		within[place{o.process, o.def.Name}]++
		if across[o.def.Name] == nil {
			across[o.def.Name] = map[*Process]bool{}
		}
		across[o.def.Name][o.process] = true
	}
	next, index := model.TrackID(0), 0
	for i, o := range b.outputs {
		def, name := &o.def, o.def.Name
		if o.thread == nil {
			def.Index = index
			index++
		}
		def.Process, def.Main, def.Skips = title(o.process), o == main, o.process.skips
		def.Object, def.Peer = model.NoObject, model.NoObject
		if t := o.thread; t != nil {
			def.Index = i
			if n, ok := number(t.ID); ok {
				def.Index = n
			} else if name == "" {
				def.Name = t.ID
			}
			if def.Sums = t.isSums(); def.Sums {
				b.hiddenSums += int64(t.Sums)
			}
			if name != "" && within[place{o.process, name}] > 1 {
				def.Name = fmt.Sprintf("%s (%s)", name, t.ID)
			}
		}
		if name != "" && len(across[name]) > 1 && def.Process != "" {
			def.Name += " (" + def.Process + ")"
		}
		def.Name, def.Process = shown(def.Name), shown(def.Process)
		if def.ID = next; next >= feed.SureThreads && !b.room.Admit(*def) {
			def.ID = model.NoTrack
			b.Bad.Bad(ManyThreads, Unknown)
			continue
		}
		b.sink.Define(*def)
		next++
	}
	b.defineCounters(title)
	b.defineInfo(main, detail)
}

// isSums reports whether a thread has nothing but sums.
func (t *Thread) isSums() bool {
	return t.Sums > 0 && t.Sums == t.whole.n+len(t.spans) && t.marks.n == 0 && len(t.out.notes) == 0 && len(t.more) == 0
}

// defineCounters defines the series of counters: those of one name are a group, of threads and processes.
func (b *Builder) defineCounters(title func(*Process) string) {
	type key struct{ group, name string }
	taken := map[key]int{}
	for _, c := range b.counters {
		def := &c.Def
		of := title(c.process)
		if t := c.thread; t != nil {
			if t.out != nil && t.out.def.ID != model.NoTrack {
				def.Track, of = t.out.def.ID, t.out.def.Name
			}
			of = cmp.Or(of, t.Name, "Thread "+t.ID)
		}
		switch {
		case of == "" && def.Name == "":
			def.Name = def.Group
		case def.Name == "":
			def.Name = of
		case of != "" && of != def.Name:
			def.Name = of + " " + def.Name
		}
		k := key{def.Group, def.Name}
		if taken[k]++; taken[k] > 1 {
			def.Name += " " + strconv.Itoa(taken[k])
		}
		def.Name, def.Group, def.Unit = shown(def.Name), shown(def.Group), shown(def.Unit)
		b.sink.Define(*def)
	}
}

// defineInfo defines the info of the program: the process that has the frames, or else the only one, of threads if
// there are any.
func (b *Builder) defineInfo(main *output, detail func(info *model.Info)) {
	var p *Process
	used := map[*Process]bool{}
	for _, o := range b.outputs {
		if o.thread != nil {
			used[o.process] = true
		}
	}
	if len(used) == 0 {
		used = b.shownProcesses()
	}
	switch {
	case main != nil:
		p = main.process
	case len(used) == 1:
		for p = range used {
			break
		}
	}
	if p != nil && p.ID != "" {
		if name := shown(p.Name); name != "" {
			b.Info.Program = name
		}
		if n, ok := number(p.ID); ok && n > 0 {
			b.Info.PID = int64(n)
		}
	}
	if detail != nil {
		detail(&b.Info)
	}
	b.sink.Define(b.Info)
}

// shown returns a text of the recording without blanks around it.
func shown(s string) string { return strings.TrimSpace(Text(s)) }
