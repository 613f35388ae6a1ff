package spans

import (
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/gsttrace/emit"
	"framescope/net/gsttrace/limits"
	"framescope/net/gsttrace/texts"
)

// Names knows what spans stand for, and the ways by which they were called.
type Names struct {
	out   *emit.Output
	n     model.CollectorID
	nPath model.PathID
	ids   map[string]model.CollectorID
	paths map[pathKey]model.PathID
	key   []byte
	more  model.CollectorID // of all names beyond the limit; 0 while there are none
}

type pathKey struct {
	parent    model.PathID
	collector model.CollectorID
}

// NewNames returns the names of a session, with the root of them all.
func NewNames(out *emit.Output) *Names {
	c := &Names{out: out, nPath: 1, ids: map[string]model.CollectorID{}, paths: map[pathKey]model.PathID{}}
	c.define(model.CollectorDef{Name: "GStreamer", Sort: -1})
	return c
}

func (c *Names) define(d model.CollectorDef) model.CollectorID {
	d.ID = c.n
	c.n++
	c.out.Define(d)
	return d.ID
}

// Group returns the collector of a name below the root.
func (c *Names) Group(name string, color model.RGB) model.CollectorID {
	c.key = append(append(c.key[:0], 0), name...)
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	return c.fresh(model.CollectorDef{Name: name, Sort: -1, Color: color})
}

// fresh defines the collector of c.key, or returns the one of all names that there is no room for.
func (c *Names) fresh(d model.CollectorDef) model.CollectorID {
	if c.n < limits.MaxCollectors-1 && c.out.Names.Admit(d) {
		id := c.define(d)
		c.ids[string(c.key)] = id
		return id
	}
	c.out.Beyond(limits.Collectors)
	return c.Rest()
}

// Rest returns the collector of all names that there is no room for.
func (c *Names) Rest() model.CollectorID {
	if c.more == 0 {
		c.more = c.define(model.CollectorDef{Name: feed.MoreNames, Sort: -1})
	}
	return c.more
}

// Member returns the collector of what a group did with an object: "push_buffer fakesrc0:src" in
// the group "push_buffer".
func (c *Names) Member(group model.CollectorID, verb, object []byte, color model.RGB) model.CollectorID {
	c.key = append(append(append(append(c.key[:0], byte(group), byte(group>>8), byte(group>>16)), verb...), 0), object...)
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	label := texts.Name(object)
	if len(verb) > 0 {
		label = texts.Name(verb) + " " + label
	}
	return c.fresh(model.CollectorDef{Name: label, Parent: group, Sort: -1, Color: color})
}

// Path returns the call path of a collector below another path.
func (c *Names) Path(parent model.PathID, id model.CollectorID) model.PathID {
	k := pathKey{parent, id}
	if p, ok := c.paths[k]; ok {
		return p
	}
	d := model.PathDef{ID: c.nPath, Parent: parent, Collector: id}
	if outermost := parent == model.PathRoot; !outermost || id != c.more || id == 0 {
		if c.nPath >= limits.MaxPaths-1 || !c.out.Names.Admit(d) {
			c.out.Beyond(limits.Collectors)
			if outermost {
				return c.Path(model.PathRoot, c.Rest())
			}
			return parent
		}
	}
	c.nPath++
	c.paths[k] = d.ID
	c.out.Define(d)
	return d.ID
}
