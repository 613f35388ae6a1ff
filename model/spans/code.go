package spans

import (
	"framescope/model"
)

// codePaths marks the call paths with code innermost, which runs or would like to (StateReady).
type codePaths struct {
	is   []bool
	none []bool // for callers that ignore it
	// Its inputs: definitions, and how each collector waits.
	paths, collectors uint64
	acts              []uint8
	undefined         int // no path before it is without a definition
}

func (k *codePaths) size() int64 { return int64(cap(k.is) + cap(k.none) + cap(k.acts)) }

// codeFor is codePaths for indexes of samples and a clock: without a clock it marks nothing, as it is not
// needed.
func (x *Table) codeFor(clock *Series) []bool {
	if clock != nil {
		return x.codePaths()
	}
	k := &x.code
	if more := x.host.Paths.Len() - len(k.none); more > 0 {
		k.none = append(k.none, make([]bool, more)...)
	}
	return k.none[:x.host.Paths.Len()]
}

// codePaths returns for each call path whether it is code. If that changed for a known path,
// everything made from sampled stacks is dropped.
func (x *Table) codePaths() []bool {
	k, n := &x.code, x.host.Paths.Len()
	if k.paths == x.host.Paths.Revision() && k.collectors == x.host.Collectors.Revision() && len(k.is) == n {
		return k.is
	}
	k.paths, k.collectors = x.host.Paths.Revision(), x.host.Collectors.Revision()
	from := min(len(k.is), k.undefined)
	if x.readActs() {
		from = 0
	}
	k.undefined = n
	changed := false
	for p := from; p < n; p++ {
		code := x.StateOf(model.PathID(p)) == StateReady
		if _, c := x.host.Paths.ByID(model.PathID(p)); c == model.NoCollector && p > 0 {
			k.undefined = min(k.undefined, p)
		}
		if p >= len(k.is) {
			k.is = append(k.is, code)
			continue
		}
		changed = changed || k.is[p] != code
		k.is[p] = code
	}
	if changed {
		x.stacks.Clear()
	}
	return k.is
}

// readActs notes how collectors wait, and reports whether one that was known waits otherwise now.
func (x *Table) readActs() (changed bool) {
	k, n := &x.code, x.host.Collectors.Len()
	for id := range n {
		act := uint8(0)
		if c := x.host.Collectors.ByID(model.CollectorID(id)); c != nil {
			if act = 1 + uint8(c.Act)<<2; c.Waits {
				act |= 2
			}
		}
		if id >= len(k.acts) {
			k.acts = append(k.acts, act)
			continue
		}
		changed = changed || k.acts[id] != act
		k.acts[id] = act
	}
	return changed
}
