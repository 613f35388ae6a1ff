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

// A name and a call path that came lately are found by a part of their hash, without a look into a map. Neither has the ID 0.
type (
	recentName struct {
		key       nameKey
		collector int32
	}
	recentPath struct {
		key uint64
		id  model.PathID
	}
)

const recentBits = 8

// spread makes all bits of a key count in the high ones.
const spread = 0x9e3779b97f4a7c15

// nameTable gives names of blocks, names of locks and call paths their ids, and defines them at the
// sink.
type nameTable struct {
	define func(model.Change)
	limit  func(what string)
	room   *feed.Names
	names  map[nameKey]int32
	next   model.CollectorID
	texts  []string   // of collectors of blocks
	empty  int32      // collector of the empty name, -1 before one came
	apart  pauseTable // between blocks of a name
	locks  map[string]model.CollectorID
	paths  map[uint64]model.PathID

	recentNames [1 << recentBits]recentName
	recentPaths [1 << recentBits]recentPath
}

func newNameTable(define func(model.Change), limit func(string), room *feed.Names) *nameTable {
	t := &nameTable{
		define: define, limit: limit, room: room, names: map[nameKey]int32{}, next: otherCollector + 1, empty: -1,
		locks: map[string]model.CollectorID{}, paths: map[uint64]model.PathID{},
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
	recent := &t.recentNames[(k.a^k.b*spread^k.c<<1^k.d)*0xff51afd7ed558ccd>>(64-recentBits)]
	if recent.key == k && recent.collector != 0 {
		return recent.collector, true
	}
	if c, ok = t.names[k]; ok {
		*recent = recentName{k, c}
		return c, true
	}
	if CheckName(b) != NoFault {
		return 0, false
	}
	return t.fresh(k, textOf(b[AtName:AtName+NameBytes])), true
}

// fresh gives a new name a collector.
func (t *nameTable) fresh(k nameKey, name string) int32 {
	id := t.next
	def := model.CollectorDef{ID: id, Name: name, Sort: -1}
	if name == "" {
		def.Name = "(no name)"
	}
	if len(t.names) >= maxNames || !t.room.Admit(def) {
		t.limit(fmt.Sprintf("more than %d names of blocks: further ones are shown as %q", len(t.names), feed.MoreNames))
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
	t.names[k] = int32(id)
	return int32(id)
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

// path returns the call path of a collector called from parent.
func (t *nameTable) path(parent model.PathID, c int32) model.PathID {
	key := uint64(parent)<<32 | uint64(uint32(c))
	recent := &t.recentPaths[key*spread>>(64-recentBits)]
	if recent.key == key && recent.id != 0 {
		return recent.id
	}
	if id, ok := t.paths[key]; ok {
		*recent = recentPath{key, id}
		return id
	}
	def := model.PathDef{ID: model.PathID(len(t.paths) + 1), Parent: parent, Collector: model.CollectorID(c)}
	// Of outermost ones there are no more than names, which had to be let in already.
	if parent != model.PathRoot && (len(t.paths) >= maxPaths || !t.room.Admit(def)) {
		t.limit(fmt.Sprintf("more than %d call paths: further ones count for their callers", len(t.paths)))
		return parent
	}
	t.define(def)
	t.paths[key] = def.ID
	return def.ID
}
