package analysis

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"framescope/net/flare/sample"
)

// Search says which calls to look for.
type Search struct {
	Methods      []sample.MethodID
	MinMs, MaxMs int64 // a call takes at least MinMs and less than MaxMs; MaxMs <= 0: no bound
	MaxHits      int
	ThreadName   string // part of the thread's name
	StartMs      int64  // of the range; negative: the whole recording
	EndMs        int64
	Compat       bool
}

// Call is one hit of a search.
type Call struct {
	Thread     int64
	ThreadName string
	StartMs    int64 // from the first record of the thread in the range
	AtMs       int64 // wall clock, Unix epoch ms
	Ms         int64
	Samples    int64
	Method     sample.MethodID
	Stack      []sample.MethodID // the hit, and the callees that took most of it
	StackMs    []int64
}

// Group is the hits with the same Stack.
type Group struct {
	Stack []sample.MethodID
	Calls []Call
}

// Find searches all threads. progress gets the share of threads begun, in percent, and the name of the thread; it may be nil. limited tells that there are more hits than MaxHits.
func Find(ctx context.Context, rec *sample.Recording, q Search, progress func(percent int, thread string)) (groups []Group, limited bool, err error) {
	wanted := map[sample.MethodID]bool{}
	for _, m := range q.Methods {
		wanted[m] = true
	}
	index := map[string]int{}
	hits := 0
	for i, t := range rec.Threads {
		if err := ctx.Err(); err != nil {
			return groups, false, err
		}
		if !strings.Contains(t.Name, q.ThreadName) {
			continue
		}
		if progress != nil {
			progress(i*100/len(rec.Threads), t.Name)
		}
		var root *Node
		begin := int64(0)
		if q.Compat {
			root, begin, _ = CompatSequenced(rec, t.Records, -1, -1)
		} else {
			root, begin, _ = Sequenced(rec, t, q.StartMs, q.EndMs)
		}
		var walk func(n *Node)
		walk = func(n *Node) {
			for _, c := range n.Children {
				if hits >= q.MaxHits {
					limited = true
					return
				}
				if c.Ms < q.MinMs {
					continue
				}
				if !wanted[c.Method] || q.MaxMs > 0 && c.Ms >= q.MaxMs {
					walk(c)
					continue
				}
				hits++
				call := Call{Thread: t.ID, ThreadName: t.Name, StartMs: c.StartMs, AtMs: begin + c.StartMs, Ms: c.Ms, Samples: c.Calls, Method: c.Method}
				call.Stack, call.StackMs = primary(c, q.MinMs)
				key := fmt.Sprint(call.Stack)
				g, known := index[key]
				if !known {
					g = len(groups)
					index[key] = g
					groups = append(groups, Group{Stack: call.Stack})
				}
				groups[g].Calls = append(groups[g].Calls, call)
			}
		}
		walk(root)
	}
	return groups, limited, nil
}

// primary follows the callee that took most, as long as it took much.
func primary(n *Node, minMs int64) (ids []sample.MethodID, ms []int64) {
	limit := min(n.Ms/3, minMs, 50)
	for {
		ids, ms = append(ids, n.Method), append(ms, n.Ms)
		var most *Node
		for _, c := range n.Children {
			if most == nil || c.Ms > most.Ms {
				most = c
			}
		}
		if most == nil || most.Ms < limit {
			return ids, ms
		}
		n = most
	}
}

// MatchMethods returns the methods whose name contains a text, ascending by name. Upper and lower case count only in compat mode.
func MatchMethods(rec *sample.Recording, text string, compat bool) []sample.MethodID {
	if !compat {
		text = strings.ToLower(text)
	}
	var out []sample.MethodID
	for id, name := range rec.Methods {
		if !compat {
			name = strings.ToLower(name)
		}
		if strings.Contains(name, text) {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, func(a, b sample.MethodID) int {
		return cmp.Or(cmp.Compare(rec.Methods[a], rec.Methods[b]), cmp.Compare(a, b))
	})
	return out
}
