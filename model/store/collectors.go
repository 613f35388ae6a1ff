package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"framescope/model"
	"framescope/model/columns"
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
	ID       model.CollectorID
	Name     string
	FullName string // names from the root joined with ':', without the root's own ("Frame"); placeholders included
	Parent   model.CollectorID
	Color    model.RGB
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
	def               model.CollectorDef
	known             bool // defined or used
	defined           bool
	hasTime, hasLevel bool
}

// collectorPage is a run of the table. Ids may be far apart: what lies between takes no room.
type collectorPage [1 << collectorShift]collectorRow

const (
	collectorShift = 5
	collectorMask  = 1<<collectorShift - 1
)

// collectorTable holds what was received, and a tree made of it when somebody asks. The tree is immutable once built, so that what
// was asked of it stays true; it is built again after a definition changed, never on the way of the data.
type collectorTable struct {
	pages []*collectorPage // by id
	n     int              // one more than the greatest id
	made  int              // pages
	known int              // ids that were defined or used
	text  int64            // bytes of names and units
	rev   uint64
	acc   *columns.Account

	tree *hierarchy
	next time.Time // a large tree is not built anew before
}

// hierarchy is the static hierarchy at one revision of the definitions: parents that do not exist, cycles and too deep chains repaired. Collectors stand in it in the order of their ids, each in
// a slot; where all ids from 0 on are known, the slot is the id. All tables of questions are by slot, so that they are as large as there are collectors.
type hierarchy struct {
	rev      uint64
	bytes    int64
	slots    []*[1 << collectorShift]int32 // of each id, plus one: 0 is unknown
	all      []Collector
	children [][]model.CollectorID
	depth    []int32
	parents  []int32 // slots, -1 of the root
	// order lists the slots in preorder (parents before children, siblings in descending sort); pre is a slot's place in it, and
	// post the place behind its last descendant.
	order     []int32
	pre, post []int32
}

// slot returns the slot of a collector, -1 if it is not known.
func (h *hierarchy) slot(id model.CollectorID) int32 {
	k := uint(id) >> collectorShift
	if id < 0 || k >= uint(len(h.slots)) || h.slots[k] == nil {
		return -1
	}
	return h.slots[k][id&collectorMask] - 1
}

// ensure makes sure that id is in the table, as a placeholder if need be. False: the id is out of bounds.
func (t *collectorTable) ensure(id model.CollectorID) bool {
	if id < 0 || id >= maxCollectors {
		return false
	}
	if id != 0 && t.n == 0 {
		t.ensure(0) // the root
	}
	k := int(id >> collectorShift)
	if k >= len(t.pages) {
		t.pages = append(t.pages, make([]*collectorPage, k+1-len(t.pages))...)
	}
	if t.pages[k] == nil {
		t.pages[k] = new(collectorPage)
		t.made++
	}
	if row := &t.pages[k][id&collectorMask]; !row.known {
		row.known, row.def = true, model.CollectorDef{ID: id, Sort: -1}
		t.n, t.known = max(t.n, int(id)+1), t.known+1
		t.rev++
	}
	return true
}

// row returns the row of a collector that is in the table.
func (t *collectorTable) row(id model.CollectorID) *collectorRow {
	return &t.pages[id>>collectorShift][id&collectorMask]
}

