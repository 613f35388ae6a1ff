// This file writes, as text or JSON, the reasons for slow frames, late buffers and waits for locks,
// from model/why.

package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
)

// WhyOptions says which frames are to be explained. The zero value is all hitches of the main
// thread, up to MaxWorst of them, the worst first.
type WhyOptions struct {
	// Thread is the name or the number of the thread with the frames to explain.
	Thread string
	// Range limits the hitches to frames in it.
	Range place.TimeRange
	// Every explains each frame of Range, not only the hitches, in the order of their numbers.
	Every bool
	// Worst is how many hitches are explained at most; 0 stands for MaxWorst.
	Worst int
	// Against is the range that a range of sampled stacks is compared with; everything stands for all
	// else.
	Against place.TimeRange
	// Baseline, if any, defines the typical values, in place of the frames around; for sampled stacks,
	// Range, or everything, is compared with it. BaselineRange is the part of it that counts.
	Baseline      *store.Session
	BaselineRange place.TimeRange
	// Locks explains the longest waits for locks instead.
	Locks bool
	// Waits shows where buffers spend their time instead.
	Waits bool
	// ByCause lists the hitches of the thread by their root causes instead, the longest in total first.
	ByCause bool
	// Parts lists the parts of each frame, beside their typical times.
	Parts bool
	JSON  bool
}

// MaxWorst is the default number of explained hitches.
const MaxWorst = 1000

// ErrNone is returned for a session that has no frames.
var ErrNone = errors.New("this session has no frames or buffers that could be compared with those around them")

// noneOf is ErrNone, with what the source said that frames may be.
func noneOf(s *store.Session) error { return s.WithoutFrames(ErrNone) }

// whyLink is a link of a chain as in JSON.
type whyLink struct {
	Thread    string `json:"thread"`        // by name
	Collector string `json:"collector"`     // by full name, as App:Physics
	Excess    int64  `json:"excess_ns"`     // how much longer it took than is typical, ns
	Calls     int64  `json:"calls"`         // how often it started
	Typical   int64  `json:"typical_calls"` // in the middle of the frames around
	// longer, more_calls, new, waiting (the next link is the cause), spread, not_measured or unknown
	How string `json:"how"`
	// of a wait: the surrounding call, by full name, if that or the wait is unusual
	Within string `json:"within,omitempty"`
	// of a wait that is not called one: how it was taken for one, in words
	Taken string `json:"taken_for_wait,omitempty"`
	// of a wait: what the recording says that the thread did meanwhile
	State string `json:"state,omitempty"`
	// of a thread that was runnable: what the processors ran instead, the longest first
	Ran []string `json:"ran_instead,omitempty"`
}

// whyFrame is why a frame took as long as it did, as in JSON.
type whyFrame struct {
	Frame    int64  `json:"frame"`       // number; of a buffer on its way: on its path
	Thread   string `json:"thread"`      // of the frame; of a buffer its path
	Duration int64  `json:"duration_ns"` // how long it took, ns
	Middle   int64  `json:"typical_ns"`  // the middle of the frames around, ns; 0: too few to know
	Hitch    bool   `json:"hitch"`       // it is much longer than those around
	// from this frame on frames take duration_ns instead of typical_ns for good, in the mean
	Lasting bool `json:"lasting,omitempty"`
	// and little by little, until they take duration_ns at the end
	Drifts bool `json:"drifts,omitempty"`
	// with --baseline: longer than 95 % of the baseline's frames, with median typical_ns
	Slower *bool     `json:"slower,omitempty"`
	Chain  []whyLink `json:"chain"`  // from the frame's own thread to the root cause
	Others []whyLink `json:"others"` // of further causes; each ends with a link that is not waiting
	// excess over the typical time that the links do not explain, ns
	Unexplained int64 `json:"unexplained_ns"`
	// time below the typical in all parts that are no cause, if the causes exceed duration_ns minus
	// typical_ns, ns
	Less int64 `json:"less_ns,omitempty"`
	// the collector with most of that on the frame's own thread, if it has half of it or more
	LessIn *whyLess `json:"less_in,omitempty"`
	// with --parts: self times of the frame by collector, the largest difference from the typical first
	Parts []whyPart `json:"parts,omitempty"`
}

