package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// maxCollectors bounds the collector table: PStats numbers them with 16 bits, and no source that names its own comes near.
const maxCollectors = 1 << 16

// maxHierarchyDepth bounds how deep the static hierarchy is followed; a collector below that counts as top level. It keeps hostile chains of
// 65,000 parents from making every walk to the root as long.
const maxHierarchyDepth = 256

// maxFullName bounds a full name in bytes.
const maxFullName = 1024

// Collector is what is measured.
type Collector struct {
	ID       CollectorID
	Name     string
	FullName string // names from the root joined with ':', without the root's own ("Frame"); placeholders included
	Parent   CollectorID
	Color    RGB
	Sort     int
	Unit     string
	Scale    float64
	Factor   float64
	Defined  bool
	HasTime  bool // time was ever charged to it or to something below it
	HasLevel bool // a level was ever received for it or for something below it
}

// collectorRow is what was received of a collector.
type collectorRow struct {
	def               CollectorDef
	defined           bool
	hasTime, hasLevel bool
}

// collectorTable holds what was received, and a tree made of it when somebody asks. The tree is immutable once built, so that any number of
// goroutines may read it; it is built again after a definition changed, never on the way of the data.
type collectorTable struct {
	rows []collectorRow
	text int64 // bytes of names and units
	rev  uint64
	acc  *account

	mu   sync.Mutex
	tree atomic.Pointer[hierarchy]
}

// hierarchy is the static hierarchy at one revision of the definitions: parents that do not exist, cycles and too deep chains repaired.
type hierarchy struct {
	rev      uint64
	bytes    int64
	all      []Collector
	children [][]CollectorID
	depth    []int32
	parents  []CollectorID // those in all, side by side for walks upwards
	// order lists the collectors in preorder (parents before children, siblings in descending sort); pre is a collector's place in it, and
	// post the place behind its last descendant.
	order     []CollectorID
	pre, post []int32
}

// ensure makes sure that id is in the table, as a placeholder if need be. False: the id is out of bounds.
func (t *collectorTable) ensure(id CollectorID) bool {
	if id < 0 || id >= maxCollectors {
		return false
	}
	for int(id) >= len(t.rows) {
		t.rows = append(t.rows, collectorRow{def: CollectorDef{ID: CollectorID(len(t.rows)), Sort: -1}})
		t.rev++
	}
	return true
}

func (t *collectorTable) define(d CollectorDef) bool {
	if !t.ensure(d.ID) {
		return false
	}
	if d.Parent < 0 || d.Parent >= maxCollectors {
		d.Parent = 0
	}
	t.ensure(d.Parent)
	row := &t.rows[d.ID]
	if row.defined && row.def == d {
		return true
	}
	d.Name, d.Unit = strings.Clone(d.Name), strings.Clone(d.Unit) // the sender's may be pieces of something large
	t.text += int64(len(d.Name) + len(d.Unit) - len(row.def.Name) - len(row.def.Unit))
	row.def, row.defined = d, true
	t.rev++
	return true
}

// markTime notes that time was charged to id, markLevel that a level came for it. id is in the table.
func (t *collectorTable) markTime(id CollectorID) {
	if row := &t.rows[id]; !row.hasTime {
		row.hasTime = true
		t.rev++
	}
}

func (t *collectorTable) markLevel(id CollectorID) {
	if row := &t.rows[id]; !row.hasLevel {
		row.hasLevel = true
		t.rev++
	}
}

// size returns the bytes of the table.
func (t *collectorTable) size() int64 { return int64(cap(t.rows))*sizeOf[collectorRow]() + t.text }

// keep makes h the tree.
func (t *collectorTable) keep(h *hierarchy) {
	if old := t.tree.Swap(h); old != nil {
		t.acc.add(-old.bytes)
	}
	if h != nil {
		t.acc.add(h.bytes)
	}
}

// clear forgets all definitions.
func (t *collectorTable) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows, t.text = nil, 0
	t.rev++
	t.keep(nil)
}

