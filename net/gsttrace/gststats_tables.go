package gsttrace

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
)

const (
	none  = math.MaxUint32 // a number of an object that is not there
	never = math.MaxUint64 // a time that is not known

	sourcePad = 1 // GST_PAD_SRC
	sinkPad   = 2
)

// Limits against hostile logs. Entries beyond them are counted in Overall and not listed.
const (
	maxObjects = 1 << 18
	maxWays    = 1 << 14
	maxAnswers = 1 << 18
)

// objectKey names an object or thread; pid is 0 in the compatible figures, which take all processes
// for one.
type objectKey struct{ pid, number uint64 }

type element struct {
	key            objectKey
	parent         uint64
	bin, announced bool
	Element
}

type pad struct {
	key            objectKey
	parent, thread uint64
	direction      uint64
	bytes          uint64
	average        uint64
	announced      bool
	Pad
}

type gststatsThread struct {
	key         objectKey
	cpuNs       uint64
	ts          uint64 // since the start of the process
	load        uint64 // per mille, cut
	hasLoad     bool
	order       int
	first, last uint64 // times of its records, never without one
	clock       Clock  // of the better figures
}

// lived takes the time of a record.
func (t *gststatsThread) lived(ts uint64) {
	if ts != never {
		t.first, t.last = min(t.first, ts), max(t.last, ts)
	}
}

// tables hold the sums. compat keeps the peculiarities of gst-stats (FORMAT.md section 7).
type tables struct {
	compat   bool
	overall  Overall
	usage    gststatsThread // of all of them
	among    processors     // divisor of the load
	elements map[objectKey]*element
	pads     map[objectKey]*pad
	threads  map[objectKey]*gststatsThread

	ways, through  map[string]*durations
	room           int // for values of all of them
	answers        []Reported
	used           map[usedFactory]bool
	elementQueries int64
	beyond         int64 // things that were not kept because of the limits
	key            []byte
}

func newTables(compat bool) *tables {
	return &tables{
		compat: compat, elements: map[objectKey]*element{}, pads: map[objectKey]*pad{},
		threads: map[objectKey]*gststatsThread{}, ways: map[string]*durations{}, through: map[string]*durations{},
	}
}

// put keeps a value of a table, as far as there is room.
func put[K comparable, V any](t *tables, table map[K]V, most int, k K, v V) {
	if _, known := table[k]; !known && len(table) >= most {
		t.beyond++
		return
	}
	table[k] = v
}

func (t *tables) seen(ts uint64) {
	if ts > t.overall.TimeNs && (t.compat || ts != never) {
		t.overall.TimeNs = ts
	}
}

// newElement counts an element that is announced.
func (t *tables) newElement(f *fields, r *LogEntry) {
	k, parent, bin := t.id(r, f.index(0)), f.index(1), f.number(4) != 0
	name, typ := string(f.text(2)), string(f.text(3))
	old := t.elements[k]
	if !t.compat && old != nil && old.announced && old.Name == name && old.Type == typ {
		return // announced by two tracers
	}
	if bin {
		t.overall.Bins++
	} else {
		t.overall.Elements++
	}
	if old != nil && !old.announced { // it was used before
		old.parent, old.Type, old.Name, old.bin, old.announced = parent, typ, name, bin, true
		return
	}
	e := &element{key: k, parent: parent, bin: bin, announced: true, Element: Element{Type: typ, Name: name,
		FirstNs: never}}
	put(t, t.elements, maxObjects, k, e)
}

// newPad counts a pad that is announced.
func (t *tables) newPad(f *fields, e *LogEntry) {
	k := t.id(e, f.index(0))
	old := t.pads[k]
	p := &pad{key: k, parent: f.index(1), direction: direction(f[4]), announced: true}
	p.Pad = Pad{Name: string(f.text(2)), FirstNs: never, LastNs: never}
	if !t.compat && old != nil && old.announced && old.Name == p.Name && old.parent == p.parent {
		return
	}
	if f.number(3) != 0 {
		t.overall.GhostPads++
	} else {
		t.overall.Pads++
	}
	if t.compat {
		p.thread = f.number(5)
	}
	put(t, t.pads, maxObjects, k, p)
}

