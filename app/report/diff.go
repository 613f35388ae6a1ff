package report

import (
	"bufio"
	"errors"
	"io"
	"math"

	"framescope/charts/view"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/compare"
)

// DiffOptions says how to write a comparison. The zero value writes text.
type DiffOptions struct {
	Files          [2]string // titles of the sides
	JSON, Markdown bool
	// All also lists unchanged rows in text.
	All bool
}

// diffSummary is a comparison as in JSON; it is part of the command's interface.
type diffSummary struct {
	A          diffSide     `json:"a"`          // the first side, the reference for B
	B          diffSide     `json:"b"`          // the second side
	Of         string       `json:"of"`         // unit of means: frame, or second where a session has no frames
	ErrorRate  float64      `json:"error_rate"` // chance that anything is reported as changed where nothing did
	Correction string       `json:"correction"` // how p is corrected for the number of tests
	Tests      int          `json:"tests"`      // the number of tests, for the correction of p
	FrameTime  *diffFrames  `json:"frame_time"` // null where there are no frames
	Threads    []diffThread `json:"threads"`    // of both sides, matched by name
	Collectors []diffRow    `json:"collectors"` // of each thread, the longest first
	Paths      []diffRow    `json:"paths"`      // callers before callees
}

type diffSide struct {
	File    string `json:"file"`    // as it was named
	Program string `json:"program"` // the measured program
}

type diffThread struct {
	Name string           `json:"name"` // of the thread
	A    *diffThreadRange `json:"a"`    // null where A has no such thread
	B    *diffThreadRange `json:"b"`    // null where B has no such thread
	// by which its collectors take longer in B together: it is taken out of typical values and tests; null: they have none
	Shared *float64 `json:"shared_factor"`
}

type diffThreadRange struct {
	Frames *int64 `json:"frames,omitempty"`    // received in the range, the divisor of its sums
	Length *int64 `json:"length_ns,omitempty"` // of the range, where there are no frames
	Looked int64  `json:"looked_at"`           // frames, or slices of time, that tests are made with
}

type diffFrames struct {
	Thread string     `json:"thread"`    // the thread of the frames
	A      frameTimes `json:"a"`         // of the first side
	B      frameTimes `json:"b"`         // of the second side
	Mean   diffFigure `json:"mean"`      // and whether frames changed
	Same   bool       `json:"identical"` // each frame that was looked at takes as long on both sides
	// about how many frames of each side a test takes, where there are too few; 0: there are enough
	Needs int       `json:"needs"`
	Often diffOften `json:"hitch_rate"` // whether one side has hitches more often
}

type frameTimes struct {
	First   int64    `json:"first_frame"`     // number of the first frame
	Last    int64    `json:"last_frame"`      // number of the last frame
	Frames  int64    `json:"frames"`          // received, without stops
	Missing int64    `json:"missing_frames"`  // numbers that never came between these
	Stops   []Stop   `json:"stops,omitempty"` // times in which the program stood still: they are in no figure
	Median  *float64 `json:"median_ns"`       // of the lengths of frames; null where there are none
	P95     *float64 `json:"p95_ns"`          // 95 of a hundred frames are at most that long
	P99     *float64 `json:"p99_ns"`          // 99 of a hundred frames are at most that long
	Max     *float64 `json:"max_ns"`          // the longest frame
	Over    int64    `json:"over_budget"`     // frames that took longer than the budget
	Hitches int64    `json:"hitches"`         // frames that took much longer than those around them
}

// diffOften is how often something is, as a share of the frames.
type diffOften struct {
	A float64 `json:"a_share"` // of the frames of A
	B float64 `json:"b_share"` // of the frames of B
	// chance of as many more on one side, corrected; null where nothing was tested
	P       *float64 `json:"p"`
	Verdict string   `json:"verdict"`         // slower: B has more; faster: fewer; new, gone, noise, identical or untested
	Lacks   string   `json:"lacks,omitempty"` // why it is untested: few frames, or rare: fewer than six hitches
	Needs   int      `json:"needs,omitempty"` // about how many frames of each side a test takes; missing if unknown
}

type diffRow struct {
	Thread    string      `json:"thread"`         // name of the thread
	Collector string      `json:"collector"`      // full name
	Path      []string    `json:"path,omitempty"` // of a call path: full names, outermost first
	Total     diffFigure  `json:"total"`          // with callees
	Self      *diffFigure `json:"self"`           // without; null for asynchronous spans
	CallsA    float64     `json:"calls_a"`        // a frame, or a second
	CallsB    float64     `json:"calls_b"`        // a frame, or a second
	// length of single calls of A; null without calls, and for sampled stacks
	CallA *diffUsual `json:"call_a"`
}