// whyLess is the part furthest below its typical time, as in JSON.
type whyLess struct {
	Collector string `json:"collector"` // by full name; empty: time without a collector
	Less      int64  `json:"less_ns"`   // than is typical, ns
}

// whyGroup is the hitches with one root cause, as in JSON.
type whyGroup struct {
	Path      string  `json:"path,omitempty"`    // of the buffers; absent of frames
	Thread    string  `json:"thread"`            // of the root cause
	Threads   int     `json:"threads,omitempty"` // if several of one role have it: how many; thread is that of the worst
	Collector string  `json:"collector"`         // of the root cause, by full name; empty: nothing is known
	Within    string  `json:"within,omitempty"`  // of a wait: the surrounding call, as in a chain
	How       string  `json:"how"`               // of the worst, as in a chain
	Hitches   int     `json:"hitches"`           // number of them
	Excess    int64   `json:"excess_ns"`         // over the typical, all together, ns
	Worst     int64   `json:"worst_ns"`          // how long the worst frame took, ns
	WorstAt   int64   `json:"worst_frame"`       // its number
	Period    int64   `json:"period_ns"`         // the middle of the times from one to the next, ns; 0: fewer than three
	Regular   bool    `json:"regular"`           // half of these times are within a quarter of it
	Trend     float64 `json:"trend"`             // by how much the newer half is over the older one, as a share
	Frames    []int64 `json:"frames"`            // numbers, ascending
}

// whyOf is the subject of an explanation: a frame of a thread, or a buffer on its way.
type whyOf struct {
	track model.TrackID
	index int
}

// WriteWhy writes why frames took as long as they did; of a session without frames why buffers did, else
// which methods have more samples in a range than elsewhere, else why threads waited for locks.
func WriteWhy(w io.Writer, s *store.Session, o WhyOptions) error {
	engine := why.NewEngine(s)
	out := bufio.NewWriter(w)
	write := writeWhyTimes
	switch c := s.Contents(); {
	case o.Locks:
		write = writeWhyLocks
	case o.Waits:
		write = writeWhyWaits
	case c.Frames || c.Ways:
		switch {
		case !o.Against.All():
			return errAgainst
		case o.Baseline != nil && !s.HasFrames():
			return errBaseline
		}
	case o.ByCause:
		return fmt.Errorf("--by-cause needs frames or buffers: %w", noneOf(s))
	case c.Sampled:
		write = writeWhySamples
	case c.Locks:
		write = writeWhyLocks
	}
	return errors.Join(write(out, engine, &o), out.Flush())
}

// errAgainst is returned where a range is to be compared with another, and stacks were not sampled.
var errAgainst = errors.New("--against needs samples; `framescope diff FILE --range-a A:B --range-b C:D` compares " +
	"ranges of frames")

// errBaseline is returned where a baseline has no use.
var errBaseline = errors.New("--baseline needs a recording with frames or samples")

// explainer explains frames and buffers, where there is a baseline beside that.
type explainer struct {
	*why.Engine
	base *compare.Against // nil: none
}

// newExplainer computes the typical values of the baseline, if there is one.
func newExplainer(engine *why.Engine, o *WhyOptions) (t *explainer, err error) {
	t = &explainer{Engine: engine}
	if o.Baseline == nil {
		return t, nil
	}
	side, err := place.Side(o.Baseline, o.BaselineRange, nil)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	b := compare.BeginBaseline(side)
	for !b.Step(math.MaxInt) {
	}
	t.base = b.On(engine.Session())
	return t, nil
}

