package gsttrace

import (
	"cmp"
	"maps"
	"slices"

	"framescope/model"
	"framescope/net/feed"
)

// namesMost bounds what the names in a log may take that is summed up.
const namesMost = 256 << 20

// facts is a sink that keeps of a session what a sum needs of it: what the leaks tracer listed.
type facts struct {
	feed.Nowhere
	names   feed.Held
	listed  map[model.ResourceID]model.ResourceDef
	refs    map[string]int64 // references by type
	threads *mapper          // knows the names of threads
}

func newFacts() *facts {
	f := &facts{listed: map[model.ResourceID]model.ResourceDef{}, refs: map[string]int64{}}
	f.names.SetLimit(namesMost)
	f.threads = newMapper(New(f, false), Options{File: true})
	return f
}

// thread returns what the session calls the thread of a thread-id in a process: "queue0:src". It is
// empty where the log has no such thread.
func (f *facts) thread(pid, id uint64) string {
	if p := f.threads.procs[pid]; p != nil && p.byID[id] != nil {
		return p.byID[id].def().Name
	}
	return ""
}

// leaks sums up what was listed, by type. It ends the session.
func (f *facts) leaks() (list []LeakType) {
	f.threads.close()
	types := map[string]*LeakType{}
	for _, d := range f.listed {
		t := types[d.Type]
		if t == nil {
			t = &LeakType{Type: d.Type, References: f.refs[d.Type]}
			types[d.Type] = t
		}
		*[...]*int64{&t.Leaked, &t.Listed, &t.Added, &t.Removed}[d.Fate]++
	}
	for _, t := range slices.SortedFunc(maps.Values(types),
		func(a, b *LeakType) int { return cmp.Compare(a.Type, b.Type) }) {
		list = append(list, *t)
	}
	return list
}

// NamesHeld bounds names, as feed.NamesOf asks.
func (f *facts) NamesHeld() *feed.Held { return &f.names }

// Define implements feed.Sink.
func (f *facts) Define(c model.Change) {
	switch c := c.(type) {
	case model.ResourceDef:
		f.listed[c.ID] = model.ResourceDef{Type: c.Type, Fate: c.Fate}
	case model.RefEvent:
		f.refs[f.listed[c.Resource].Type]++
	}
}
