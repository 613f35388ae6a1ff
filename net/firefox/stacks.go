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
	tables
	d      *decoder
	shared bool // all of the tables are

	collectors []model.CollectorID // by frame; Root: not known yet
	path       []model.PathID      // by stack; PathRoot: not known yet
	depth      []int32             // by stack: frames that are shown
	list       []model.PathID      // the stack
	of         int32               // that was last asked for
	chain      []int32             // scratch
	key        []byte
}

// use takes the tables of a thread, and those that are shared for the others.
func (x *stacks) use(own, all *tables) {
	var shared bool
	x.tables, shared = own.or(all)
	x.of = none
	if shared && x.shared {
		return
	}
	x.shared = shared
	k := &x.d.keep
	x.collectors = zeroed(k, x.collectors, len(x.frame.fn))
	x.path = zeroed(k, x.path, len(x.tables.stack.frame))
	x.depth = zeroed(k, x.depth, len(x.path))
	x.path = x.path[:len(x.depth)]
}

// zeroed returns a list of n zeros, shorter where there is no room.
func zeroed[T any](k *keeper, list []T, n int) []T {
	list, ok := feed.Grow(k.room, list[:0], n)
	if !ok {
		k.bad.BadN(trace.NoMemory, int64(n-cap(list)), trace.Unknown)
		n = cap(list)
	}
	list = list[:n]
	clear(list)
	return list
}

// stack returns the call paths of a stack, the outermost first; valid until the next.
func (x *stacks) stack(i int32) []model.PathID {
	if i != x.of || len(x.list) == 0 {
		x.of, x.list = i, x.d.Names.Stack(x.inner(i), x.list[:0])
	}
	return x.list
}

// inner returns the call path of the innermost frame of a stack; of those too deep that is the last which is not.
func (x *stacks) inner(i int32) model.PathID {
	if i < 0 || int(i) >= len(x.depth) {
		x.d.Bad.Bad(trace.BadReference, x.d.place)
		return x.d.Names.Path(model.PathRoot, x.d.unknown())
	}
	x.resolve(i)
	return x.path[i]
}

// resolve gives a stack, and those around it, their call paths.
func (x *stacks) resolve(i int32) {
	x.chain = x.chain[:0]
	up := i
	for up >= 0 && x.path[up] == model.PathRoot {
		x.chain = append(x.chain, up)
		next, ok := x.parent(up)
		if !ok {
			x.d.Bad.Bad(trace.BadReference, x.d.place)
		}
		up = next
	}
	path, depth := model.PathRoot, int32(0)
	if up >= 0 {
		path, depth = x.path[up], x.depth[up]
	}
	for k := len(x.chain) - 1; k >= 0; k-- {
		s := x.chain[k]
		if depth < trace.MaxDepth {
			path, depth = x.d.Names.Path(path, x.collector(at(x.tables.stack.frame, s), s)), depth+1
		} else {
			x.d.Bad.Bad(trace.DeepStack, trace.Unknown)
		}
		x.path[s], x.depth[s] = path, depth
	}
}

// collector returns that of the function of a frame.
func (x *stacks) collector(frame, stack int32) model.CollectorID {
	if frame < 0 || int(frame) >= len(x.collectors) {
		x.d.Bad.Bad(trace.BadReference, x.d.place)
		return x.d.unknown()
	}
	if x.collectors[frame] == trace.Root {
		x.collectors[frame] = x.function(frame, stack)
	}
	return x.collectors[frame]
}

// function gives the function of a frame a collector, below the library, file or page that it is in.
func (x *stacks) function(frame, stack int32) model.CollectorID {
	fn := at(x.frame.fn, frame)
	name := x.strings.at(at(x.fn.name, fn))
	if name == nil {
		x.d.Bad.Bad(trace.BadReference, x.d.place)
		return x.d.unknown()
	}
	resource := x.row(at(x.fn.resource, fn), max(len(x.resource.lib), len(x.resource.name)))
	lib := at(x.frame.lib, frame)
	if lib == none {
		lib = at(x.resource.lib, resource)
	}
	lib = x.row(lib, len(x.d.libs.ends))
	file := x.row(at(x.fn.file, fn), len(x.strings.ends))
	if file == none {
		file = at(x.files, x.row(at(x.fn.source, fn), len(x.files)))
	}
	in := x.d.libs.at(lib)
	if in == nil {
		in = x.strings.at(file)
	}
	if in == nil {
		in = x.strings.at(at(x.resource.name, resource))
	}
	category := at(x.frame.category, frame)
	if category == none {
		category = at(x.tables.stack.category, stack)
	}
	category = x.row(category, len(x.d.meta.categories))
	x.key = append(append(append(x.key[:0], name...), 0), in...)
	return x.d.Names.Keyed(x.key, func() model.CollectorDef {
		def := model.CollectorDef{
			Name: trace.JSONText(name), Color: x.d.color(category),
			Place: trace.Place(trace.JSONText(x.strings.at(file)), int64(at(x.fn.line, fn))),
		}
		var shown string
		def.Parent, shown = x.d.Files.Collector(in)
		if lib != none && isAddress(def.Name) {
			def.Name = shown + "+" + def.Name
		}
		if def.Name == "" {
			def.Name = "(anonymous)"
			if line := at(x.fn.line, fn); line > 0 {
				def.Name += ":" + strconv.Itoa(int(line))
			}
		}
		return def
	})
}

// row returns a row that a table has, else none. It counts what the table has not, if there is such a table at all:
// which there are is a matter of the version.
func (x *stacks) row(i int32, rows int) int32 {
	if int(i) < rows {
		return i
	}
	if rows > 0 {
		x.d.Bad.Bad(trace.BadReference, x.d.place)
	}
	return none
}

// isAddress reports whether a function has no name but its place.
func isAddress(name string) bool {
	hex, ok := strings.CutPrefix(name, "0x")
	return ok && hex != "" && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
}
