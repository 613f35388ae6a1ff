package spans

// KeptPaths is the input of a tree's sum: runs of positions, and their sum. While a range is being
// dragged, or data come in, the next tree is of nearly the same runs, and its sum is the one before
// plus the added and minus the removed ones. The zero value keeps nothing.
type KeptPaths struct {
	sums, minus PathTotals
	runs        []keptRun
	at          int // the run that is next
}

// keptRun is a run of positions of a list; cuts counts changes other than appending.
type keptRun struct {
	list     any
	cuts     uint64
	from, to int64
}

// PathAdder is a list that can add up runs of positions.
type PathAdder interface {
	AddRange(from, to int64, sums *PathTotals)
	// Cuts changes whenever a position may have got another meaning.
	Cuts() uint64
}

// begin makes ready for the runs of the next tree.
func (k *KeptPaths) begin(paths int) {
	k.at = 0
	k.sums.Grow(paths)
	k.minus.Grow(paths)
	k.sums.Visited, k.minus.Visited = 0, 0
}

// Forget forgets everything.
func (k *KeptPaths) Forget() {
	k.sums.Clear()
	k.minus.Clear()
	clear(k.runs)
	k.runs, k.at = k.runs[:0], 0
}

// Add makes positions [from, to) of a list the next run. If the run in its place belonged to another
// list, this one was cut, or most of it is gone, ok is false: then forget all and start again.
func (k *KeptPaths) Add(list PathAdder, from, to int64) (ok bool) {
	if k.at == len(k.runs) {
		k.runs = append(k.runs, keptRun{list: list, cuts: list.Cuts()})
	}
	r := &k.runs[k.at]
	if r.list != list || r.cuts != list.Cuts() {
		return false
	}
	if gone := max(from-r.from, 0) + max(r.to-to, 0); r.from < r.to && gone > max(to-from, 0) {
		return false
	}
	k.at++
	if to <= r.from || from >= r.to || r.from == r.to || from == to {
		list.AddRange(r.from, r.to, &k.minus)
		list.AddRange(from, to, &k.sums)
	} else {
		k.edge(list, from, r.from)
		k.edge(list, r.to, to)
	}
	r.from, r.to = from, to
	return true
}

// edge adds [a, b), or takes away [b, a).
func (k *KeptPaths) edge(list PathAdder, a, b int64) {
	if a < b {
		list.AddRange(a, b, &k.sums)
	} else if b < a {
		list.AddRange(b, a, &k.minus)
	}
}

// addTo adds the sum of all runs. It returns false where there were more before.
func (k *KeptPaths) addTo(sums *PathTotals) (ok bool) {
	if k.at != len(k.runs) {
		return false
	}
	for _, p := range k.minus.Used {
		k.sums.Add(p, -k.minus.Sums[p].Ns, -k.minus.Sums[p].Count)
	}
	k.minus.Clear()
	for _, p := range k.sums.Used {
		if t := k.sums.Sums[p]; t != (PathTotal{}) {
			sums.Add(p, t.Ns, t.Count)
		}
	}
	sums.Visited += k.sums.Visited + k.minus.Visited + int64(len(k.sums.Used))
	return true
}
