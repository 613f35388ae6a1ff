// File collectors.go holds the targets that time and levels are charged to: the definitions as they
// were received, and the tree of names made of them, which is sound whatever they contain. Collectors
// answers; CollectorKeeper changes the data for the session. It knows no sessions.

package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// maxCollectors bounds the collector table: PStats numbers them with 16 bits, and no source that
// names its own comes near.
const maxCollectors = 1 << 16

// maxFullName bounds a full name in bytes.
const maxFullName = 1024

// Collector is a named thing that is measured.
type Collector struct {
	ID       CollectorID
	Name     string
	FullName string // names from the root joined with ':', without the root's own ("Frame"); placeholders included
	Parent   CollectorID
	Color    RGB
	Sort     int
	Unit     string
	UnitHere string      // Unit, or that of the nearest ancestor below the root that has one
	Top      CollectorID // it, or its ancestor right below the root; 0 of the root
	Scale    float64
	Factor   float64
	Defined  bool
	HasTime  bool // time was ever charged to it or to something below it
	HasLevel bool // a level was ever received for it or for something below it
	// Async means that some of its spans are no calls (model.TrackKind.Calls): many are under way at
	// the same time, so they have no caller, no self time, and their sum is no share of the time.
	Async bool
	// Waits means that its time is waiting: it waits, idles or is parked, or its parent does. Runtime
	// means that it belongs to the runtime of a language and not to the program. Both are derived
	// from names.
	Waits, Runtime bool
	// Voice is what its own name says of that.
	Voice Voice
	// Act is the activity of a thread with it innermost, for methods of Java's library.
	Act Act
	Place
}

// FrameRoot is the name of collector 0 where it stands for whole frames.
const FrameRoot = "Frame"

// IsFrameRoot reports whether it is the root that stands for whole frames.
func (c *Collector) IsFrameRoot() bool { return c.ID == 0 && c.Name == FrameRoot }

// Works reports whether its self time is work: it does not wait, and is not the own time of frames, which
// nobody measured.
func (c *Collector) Works() bool { return !c.Waits && !c.IsFrameRoot() }

// Title is the displayed name of a collector: its full name, for the root, which has none, its own.
func (c *Collector) Title() string {
	if c.FullName == "" {
		return c.Name
	}
	return c.FullName
}

// collectorRow is the received data of a collector.
type collectorRow struct {
	def      CollectorDef
	known    bool // defined or used
	defined  bool
	hasLevel bool
	async    bool
}

// collectorPage is a run of the table. Ids may be far apart: gaps take no room.
type collectorPage struct {
	timed uint32 // bit by row: time was charged to it
	rows  [1 << collectorShift]collectorRow
}

const (
	collectorShift = 5
	collectorMask  = 1<<collectorShift - 1
)

// Collectors holds the received definitions, and a tree made of them on demand. The tree is immutable
// once built, so that results stay valid; it is built again after a definition changed, never while
// data is appended.
type Collectors struct {
	pages  []*collectorPage // by id
	n      int              // one more than the greatest id
	made   int              // pages
	known  int              // ids that were defined or used
	text   int64            // bytes of names and units
	rev    uint64
	treat  Treat
	treats int                           // how often it was set
	acc    interface{ Add(bytes int64) } // columns.Account

	tree *Hierarchy
	next time.Time // a large tree is not built anew before
}

// CollectorKeeper is a table with the methods that change it.
type CollectorKeeper struct{ Collectors }

// Init makes the table ready. acc is the account of trees.
func (t *CollectorKeeper) Init(acc interface{ Add(bytes int64) }) { t.acc = acc }

// Hierarchy is the static hierarchy at one revision of the definitions: parents that do not exist and cycles
// repaired. It may be as deep as there are collectors: computations over all of them go over Order once, not
// from each to the root. Collectors stand in it in the order of their ids, each in a slot; if all ids from 0 on
// are known, the slot is the id. All tables of queries are by slot, so that they are as large as there are
// collectors.
type Hierarchy struct {
	Rev      uint64
	bytes    int64
	dense    uint                          // ids below are all known: their slots are the ids
	slots    []*[1 << collectorShift]int32 // of each id, plus one: 0 is unknown
	All      []Collector
	Children [][]CollectorID
	Parents  []int32 // slots, -1 of the root
	// Order lists the slots in preorder (parents before children, siblings in descending sort); pre
	// is a slot's place in it, and post the place behind its last descendant.
	Order     []int32
	Pre, Post []int32
}

