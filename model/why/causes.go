package why

import (
	"cmp"
	"slices"
)

// cause is one thing in a profile that took longer than is typical.
type cause struct {
	part   int
	whole  bool // including its descendants
	how    How
	excess int64
	isNs   int64
}

// causes finds the parts of a profile that took longer.
type causes struct {
	p     *profile
	least int64 // the least excess of a cause
	list  []cause
}

// find fills the list with the parts that took longer than is typical, the greatest first. excess is
// how much longer all of it took.
//
// It goes down the tree of names from the root: to the part below that has (almost) all of the
// excess, as far as there is one. If the excess is in several parts, either the collector grew as a
// whole, all descendants alike, and is the cause; or each part that has much of it is one.
func (c *causes) find(p *profile, excess int64) {
	c.p, c.list = p, c.list[:0]
	c.least = max(int64(leastShare*float64(excess)), 1)
	for k := range p.parts {
		if x := &p.parts[k]; x.waits && x.self.excess() >= c.least && x.self.excess() > x.self.spread {
			c.list = append(c.list, cause{k, false, Waiting, x.self.excess(), x.self.is})
		}
	}
	c.below(0)
	if len(c.list) == 0 {
		c.greatest()
	}
	greatestFirst(c.list)
	settle(c.list, func(a cause) int64 { return a.excess }, func(a, b cause) bool {
		return a.part > 0 && (b.part == 0 || a.part < b.part)
	})
}

func greatestFirst(list []cause) {
	slices.SortStableFunc(list, func(a, b cause) int { return cmp.Compare(b.excess, a.excess) })
}

// alike is the share of the greatest excess that those have that are as great.
const alike = 0.97

// settle moves the first cause to the front. Among causes about as great as the greatest it picks by an
// order common to all frames: otherwise rounding would decide in each frame anew, and frames of one cause
// would have two. Uncovered time comes after named collectors.
func settle[T any](list []T, excess func(T) int64, before func(a, b T) bool) {
	first := 0
	for i := range list {
		if float64(excess(list[i])) >= alike*float64(excess(list[0])) && before(list[i], list[first]) {
			first = i
		}
	}
	for i := first; i > 0; i-- {
		list[i], list[i-1] = list[i-1], list[i]
	}
}

// lesser adds lesser causes. If the found causes leave a tenth of the excess or more, it adds each
// collector with half of the rest as self time; if they exceed the excess, as others took less, each with
// a fifth of the found sum.
func (c *causes) lesser(excess int64) {
	sum := int64(0)
	for i := range c.list {
		sum += c.list[i].excess
	}
	least := c.leastBeside(excess, sum)
	if least == 0 {
		return
	}
	found := len(c.list)
	for k := range c.p.parts {
		x := &c.p.parts[k]
		if d := x.self.excess(); x.waits || d < least || d <= x.self.spread || c.has(k, c.list[:found]) {
			continue
		}
		c.add(k, false)
	}
	greatestFirst(c.list[found:])
}

// leastBeside is the least excess of a further cause beside some with a total, 0 if there is none.
func (c *causes) leastBeside(excess, sum int64) int64 {
	switch rest := excess - sum; {
	case rest < 0:
		return int64(leastShare * float64(sum))
	case float64(rest) < leastRest*float64(excess):
		return 0
	default:
		return max((rest+1)/2, 1)
	}
}

// has reports whether a part is among some causes, or below one that is a whole.
func (c *causes) has(k int, among []cause) bool {
	for i := range among {
		a := among[i].part
		if a == k || among[i].whole && k > a && k < int(c.p.parts[a].end) {
			return true
		}
	}
	return false
}

// greatest takes the whole as a cause, or the wait that grew most: where nothing is so much longer than
// in the frames around that it stands out.
func (c *causes) greatest() {
	best := cause{0, true, Spread, c.p.parts[0].whole.excess(), c.p.parts[0].whole.is}
	for k := range c.p.parts {
		if x := &c.p.parts[k]; x.waits && x.self.excess() > best.excess {
			best = cause{k, false, Waiting, x.self.excess(), x.self.is}
		}
	}
	if best.excess > 0 {
		c.list = append(c.list, best)
	}
}

// below looks for causes in the part at index k and its descendants.
func (c *causes) below(k int) {
	x := &c.p.parts[k]
	excess := x.whole.excess()
	if excess < c.least || excess <= 0 {
		return
	}
	all := int64(allShare * float64(excess))
	if x.whole.typical == 0 {
		all = int64(newShare * float64(excess))
	}
	best := -1
	for i := k + 1; i < int(x.end); i = int(c.p.parts[i].end) {
		if y := &c.p.parts[i]; !y.waits && (best < 0 || y.whole.excess() > c.p.parts[best].whole.excess()) {
			best = i
		}
	}
	switch {
	case k == 0 && best >= 0 && c.besides(best) && c.grew(0):
		c.add(0, true)
		return
	case best >= 0 && c.p.parts[best].whole.excess() >= all:
		c.below(best)
		return
	case k > 0 && x.multiplied():
		c.add(k, true)
		return
	case x.self.excess() >= all:
		c.add(k, false)
		return
	case c.grew(k):
		c.add(k, true)
		return
	}
	found := int64(0)
	for i := k + 1; i < int(x.end); i = int(c.p.parts[i].end) {
		if y := &c.p.parts[i]; !y.waits && y.whole.excess() >= c.least {
			found += y.whole.excess()
			c.below(i)
		}
	}
	if x.self.excess() >= c.least {
		found += x.self.excess()
		c.add(k, false)
	}
	if rest := excess - found; rest >= max(c.least, excess/2) {
		c.list = append(c.list, cause{k, true, Spread, rest, x.whole.is})
	}
}

