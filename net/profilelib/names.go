package profilelib

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of names. The store has room for 65,536 collectors.
const (
	maxNames = 1<<16 - 4096 // of blocks; further ones count for one collector
	maxLocks = 4000         // names of locks
	maxPaths = 1 << 20      // call paths; a block beyond counts for its caller's
)

// Collectors that exist in every session.
const (
	rootCollector  model.CollectorID = 0
	locksCollector model.CollectorID = 1
	otherCollector model.CollectorID = 2
)

// nameKey is the name field of a record, as it stands there.
type nameKey struct{ a, b, c, d uint64 }

// nameSlot is a place in the hash table of names. Collector 0 marks an empty one: it is never a
// block's.
type nameSlot struct {
	key       nameKey
	collector int32
}

// nameTable gives names of blocks, names of locks and call paths their ids, and defines them at the
// sink.
type nameTable struct {
	define func(model.Change)
	limit  func(what string)
	room   *feed.Names
	slots  []nameSlot
	n      int
	next   model.CollectorID
	texts  []string   // of collectors of blocks
	empty  int32      // collector of the empty name, -1 before one came
	apart  pauseTable // between blocks of a name
	locks  map[string]model.CollectorID

	paths    []pathSlot
	numPaths int
}

func newNameTable(define func(model.Change), limit func(string), room *feed.Names) *nameTable {
	t := &nameTable{
		define: define, limit: limit, room: room, slots: make([]nameSlot, 1<<8), next: otherCollector + 1, empty: -1, locks: map[string]model.CollectorID{}, paths: make([]pathSlot, 1<<10),
	}
	define(model.CollectorDef{ID: rootCollector, Name: "All blocks", Sort: -1})
	define(model.CollectorDef{ID: locksCollector, Name: "Locks", Sort: -1})
	define(model.CollectorDef{ID: otherCollector, Name: feed.MoreNames, Sort: -1})
	return t
}

// block returns the collector of a record's name; ok is false when the name is no text.
func (t *nameTable) block(b []byte) (c int32, ok bool) {
	o := binary.LittleEndian
	k := nameKey{o.Uint64(b[32:]), o.Uint64(b[40:]), o.Uint64(b[48:]), 0}
	k.d, k.c = k.c>>48, k.c&(1<<48-1)
	k.d |= uint64(o.Uint16(b[56:])) << 16
	h := (k.a^k.b*0x9e3779b97f4a7c15^k.c<<1^k.d)*0xff51afd7ed558ccd ^ k.b
	h ^= h >> 32
	mask := uint64(len(t.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		s := &t.slots[at]
		if s.collector == 0 {
			break
		}
		if s.key == k {
			return s.collector, true
		}
	}
	if CheckName(b) != NoFault {
		return 0, false
	}
	return t.fresh(k, h, textOf(b[AtName:AtName+NameBytes])), true
}

// fresh gives a new name a collector.
func (t *nameTable) fresh(k nameKey, h uint64, name string) int32 {
	id := t.next
	def := model.CollectorDef{ID: id, Name: name, Sort: -1}
	if name == "" {
		def.Name = "(no name)"
	}
	if t.n >= maxNames || !t.room.Admit(def) {
		t.limit(fmt.Sprintf("more than %d names of blocks: further ones are shown as %q", t.n, feed.MoreNames))
		return int32(otherCollector)
	}
	t.next++
	if name == "" {
		t.empty = int32(id)
	}
	for len(t.texts) <= int(id) {
		t.texts = append(t.texts, "")
	}
	t.texts[id] = def.Name
	t.define(def)
	t.n++
	if 2*t.n > len(t.slots) {
		old := t.slots
		t.slots = make([]nameSlot, 2*len(old))
		for _, s := range old {
			if s.collector != 0 {
				t.put(s)
			}
		}
	}
	t.put(nameSlot{k, int32(id)})
	return int32(id)
}

func (t *nameTable) put(s nameSlot) {
	k := s.key
	h := (k.a^k.b*0x9e3779b97f4a7c15^k.c<<1^k.d)*0xff51afd7ed558ccd ^ k.b
	h ^= h >> 32
	mask := uint64(len(t.slots) - 1)
	at := h & mask
	for t.slots[at].collector != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = s
}

// text returns the name of a block's collector.
func (t *nameTable) text(c int32) string {
	if int(c) < len(t.texts) && t.texts[c] != "" {
		return t.texts[c]
	}
	return feed.MoreNames
}

// lock returns the collector of a lock's name.
func (t *nameTable) lock(name string) model.CollectorID {
	if id, ok := t.locks[name]; ok {
		return id
	}
	def := model.CollectorDef{ID: t.next, Name: name, Parent: locksCollector, Sort: -1}
	if name == "" {
		def.Name = "(no name)"
	}
	if len(t.locks) >= maxLocks || !t.room.Admit(def) {
		t.limit(fmt.Sprintf("more than %d names of locks: further ones are shown as one", len(t.locks)))
		return locksCollector
	}
	t.next++
	t.locks[name] = def.ID
	t.define(def)
	return def.ID
}

// textOf returns the text up to the first NUL. A character of UTF-8 that the field cuts at its end
// is left out.
func textOf(b []byte) string {
	for i, c := range b {
		if c == 0 {
			b = b[:i]
			break
		}
	}
	for cut := 1; cut < utf8.UTFMax && cut <= len(b); cut++ {
		if c := b[len(b)-cut]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-cut:]) {
				b = b[:len(b)-cut]
			}
			break
		}
	}
	return strings.ToValidUTF8(string(b), "�")
}

// pathSlot is a place in the hash table of call paths; key 0 marks an empty one.
type pathSlot struct {
	key uint64
	id  model.PathID
}

// path returns the call path of a collector called from parent.
func (t *nameTable) path(parent model.PathID, c int32) model.PathID {
	key := uint64(parent)<<32 | uint64(uint32(c)) // c is never 0
	h := key * 0x9e3779b97f4a7c15
	h ^= h >> 32
	mask := uint64(len(t.paths) - 1)
	at := h & mask
	for ; t.paths[at].key != 0; at = (at + 1) & mask {
		if t.paths[at].key == key {
			return t.paths[at].id
		}
	}
	def := model.PathDef{ID: model.PathID(t.numPaths + 1), Parent: parent, Collector: model.CollectorID(c)}
	// Of outermost ones there are no more than names, which had to be let in already.
	if parent != model.PathRoot && (t.numPaths >= maxPaths || !t.room.Admit(def)) {
		t.limit(fmt.Sprintf("more than %d call paths: further ones count for their callers", t.numPaths))
		return parent
	}
	t.numPaths++
	id := def.ID
	t.define(def)
	t.paths[at] = pathSlot{key, id}
	if 2*t.numPaths > len(t.paths) {
		old := t.paths
		t.paths = make([]pathSlot, 2*len(old))
		for _, s := range old {
			if s.key != 0 {
				t.putPath(s)
			}
		}
	}
	return id
}

func (t *nameTable) putPath(s pathSlot) {
	h := s.key * 0x9e3779b97f4a7c15
	h ^= h >> 32
	mask := uint64(len(t.paths) - 1)
	at := h & mask
	for t.paths[at].key != 0 {
		at = (at + 1) & mask
	}
	t.paths[at] = s
}
