package spall

import (
	"strings"
	"unicode"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of names. The store has room for 65,536 collectors.
const (
	maxNames = 1<<16 - 16
	maxPaths = 1 << 21
)

// Collectors that exist in every session.
const (
	rootCollector  model.CollectorID = 0
	otherCollector model.CollectorID = 1
)

// names gives the names of calls and call paths their ids, and defines them at the sink.
type names struct {
	sink    feed.Sink
	room    *feed.Names
	ids     map[string]model.CollectorID
	paths   map[uint64]model.PathID
	of      []model.CollectorID // by path
	refused int64               // calls whose name or path there was no room for
}

func newNames(sink feed.Sink, room *feed.Names) *names {
	sink.Define(model.CollectorDef{ID: rootCollector, Name: "All calls", Sort: -1})
	sink.Define(model.CollectorDef{ID: otherCollector, Name: feed.MoreNames, Sort: -1})
	return &names{
		sink: sink, room: room, ids: map[string]model.CollectorID{}, paths: map[uint64]model.PathID{},
		of: []model.CollectorID{rootCollector},
	}
}

// collector returns that of a name as it stands in the file.
func (t *names) collector(name []byte) model.CollectorID {
	if id, ok := t.ids[string(name)]; ok {
		return id
	}
	def := model.CollectorDef{ID: otherCollector + 1 + model.CollectorID(len(t.ids)), Name: shown(string(name)), Sort: -1}
	if def.Name == "" {
		def.Name = "(unnamed)"
	}
	if len(t.ids) >= maxNames || !t.room.Admit(def) {
		t.refused++
		return otherCollector
	}
	t.ids[string(name)] = def.ID
	t.sink.Define(def)
	return def.ID
}

// path returns the call path of a name below another path. Where there is no room for one more it is
// the caller's, or outermost that of all names without room.
func (t *names) path(parent model.PathID, c model.CollectorID) model.PathID {
	k := uint64(parent)<<32 | uint64(uint32(c))
	if p, ok := t.paths[k]; ok {
		return p
	}
	def := model.PathDef{ID: model.PathID(len(t.of)), Parent: parent, Collector: c}
	if sure := parent == model.PathRoot && c == otherCollector; !sure && (len(t.of) >= maxPaths || !t.room.Admit(def)) {
		t.refused++
		if parent == model.PathRoot {
			return t.path(parent, otherCollector)
		}
		return parent
	}
	t.paths[k] = def.ID
	t.of = append(t.of, c)
	t.sink.Define(def)
	return def.ID
}

// shown returns a text of the file as it is shown: what is no UTF-8, as where a long name was cut
// within a character, and what can't be seen is replaced.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}