// writeWhyTimes writes why frames, or buffers, took as long as they did.
func writeWhyTimes(out *bufio.Writer, engine *why.Engine, o *WhyOptions) error {
	t, err := newExplainer(engine, o)
	if err != nil {
		return err
	}
	tracks, list, err := whyList(t, o)
	if err != nil {
		return err
	}
	switch {
	case o.ByCause && t.base != nil:
		return writeCauses(out, tracks, o.JSON, t.over(list), noneOver, engine.Session())
	case o.ByCause:
		return writeCauses(out, tracks, o.JSON, t.around(tracks), noneLate(engine.Session(), tracks), engine.Session())
	}
	lasting := t.lasting(tracks, o)
	if o.JSON {
		return writeWhyJSON(out, t, list, lasting, o.Parts)
	}
	writeWhyText(out, t, tracks, list, o.Parts)
	if len(list) == 0 && t.base == nil {
		writeLongest(out, t, tracks, o)
	}
	for i := range lasting {
		out.Write(append(subject.AppendLasting(nil, engine.Session(), &lasting[i]), '\n'))
	}
	for _, id := range tracks {
		if first, last, err := o.Range.Frames(engine.Session(), id); err == nil && engine.Session().Track(id).HasFrames() {
			WriteStops(out, StopsOf(engine.Session().Track(id).LeftOut(first, last, nil)))
		}
	}
	return nil
}

// whyList returns the subjects to explain, and their tracks.
func whyList(x *explainer, o *WhyOptions) ([]model.TrackID, []whyOf, error) {
	s := x.Session()
	if !s.HasFrames() {
		return lateList(x.Engine, o)
	}
	track, err := place.FindTrack(s, o.Thread)
	if err != nil {
		return nil, nil, err
	}
	if s.Track(track).Def.Kind == model.TrackStream {
		return lateList(x.Engine, o)
	}
	first, last, err := o.Range.Frames(s, track)
	if err != nil {
		return nil, nil, err
	}
	var list []whyOf
	if o.Every {
		for i := first; i <= last; i++ {
			list = append(list, whyOf{track, i})
		}
		return []model.TrackID{track}, list, nil
	}
	t := s.Track(track)
	for _, i := range x.standing(t, first, last) {
		list = append(list, whyOf{track, i})
	}
	length := func(x whyOf) int64 { f := t.Frame(x.index); return f.End - f.Begin }
	slices.SortStableFunc(list, func(a, b whyOf) int { return cmp.Compare(length(b), length(a)) })
	if o.ByCause { // each counts
		return []model.TrackID{track}, list, nil
	}
	return []model.TrackID{track}, list[:min(len(list), cmp.Or(o.Worst, MaxWorst))], nil
}

// standing returns the indices of the frames of [first, last] that stand out.
func (t *explainer) standing(of *store.Track, first, last int) (out []int) {
	if t.base == nil {
		return t.Session().Frames().Hitches(of.Def.ID, first, last, nil)
	}
	for i, u := first, t.base.Frame(of.Def.ID); u != nil && i <= last; i++ {
		if f := of.Frame(i); float64(f.End-f.Begin) > u.Length.High {
			out = append(out, i)
		}
	}
	return out
}

// lasting returns from which frames on frames take longer, or less long, for good.
func (t *explainer) lasting(tracks []model.TrackID, o *WhyOptions) (all []why.Lasting) {
	s := t.Session()
	for _, id := range tracks {
		if first, last, err := o.Range.Frames(s, id); err == nil && t.base == nil && !o.Every &&
			s.Track(id).Def.Kind != model.TrackStream {
			all = append(all, t.Lasting(id, first, last)...)
		}
	}
	return all
}

// explain fills in the answer.
func (x whyOf) explain(t *explainer, a *why.Answer) {
	if t.Session().Track(x.track).Def.Kind == model.TrackStream {
		t.Thing(x.track, x.index, a)
		return
	}
	t.FrameOver(t.base, x.track, x.index, a)
}

