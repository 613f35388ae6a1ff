package profilelib

import (
	"cmp"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// nameKey is the name field of a record, as it stands there.
type nameKey struct{ a, b, c, d uint64 }

// recentName is a name that came lately: it is found by a part of its hash, without a look into a map. It has not the
// ID 0.
type recentName struct {
	key       nameKey
	collector int32
}

const recentBits = 8

// spread makes all bits of a key count in the high ones.
const spread = 0x9e3779b97f4a7c15

// nameTable gives names of blocks, names of locks and call paths their ids.
type nameTable struct {
	*trace.Table
	names map[nameKey]int32
	texts []string   // of collectors of blocks
	empty int32      // collector of the empty name, -1 before one came
	apart pauseTable // between blocks of a name

	recentNames [1 << recentBits]recentName
}

func newNameTable(sink feed.Sink, room *feed.Names) *nameTable {
	return &nameTable{Table: trace.NewTable(sink, room, "All blocks"), names: map[nameKey]int32{}, empty: -1}
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
	id := t.Keyed([]byte("b"+name),
		func() model.CollectorDef { return model.CollectorDef{Name: cmp.Or(name, "(no name)")} })
	if id == trace.Other {
		return int32(id)
	}
	if name == "" {
		t.empty = int32(id)
	}
	for len(t.texts) <= int(id) {
		t.texts = append(t.texts, "")
	}
	t.texts[id] = cmp.Or(name, "(no name)")
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
	return t.Keyed([]byte("l"+name), func() model.CollectorDef {
		parent := t.Group(nil, func() string { return "Locks" })
		return model.CollectorDef{Name: cmp.Or(name, "(no name)"), Parent: parent}
	})
}

// textOf returns the text up to the first NUL. A character of UTF-8 that the field cuts at its end
// is left out.
func textOf(b []byte) string {
	b = cutNUL(b)
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
