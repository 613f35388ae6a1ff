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
	JSON  bool
}

// MaxWorst is how many hitches are explained where nobody says how many.
const MaxWorst = 1000

// ErrNoWhy is returned for a session that has no frames.
var ErrNoWhy = errors.New("this session has no frames that could be compared with those around them")

// whyLink is a link of a chain as JSON has it.
type whyLink struct {
	Thread       string `json:"thread"`
	Collector    string `json:"collector"`
	Excess       int64  `json:"excess_ns"`
	Calls        int64  `json:"calls"`
	TypicalCalls int64  `json:"typical_calls"`
	How          string `json:"how"`
}

// whyFrame is why a frame took as long as it did, as JSON has it.
type whyFrame struct {
	Frame       int64     `json:"frame"`
	Thread      string    `json:"thread"`
	Duration    int64     `json:"duration_ns"`
	Typical     int64     `json:"typical_ns"`
	Hitch       bool      `json:"hitch"`
	Chain       []whyLink `json:"chain"`
	Others      []whyLink `json:"others"`
	Unexplained int64     `json:"unexplained_ns"`
}

// WriteWhy writes why frames took as long as they did.
func WriteWhy(w io.Writer, s *store.Session, o WhyOptions) error {
	track, frames, err := whyFrames(s, &o)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	engine := why.NewEngine(s)
	if o.JSON {
		err = writeWhyJSON(out, engine, track, frames)
	} else {
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
			Frame: a.Number, Thread: s.Track(track).Title(), Duration: a.DurationNs, Typical: a.TypicalNs, Hitch: a.Hitch,
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
			Thread: s.Track(l.Track).Title(), Collector: fullName(s.Collector(l.Collector)), Excess: l.ExcessNs,
			Calls: l.Calls, TypicalCalls: l.TypicalCalls, How: l.How.String(),
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
