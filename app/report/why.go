package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"framescope/app/timerange"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// WhyOptions says which frames are to be explained. The zero value is all hitches of the main
// thread, up to MaxWorst of them, the worst first.
type WhyOptions struct {
	// Thread is the name or the index of the thread whose frames are explained.
	Thread string
	// Range limits the hitches to frames in it.
	Range timerange.Range
	// Every explains each frame of Range, and not the hitches alone, in the order of their numbers.
	Every bool
	// Worst is how many hitches are explained at most; 0 stands for MaxWorst.
	Worst int
	// ByCause lists the hitches of the thread by their root causes instead, those that took most first.
	ByCause bool
	JSON    bool
}

// MaxWorst is how many hitches are explained where nobody says how many.
const MaxWorst = 1000

// ErrNoWhy is returned for a session that has no frames.
var ErrNoWhy = errors.New("this session has no frames that could be compared with those around them")

// whyLink is a link of a chain as JSON has it.
type whyLink struct {
	Thread    string `json:"thread"`        // by name
	Collector string `json:"collector"`     // by full name, as App:Physics
	Excess    int64  `json:"excess_ns"`     // how much longer it took than is typical, ns
	Calls     int64  `json:"calls"`         // how often it started
	Typical   int64  `json:"typical_calls"` // in the middle of the frames around
	// longer, more_calls, new, waiting (the next link tells for what), spread, not_measured or unknown
	How string `json:"how"`
}

// whyFrame is why a frame took as long as it did, as JSON has it.
type whyFrame struct {
	Frame    int64     `json:"frame"`       // number
	Thread   string    `json:"thread"`      // whose frame it is
	Duration int64     `json:"duration_ns"` // how long it took, ns
	Middle   int64     `json:"typical_ns"`  // the middle of the frames around, ns; 0: too few to know
	Hitch    bool      `json:"hitch"`       // it is much longer than these
	Chain    []whyLink `json:"chain"`       // from the frame's own thread to the root cause
	Others   []whyLink `json:"others"`      // of further causes; each ends with a link that is not waiting
	// what the links do not tell of what is over the typical, ns
	Unexplained int64 `json:"unexplained_ns"`
}

// whyGroup is the hitches with one root cause, as JSON has it.
type whyGroup struct {
	Thread    string  `json:"thread"`      // of the root cause
	Collector string  `json:"collector"`   // of the root cause, by full name; empty: nothing is known
	How       string  `json:"how"`         // of the worst, as in a chain
	Hitches   int     `json:"hitches"`     // number of them
	Excess    int64   `json:"excess_ns"`   // over the typical, all together, ns
	Worst     int64   `json:"worst_ns"`    // how long the worst frame took, ns
	WorstAt   int64   `json:"worst_frame"` // number of that
	Period    int64   `json:"period_ns"`   // the middle of the times from one to the next, ns; 0: fewer than three
	Regular   bool    `json:"regular"`     // half of these times are within a quarter of it
	Trend     float64 `json:"trend"`       // by how much the newer half is over the older one, as a share
	Frames    []int64 `json:"frames"`      // numbers, ascending
}

// WriteWhy writes why frames took as long as they did.
func WriteWhy(w io.Writer, s *store.Session, o WhyOptions) error {
	track, frames, err := whyFrames(s, &o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	engine := why.NewEngine(s)
	switch {
	case o.ByCause:
		err = writeCauses(out, engine, track, o.JSON)
	case o.JSON:
		err = writeWhyJSON(out, engine, track, frames)
	default:
		writeWhyText(out, engine, track, frames)
	}
	return errors.Join(err, out.Flush())
}

// whyFrames returns the thread and the indices of the frames that are to be explained.
func whyFrames(s *store.Session, o *WhyOptions) (model.TrackID, []int, error) {
	if !s.HasFrames() {
		return model.NoTrack, nil, ErrNoWhy
	}
	track, err := timerange.FindTrack(s, o.Thread)
	if err != nil {
		return track, nil, err
	}
	first, last, err := o.Range.Frames(s, track)
	if err != nil {
		return track, nil, err
	}
	var frames []int
	if o.Every {
		for i := first; i <= last; i++ {
			frames = append(frames, i)
		}
		return track, frames, nil
	}
	frames = s.Frames().Hitches(track, first, last, nil)
	t := s.Track(track)
	length := func(i int) int64 { f := t.Frame(i); return f.End - f.Begin }
	slices.SortStableFunc(frames, func(a, b int) int { return cmp.Compare(length(b), length(a)) })
	return track, frames[:min(len(frames), cmp.Or(o.Worst, MaxWorst))], nil
}

func writeWhyJSON(out *bufio.Writer, engine *why.Engine, track model.TrackID, frames []int) error {
	s := engine.Session()
	list := make([]whyFrame, 0, len(frames))
	var a why.Answer
	for _, i := range frames {
		engine.Frame(track, i, &a)
		list = append(list, whyFrame{
			Frame: a.Number, Thread: s.Track(track).Title(), Duration: a.DurationNs, Middle: a.TypicalNs, Hitch: a.Hitch,
			Chain: whyLinks(s, a.Chain), Others: whyLinks(s, a.Others), Unexplained: a.UnexplainedNs,
		})
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(list)
}

func whyLinks(s *store.Session, links []why.Link) []whyLink {
	out := make([]whyLink, 0, len(links))
	for i := range links {
		l := &links[i]
		out = append(out, whyLink{
			Thread: s.Track(l.Track).Title(), Collector: s.Collector(l.Collector).Title(), Excess: l.ExcessNs,
			Calls: l.Calls, Typical: l.TypicalCalls, How: l.How.String(),
		})
	}
	return out
}

func writeWhyText(out *bufio.Writer, engine *why.Engine, track model.TrackID, frames []int) {
	s := engine.Session()
	if len(frames) == 0 {
		out.WriteString("No frame is much longer than those around it.\n")
	}
	var a why.Answer
	var buf []byte
	for _, i := range frames {
		engine.Frame(track, i, &a)
		buf = append(subject.AppendWhy(buf[:0], s, &a), '\n')
		out.Write(buf)
	}
}

// writeCauses writes the hitches of a thread by their root causes.
func writeCauses(out *bufio.Writer, engine *why.Engine, track model.TrackID, asJSON bool) error {
	s := engine.Session()
	for engine.Prepare(track, MaxWorst) {
	}
	groups := engine.Groups(track, nil)
	if !asJSON {
		if len(groups) == 0 {
			out.WriteString("No frame is much longer than those around it.\n")
		}
		var buf []byte
		for i := range groups {
			buf = append(subject.AppendCause(buf[:0], s, &groups[i]), '\n')
			out.Write(buf)
		}
		return nil
	}
	list := make([]whyGroup, 0, len(groups))
	for i := range groups {
		g := &groups[i]
		x := whyGroup{
			Thread: s.Track(g.Track).Title(), How: g.How.String(), Hitches: len(g.Hitches), Worst: g.Worst.DurationNs,
			WorstAt: g.Worst.Number, Period: g.PeriodNs, Regular: g.Regular, Trend: g.Trend,
		}
		if c := s.Collector(g.Collector); g.Collector >= 0 && c != nil {
			x.Collector = c.Title()
		}
		for _, h := range g.Hitches {
			x.Excess += h.ExcessNs
			x.Frames = append(x.Frames, h.Number)
		}
		list = append(list, x)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(list)
}
