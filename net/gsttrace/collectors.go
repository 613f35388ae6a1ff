package gsttrace

import "framescope/model"

// collectors names what spans stand for, and the ways by which they were called.
type collectors struct {
	out   *output
	n     model.CollectorID
	nPath model.PathID
	ids   map[string]model.CollectorID
	paths map[pathKey]model.PathID
	key   []byte
}

type pathKey struct {
	parent    model.PathID
	collector model.CollectorID
}

func (c *collectors) init(out *output) {
	c.out, c.ids, c.paths = out, map[string]model.CollectorID{}, map[pathKey]model.PathID{}
	c.nPath = 1
	c.define(model.CollectorDef{Name: "GStreamer", Sort: -1})
}

func (c *collectors) define(d model.CollectorDef) model.CollectorID {
	d.ID = c.n
	c.n++
	c.out.define(d)
	return d.ID
}

// group returns the collector of a name below the root.
func (c *collectors) group(name string, color model.RGB) model.CollectorID {
	c.key = append(append(c.key[:0], 0), name...)
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	if c.n >= maxCollectors {
		c.out.limits.add(limitCollectors)
		return 0
	}
	id := c.define(model.CollectorDef{Name: name, Sort: -1, Color: color})
	c.ids[string(c.key)] = id
	return id
}

// member returns the collector of what a group did with an object: "push_buffer fakesrc0:src" in the group "push_buffer".
func (c *collectors) member(group model.CollectorID, verb, object []byte, color model.RGB) model.CollectorID {
	c.key = append(append(append(append(c.key[:0], byte(group), byte(group>>8), byte(group>>16)), verb...), 0), object...)
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	if c.n >= maxCollectors {
		c.out.limits.add(limitCollectors)
		return group
	}
	label := name(object)
	if len(verb) > 0 {
		label = name(verb) + " " + label
	}
	id := c.define(model.CollectorDef{Name: label, Parent: group, Sort: -1, Color: color})
	c.ids[string(c.key)] = id
	return id
}

// path returns the call path of a collector below another path.
func (c *collectors) path(parent model.PathID, id model.CollectorID) model.PathID {
	k := pathKey{parent, id}
	if p, ok := c.paths[k]; ok {
		return p
	}
	if c.nPath >= maxPaths {
		c.out.limits.add(limitCollectors)
		return parent
	}
	p := c.nPath
	c.nPath++
	c.paths[k] = p
	c.out.define(model.PathDef{ID: p, Parent: parent, Collector: id})
	return p
}