// diffFigure is a mean of a frame, or of a second.
type diffFigure struct {
	A        float64 `json:"a_ns"`         // mean over all of the range; 0 where the thread is not there
	B        float64 `json:"b_ns"`         // mean over all of the range; 0 where the thread is not there
	TypicalA float64 `json:"typical_a_ns"` // mean of the sample, outliers cut
	TypicalB float64 `json:"typical_b_ns"` // mean of the sample, outliers cut
	Delta    float64 `json:"delta_ns"`     // typical of B less typical of A
	// where the 95 % interval of delta_ns begins; null where nothing was tested
	Low     *float64   `json:"low_ns"`
	High    *float64   `json:"high_ns"`         // where it ends
	P       *float64   `json:"p"`               // chance of such ranks, corrected; null where nothing was tested
	Verdict string     `json:"verdict"`         // slower, faster, new, gone, mixed, noise, identical or untested
	Lacks   string     `json:"lacks,omitempty"` // why it is untested: side, rare, few, alike or single, see compare.md
	Needs   int        `json:"needs,omitempty"` // about how many frames of each side a test takes; missing if unknown
	Usual   *diffUsual `json:"usual_a"`         // of A, as a baseline in the window; null for an empty sample
}

// diffUsual is the typical range of single values of A.
type diffUsual struct {
	N      int     `json:"looked_at"` // frames, parts of the time, or calls
	Low    float64 `json:"p5_ns"`     // five of a hundred take at most that
	Median float64 `json:"median_ns"` // the reference for differences from a baseline
	High   float64 `json:"p95_ns"`    // 95 of a hundred take at most that
}

// WriteDiff writes a comparison.
func WriteDiff(w io.Writer, r *compare.Result, sides [2]compare.Side, o DiffOptions) error {
	if r.Sums != nil {
		return WriteSumDiff(w, r, sides, o)
	}
	sum := summariseDiff(r, sides, o)
	return o.write(w, sum, func(t *Table) { writeDiffText(t, r, sum, o) })
}

// write writes a comparison as JSON, or by a function as text.
func (o *DiffOptions) write(w io.Writer, v any, text func(t *Table)) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if o.JSON {
		return errors.Join(escape.WriteJSON(out, v), out.Flush())
	}
	text(NewTable(out, o.Markdown))
	return out.Flush()
}

func summariseDiff(r *compare.Result, sides [2]compare.Side, o DiffOptions) *diffSummary {
	of := func(x *compare.Row) diffRow { return rowOf(r, x) }
	sum := &diffSummary{
		Of: view.Of(r), ErrorRate: compare.ErrorRate, Correction: "holm", Tests: r.Tests,
		Threads: []diffThread{}, Collectors: each(r.Collectors, of), Paths: each(r.Paths, of),
	}
	for i, to := range [...]*diffSide{&sum.A, &sum.B} {
		*to = diffSide{o.Files[i], sides[i].Session.Info().Program}
	}
	for i := range r.Threads {
		t := &r.Threads[i]
		sum.Threads = append(sum.Threads, diffThread{t.Title, threadRange(r, t, 0), threadRange(r, t, 1), nil})
		if t.Shared.Taken {
			sum.Threads[i].Shared = &t.Shared.Factor
		}
	}
	if f := r.Frames; f != nil {
		sum.FrameTime = &diffFrames{f.Thread, timesOf(&f.Sides[0]), timesOf(&f.Sides[1]), *figureOf(&f.Mean),
			f.Mean.Verdict == compare.Identical, figureOf(&f.Mean).Needs,
			oftenOf(&f.Hitches)}
	}
	return sum
}

func threadRange(r *compare.Result, t *compare.Thread, side int) *diffThreadRange {
	if t.Tracks[side] == model.NoTrack {
		return nil
	}
	x := &diffThreadRange{Looked: t.Looked[side]}
	if r.ByTime {
		x.Length = &t.Frames[side]
	} else {
		x.Frames = &t.Frames[side]
	}
	return x
}

func timesOf(t *compare.Times) frameTimes {
	return frameTimes{
		t.First, t.Last, t.Received, t.Missing, StopsOf(t.Stops),
		orNull(t.Median), orNull(t.P95), orNull(t.P99), orNull(t.Longest), t.Over, t.Hitches,
	}
}

func rowOf(r *compare.Result, x *compare.Row) diffRow {
	row := diffRow{
		Thread: r.Threads[x.Thread].Title, Collector: x.Name(), Total: *figureOf(&x.Total),
		CallsA: x.Calls[0], CallsB: x.Calls[1], CallA: usualOf(&x.Call),
	}
	if x.IsPath() {
		row.Path = x.Names
	}
	if x.Self.Known {
		row.Self = figureOf(&x.Self)
	}
	return row
}

func figureOf(f *compare.Figure) *diffFigure {
	why, needs := lacks(f)
	return &diffFigure{
		f.A, f.B, f.Typical[0], f.Typical[1], f.Delta(), orNull(f.Delta() - f.Half), orNull(f.Delta() + f.Half),
		orNull(f.P), f.Verdict.String(), why, needs, usualOf(&f.Usual),
	}
}

func oftenOf(f *compare.Figure) diffOften {
	why, needs := lacks(f)
	return diffOften{f.A, f.B, orNull(f.P), f.Verdict.String(), why, needs}
}

// lacks names the missing data of an untested figure in a word, and how many frames a test needs; nothing for others.
func lacks(f *compare.Figure) (why string, needs int) {
	if f.Verdict != compare.Untested {
		return "", 0
	}
	return f.Lack.String(), f.Needs
}

// usualOf returns the typical range, nil for an empty sample.
func usualOf(u *compare.Usual) *diffUsual {
	if u.N == 0 {
		return nil
	}
	return &diffUsual{u.N, u.Low, u.Median, u.High}
}

// orNull returns a number, nil for NaN.
func orNull(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