func writeWhyJSON(out *bufio.Writer, t *explainer, of []whyOf, lasting []why.Lasting, parts bool) error {
	s := t.Session()
	list := make([]whyFrame, 0, len(of)+len(lasting))
	var a why.Answer
	for _, x := range of {
		x.explain(t, &a)
		list = append(list, whyFrame{
			Frame: a.Number, Thread: s.Track(a.Track).Title(), Duration: a.DurationNs, Middle: a.TypicalNs, Hitch: a.Hitch,
			Chain: whyLinks(s, a.Chain), Others: whyLinks(s, a.Others), Unexplained: a.UnexplainedNs,
		})
		last := &list[len(list)-1]
		last.Less, last.LessIn = a.LessNs(), whyLessOf(s, &a)
		if a.Baseline {
			slower := a.Stands
			last.Slower = &slower
		}
		if parts {
			last.Parts = whyParts(t, x)
		}
	}
	for i := range lasting {
		l := &lasting[i]
		list = append(list, whyFrame{
			Frame: l.Number, Thread: s.Track(l.Track).Title(), Duration: l.AfterNs, Middle: l.BeforeNs, Lasting: true, Drifts: l.Drifts,
			Chain: whyLinks(s, l.Chain), Others: []whyLink{},
		})
	}
	return escape.WriteJSON(out, list)
}

func whyLinks(s *store.Session, links []why.Link) []whyLink {
	return each(links, func(l *why.Link) whyLink {
		out := whyLink{
			Thread: s.Track(l.Track).Title(), Collector: s.Collector(l.Collector).Title(), Excess: l.ExcessNs,
			Calls: l.Calls, Typical: l.TypicalCalls, How: l.How.String(), Within: withinOf(s, l.Within), State: l.State,
		}
		for _, c := range l.Ran {
			if c > 0 {
				out.Ran = append(out.Ran, s.Collector(c).Title())
			}
		}
		if l.Taken.Waits {
			out.Taken = string(subject.AppendTaken(nil, s, &l.Taken))
		}
		return out
	})
}

// withinOf returns the full name of the call around a wait, empty if there is none.
func withinOf(s *store.Session, id model.CollectorID) string {
	if id == 0 {
		return ""
	}
	return fullName(s, id)
}

func whyLessOf(s *store.Session, a *why.Answer) *whyLess {
	in, ok := a.LessIn()
	if !ok {
		return nil
	}
	return &whyLess{fullName(s, in.Collector), -in.ExcessNs()}
}

func writeWhyText(out *bufio.Writer, t *explainer, tracks []model.TrackID, of []whyOf, parts bool) {
	s := t.Session()
	switch {
	case len(of) > 0:
	case t.base != nil:
		out.WriteString(noneOver)
	default:
		out.WriteString(noneLate(s, tracks))
	}
	var a why.Answer
	var buf []byte
	var hitches []why.Hitch
	for _, x := range of {
		x.explain(t, &a)
		buf = append(subject.AppendWhy(buf[:0], s, &a), '\n')
		out.Write(buf)
		if parts {
			writeWhyParts(out, whyParts(t, x))
		}
		if track := s.Track(x.track); a.Hitch && track.Def.Kind != model.TrackStream {
			h := a.AsHitch(track.Frame(x.index).Begin)
			h.Of.Track = x.track
			hitches = append(hitches, h)
		}
	}
	slices.SortFunc(hitches, func(a, b why.Hitch) int { return cmp.Compare(a.BeginNs, b.BeginNs) })
	for _, g := range t.GroupsOf(hitches, nil) {
		if g.Regular {
			out.Write(append(subject.AppendCause([]byte("Again and again: "), s, &g), ".\n"...))
		}
	}
}

// writeLongest writes of the longest frame why it is no hitch, where it is long enough for one if frames hardly varied.
func writeLongest(out *bufio.Writer, t *explainer, tracks []model.TrackID, o *WhyOptions) {
	s := t.Session()
	for _, id := range tracks {
		of := s.Track(id)
		first, last, err := o.Range.Frames(s, id)
		if err != nil || !of.HasFrames() {
			continue
		}
		ns := of.LongestFrame(first, last)
		for i := first; i <= last; i++ {
			if f := of.Frame(i); f.End-f.Begin == ns {
				var a why.Answer
				if t.Frame(id, i, &a); ns > a.TypicalNs && ns >= s.Frames().HitchLimit().LeastNs(a.TypicalNs) {
					out.Write(append(subject.AppendWhy(nil, s, &a), '\n'))
				}
				break
			}
		}
	}
}

