package gsttrace

import (
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
	key                       objectKey
	parent                    uint64
	typ, name                 string
	bin, announced            bool
	sentBuffers, recvBuffers  uint32
	sentBytes, recvBytes      uint64
	first                     uint64
	events, messages, queries uint32
	elementQueries            uint32
	order                     int
}

type pad struct {
	key             objectKey
	parent, thread  uint64
	name            string
	direction       uint64
	buffers         uint32
	flags           [10]uint32
	bytes           uint64
	average         uint64
	minSize         uint32
	maxSize         uint32
	first, last     uint64
	announcedWithID bool
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
	if ts == never {
		return
	}
	if t.first == never {
		t.first, t.last = ts, ts
	}
	t.first, t.last = min(t.first, ts), max(t.last, ts)
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

	ways, through map[string]*durations
	values        room
	answers       []Reported
	plugins       map[string]*[4]map[string]bool
	beyond        int64 // things that were not kept because of the limits
}

func newTables(compat bool) *tables {
	return &tables{
		compat: compat, elements: map[objectKey]*element{}, pads: map[objectKey]*pad{},
		threads: map[objectKey]*gststatsThread{}, ways: map[string]*durations{}, through: map[string]*durations{},
		values: room{maxValues},
	}
}

func (t *tables) seen(ts uint64) {
	if ts > t.overall.TimeNs && (t.compat || ts != never) {
		t.overall.TimeNs = ts
	}
}

func (t *tables) newElement(k objectKey, parent uint64, name, typ string, bin bool) {
	old := t.elements[k]
	if !t.compat && old != nil && old.announced && old.name == name && old.typ == typ {
		return // announced by two tracers
	}
	if bin {
		t.overall.Bins++
	} else {
		t.overall.Elements++
	}
	if old != nil && !old.announced { // it was used before
		old.parent, old.typ, old.name, old.bin, old.announced = parent, typ, name, bin, true
		return
	}
	if len(t.elements) >= maxObjects && old == nil {
		t.beyond++
		return
	}
	t.elements[k] = &element{
		key: k, parent: parent, typ: typ, name: name, bin: bin, announced: true, first: never,
		order: len(t.elements),
	}
}

func (t *tables) newPad(k objectKey, parent, thread uint64, name string, ghost bool, direction uint64) {
	old := t.pads[k]
	if !t.compat && old != nil && old.announcedWithID && old.name == name && old.parent == parent {
		return
	}
	if ghost {
		t.overall.GhostPads++
	} else {
		t.overall.Pads++
	}
	if len(t.pads) >= maxObjects && old == nil {
		t.beyond++
		return
	}
	p := &pad{key: k, parent: parent, name: name, direction: direction, first: never, last: never, announcedWithID: true}
	if t.compat {
		p.thread = thread
	}
	t.pads[k] = p
}

// element finds an element. The own figures also know those that were never announced.
func (t *tables) element(k objectKey) *element {
	e := t.elements[k]
	if e == nil && !t.compat && k.number != none && len(t.elements) < maxObjects {
		e = &element{
			key: k, parent: none, typ: "?", name: "element " + strconv.FormatUint(k.number, 10), first: never,
			order: len(t.elements),
		}
		t.elements[k] = e
	}
	return e
}

func (t *tables) pad(k objectKey, direction uint64) *pad {
	p := t.pads[k]
	if p == nil && !t.compat && k.number != none && len(t.pads) < maxObjects {
		p = &pad{
			key: k, parent: none, name: "pad " + strconv.FormatUint(k.number, 10), direction: direction, first: never,
			last: never,
		}
		t.pads[k] = p
	}
	return p
}

func (t *tables) thread(k objectKey) *gststatsThread {
	th := t.threads[k]
	if th == nil {
		if len(t.threads) >= maxObjects {
			t.beyond++
			return &gststatsThread{key: k, first: never}
		}
		th = &gststatsThread{key: k, order: len(t.threads), first: never}
		t.threads[k] = th
	}
	return th
}

// transfer is one buffer record.
type transfer struct {
	pid, thread, ts    uint64
	pad, element, peer uint64
	size, flags        uint32
}

func (t *tables) buffer(b transfer) {
	t.overall.Buffers++
	t.seen(b.ts)
	p := t.pad(objectKey{b.pid, b.pad}, sourcePad)
	e, peer := t.element(objectKey{b.pid, b.element}), t.element(objectKey{b.pid, b.peer})
	if p == nil || t.compat && (e == nil || peer == nil) {
		return
	}
	if p.parent == none {
		p.parent = b.element
	}
	if !t.compat && p.thread == 0 {
		p.thread = b.thread
	}
	if p.thread != 0 {
		t.thread(objectKey{b.pid, p.thread})
	}
	p.add(b.size, b.flags, b.ts, t.compat)
	if p.direction != sourcePad {
		e, peer = peer, e
	}
	received := b.ts
	if t.compat {
		received++
	}
	if e != nil {
		e.sentBuffers++
		e.sentBytes += uint64(b.size)
		e.begin(b.ts, t.compat)
	}
	if peer != nil {
		peer.recvBuffers++
		peer.recvBytes += uint64(b.size)
		peer.begin(received, t.compat)
	}
}

