package flare

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Search says which calls to look for.
type Search struct {
	Methods      []MethodID
	MinMs, MaxMs int64 // a call takes at least MinMs and less than MaxMs; MaxMs <= 0: no bound
	MaxHits      int
	ThreadName   string // part of the thread's name
	StartMs      int64  // of the range; negative: the bound of the recording
	EndMs        int64
	Compat       bool
}

// Limits of an answer: hits, and methods of all their stacks.
const (
	maxHits = 1 << 17
	maxKept = 1 << 22
)

// Call is one hit of a search.
type Call struct {
	Thread     int64
	ThreadName string
	StartMs    int64 // from the first record of the thread in the range
	AtMs       int64 // wall clock, Unix epoch ms
	Ms         int64
	CPUNs      int64 // estimated; 0 in compat mode
	Samples    int64
	Method     MethodID
	Stack      []MethodID // the hit, and the callees that took most of it
	StackMs    []int64
}

// Group is the hits with the same Stack.
type Group struct {
	Stack []MethodID
	Calls []Call
}

// Find searches all threads. progress gets the share of threads begun, in percent, and the name of the thread; it
// may be nil. limited means that there are more hits than MaxHits. In compat mode Find checks that only between
// two threads, as the original does, and may return more hits than that.
func Find(
	ctx context.Context, rec *Recording, q Search, progress func(percent int, thread string),
) (groups []Group, limited bool, err error) {
	f := finder{Search: q, wanted: map[MethodID]bool{}, index: map[string]int{}}
	for _, m := range q.Methods {
		f.wanted[m] = true
	}
	for i, t := range rec.Threads {
		if err := ctx.Err(); err != nil {
			return f.groups, false, err
		}
		if !strings.Contains(t.Name, q.ThreadName) {
			continue
		}
		if q.Compat && f.hits >= q.MaxHits {
			f.limited = true
		}
		if f.limited {
			break
		}
		if progress != nil {
			progress(i*100/len(rec.Threads), t.Name)
		}
		tree, err := Sequenced(ctx, q.Compat, rec, t, q.StartMs, q.EndMs)
		if err != nil {
			return f.groups, false, err
		}
		f.thread, f.begin = t, tree.BeginMs
		f.walk(tree.Root)
	}
	return f.groups, f.limited, nil
}

// finder is a search under way.
type finder struct {
	Search
	wanted  map[MethodID]bool
	groups  []Group
	index   map[string]int // of groups, by stack
	hits    int
	kept    int // methods of the stacks of hits
	limited bool
	thread  *Thread
	begin   int64
	key     []byte
}

func (f *finder) walk(n *Node) {
	for _, c := range n.Children {
		if f.limited || c.Ms < f.MinMs {
			continue
		}
		if !f.wanted[c.Method] || f.MaxMs > 0 && c.Ms >= f.MaxMs {
			f.walk(c)
			continue
		}
		if f.hits >= f.MaxHits && !f.Compat || f.hits >= maxHits || f.kept >= maxKept {
			f.limited = true
			return
		}
		f.hits++
		call := Call{
			Thread: f.thread.ID, ThreadName: f.thread.Name, StartMs: c.StartMs, AtMs: f.begin + c.StartMs, Ms: c.Ms,
			CPUNs: c.CPUNs, Samples: c.Calls, Method: c.Method,
		}
		call.Stack, call.StackMs = primary(c, f.MinMs)
		f.kept += len(call.Stack)
		f.key = appendStack(f.key[:0], call.Stack)
		g, known := f.index[string(f.key)]
		if !known {
			g = len(f.groups)
			f.index[string(f.key)] = g
			f.groups = append(f.groups, Group{Stack: call.Stack})
		}
		f.groups[g].Calls = append(f.groups[g].Calls, call)
	}
}

// primary follows the callee that took most, as long as it took much.
func primary(n *Node, minMs int64) (ids []MethodID, ms []int64) {
	limit := min(n.Ms/3, minMs, 50)
	for {
		ids, ms = append(ids, n.Method), append(ms, n.Ms)
		if len(n.Children) == 0 {
			return ids, ms
		}
		if n = slices.MaxFunc(n.Children, func(a, b *Node) int { return cmp.Compare(a.Ms, b.Ms) }); n.Ms < limit {
			return ids, ms
		}
	}
}

// MatchMethods returns the methods with matching names, ascending by name.
func MatchMethods(rec *Recording, match func(name string) bool) []MethodID {
	var out []MethodID
	for id, name := range rec.Methods {
		if match(name) {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, func(a, b MethodID) int {
		return cmp.Or(cmp.Compare(rec.Methods[a], rec.Methods[b]), cmp.Compare(a, b))
	})
	return out
}