func (t *collectorTable) define(d model.CollectorDef) bool {
	if !t.ensure(d.ID) {
		return false
	}
	if d.Parent < 0 || d.Parent >= maxCollectors {
		d.Parent = 0
	}
	t.ensure(d.Parent)
	row := t.row(d.ID)
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
func (t *collectorTable) markTime(id model.CollectorID) {
	if row := t.row(id); !row.hasTime {
		row.hasTime = true
		t.rev++
	}
}

func (t *collectorTable) markLevel(id model.CollectorID) {
	if row := t.row(id); !row.hasLevel {
		row.hasLevel = true
		t.rev++
	}
}

// size returns the bytes of the table.
func (t *collectorTable) size() int64 {
	return int64(cap(t.pages))*8 + int64(t.made)*columns.SizeOf[collectorPage]() + t.text
}

// keep makes h the tree.
func (t *collectorTable) keep(h *hierarchy) {
	if t.tree != nil {
		t.acc.Add(-t.tree.bytes)
	}
	t.tree = h
	if h != nil {
		t.acc.Add(h.bytes)
	}
}

// clear forgets all definitions.
func (t *collectorTable) clear() {
	t.pages, t.n, t.known, t.made, t.text = nil, 0, 0, 0, 0
	t.rev++
	t.keep(nil)
}

// A tree of more than largeTree collectors is built anew so seldom that it takes one part in treeShare of the time: a source that goes on defining must not bring the viewer to a stop. Until then
// the one before serves, and what it does not know yet is in no answer.
const (
	largeTree = 4096
	treeShare = 16
)

// get returns the hierarchy of the present definitions, or of those of a moment ago.
func (t *collectorTable) get() *hierarchy {
	old := t.tree
	if old != nil && old.rev == t.rev {
		return old
	}
	if old != nil && t.known > largeTree && time.Now().Before(t.next) {
		return old
	}
	began := time.Now()
	h := t.build(old)
	t.next = time.Now().Add(treeShare * time.Since(began))
	t.keep(h)
	return h
}

func (t *collectorTable) build(old *hierarchy) *hierarchy {
	n := t.known
	h := &hierarchy{
		rev: t.rev, slots: make([]*[1 << collectorShift]int32, len(t.pages)),
		all: make([]Collector, 0, n), children: make([][]model.CollectorID, n),
		depth: make([]int32, n), parents: make([]int32, n),
		order: make([]int32, 0, n), pre: make([]int32, n), post: make([]int32, n),
	}
	for k, page := range t.pages {
		if page == nil {
			continue
		}
		h.slots[k] = new([1 << collectorShift]int32)
		for i := range page {
			if page[i].known {
				h.slots[k][i] = int32(len(h.all)) + 1
				h.all = append(h.all, page[i].collector(old))
			}
		}
	}
	h.bytes = int64(n)*(columns.SizeOf[Collector]()+24+6*4) + int64(len(h.slots))*8 + int64(t.made)*4<<collectorShift
	if n == 0 {
		return h
	}
	for i := range h.all {
		h.parents[i] = max(h.slot(h.all[i].Parent), 0)
	}
	h.parents[0] = -1
	h.repairParents()
	for i := range h.all {
		h.all[i].Parent = model.NoCollector
		if p := h.parents[i]; p >= 0 {
			h.all[i].Parent = h.all[p].ID
		}
	}
	h.sortChildren()
	h.number()
	for i := len(h.order) - 1; i > 0; i-- { // children before parents
		c := &h.all[h.order[i]]
		p := &h.all[h.parents[h.order[i]]]
		p.HasTime = p.HasTime || c.HasTime
		p.HasLevel = p.HasLevel || c.HasLevel
	}
	for _, at := range h.order {
		c := &h.all[at]
		c.FullName = c.Name
		if h.parents[at] > 0 {
			c.FullName = joinName(h.all[h.parents[at]].FullName, c.Name, old, c.ID)
			h.bytes += int64(len(c.FullName))
		}
	}
	return h
}

// collector returns what the tree knows of a row before parents are repaired. Names of collectors that are not defined are kept from the tree before.
func (row *collectorRow) collector(old *hierarchy) Collector {
	d := &row.def
	c := Collector{
		ID: d.ID, Name: d.Name, Parent: d.Parent, Color: d.Color, Sort: d.Sort, Unit: d.Unit, Scale: d.Scale, Factor: d.Factor,
		Defined: row.defined, HasTime: row.hasTime, HasLevel: row.hasLevel,
	}
	if !row.defined {
		if at := old.slotOf(d.ID); at >= 0 && !old.all[at].Defined {
			c.Name = old.all[at].Name
		} else {
			c.Name = fmt.Sprintf("#%d", d.ID)
		}
	}
	return c
}

// slotOf is slot, of no tree too.
func (h *hierarchy) slotOf(id model.CollectorID) int32 {
	if h == nil {
		return -1
	}
	return h.slot(id)
}

// joinName joins a parent's full name and a name, and reuses the string of the tree before if it is the same.
func joinName(parent, name string, old *hierarchy, id model.CollectorID) string {
	if at := old.slotOf(id); at >= 0 {
		o := old.all[at].FullName
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
	var walk []int32
	for i := range h.all {
		walk = walk[:0]
		c := int32(i)
		for h.depth[c] == unknown {
			h.depth[c] = onWalk
			walk = append(walk, c)
			c = h.parents[c]
		}
		if h.depth[c] == onWalk { // the walk closed on itself: the cycle is its part from c on
			at := slices.Index(walk, c)
			top := slices.Min(walk[at:])
			h.parents[top] = 0
			// Go round again so that the walk starts below the repaired member and ends in it.
			for _, w := range walk {
				h.depth[w] = unknown
			}
			walk = walk[:0]
			for c = int32(i); h.depth[c] == unknown; c = h.parents[c] {
				h.depth[c] = onWalk
				walk = append(walk, c)
			}
		}
		for _, w := range slices.Backward(walk) {
			d := h.depth[h.parents[w]] + 1
			if d > maxHierarchyDepth {
				h.parents[w] = 0
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
		counts[h.parents[i]]++
	}
	backing := make([]model.CollectorID, len(h.all))
	at := 0
	for i := range h.all {
		k := int(counts[i])
		h.children[i] = backing[at : at : at+k]
		at += k
	}
	for i := len(h.all) - 1; i > 0; i-- { // descending id, which the stable sort keeps among equals
		p := h.parents[i]
		h.children[p] = append(h.children[p], h.all[i].ID)
	}
	for _, list := range h.children {
		slices.SortStableFunc(list, func(a, b model.CollectorID) int {
			return cmp.Compare(h.all[h.slot(b)].Sort, h.all[h.slot(a)].Sort)
		})
	}
}

// number fills order, pre and post.
func (h *hierarchy) number() {
	type place struct {
		at   int32
		next int
	}
	stack := []place{{}}
	h.order = append(h.order, 0)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(h.children[top.at]) {
			h.post[top.at] = int32(len(h.order))
			stack = stack[:len(stack)-1]
			continue
		}
		child := h.slot(h.children[top.at][top.next])
		top.next++
		h.pre[child] = int32(len(h.order))
		h.order = append(h.order, child)
		stack = append(stack, place{at: child})
	}
}

// below tells whether c is a or lies below it. Both may be out of bounds.
func (h *hierarchy) below(c, a model.CollectorID) bool {
	c0, a0 := h.slot(c), h.slot(a)
	if c0 < 0 || a0 < 0 {
		return c == a || a == 0
	}
	return h.pre[a0] <= h.pre[c0] && h.pre[c0] < h.post[a0]
}

// compareRank orders collectors as charts stack and list them: descending sort, ties by descending id (pstats-viewer section 4.2).
func (h *hierarchy) compareRank(a, b model.CollectorID) int {
	if a == b {
		return 0
	}
	if at, bt := h.slot(a), h.slot(b); at >= 0 && bt >= 0 {
		if d := cmp.Compare(h.all[bt].Sort, h.all[at].Sort); d != 0 {
			return d
		}
	}
	return cmp.Compare(b, a)
}

// Collector returns the collector of an id. Undefined ids give a placeholder named "#id". The collector is a snapshot: it does not change any more.
func (s *Session) Collector(id model.CollectorID) *Collector {
	h := s.collectors.get()
	if at := h.slot(id); at >= 0 {
		return &h.all[at]
	}
	name := fmt.Sprintf("#%d", id)
	return &Collector{ID: id, Name: name, FullName: name, Sort: -1}
}

// NumCollectors returns one more than the greatest collector id ever defined or used.
func (s *Session) NumCollectors() int { return s.collectors.n }

// Children returns the children of a collector in the static hierarchy, in descending sort, ties by descending id (pstats-viewer section 4.2).
// The root (0) is never its own child. The slice is the session's own.
func (s *Session) Children(id model.CollectorID) []model.CollectorID {
	h := s.collectors.get()
	at := h.slot(id)
	if at < 0 {
		return nil
	}
	return h.children[at]
}

// IsDescendant tells whether c is a or lies below a in the static hierarchy. Everything lies below 0.
func (s *Session) IsDescendant(c, a model.CollectorID) bool { return s.collectors.get().below(c, a) }