// direction reads a pad's direction as number, nick or symbol.
func direction(v *Value) uint64 {
	switch {
	case v.Kind != KindText:
		return v.Unsigned()
	case bytes.HasSuffix(bytes.ToLower(v.Text), []byte("src")):
		return sourcePad
	case bytes.HasSuffix(bytes.ToLower(v.Text), []byte("sink")):
		return sinkPad
	}
	return 0
}

// element finds an element. The own figures also know those that were never announced.
func (t *tables) element(k objectKey) *element {
	e := t.elements[k]
	if e == nil && !t.compat && k.number != none {
		name := "element " + strconv.FormatUint(k.number, 10)
		e = &element{key: k, parent: none, Element: Element{Type: "?", Name: name, FirstNs: never}}
		put(t, t.elements, maxObjects, k, e)
	}
	return e
}

func (t *tables) pad(k objectKey, direction uint64) *pad {
	p := t.pads[k]
	if p == nil && !t.compat && k.number != none {
		p = &pad{key: k, parent: none, direction: direction}
		p.Pad = Pad{Name: "pad " + strconv.FormatUint(k.number, 10), FirstNs: never, LastNs: never}
		put(t, t.pads, maxObjects, k, p)
	}
	return p
}

func (t *tables) thread(k objectKey) *gststatsThread {
	th := t.threads[k]
	if th == nil {
		th = &gststatsThread{key: k, order: len(t.threads), first: never}
		put(t, t.threads, maxObjects, k, th)
	}
	return th
}

// buffer counts a buffer that went from one element to another.
func (t *tables) buffer(f *fields, r *LogEntry) {
	thread, ts, size := t.touch(f, r), t.time(f, 1, r), uint32(f.number(5))
	t.overall.Buffers++
	t.seen(ts)
	p := t.pad(t.id(r, f.index(2)), sourcePad)
	e, peer := t.element(t.id(r, f.index(3))), t.element(t.id(r, f.index(4)))
	if p == nil || t.compat && (e == nil || peer == nil) {
		return
	}
	if p.parent == none {
		p.parent = f.index(3)
	}
	if !t.compat && p.thread == 0 {
		p.thread = thread
	}
	if p.thread != 0 {
		t.thread(t.id(r, p.thread))
	}
	p.add(size, uint32(f.number(6)), ts, t.compat)
	if p.direction != sourcePad {
		e, peer = peer, e
	}
	received := ts
	if t.compat {
		received++
	}
	if e != nil {
		e.SentBuffers++
		e.SentBytes += uint64(size)
		e.begin(ts, t.compat)
	}
	if peer != nil {
		peer.RecvBuffers++
		peer.RecvBytes += uint64(size)
		peer.begin(received, t.compat)
	}
}

// begin takes the time of a buffer that went through the element: the earliest is its first, in the
// compatible figures that which stands first in the log.
func (e *element) begin(ts uint64, compat bool) {
	if e.FirstNs == never || !compat {
		e.FirstNs = min(e.FirstNs, ts)
	}
}

// add counts a buffer. The average is gst-stats' own; the better one comes from bytes, see figures. Lines may be
// out of order: the compatible figures have the time of the last one.
func (p *pad) add(bytes, flags uint32, ts uint64, compat bool) {
	size := int64(bytes)
	switch {
	case p.Buffers == 0:
		p.MinSize, p.MaxSize = size, size
		if compat {
			p.MaxSize = 0
		}
	case size < p.MinSize:
		p.MinSize = size
	default: // a first one that is the greatest counts in the better figures alone
		p.MaxSize = max(p.MaxSize, size)
	}
	n := uint64(p.Buffers)
	p.average = (p.average*n + uint64(bytes)) / (n + 1)
	p.bytes += uint64(bytes)
	p.Buffers++
	for i, n := range p.Flags.all() {
		*n += int64(flags >> (4 + i) & 1)
	}
	if p.FirstNs == never {
		p.FirstNs, p.LastNs = ts, ts
	}
	if compat {
		p.LastNs = ts
		return
	}
	p.FirstNs, p.LastNs = min(p.FirstNs, ts), max(p.LastNs, ts)
}

