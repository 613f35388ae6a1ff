package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
)

// ErrRange is returned for a session of sampled stacks where no range is given.
var ErrRange = errors.New("this session has samples only: for these, why lists the methods that have more samples " +
	"in a range than chance allows; " +
	"give a range, such as --range 10s:20s")

// ErrWhyTimeless is returned for a session of stacks without times.
var ErrWhyTimeless = errors.New("the samples of this session have no times, so there are no frames or ranges to " +
	"explain; " +
	"report lists what took most, and diff compares with another recording")

// whySurplus is a method that has more samples in a range than chance allows, as in JSON.
type whySurplus struct {
	Thread    string  `json:"thread"`     // the sampled thread
	Collector string  `json:"collector"`  // the method, by full name
	Self      bool    `json:"self"`       // it is innermost in them; else they have it on their stack
	Samples   int64   `json:"samples"`    // of the thread in the range that have it
	Of        int64   `json:"of_samples"` // of the thread in the range
	Share     float64 `json:"share"`      // share of the former in the latter
	// standard deviation of the share that comes from the number of samples
	Error          float64 `json:"share_error"`
	Elsewhere      int64   `json:"samples_elsewhere"`     // of the thread that have it, in the reference range
	OfElsewhere    int64   `json:"of_samples_elsewhere"`  // of the thread, in the reference range
	ShareElsewhere float64 `json:"share_elsewhere"`       // share of the former in the latter
	ErrorElsewhere float64 `json:"share_elsewhere_error"` // its standard deviation
	// probability of this by chance, corrected for the number of tests
	P float64 `json:"p"`
}

// writeWhySamples writes which methods have more samples in a range than chance allows.
func writeWhySamples(out *bufio.Writer, engine *why.Engine, o *WhyOptions) error {
	s := engine.Session()
	if s.Info().Sampling.Timeless {
		return ErrWhyTimeless
	}
	if o.Range.All() && o.Baseline == nil {
		return ErrRange
	}
	tracks, err := sampledTracks(s, o.Thread)
	if err != nil {
		return err
	}
	there, err := stretchOf(s, o.Range)
	if err != nil {
		return err
	}
	elsewhere := why.Stretch{BeginNs: model.MinTime, EndNs: model.MaxTime}
	if o.Baseline != nil {
		if elsewhere, err = stretchOf(o.Baseline, o.BaselineRange); err != nil {
			return fmt.Errorf("--baseline-range: %w", err)
		}
	} else if !o.Against.All() {
		if elsewhere, err = stretchOf(s, o.Against); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		if there.BeginNs < elsewhere.EndNs && elsewhere.BeginNs < there.EndNs {
			return errors.New("--against and --range overlap")
		}
	}
	found := why.Samples(s, tracks, there, elsewhere)
	if o.Baseline != nil {
		found = why.SamplesOver(s, tracks, there, o.Baseline, elsewhere)
	}
	if o.JSON {
		return escape.WriteJSON(out, surpluses(s, found.List))
	}
	_, err = out.Write(subject.AppendSurpluses(nil, s, &found))
	return err
}

// stretchOf returns the time of a range.
func stretchOf(s *store.Session, r place.TimeRange) (x why.Stretch, err error) {
	if r.All() {
		return why.Stretch{BeginNs: model.MinTime, EndNs: model.MaxTime}, nil
	}
	if !r.Times {
		return x, errors.New("this session has no frames: give a range of times, such as 10s:20s")
	}
	x.BeginNs, x.EndNs, err = r.Resolve(s, model.NoTrack)
	return x, err
}

// sampledTracks returns the threads with sampled stacks: the named one, or all.
func sampledTracks(s *store.Session, name string) (tracks []model.TrackID, err error) {
	if name != "" {
		id, err := place.FindTrack(s, name)
		return []model.TrackID{id}, err
	}
	for id := range model.TrackID(s.NumTracks()) {
		if s.Spans().Sampled(id) {
			tracks = append(tracks, id)
		}
	}
	return tracks, nil
}

func surpluses(s *store.Session, list []why.Surplus) []whySurplus {
	return each(list, func(x *why.Surplus) whySurplus {
		there, elsewhere := x.Share()
		return whySurplus{
			Thread: s.Track(x.Track).Title(), Collector: s.Collector(x.Collector).Title(), Self: x.Self,
			Samples: x.There, Of: x.OfThere, Share: there, Error: x.Error,
			Elsewhere: x.Elsewhere, OfElsewhere: x.OfElsewhere, ShareElsewhere: elsewhere, ErrorElsewhere: x.ErrorElsewhere,
			P: x.P,
		}
	})
}

// wayTracks returns the requested paths: the named one, or all.
func wayTracks(s *store.Session, name string) (tracks []model.TrackID, err error) {
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t.Def.Kind == model.TrackStream && t.NumSpans() > 0 {
			tracks = append(tracks, id)
		}
	}
	if len(tracks) == 0 {
		return nil, noneOf(s)
	}
	if name == "" {
		return tracks, nil
	}
	one, err := place.FindTrack(s, name)
	if err == nil && s.Track(one).Def.Kind != model.TrackStream {
		return nil, fmt.Errorf("%s is not a path of buffers; `framescope report FILE --stats` lists the paths",
			escape.Name(s.Track(one).Title()))
	}
	return []model.TrackID{one}, err
}

// lateList returns the buffers to explain, those with the largest excess over the typical time of their
// path first, and the requested paths. For a range of numbers it returns each of them, in order.
func lateList(engine *why.Engine, o *WhyOptions) (tracks []model.TrackID, list []whyOf, err error) {
	s := engine.Session()
	if tracks, err = wayTracks(s, o.Thread); err != nil {
		return nil, nil, err
	}
	from, to := int64(model.MinTime), int64(model.MaxTime)
	if o.Range.Times {
		if from, to, err = o.Range.Resolve(s, model.NoTrack); err != nil {
			return nil, nil, err
		}
	}
	within := 0
	for _, track := range tracks {
		late := engine.Late(track, nil)
		n := engine.Things(track)
		for i := range n {
			bar, number := engine.ThingAt(track, i)
			if bar.Begin < from || bar.Begin >= to || !o.Range.Times && !hasNumber(o.Range, number, n) {
				continue
			}
			within++
			if _, found := slices.BinarySearch(late, i); found || o.Every {
				list = append(list, whyOf{track, i})
			}
		}
	}
	if within == 0 {
		return nil, nil, errors.New("no buffer started in this range")
	}
	if o.Every {
		return tracks, list, nil
	}
	over := map[whyOf]int64{}
	var a why.Answer
	for _, x := range list {
		x.explain(&explainer{Engine: engine}, &a)
		over[x] = a.ExcessNs()
	}
	slices.SortStableFunc(list, func(a, b whyOf) int { return cmp.Compare(over[b], over[a]) })
	return tracks, list[:min(len(list), cmp.Or(o.Worst, MaxWorst))], nil
}

// hasNumber reports whether a buffer of a number is in a range of numbers, of n on its path.
func hasNumber(r place.TimeRange, number int64, n int) bool {
	at := func(v int64) int64 {
		if v < 0 {
			return v + int64(n) + 1
		}
		return v
	}
	return (!r.HasA || number >= at(r.A)) && (!r.HasB || number <= at(r.B))
}