// Growth as a whole.
const (
	grownPart  = 0.35 // least growth of a grown part relative to that of the whole, as shares of the typical
	grownShare = 0.7  // of the typical time is in parts that have grown
	standsOut  = 0.45 // of the excess in one part is one that stands out
	manyParts  = 4    // parts that are many
	fewShare   = 0.9  // of the excess is in two parts that are named instead of their parent

	besidesShare = 0.1 // of the typical time is besides the part that grew most
	besidesGrew  = 0.6 // least growth of the rest relative to that of the whole, as a share of the typical
)

// grew reports whether a part took longer as a whole, with all that is below it.
func (c *causes) grew(k int) bool {
	x := &c.p.parts[k]
	if k > 0 && x.calls.is == 0 { // it only groups others
		return false
	}
	if c.fresh(k) {
		return k > 0
	}
	typical, grown, parts, most := c.grown(k)
	if float64(grown) < grownShare*float64(typical) {
		return false
	}
	if k == 0 {
		return parts >= manyParts && float64(most) < standsOut*float64(x.whole.excess())
	}
	return parts >= 2 && !c.few(k)
}

// few reports whether two children of a part have almost all of its excess: both are named.
func (c *causes) few(k int) bool {
	x, great, sum := &c.p.parts[k], 0, int64(0)
	for i := k + 1; i < int(x.end); i = int(c.p.parts[i].end) {
		if d := c.p.parts[i].whole.excess(); !c.p.parts[i].waits && d >= c.least {
			great, sum = great+1, sum+d
		}
	}
	return great == 2 && float64(sum) >= fewShare*float64(x.whole.excess())
}

// besides reports whether the rest of the frame grew as much as the whole did.
func (c *causes) besides(k int) bool {
	all, x := c.p.parts[0].whole, c.p.parts[k].whole
	typical, excess := float64(all.typical-x.typical), float64(all.excess()-x.excess())
	return typical >= besidesShare*float64(all.typical) &&
		excess*float64(all.typical) >= besidesGrew*typical*float64(all.excess())
}

// grown returns the typical time of the work below a part, how much of it is in parts that have grown
// about as much as the whole did, how many these are, and the greatest excess of one of them.
func (c *causes) grown(k int) (typical, grown int64, parts int, most int64) {
	x := &c.p.parts[k]
	ratio := float64(x.whole.excess()) / float64(max(x.whole.typical, 1))
	for i := k; i < int(x.end); i++ {
		y := &c.p.parts[i]
		if y.waits {
			continue
		}
		typical += y.self.typical
		if d := y.self.excess(); d > 0 && float64(d) >= grownPart*ratio*float64(y.self.typical) {
			grown += y.self.typical
			parts++
			most = max(most, d)
		}
	}
	return typical, grown, parts, most
}

// leastRest is the smallest share of unexplained excess that is searched for lesser causes.
const leastRest = 0.1

// longerCall is the factor over the typical length from which on a call is longer, for collectors that
// run now and then.
const longerCall = 1.5

// rare is the share of the frames around in which something is new that is in no more of them.
const rare = 0.03

// fresh reports whether a part is in (almost) none of the frames around.
func (c *causes) fresh(k int) bool { return fresh(&c.p.parts[k], c.p) }

func fresh(x *part, of *profile) bool { return float64(x.seen) <= rare*float64(of.around) }

// add adds a part as a cause: by itself, or as a whole.
func (c *causes) add(k int, whole bool) {
	x := &c.p.parts[k]
	q := x.self
	if whole {
		q = x.whole
	}
	found := cause{k, whole, Longer, q.excess(), q.is}
	switch {
	case k == 0 && !whole:
		found.how = NotMeasured
	case c.fresh(k):
		found.how = New
	case k > 0 && x.oftener(whole):
		found.how = MoreCalls
	case k == 0 || whole && c.many(k):
		found.how = Spread
	}
	c.list = append(c.list, found)
}

// oftener reports whether a part took longer because of more calls: the extra calls, at typical
// length, would have taken half of the excess or more.
func (x *part) oftener(whole bool) bool {
	q, call := x.self, x.callSelf
	if whole {
		q, call = x.whole, x.callWhole
	}
	if x.calls.typical == 0 && x.calls.is > 0 { // it runs now and then
		return float64(q.is) < longerCall*call*float64(x.calls.is)
	}
	more := float64(x.calls.excess())
	return more > 0 && 2*more*call >= float64(q.excess())
}

// multiplied reports whether a part was called at least twice as often as is typical, and its total
// time grew because of that.
func (x *part) multiplied() bool {
	return x.calls.typical > 0 && x.calls.is >= 2*x.calls.typical && x.oftener(true)
}

// many reports whether the excess of a part is spread over many parts below it and none stands out.
func (c *causes) many(k int) bool {
	_, _, parts, most := c.grown(k)
	return parts > manyParts && float64(most) < standsOut*float64(c.p.parts[k].whole.excess())
}