// get returns the hierarchy of the present definitions.
func (t *collectorTable) get() *hierarchy {
	if h := t.tree.Load(); h != nil && h.rev == t.rev {
		return h
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.tree.Load()
	if old != nil && old.rev == t.rev {
		return old
	}
	h := t.build(old)
	t.keep(h)
	return h
}

func (t *collectorTable) build(old *hierarchy) *hierarchy {
	n := len(t.rows)
	h := &hierarchy{
		rev: t.rev, all: make([]Collector, n), children: make([][]CollectorID, n), depth: make([]int32, n),
		order: make([]CollectorID, 0, n), pre: make([]int32, n), post: make([]int32, n),
	}
	for i, row := range t.rows {
		d := row.def
		h.all[i] = Collector{
			ID: CollectorID(i), Name: d.Name, Parent: d.Parent, Color: d.Color, Sort: d.Sort, Unit: d.Unit, Scale: d.Scale, Factor: d.Factor,
			Defined: row.defined, HasTime: row.hasTime, HasLevel: row.hasLevel,
		}
		if !row.defined {
			if old != nil && i < len(old.all) && !old.all[i].Defined {
				h.all[i].Name = old.all[i].Name
			} else {
				h.all[i].Name = fmt.Sprintf("#%d", i)
			}
		}
	}
	if n == 0 {
		return h
	}
	h.all[0].Parent = NoCollector
	h.repairParents()
	h.sortChildren()
	h.number()
	h.parents = make([]CollectorID, n)
	for i := range h.all {
		h.parents[i] = h.all[i].Parent
	}
	for i := len(h.order) - 1; i > 0; i-- { // children before parents
		c := &h.all[h.order[i]]
		p := &h.all[c.Parent]
		p.HasTime = p.HasTime || c.HasTime
		p.HasLevel = p.HasLevel || c.HasLevel
	}
	for _, id := range h.order {
		c := &h.all[id]
		c.FullName = c.Name
		if c.Parent > 0 {
			c.FullName = joinName(h.all[c.Parent].FullName, c.Name, old, id)
			h.bytes += int64(len(c.FullName))
		}
	}
	h.bytes += int64(n) * (sizeOf[Collector]() + 24 + 6*4)
	return h
}

// joinName joins a parent's full name and a name, and reuses the string of the tree before if it is the same.
func joinName(parent, name string, old *hierarchy, id CollectorID) string {
	if old != nil && int(id) < len(old.all) {
		o := old.all[id].FullName
		if len(o) == len(parent)+1+len(name) && o[:len(parent)] == parent && o[len(parent)+1:] == name {
			return o
		}
	}
	if len(parent)+1+len(name) > maxFullName {
		return "…:" + name
	}
	return parent + ":" + name
}

// repairParents sets depth, and makes top-level what is its own ancestor or too deep.
func (h *hierarchy) repairParents() {
	const unknown, onWalk = 0, -1
	h.depth[0] = 1 // one more than the depth while this function runs: 0 is unknown
	var walk []CollectorID
	for i := range h.all {
		walk = walk[:0]
		c := CollectorID(i)
		for h.depth[c] == unknown {
			h.depth[c] = onWalk
			walk = append(walk, c)
			c = h.all[c].Parent
		}
		if h.depth[c] == onWalk { // the walk closed on itself: the cycle is its part from c on
			at := slices.Index(walk, c)
			top := slices.Min(walk[at:])
			h.all[top].Parent = 0
			// Go round again so that the walk starts below the repaired member and ends in it.
			for _, w := range walk {
				h.depth[w] = unknown
			}
			walk = walk[:0]
			for c = CollectorID(i); h.depth[c] == unknown; c = h.all[c].Parent {
				h.depth[c] = onWalk
				walk = append(walk, c)
			}
		}
		for _, w := range slices.Backward(walk) {
			d := h.depth[h.all[w].Parent] + 1
			if d > maxHierarchyDepth {
				h.all[w].Parent = 0
				d = 2
			}
			h.depth[w] = d
		}
	}
	for i := range h.depth {
		h.depth[i]--
	}
}

func (h *hierarchy) sortChildren() {
	counts := make([]int32, len(h.all)+1)
	for i := 1; i < len(h.all); i++ {
		counts[h.all[i].Parent]++
	}
	backing := make([]CollectorID, len(h.all))
	at := 0
	for i := range h.all {
		k := int(counts[i])
		h.children[i] = backing[at : at : at+k]
		at += k
	}
	for i := len(h.all) - 1; i > 0; i-- { // descending id, which the stable sort keeps among equals
		p := h.all[i].Parent
		h.children[p] = append(h.children[p], CollectorID(i))
	}
	for _, list := range h.children {
		slices.SortStableFunc(list, func(a, b CollectorID) int { return cmp.Compare(h.all[b].Sort, h.all[a].Sort) })
	}
}

// number fills order, pre and post.
func (h *hierarchy) number() {
	type place struct {
		id   CollectorID
		next int
	}
	stack := []place{{}}
	h.order = append(h.order, 0)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(h.children[top.id]) {
			h.post[top.id] = int32(len(h.order))
			stack = stack[:len(stack)-1]
			continue
		}
		child := h.children[top.id][top.next]
		top.next++
		h.pre[child] = int32(len(h.order))
		h.order = append(h.order, child)
		stack = append(stack, place{id: child})
	}
}

// below tells whether c is a or lies below it. Both may be out of bounds.
func (h *hierarchy) below(c, a CollectorID) bool {
	if uint(c) >= uint(len(h.pre)) || uint(a) >= uint(len(h.pre)) {
		return c == a || a == 0
	}
	return h.pre[a] <= h.pre[c] && h.pre[c] < h.post[a]
}

// compareRank orders collectors as charts stack and list them: descending sort, ties by descending id (pstats-viewer section 4.2).
func (h *hierarchy) compareRank(a, b CollectorID) int {
	if a == b {
		return 0
	}
	if d := cmp.Compare(h.all[b].Sort, h.all[a].Sort); d != 0 {
		return d
	}
	return cmp.Compare(b, a)
}

// Collector returns the collector of an id. Undefined ids give a placeholder named "#id". The collector is a snapshot: it does not change any more.
func (s *Session) Collector(id CollectorID) *Collector {
	h := s.collectors.get()
	if uint(id) < uint(len(h.all)) {
		return &h.all[id]
	}
	name := fmt.Sprintf("#%d", id)
	return &Collector{ID: id, Name: name, FullName: name, Sort: -1}
}

// NumCollectors returns one more than the greatest collector id ever defined or used.
func (s *Session) NumCollectors() int { return len(s.collectors.rows) }

// Children returns the children of a collector in the static hierarchy, in descending sort, ties by descending id (pstats-viewer section 4.2).
// The root (0) is never its own child. The slice is the session's own.
func (s *Session) Children(id CollectorID) []CollectorID {
	h := s.collectors.get()
	if uint(id) >= uint(len(h.children)) {
		return nil
	}
	return h.children[id]
}

// IsDescendant tells whether c is a or lies below a in the static hierarchy. Everything lies below 0.
func (s *Session) IsDescendant(c, a CollectorID) bool { return s.collectors.get().below(c, a) }
