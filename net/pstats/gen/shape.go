package gen

import (
	"fmt"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// pathsPerTree is about how many call paths a kind of thread has.
const pathsPerTree = 75

// node is one call path of a tree. Node 0 is the frame.
type node struct {
	collector int32
	parent    int32
	children  []int32
	path      model.PathID
}

// tree is the set of possible calls of one kind of thread, and the collectors in it, ascending.
type tree struct {
	nodes      []node
	collectors []int32
	deepest    int // nesting, the frame included
}

// shape is common to all frames of a session.
type shape struct {
	collectors []pstats.CollectorDef
	levels     []uint16
	trees      []tree
}

// Words for collector names.
var (
	treeNames = [...]string{"App", "Draw", "Device", "Jobs"}
	areas     = [...]string{
		"Physics", "Animation", "Audio", "Scene", "Scripts", "Particles", "Network", "Navigation", "Terrain",
		"Shadows", "Lighting", "Culling", "Sprites", "Effects",
	}
	actions = [...]string{
		"Update", "Collect", "Sort", "Solve", "Prepare", "Submit", "Blend", "Query", "Rebuild", "Flush", "Copy",
		"Visit",
	}
	sharedNames = [...]string{"Wait", "Allocate", "Lock"}
)

func newShape(o Options) shape {
	rnd := random(o.Seed ^ 0x67656e2d73686170)
	var s shape
	s.collectors = append(s.collectors, pstats.CollectorDef{
		Index: 0, Name: "Frame", Parent: 0, R: 0.5, G: 0.5, B: 0.5, Scale: 1.0 / 30, Factor: 1,
	})
	shared := s.define("Runtime", 0)
	var leaves []int32
	for _, name := range sharedNames {
		leaves = append(leaves, s.define(name, shared))
	}
	nextPath := model.PathID(1)
	for i := range min(len(treeNames), o.Tracks) {
		s.trees = append(s.trees, s.grow(&rnd, treeNames[i], o.Depth, leaves, &nextPath))
	}
	for i := range o.Levels {
		c := s.define(fmt.Sprintf("Counter %d", i+1), 0)
		s.collectors[c].Units, s.collectors[c].Scale = "objects", 1000
		s.levels = append(s.levels, uint16(c))
	}
	return s
}

func (s *shape) define(name string, parent int32) int32 {
	c := int32(len(s.collectors))
	s.collectors = append(s.collectors, pstats.CollectorDef{
		Index: int16(c), Name: name, Parent: int16(parent), Sort: -1, Factor: 1,
	})
	return c
}

// grow makes a tree: one chain down to the full depth, and branches from it.
func (s *shape) grow(rnd *random, name string, depth int, leaves []int32, nextPath *model.PathID) tree {
	t := tree{nodes: []node{{parent: -1}}, deepest: depth}
	top := s.define(name, 0)
	add := func(parent, collector int32) int32 {
		n := int32(len(t.nodes))
		t.nodes = append(t.nodes, node{collector: collector, parent: parent})
		t.nodes[parent].children = append(t.nodes[parent].children, n)
		return n
	}
	level := []int32{0}
	for d := 1; d < depth; d++ {
		var below []int32
		for k, parent := range level {
			for child := range 1 + rnd.below(4) {
				if len(t.nodes) >= pathsPerTree && k+child > 0 {
					break
				}
				label := areas[rnd.below(len(areas))]
				if d > 1 {
					label = actions[rnd.below(len(actions))]
				}
				static := top
				if parent != 0 {
					static = t.nodes[parent].collector
				}
				below = append(below, add(parent, s.define(fmt.Sprintf("%s %d", label, len(t.nodes)), static)))
			}
			if d > 1 && rnd.below(4) == 0 && len(t.nodes) < pathsPerTree {
				add(parent, leaves[rnd.below(len(leaves))]) // nothing runs inside it
			}
		}
		level = below
	}
	for i := range t.nodes {
		t.nodes[i].path = *nextPath
		if i == 0 && *nextPath > 1 {
			t.nodes[0].path = 1 // all trees have the frame's path
		} else {
			*nextPath++
		}
		t.collectors = append(t.collectors, t.nodes[i].collector)
	}
	slices.Sort(t.collectors)
	t.collectors = slices.Compact(t.collectors)
	return t
}

// paths calls fn with the definition of each call path, parents first.
func (s *shape) paths(fn func(model.PathDef)) {
	for k := range s.trees {
		t := &s.trees[k]
		for i := range t.nodes {
			n := &t.nodes[i]
			if n.parent >= 0 {
				fn(model.PathDef{ID: n.path, Parent: t.nodes[n.parent].path, Collector: model.CollectorID(n.collector)})
			} else if k == 0 {
				fn(model.PathDef{ID: n.path, Collector: model.CollectorID(n.collector)})
			}
		}
	}
}