// all are the counts of the flags, from that of bit 4 on.
func (f *Flags) all() [10]*int64 {
	return [...]*int64{
		&f.Live, &f.DecodeOnly, &f.Discont, &f.Resync, &f.Corrupted, &f.Marker, &f.Header, &f.Gap, &f.Droppable, &f.DeltaUnit,
	}
}

// id names an object or thread of the process that wrote an entry.
func (t *tables) id(e *LogEntry, number uint64) objectKey {
	if t.compat {
		return objectKey{0, number}
	}
	return objectKey{e.PID, number}
}

// time is the time of a record. In the better figures it is that of its line where it is not known.
func (t *tables) time(f *fields, i int, e *LogEntry) uint64 {
	switch {
	case t.compat:
		return f.number(i)
	case f[i] == absent:
		return uint64(e.TimeNs)
	}
	return uint64(e.Time(f.number(i)))
}

// touch notes the thread of a record, and returns it. The compatible figures do not look at that.
func (t *tables) touch(f *fields, e *LogEntry) uint64 {
	id := f.number(0)
	if t.compat {
		return 0
	}
	if id != 0 {
		t.thread(t.id(e, id)).lived(t.time(f, 1, e))
	}
	return id
}

// activity counts an event, message or query of an element, which it returns.
func (t *tables) activity(f *fields, r *LogEntry, overall *int64) *element {
	t.touch(f, r)
	t.seen(t.time(f, 1, r))
	*overall++
	if e := t.element(t.id(r, f.index(2))); e != nil {
		return e
	}
	return &element{} // whose figures are of no use
}

func (t *tables) event(f *fields, r *LogEntry) {
	e := t.activity(f, r, &t.overall.Events)
	if !t.compat || t.pads[t.id(r, f.index(3))] != nil {
		e.Events++
	}
}

func (t *tables) message(f *fields, r *LogEntry) { t.activity(f, r, &t.overall.Messages).Messages++ }

func (t *tables) query(f *fields, r *LogEntry) { t.activity(f, r, &t.overall.Queries).Queries++ }

func (t *tables) elementQuery(f *fields, r *LogEntry) {
	t.activity(f, r, &t.elementQueries).ElementQueries++
}

// take takes what a record says of a clock of processor time: load, time and where it stands. any means that there was
// one before.
func (t *tables) take(th *gststatsThread, any bool, ts, load, cpuNs uint64) {
	if t.compat || !any || ts >= th.ts { // else it was written late
		th.cpuNs, th.ts, th.load = cpuNs, ts, load
	}
	t.seen(ts)
}

func (t *tables) threadUsage(f *fields, e *LogEntry) {
	th, ts, cpuNs := t.thread(t.id(e, f.number(0))), t.time(f, 1, e), f.number(3)
	t.take(th, th.hasLoad, ts, f.number(2), cpuNs)
	th.hasLoad = true
	th.clock.Read(Reading{TimeNs: int64(ts), CPUNs: int64(cpuNs)})
	th.lived(ts)
}

func (t *tables) processUsage(f *fields, e *LogEntry) {
	ts, load, cpuNs := t.time(f, 0, e), f.number(1), f.number(2)
	t.take(&t.usage, t.overall.HasLoad, ts, load, cpuNs)
	t.overall.HasLoad = true
	t.among.addRecord(load, cpuNs, ts)
}

// latency counts a latency of a way; where is ways or through. The names of the way are before field i, its time.
func (t *tables) latency(where map[string]*durations, f *fields, i int, e *LogEntry) {
	t.seen(t.time(f, i+1, e))
	t.key = t.key[:0]
	for k, v := range f[:i] {
		switch {
		case v == absent: // 1.14 and before lack some
			continue
		case len(t.key) > 0 && (k == 3 || k == 5 && f[3] == absent):
			t.key = append(t.key, '|')
		case len(t.key) > 0:
			t.key = append(t.key, '.')
		}
		t.key = append(t.key, v.Text...)
	}
	d := where[string(t.key)]
	if d == nil {
		d = &durations{}
		put(t, where, maxWays, string(t.key), d)
	}
	d.add(f.number(i), &t.room)
}