// Slot returns the slot of a collector, -1 if it is not known.
func (h *Hierarchy) Slot(id CollectorID) int32 {
	if uint(id) < h.dense {
		return int32(id)
	}
	return h.farSlot(id)
}

// Dense returns how many ids from 0 on are all known: the slot of each of them is the id.
func (h *Hierarchy) Dense() int { return int(h.dense) }

// farSlot is Slot of an id that is not among the dense ones. (Apart, so that Slot is inlined:
// queries on frames call it for each value.)
func (h *Hierarchy) farSlot(id CollectorID) int32 {
	k := uint(id) >> collectorShift
	if id < 0 || k >= uint(len(h.slots)) || h.slots[k] == nil {
		return -1
	}
	return h.slots[k][id&collectorMask] - 1
}

// Ensure makes sure that id is in the table, as a placeholder if need be. False: the id is out of
// bounds.
func (t *CollectorKeeper) Ensure(id CollectorID) bool {
	if id < 0 || id >= maxCollectors {
		return false
	}
	if id != 0 && t.n == 0 {
		t.Ensure(0) // the root
	}
	k := int(id >> collectorShift)
	if k >= len(t.pages) {
		t.pages = append(t.pages, make([]*collectorPage, k+1-len(t.pages))...)
	}
	if t.pages[k] == nil {
		t.pages[k] = new(collectorPage)
		t.made++
	}
	if row := &t.pages[k].rows[id&collectorMask]; !row.known {
		row.known, row.def = true, CollectorDef{ID: id, Sort: -1}
		t.n, t.known = max(t.n, int(id)+1), t.known+1
		t.rev++
	}
	return true
}

// row returns the row of a collector that is in the table.
func (t *Collectors) row(id CollectorID) *collectorRow {
	return &t.pages[id>>collectorShift].rows[id&collectorMask]
}

func (t *CollectorKeeper) Define(d CollectorDef) bool {
	if !t.Ensure(d.ID) {
		return false
	}
	if d.Parent < 0 || d.Parent >= maxCollectors {
		d.Parent = 0
	}
	t.Ensure(d.Parent)
	row := t.row(d.ID)
	if row.defined && row.def == d {
		return true
	}
	// The sender's may be pieces of something large.
	d.Name, d.Unit, d.File = strings.Clone(d.Name), strings.Clone(d.Unit), strings.Clone(d.File)
	t.text += d.textBytes() - row.def.textBytes()
	row.def, row.defined = d, true
	t.rev++
	return true
}

func (d *CollectorDef) textBytes() int64 { return int64(len(d.Name) + len(d.Unit) + len(d.File)) }

// EnsureTimed is Ensure of a collector with time charged to it, and notes that. It runs for each
// collector of each frame.
func (t *CollectorKeeper) EnsureTimed(id CollectorID) bool {
	if k := uint(id) >> collectorShift; k < uint(len(t.pages)) && t.pages[k] != nil &&
		t.pages[k].timed>>(id&collectorMask)&1 != 0 {
		return true
	}
	if !t.Ensure(id) {
		return false
	}
	t.pages[id>>collectorShift].timed |= 1 << (id & collectorMask)
	t.rev++
	return true
}

// MarkAsync notes that spans of id came that are no calls. id is in the table.
func (t *CollectorKeeper) MarkAsync(id CollectorID) {
	if row := t.row(id); !row.async {
		row.async = true
		t.rev++
	}
}

// MarkLevel notes that a level came for id, which is in the table.
func (t *CollectorKeeper) MarkLevel(id CollectorID) {
	if row := t.row(id); !row.hasLevel {
		row.hasLevel = true
		t.rev++
	}
}

// Size returns the bytes of the table.
func (t *Collectors) Size() int64 {
	return int64(cap(t.pages))*8 + int64(t.made)*int64(unsafe.Sizeof(collectorPage{})) + t.text
}

// keep makes h the tree.
func (t *Collectors) keep(h *Hierarchy) {
	if t.tree != nil {
		t.acc.Add(-t.tree.bytes)
	}
	t.tree = h
	if h != nil {
		t.acc.Add(h.bytes)
	}
}

// Clear forgets all definitions.
func (t *CollectorKeeper) Clear() {
	t.pages, t.n, t.known, t.made, t.text = nil, 0, 0, 0, 0
	t.rev++
	t.keep(nil)
}

// A tree of more than largeTree collectors is built anew so seldom that it takes one part in
// treeShare of the time: a source that goes on defining must not bring the viewer to a stop. Until
// then the one before serves, and newer definitions are in no answer.
const (
	largeTree = 4096
	treeShare = 16
)

