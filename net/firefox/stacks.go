package firefox

import (
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// stacks maps the stacks of a thread to call paths. Results for tables that all threads share are kept
// from thread to thread.
type stacks struct {
	d       *decoder
	strings *texts
	table   *stackTable
	frames  *frameTable
	funcs   *funcTable
	res     *resourceTable
	files   []int32
	shared  bool // all of the tables are
	began   bool

	collectors []model.CollectorID // by frame; Root: not known yet
	path       []model.PathID      // by stack; PathRoot: not known yet
	depth      []int32             // by stack: frames
	rep        []int32             // by stack: itself, or the one around it that is not too deep
	list       []model.PathID      // scratch
	of         int32               // owner of the stack
	chain      []int32
	key        []byte
}

// use takes the tables of a thread, and those that are shared for the others.
func (x *stacks) use(own, all *tables) {
	pick := func(has bool) *tables {
		if has {
			return own
		}
		return all
	}
	shared := !own.hasStrings && !own.hasStacks && !own.hasFrames && !own.hasFuncs && !own.hasResources
	x.strings, x.table = &pick(own.hasStrings).strings, &pick(own.hasStacks).stacks
	x.frames, x.funcs = &pick(own.hasFrames).frames, &pick(own.hasFuncs).funcs
	x.res, x.files = &pick(own.hasResources).resources, all.files
	x.of = none
	if shared && x.shared && x.began {
		return
	}
	x.shared, x.began = shared, true
	k := &x.d.keep
	x.collectors = zeroed(k, x.collectors, len(x.frames.fn))
	x.path = zeroed(k, x.path, len(x.table.frame))
	x.depth = zeroed(k, x.depth, len(x.table.frame))
	x.rep = zeroed(k, x.rep, len(x.table.frame))
	n := min(len(x.path), len(x.depth), len(x.rep))
	x.path, x.depth, x.rep = x.path[:n], x.depth[:n], x.rep[:n]
}

// zeroed returns a list of n zeros, shorter where there is no room.
func zeroed[T any](k *keeper, list []T, n int) []T {
	list, ok := feed.Grow(k.room, list[:0], n)
	if !ok {
		k.refused += int64(n - cap(list))
		n = cap(list)
	}
	list = list[:n]
	clear(list)
	return list
}

// stack returns the call paths of a stack, the outermost first; valid until the next.
func (x *stacks) stack(i int32) []model.PathID {
	if i == x.of && len(x.list) > 0 {
		return x.list
	}
	x.of = i
	x.list = x.list[:0]
	if i < 0 || int(i) >= len(x.rep) {
		x.d.problem(badStack, 1)
		x.list = append(x.list, x.d.names.Path(model.PathRoot, x.d.unknown()))
		return x.list
	}
	x.resolve(i)
	i = x.rep[i]
	n := int(x.depth[i])
	for len(x.list) < n {
		x.list = append(x.list, 0)
	}
	for k := n - 1; k >= 0; k-- {
		x.list[k] = x.path[i]
		i, _ = x.table.parent(i)
	}
	return x.list
}

// inner returns the call path of the innermost frame of a stack.
func (x *stacks) inner(i int32) model.PathID {
	s := x.stack(i)
	return s[len(s)-1]
}

// resolve gives a stack, and those around it, their call paths.
func (x *stacks) resolve(i int32) {
	x.chain = x.chain[:0]
	up := i
	for up >= 0 && x.path[up] == model.PathRoot {
		x.chain = append(x.chain, up)
		next, ok := x.table.parent(up)
		if !ok {
			x.d.problem(badPrefix, 1)
		}
		up = next
	}
	path, depth, rep := model.PathRoot, int32(0), up
	if up >= 0 {
		path, depth, rep = x.path[up], x.depth[up], x.rep[up]
	}
	for k := len(x.chain) - 1; k >= 0; k-- {
		s := x.chain[k]
		if depth < trace.MaxDepth {
			path, depth, rep = x.d.names.Path(path, x.collector(at(x.table.frame, s), s)), depth+1, s
		} else {
			x.d.tooDeep++
		}
		x.path[s], x.depth[s], x.rep[s] = path, depth, rep
	}
}

// collector returns that of the function of a frame.
func (x *stacks) collector(frame, stack int32) model.CollectorID {
	if frame < 0 || int(frame) >= len(x.collectors) {
		x.d.problem(badFrame, 1)
		return x.d.unknown()
	}
	if c := x.collectors[frame]; c != trace.Root {
		return c
	}
	c := x.function(frame, stack)
	x.collectors[frame] = c
	return c
}

// function gives the function of a frame a collector, below the library, file or page that it is in.
func (x *stacks) function(frame, stack int32) model.CollectorID {
	fn := at(x.frames.fn, frame)
	name := x.strings.at(at(x.funcs.name, fn))
	if name == nil {
		x.d.problem(badFrame, 1)
		return x.d.unknown()
	}
	lib := at(x.frames.lib, frame)
	resource := at(x.funcs.resource, fn)
	if lib == none {
		lib = at(x.res.lib, resource)
	}
	in, isLib := x.d.libs.at(lib), true
	fileName, source := at(x.funcs.file, fn), at(x.funcs.source, fn)
	file := x.strings.at(fileName)
	if file == nil {
		file = x.strings.at(at(x.files, source))
	}
	x.d.beyond(lib, len(x.d.libs.ends))
	x.d.beyond(resource, max(len(x.res.lib), len(x.res.name)))
	x.d.beyond(fileName, len(x.strings.ends))
	x.d.beyond(source, len(x.files))
	if in == nil {
		if in, isLib = file, false; in == nil {
			in = x.strings.at(at(x.res.name, resource))
		}
	}
	x.key = append(append(append(x.key[:0], name...), 0), in...)
	category := at(x.frames.category, frame)
	if category == none {
		category = at(x.table.category, stack)
	}
	if n := len(x.d.meta.categories); n < maxCategories {
		x.d.beyond(category, n)
	}
	return x.d.names.Keyed(x.key, func() model.CollectorDef {
		def := model.CollectorDef{Name: trace.JSONText(name), Color: x.d.color(category)}
		var shown string
		def.Parent, shown = x.d.files.Collector(in)
		if isLib && isAddress(def.Name) {
			def.Name = shown + "+" + def.Name
		}
		if def.Name == "" {
			def.Name = "(anonymous)"
			if line := at(x.funcs.line, fn); line > 0 {
				def.Name += ":" + strconv.Itoa(int(line))
			}
		}
		return def
	})
}

// beyond counts what names a row that a table has not, if there is such a table at all: which there are is
// a matter of the version.
func (d *decoder) beyond(row int32, rows int) {
	if rows > 0 && int(row) >= rows {
		d.problem(badPlace, 1)
	}
}

// isAddress reports whether a function has no name but its place.
func isAddress(name string) bool {
	hex, ok := strings.CutPrefix(name, "0x")
	return ok && hex != "" && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
}