func (t *tables) answer(f *fields, e *LogEntry) {
	r := Reported{
		Element: string(f.text(0)) + "." + string(f.text(1)), Live: f.number(2) != 0, MinNs: f.number(3),
		MaxNs: f.number(4), TsNs: t.time(f, 5, e),
	}
	t.seen(r.TsNs)
	if len(t.answers) >= maxAnswers {
		t.beyond++
		return
	}
	t.answers = append(t.answers, r)
}

// usedFactory is a factory that was used: of a kind, and of a plugin.
type usedFactory struct {
	plugin, name string
	kind         int
}

// factory notes a factory that was used.
func (t *tables) factory(f *fields, _ *LogEntry) {
	used := usedFactory{plugin: cmp.Or(string(f.text(2)), "built-in"), name: string(f.text(1))}
	used.kind = slices.Index([]string{"element", "device-provider", "typefind", "dynamic-type"}, string(f.text(0)))
	if t.used == nil {
		t.used = map[usedFactory]bool{}
	}
	if used.plugin != "staticelements" && used.kind >= 0 {
		put(t, t.used, maxObjects, used, true)
	}
}

// figures are the tables, sorted. It may be called at any time.
func (t *tables) figures() Figures {
	f := Figures{Overall: t.overall}
	f.Overall.Threads = len(t.threads)
	if f.Overall.HasLoad {
		f.Overall.Load, f.Overall.LoadCut = t.usage.exactLoad(&t.among, t.compat)
	}
	f.Threads = t.threadFigures()
	f.Elements, f.Bins = t.elementFigures()
	f.Latencies, f.ElementLatencies = t.latencyFigures(t.ways), t.latencyFigures(t.through)
	f.Reported = slices.Clone(t.answers)
	if !t.compat {
		slices.SortStableFunc(f.Reported, func(a, b Reported) int { return cmp.Compare(a.TsNs, b.TsNs) })
	}
	f.Factories = t.factoryFigures()
	return f
}

func (t *tables) latencyFigures(ways map[string]*durations) (all []Latency) {
	for _, key := range slices.Sorted(maps.Keys(ways)) {
		all = append(all, ways[key].figures(key, t.compat))
	}
	return all
}

func (t *tables) factoryFigures() *Factories {
	if t.used == nil {
		return nil
	}
	f := &Factories{}
	lists := [...]*[]PluginFactories{&f.Elements, &f.DeviceProviders, &f.Typefinds, &f.DynTypes}
	all := slices.SortedFunc(maps.Keys(t.used), func(a, b usedFactory) int {
		return cmp.Or(cmp.Compare(a.plugin, b.plugin), cmp.Compare(a.name, b.name))
	})
	for _, used := range all {
		if n := len(f.Plugins); n == 0 || f.Plugins[n-1] != used.plugin {
			f.Plugins = append(f.Plugins, used.plugin)
		}
		list := lists[used.kind]
		if n := len(*list); n == 0 || (*list)[n-1].Plugin != used.plugin {
			*list = append(*list, PluginFactories{Plugin: used.plugin})
		}
		last := &(*list)[len(*list)-1]
		last.Factories = append(last.Factories, used.name)
	}
	return f
}

func (t *tables) threadFigures() (all []Thread) {
	pads := map[objectKey][]*pad{}
	for _, p := range t.pads {
		if p.Buffers > 0 {
			k := objectKey{p.key.pid, p.thread}
			pads[k] = append(pads[k], p)
		}
	}
	for _, th := range slices.SortedFunc(maps.Values(t.threads),
		func(a, b *gststatsThread) int { return a.order - b.order }) {
		list := pads[th.key]
		if len(list) == 0 && (t.compat || !th.hasLoad) {
			continue
		}
		slices.SortFunc(list, func(a, b *pad) int {
			return cmp.Or(cmp.Compare(a.FirstNs, b.FirstNs), cmp.Compare(a.key.number, b.key.number))
		})
		f := Thread{ID: th.key.number, PID: th.key.pid, CPUNs: th.cpuNs}
		if th.hasLoad {
			f.Load, f.HasLoad = th.ownLoad(t.compat)
		}
		for _, p := range list {
			f.Pads = append(f.Pads, t.padFigures(p))
		}
		all = append(all, f)
	}
	return all
}
