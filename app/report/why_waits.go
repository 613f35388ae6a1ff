package report

import (
	"bufio"
	"errors"

	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
)

// whyPath is where the time of the buffers of a path goes, as in JSON.
type whyPath struct {
	Path string `json:"path"`   // of the buffers
	Way  int64  `json:"way_ns"` // how long the median one was on its way, ns
	// of how many it is the median: at most some 8,000, in the middle of the range
	Buffers int64   `json:"buffers"`
	Dropped float64 `json:"dropped"`           // buffers that an element reported as dropped
	Dropper string  `json:"dropper,omitempty"` // that element
	// from the element with the longest stays to the elements that it waits for
	Chain []whyStays `json:"waits"`
}

// whyStays is an element in it.
type whyStays struct {
	Element string `json:"element"`
	Thread  string `json:"pushed_by,omitempty"` // the thread that pushes out of it, if names reveal it
	// waits (it is a queue), works, behind (the queue before waits for it) or not_measured (as behind,
	// but without data)
	How    string  `json:"how"`
	Timed  int64   `json:"timed"`     // buffers that were timed in it
	Mean   float64 `json:"mean_ns"`   // how long it had them, ns
	Median float64 `json:"median_ns"` // in the middle, ns
	P99    float64 `json:"p99_ns"`    // all but one in a hundred, ns
	// of the time of the way; for behind and not_measured: of the interval between buffers
	Share   float64  `json:"share"`
	Fill    *float64 `json:"fill_median,omitempty"` // buffers in it, by time
	FillMax *float64 `json:"fill_max,omitempty"`    // the most
}

// errNoWaits is returned for a session without the times of buffers in elements.
var errNoWaits = errors.New("this session lacks the times of buffers in elements; " +
	"record them with GST_TRACERS=\"latency(flags=pipeline+element)\"")

// writeWhyWaits writes where the time of buffers goes, path by path.
func writeWhyWaits(out *bufio.Writer, engine *why.Engine, o *WhyOptions) error {
	s := engine.Session()
	t0, t1, err := waitsRange(s, o.Range)
	if err != nil {
		return err
	}
	of := model.NoTrack
	if o.Thread != "" {
		tracks, err := wayTracks(s, o.Thread)
		if err != nil {
			return err
		}
		of = tracks[0]
	}
	var asker flow.Asker
	var buf []byte
	list := []whyPath{}
	asker.Each(s, t0, t1, func(a *flow.Answer) {
		if of == model.NoTrack || a.Way.Track == of {
			buf = append(subject.AppendFlow(buf, s, a), '\n')
			list = append(list, waitsOf(s, a))
		}
	})
	switch {
	case len(list) == 0:
		return errNoWaits
	case o.JSON:
		return escape.WriteJSON(out, list)
	}
	_, err = out.Write(buf)
	return err
}

// waitsRange returns the time of a range, ns.
func waitsRange(s *store.Session, r place.TimeRange) (t0, t1 int64, err error) {
	begin, end, _ := s.Bounds()
	if r.All() {
		return begin, end + 1, nil
	}
	if !r.Times {
		return 0, 0, errors.New("--range: give times, such as 1.5s:2.5s")
	}
	return r.Resolve(s, model.NoTrack)
}

func waitsOf(s *store.Session, a *flow.Answer) whyPath {
	w := whyPath{Path: s.Track(a.Way.Track).Title(), Way: a.Way.Length(), Buffers: a.Way.N, Dropped: a.Dropped,
		Chain: []whyStays{}}
	name := func(id model.ObjectID) string { o, _ := s.Topology().Object(id); return o.Name }
	if a.Dropped > 0 {
		w.Dropper = name(a.Dropper)
	}
	for i := range a.Chain {
		l := &a.Chain[i]
		x := whyStays{
			Element: name(l.Object), How: l.How.String(), Timed: l.Figures.N, Mean: l.Figures.MeanNs, Median: l.Figures.MedianNs,
			P99: l.Figures.P99Ns, Share: l.Share,
		}
		if t := s.Track(l.Thread); l.Thread != model.NoTrack && t != nil {
			x.Thread = t.Title()
		}
		if l.Fill.Known {
			x.Fill, x.FillMax = &l.Fill.Median, &l.Fill.Most
		}
		w.Chain = append(w.Chain, x)
	}
	return w
}
