package gsttrace

import (
	"framescope/model"
	"framescope/net/feed"
)

// SpansNames holds the names of spans, and their call paths.
type SpansNames struct {
	out   *Output
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
func NewNames(out *Output) *SpansNames {
	c := &SpansNames{out: out, nPath: 1, ids: map[string]model.CollectorID{}, paths: map[pathKey]model.PathID{}}
	c.define(model.CollectorDef{Name: "GStreamer", Sort: -1})
	return c
}

func (c *SpansNames) define(d model.CollectorDef) model.CollectorID {
	d.ID = c.n
	c.n++
	c.out.Define(d)
	return d.ID
}

// Group returns the collector of a name below the root.
func (c *SpansNames) Group(name string, color model.RGB) model.CollectorID {
	c.key = append(append(c.key[:0], 0), name...)
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	return c.fresh(model.CollectorDef{Name: name, Sort: -1, Color: color})
}

// fresh defines the collector of c.key, or returns the one of all names that there is no room for.
func (c *SpansNames) fresh(d model.CollectorDef) model.CollectorID {
	if c.n < MaxCollectors-1 && c.out.Names.Admit(d) {
		id := c.define(d)
		c.ids[string(c.key)] = id
		return id
	}
	c.out.Beyond(Collectors)
	return c.Rest()
}

// Rest returns the collector of all names that there is no room for.
func (c *SpansNames) Rest() model.CollectorID {
	if c.more == 0 {
		c.more = c.define(model.CollectorDef{Name: feed.MoreNames, Sort: -1})
	}
	return c.more
}

// Member returns the collector of what a group did with an object: "push_buffer fakesrc0:src" in
// the group "push_buffer".
func (c *SpansNames) Member(group model.CollectorID, verb, object []byte, color model.RGB) model.CollectorID {
	c.key = append(append(append(append(c.key[:0], byte(group), byte(group>>8), byte(group>>16)), verb...), 0), object...)
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	label := Name(object)
	if len(verb) > 0 {
		label = Name(verb) + " " + label
	}
	return c.fresh(model.CollectorDef{Name: label, Parent: group, Sort: -1, Color: color})
}

// Path returns the call path of a collector below another path.
func (c *SpansNames) Path(parent model.PathID, id model.CollectorID) model.PathID {
	k := pathKey{parent, id}
	if p, ok := c.paths[k]; ok {
		return p
	}
	d := model.PathDef{ID: c.nPath, Parent: parent, Collector: id}
	if outermost := parent == model.PathRoot; !outermost || id != c.more || id == 0 {
		if c.nPath >= MaxPaths-1 || !c.out.Names.Admit(d) {
			c.out.Beyond(Collectors)
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