// Tree returns the hierarchy of the present definitions, or of those of a moment ago.
func (t *Collectors) Tree() *Hierarchy {
	old := t.tree
	if old != nil && old.Rev == t.rev {
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

// Settle marks the end of the source: the next query includes all of its definitions, however
// recently the tree was built.
func (t *CollectorKeeper) Settle() { t.next = time.Time{} }

func (t *Collectors) build(old *Hierarchy) *Hierarchy {
	n := t.known
	h := &Hierarchy{
		Rev: t.rev, slots: make([]*[1 << collectorShift]int32, len(t.pages)),
		All: make([]Collector, 0, n), Children: make([][]CollectorID, n),
		Parents: make([]int32, n),
		Order:   make([]int32, 0, n), Pre: make([]int32, n), Post: make([]int32, n),
	}
	for k, page := range t.pages {
		if page == nil {
			continue
		}
		h.slots[k] = new([1 << collectorShift]int32)
		for i := range page.rows {
			if page.rows[i].known {
				h.slots[k][i] = int32(len(h.All)) + 1
				row := &page.rows[i]
				if uint(row.def.ID) == h.dense {
					h.dense++
				}
				c := row.collector(old)
				c.HasTime = page.timed>>i&1 != 0
				h.All = append(h.All, c)
			}
		}
	}
	h.bytes = int64(n)*(int64(unsafe.Sizeof(Collector{}))+24+5*4) + int64(len(h.slots))*8 + int64(t.made)*4<<collectorShift
	if n == 0 {
		return h
	}
	for i := range h.All {
		h.Parents[i] = max(h.Slot(h.All[i].Parent), 0)
	}
	h.Parents[0] = -1
	h.repairParents()
	for i := range h.All {
		h.All[i].Parent = NoCollector
		if p := h.Parents[i]; p >= 0 {
			h.All[i].Parent = h.All[p].ID
		}
	}
	h.sortChildren()
	h.number()
	for i := len(h.Order) - 1; i > 0; i-- { // children before parents
		c := &h.All[h.Order[i]]
		p := &h.All[h.Parents[h.Order[i]]]
		p.HasTime = p.HasTime || c.HasTime
		p.HasLevel = p.HasLevel || c.HasLevel
	}
	for _, at := range h.Order {
		c := &h.All[at]
		c.FullName, c.UnitHere, c.Top = c.Name, c.Unit, c.ID
		if h.Parents[at] == 0 {
			c.Voice, c.Runtime = voiceOf("", c.Name), ofRuntime(c.Name)
			c.Waits = c.Voice == SaysWait
		}
		if h.Parents[at] > 0 {
			up := &h.All[h.Parents[at]]
			c.Voice, c.Runtime = voiceOf(up.FullName, c.Name), up.Runtime
			c.Waits = up.Waits || c.Voice == SaysWait
			c.Act = actOf(up.FullName, c.Name)
			c.Top = up.Top
			if c.Unit == "" {
				c.UnitHere = up.UnitHere
			}
			c.FullName = joinName(up.FullName, c.Name, old, c.ID)
			h.bytes += int64(len(c.FullName))
		}
		if v := t.treat.Voice(c); v != SaysNothing && h.Parents[at] >= 0 {
			c.Voice, c.Waits = v, v == SaysWait
		}
	}
	return h
}

// collector returns the collector of a row before parents are repaired. Names of collectors that
// are not defined are kept from the tree before.
func (row *collectorRow) collector(old *Hierarchy) Collector {
	d := &row.def
	c := Collector{
		ID: d.ID, Name: d.Name, Parent: d.Parent, Color: d.Color, Sort: d.Sort,
		Unit: d.Unit, Scale: d.Scale, Factor: d.Factor,
		Defined: row.defined, HasLevel: row.hasLevel, Async: row.async, Place: d.Place,
	}
	if !row.defined {
		if at := old.slotOf(d.ID); at >= 0 && !old.All[at].Defined {
			c.Name = old.All[at].Name
		} else {
			c.Name = fmt.Sprintf("#%d", d.ID)
		}
	}
	return c
}

// slotOf is slot, of no tree too.
func (h *Hierarchy) slotOf(id CollectorID) int32 {
	if h == nil {
		return -1
	}
	return h.Slot(id)
}

// joinName joins a parent's full name and a name, and reuses the string of the tree before if it is
// the same.
func joinName(parent, name string, old *Hierarchy, id CollectorID) string {
	if at := old.slotOf(id); at >= 0 {
		o := old.All[at].FullName
		if len(o) == len(parent)+1+len(name) && o[:len(parent)] == parent && o[len(parent)+1:] == name {
			return o
		}
	}
	if len(parent)+1+len(name) > maxFullName {
		return "…:" + name
	}
	return parent + ":" + name
}

// repairParents makes collectors top-level that are their own ancestors.
func (h *Hierarchy) repairParents() {
	const unknown, onWalk, sound = 0, 1, 2
	state := make([]uint8, len(h.All))
	state[0] = sound
	var walk []int32
	for i := range h.All {
		walk = walk[:0]
		c := int32(i)
		for state[c] == unknown {
			state[c] = onWalk
			walk = append(walk, c)
			c = h.Parents[c]
		}
		if state[c] == onWalk { // the walk closed on itself: the cycle is its part from c on
			h.Parents[slices.Min(walk[slices.Index(walk, c):])] = 0
		}
		for _, w := range walk {
			state[w] = sound
		}
	}
}

func (h *Hierarchy) sortChildren() {
	counts := make([]int32, len(h.All)+1)
	for i := 1; i < len(h.All); i++ {
		counts[h.Parents[i]]++
	}
	backing := make([]CollectorID, len(h.All))
	at := 0
	for i := range h.All {
		k := int(counts[i])
		h.Children[i] = backing[at : at : at+k]
		at += k
	}
	for i := len(h.All) - 1; i > 0; i-- { // descending id, which the stable sort keeps among equals
		p := h.Parents[i]
		h.Children[p] = append(h.Children[p], h.All[i].ID)
	}
	for _, list := range h.Children {
		slices.SortStableFunc(list, func(a, b CollectorID) int {
			return cmp.Compare(h.All[h.Slot(b)].Sort, h.All[h.Slot(a)].Sort)
		})
	}
}

// number fills order, pre and post.
func (h *Hierarchy) number() {
	type place struct {
		at   int32
		next int
	}
	stack := []place{{}}
	h.Order = append(h.Order, 0)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(h.Children[top.at]) {
			h.Post[top.at] = int32(len(h.Order))
			stack = stack[:len(stack)-1]
			continue
		}
		child := h.Slot(h.Children[top.at][top.next])
		top.next++
		h.Pre[child] = int32(len(h.Order))
		h.Order = append(h.Order, child)
		stack = append(stack, place{at: child})
	}
}

// below reports whether c is a or lies below it. Both may be out of bounds.
func (h *Hierarchy) below(c, a CollectorID) bool {
	c0, a0 := h.Slot(c), h.Slot(a)
	if c0 < 0 || a0 < 0 {
		return c == a || a == 0
	}
	return h.Pre[a0] <= h.Pre[c0] && h.Pre[c0] < h.Post[a0]
}

// CompareRank orders collectors as charts stack and list them: descending sort, ties by descending
// id (VIEWER.md section 4.2).
func (h *Hierarchy) CompareRank(a, b CollectorID) int {
	if a == b {
		return 0
	}
	if at, bt := h.Slot(a), h.Slot(b); at >= 0 && bt >= 0 {
		if d := cmp.Compare(h.All[bt].Sort, h.All[at].Sort); d != 0 {
			return d
		}
	}
	return cmp.Compare(b, a)
}

// ByID returns the collector of an id. Undefined ids give a placeholder named "#id". The collector
// is a snapshot: it does not change any more.
func (t *Collectors) ByID(id CollectorID) *Collector {
	h := t.Tree()
	if at := h.Slot(id); at >= 0 {
		return &h.All[at]
	}
	name := fmt.Sprintf("#%d", id)
	return &Collector{ID: id, Name: name, FullName: name, Top: id, Sort: -1}
}

// Len returns one more than the greatest collector id ever defined or used.
func (t *Collectors) Len() int { return t.n }

// Revision changes with every definition.
func (t *Collectors) Revision() uint64 { return t.rev }

// Children returns the children of a collector in the static hierarchy, in descending sort, ties by
// descending id (VIEWER.md section 4.2). The root (0) is never its own child. The slice is the
// table's own.
func (t *Collectors) Children(id CollectorID) []CollectorID {
	h := t.Tree()
	at := h.Slot(id)
	if at < 0 {
		return nil
	}
	return h.Children[at]
}

// IsDescendant reports whether c is a or lies below a in the static hierarchy. Everything lies below
// 0.
func (t *Collectors) IsDescendant(c, a CollectorID) bool { return t.Tree().below(c, a) }
