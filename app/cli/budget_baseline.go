package cli

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"framescope/internal/escape"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/store"
)

// Baseline is the reference that recordings must not be slower than.
type Baseline struct {
	Name    string // of its file
	Session *store.Session
	Range   place.TimeRange
	Worse   float64 // the allowed increase as a share, 0.05 for 5 %
}

// leastPart is the smallest share of a frame, or of a second, for a collector to count: nobody notices
// if a smaller one doubles.
const leastPart = 0.001

// Compared is the comparison of a recording with a baseline.
type Compared struct {
	*Baseline
	Of               string                            // unit of means: frame, or second
	Tested, Untested int                               // frame time and collectors that both have
	Lacks            [compare.LacksIndependent + 1]int // of the untested ones, by the missing data
	Slower           []Slower
}

// Slower is something that takes longer than in the baseline, beyond the usual variation.
type Slower struct {
	Thread, Collector string // the frame itself where no collector is named
	Name              string // of the collector, for people
	Hitches           bool   // how often it has hitches, as a share of the frames
	compare.Figure
	Share  float64 // as a share of its earlier time
	Breach bool    // it is more than is allowed
}

// Breaches counts the entries that are slower beyond the allowance.
func (c *Compared) Breaches() (n int) {
	for range c.slower(true) {
		n++
	}
	return n
}

// slower returns the rows that are slower, by more than the limit or by less.
func (c *Compared) slower(breach bool) iter.Seq[*Slower] {
	return func(yield func(*Slower) bool) {
		for i := 0; c != nil && i < len(c.Slower); i++ {
			if x := &c.Slower[i]; x.Breach == breach && !yield(x) {
				return
			}
		}
	}
}

// Compare compares a range of a session with the baseline, by the test of `framescope diff`: self time
// of collectors, to name the place of a slowdown, and the frame time.
func (b *Baseline) Compare(s *store.Session, rng place.TimeRange) (*Compared, error) {
	var sides [2]compare.Side
	var err error
	if sides[0], err = place.Side(b.Session, b.Range, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", escape.Name(b.Name), err)
	}
	if sides[1], err = place.Side(s, rng, nil); err != nil {
		return nil, err
	}
	r := compare.Of(sides[0], sides[1], compare.Options{Whole: true})
	if r.Sums != nil {
		return nil, errors.New("recordings without times have only sums, which cannot be tested; `framescope diff` " +
			"compares them")
	}
	c := &Compared{Baseline: b, Of: "frame"}
	whole := 1e9 // the whole for shares
	if r.ByTime {
		c.Of = "second"
	}
	if f := r.Frames; f != nil {
		whole = f.Mean.Typical[0]
		c.add(Slower{Thread: f.Thread, Figure: f.Mean}, 0)
		c.add(Slower{Thread: f.Thread, Hitches: true, Figure: f.Hitches}, 0)
	}
	for i := range r.Collectors {
		x := &r.Collectors[i]
		f := &x.Total
		if x.Self.Known {
			f = &x.Self
		}
		c.add(Slower{Thread: r.Threads[x.Thread].Title, Collector: x.Name(), Name: x.Title(), Figure: *f}, leastPart*whole)
	}
	return c, nil
}

// add takes a figure into account that both sides have; least is from when on it may be a breach.
func (c *Compared) add(x Slower, least float64) {
	switch x.Verdict {
	case compare.Gone:
		return
	case compare.New:
		if !x.Hitches {
			return
		}
	case compare.Untested:
		c.Untested++
		c.Lacks[x.Lack]++
		return
	}
	c.Tested++
	if x.Verdict != compare.Slower && x.Verdict != compare.New {
		return
	}
	if x.Share = math.Inf(1); x.Typical[0] > 0 {
		x.Share = x.Delta() / x.Typical[0]
	}
	x.Breach = x.Share > c.Worse && x.Typical[1] >= least
	c.Slower = append(c.Slower, x)
}

// Title names it with its thread: "App:Physics on Main".
func (x *Slower) Title() string {
	what := "frame"
	if x.Hitches {
		what = "hitches"
	} else if x.Collector != "" {
		what = escape.Name(x.Name)
	}
	return what + " on " + escape.Name(x.Thread)
}

// word is the verdict: slower beyond noise, but perhaps by no more than is allowed, or next to nothing.
func (x *Slower) word() string {
	if x.Breach {
		return "slower"
	}
	return "little"
}

// By says how much slower it is: "+12.3 %".
func (x *Slower) By() string {
	if math.IsInf(x.Share, 0) {
		return "from nothing"
	}
	return "+" + strconv.FormatFloat(100*x.Share, 'f', 1, 64) + " %"
}

// Is and Was are its present and earlier time.
func (x *Slower) Is() string  { return x.text(x.Typical[1]) }
func (x *Slower) Was() string { return x.text(x.Typical[0]) }

func (x *Slower) text(v float64) string {
	if x.Hitches {
		return strconv.FormatFloat(100*v, 'f', 2, 64) + " % of frames"
	}
	return inMs(v)
}

func inMs(ns float64) string { return strconv.FormatFloat(ns/1e6, 'f', 3, 64) + " ms" }

// Chance is the corrected p as text.
func (x *Slower) Chance() string {
	if x.P < 0.0001 {
		return "p < 0.0001"
	}
	return "p = " + strconv.FormatFloat(x.P, 'f', 4, 64)
}

// Allowed is by how much something may be slower, as text: "+5 %".
func (b *Baseline) Allowed() string {
	return "+" + strconv.FormatFloat(100*b.Worse, 'f', -1, 64) + " %"
}

// Why describes a breach in a sentence.
func (x *Slower) Why(c *Compared) string {
	kind := "mean frame time of a " + c.Of
	if x.Hitches {
		kind = "there are"
	} else if x.Collector != "" {
		kind = "self time of a " + c.Of
	}
	return fmt.Sprintf("%s: %s %s, was %s in %s: %s, allowed %s (%s)", x.Title(), kind, x.Is(), x.Was(),
		escape.Name(c.Name), x.By(), c.Allowed(), x.Chance())
}

// Summary is one line on all of it.
func (c *Compared) Summary() string { return c.summary(escape.Name(c.Name)) }

func (c *Compared) summary(name string) string {
	var b strings.Builder
	if n := c.Breaches(); n == 0 {
		fmt.Fprintf(&b, "nothing slower than %s by more than %s", name, strings.TrimPrefix(c.Allowed(), "+"))
	} else {
		fmt.Fprintf(&b, "%d of %d slower than %s by more than %s", n, c.Tested, name,
			strings.TrimPrefix(c.Allowed(), "+"))
	}
	fmt.Fprintf(&b, "; %d compared", c.Tested)
	if c.Untested > 0 {
		fmt.Fprintf(&b, ", %d not", c.Untested)
		before := ": "
		for lack, n := range c.Lacks {
			if n > 0 {
				f := compare.Figure{Verdict: compare.Untested, Lack: compare.Lack(lack)}
				fmt.Fprintf(&b, "%s%s (%d)", before, f.AppendWhy(nil, c.Of), n)
				before = ", "
			}
		}
	}
	return b.String()
}