// begin takes the time of a buffer that went through the element: the earliest is its first, in the
// compatible figures that which stands first in the log.
func (e *element) begin(ts uint64, compat bool) {
	if e.first == never || !compat {
		e.first = min(e.first, ts)
	}
}

// add counts a buffer. The average is gst-stats' own; the better one comes from bytes, see figures. Lines may be
// out of order: the compatible figures have the time of the last one.
func (p *pad) add(size, flags uint32, ts uint64, compat bool) {
	if p.buffers == 0 {
		p.minSize, p.maxSize = size, 0
		if !compat {
			p.maxSize = size
		}
	} else if size < p.minSize {
		p.minSize = size
	} else if size > p.maxSize { // a first one that is the greatest counts in the better figures alone
		p.maxSize = size
	}
	p.average = (p.average*uint64(p.buffers) + uint64(size)) / (uint64(p.buffers) + 1)
	p.bytes += uint64(size)
	p.buffers++
	for i := range p.flags {
		p.flags[i] += flags >> (4 + i) & 1
	}
	if p.first == never {
		p.first, p.last = ts, ts
	}
	if compat {
		p.last = ts
		return
	}
	p.first, p.last = min(p.first, ts), max(p.last, ts)
}

func (t *tables) event(pid, ts, pad, element uint64) {
	t.overall.Events++
	t.seen(ts)
	if t.compat && t.pads[objectKey{pid, pad}] == nil {
		return
	}
	if e := t.element(objectKey{pid, element}); e != nil {
		e.events++
	}
}

func (t *tables) message(pid, ts, element uint64) {
	t.overall.Messages++
	t.seen(ts)
	if e := t.element(objectKey{pid, element}); e != nil {
		e.messages++
	}
}

func (t *tables) query(pid, ts, element uint64) {
	t.overall.Queries++
	t.seen(ts)
	if e := t.element(objectKey{pid, element}); e != nil {
		e.queries++
	}
}

func (t *tables) threadUsage(k objectKey, ts, load, cpuNs uint64) {
	th := t.thread(k)
	if t.compat || !th.hasLoad || ts >= th.ts { // else it was written late
		th.cpuNs, th.ts, th.load = cpuNs, ts, load
	}
	th.hasLoad = true
	th.clock.Read(Reading{TimeNs: int64(ts), CPUNs: int64(cpuNs)})
	th.lived(ts)
	t.seen(ts)
}

func (t *tables) processUsage(ts, load, cpuNs uint64) {
	if t.compat || !t.overall.HasLoad || ts >= t.usage.ts {
		t.usage.cpuNs, t.usage.ts, t.usage.load = cpuNs, ts, load
	}
	t.overall.HasLoad = true
	t.among.told(load, cpuNs, ts)
	t.seen(ts)
}

// latency counts a latency of a way; where is ways or through.
func (t *tables) latency(where map[string]*durations, key []byte, ns, ts uint64) {
	t.seen(ts)
	d := where[string(key)]
	if d == nil {
		if len(where) >= maxWays {
			t.beyond++
			return
		}
		d = &durations{}
		where[string(key)] = d
	}
	d.add(ns)
	if !t.compat {
		d.keep(ns, &t.values)
	}
}

func (t *tables) answer(r Reported) {
	t.seen(r.TsNs)
	if len(t.answers) >= maxAnswers {
		t.beyond++
		return
	}
	t.answers = append(t.answers, r)
}

// factory notes a factory that was used.
func (t *tables) factory(kind, factory, plugin string) {
	at := slices.Index([]string{"element", "device-provider", "typefind", "dynamic-type"}, kind)
	if t.plugins == nil {
		t.plugins = map[string]*[4]map[string]bool{}
	}
	if plugin == "staticelements" || at < 0 {
		return
	}
	if plugin == "" {
		plugin = "built-in"
	}
	p := t.plugins[plugin]
	if p == nil {
		if len(t.plugins) >= maxWays {
			t.beyond++
			return
		}
		p = &[4]map[string]bool{}
		t.plugins[plugin] = p
	}
	if p[at] == nil {
		p[at] = map[string]bool{}
	}
	if len(p[at]) >= maxWays {
		t.beyond++
		return
	}
	p[at][factory] = true
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
	if t.plugins == nil {
		return nil
	}
	f := &Factories{Plugins: slices.Sorted(maps.Keys(t.plugins))}
	for _, plugin := range f.Plugins {
		for i, list := range [...]*[]PluginFactories{&f.Elements, &f.DeviceProviders, &f.Typefinds, &f.DynTypes} {
			if set := t.plugins[plugin][i]; set != nil {
				*list = append(*list, PluginFactories{plugin, slices.Sorted(maps.Keys(set))})
			}
		}
	}
	return f
}

func (t *tables) threadFigures() (all []Thread) {
	pads := map[objectKey][]*pad{}
	for _, p := range t.pads {
		if p.buffers > 0 {
			k := objectKey{p.key.pid, p.thread}
			pads[k] = append(pads[k], p)
		}
	}
	for _, th := range slices.SortedFunc(maps.Values(t.threads), func(a, b *gststatsThread) int { return a.order - b.order }) {
		list := pads[th.key]
		if len(list) == 0 && (t.compat || !th.hasLoad) {
			continue
		}
		slices.SortFunc(list, func(a, b *pad) int {
			return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.key.number, b.key.number))
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