// noneOver says that there is nothing to explain over a baseline.
const noneOver = "No frame takes longer than 95 % of the baseline's.\n"

// noneLate says that there is nothing to explain on some tracks, and which others have frames.
func noneLate(s *store.Session, tracks []model.TrackID) string {
	if s.HasFrames() {
		none := "No frame is a hitch"
		if others := otherFrames(s, tracks); len(others) > 0 {
			return fmt.Sprintf("%s on %s. Other threads have frames (--thread): %s.\n", none, titles(s, tracks),
				strings.Join(others, ", "))
		}
		return none + ".\n"
	}
	return "No buffer took much longer on its way than those around it. --waits shows where they wait.\n"
}

const mostNamed = 4 // threads

// otherFrames names some threads with frames that are not among the tracks, those with most first.
func otherFrames(s *store.Session, tracks []model.TrackID) (out []string) {
	var ids []model.TrackID
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && t.NumFrames() > 0 && !slices.Contains(tracks, id) {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b model.TrackID) int {
		return cmp.Compare(s.Track(b).NumFrames(), s.Track(a).NumFrames())
	})
	for _, id := range ids[:min(len(ids), mostNamed)] {
		out = append(out, fmt.Sprintf("%s (%d)", escape.Line(s.Track(id).Title()), s.Track(id).NumFrames()))
	}
	return out
}

func titles(s *store.Session, tracks []model.TrackID) string {
	var list []string
	for _, id := range tracks {
		list = append(list, escape.Line(s.Track(id).Title()))
	}
	return strings.Join(list, ", ")
}

// around returns the hitches of tracks by their root causes, in the order of the tracks.
func (t *explainer) around(tracks []model.TrackID) (groups []why.Group) {
	for _, track := range tracks {
		for t.Prepare(track, MaxWorst) {
		}
		groups = append(groups, t.Groups(track, nil)...)
	}
	return groups
}

// over returns frames that stand out over the baseline by their root causes.
func (t *explainer) over(list []whyOf) []why.Group {
	slices.SortFunc(list, func(a, b whyOf) int { return cmp.Compare(a.index, b.index) })
	var hitches []why.Hitch
	var a why.Answer
	for _, x := range list {
		x.explain(t, &a)
		h := a.AsHitch(t.Session().Track(x.track).Frame(x.index).Begin)
		h.Of.Track = x.track
		hitches = append(hitches, h)
	}
	return t.GroupsOf(hitches, nil)
}

// writeCauses writes hitches by their root causes, with the track's name if there are several; none is
// the text for no hitches.
func writeCauses(
	out *bufio.Writer, tracks []model.TrackID, asJSON bool, groups []why.Group, none string, s *store.Session,
) error {
	list := []whyGroup{}
	var buf []byte
	for i := range groups {
		if len(tracks) > 1 {
			buf = append(append(buf, escape.Name(s.Track(groups[i].Of).Title())...), ": "...)
		}
		buf = append(subject.AppendCause(buf, s, &groups[i]), '\n')
		list = append(list, whyGroupOf(s, groups[i].Of, &groups[i]))
	}
	if asJSON {
		return escape.WriteJSON(out, list)
	}
	if len(buf) == 0 {
		buf = append(buf, none...)
	}
	_, err := out.Write(buf)
	return err
}

func whyGroupOf(s *store.Session, track model.TrackID, g *why.Group) whyGroup {
	x := whyGroup{
		Thread: s.Track(g.Track).Title(), Collector: fullName(s, g.Collector), How: g.How.String(),
		Within: withinOf(s, g.Within), Hitches: len(g.Hitches), Worst: g.Worst.DurationNs, WorstAt: g.Worst.Number,
		Period: g.PeriodNs, Regular: g.Regular, Trend: g.Trend,
	}
	if t := s.Track(track); t.Def.Kind == model.TrackStream {
		x.Path = t.Title()
	}
	if g.Threads > 1 {
		x.Threads = g.Threads
	}
	for _, h := range g.Hitches {
		x.Excess += h.ExcessNs
		x.Frames = append(x.Frames, h.Number)
	}
	return x
}
