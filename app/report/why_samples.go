package report

import (
	"bufio"
	"errors"
	"fmt"

	"framescope/charts/subject"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
)

// ErrRange is returned for a session of sampled stacks where no range is given.
var ErrRange = errors.New("this session has samples only: for these, why lists the methods that have more samples in a range than chance allows; " +
	"give a range, such as --range 10s:20s")

// ErrWhyTimeless is returned for a session of stacks without times.
var ErrWhyTimeless = errors.New("the samples of this session have no times, so there are no frames or ranges to explain; " +
	"report lists what took most, and diff compares with another recording")

// whySurplus is a method that has more samples in a range than chance allows, as in JSON.
type whySurplus struct {
	Thread         string  `json:"thread"`                // the sampled thread
	Collector      string  `json:"collector"`             // the method, by full name
	Self           bool    `json:"self"`                  // it is innermost in them; else they have it on their stack
	Samples        int64   `json:"samples"`               // of the thread in the range that have it
	Of             int64   `json:"of_samples"`            // of the thread in the range
	Share          float64 `json:"share"`                 // share of the former in the latter
	Error          float64 `json:"share_error"`           // standard deviation of the share that comes from the number of samples
	Elsewhere      int64   `json:"samples_elsewhere"`     // of the thread that have it, in the reference range
	OfElsewhere    int64   `json:"of_samples_elsewhere"`  // of the thread, in the reference range
	ShareElsewhere float64 `json:"share_elsewhere"`       // share of the former in the latter
	ErrorElsewhere float64 `json:"share_elsewhere_error"` // its standard deviation
	P              float64 `json:"p"`                     // probability of this by chance, corrected for the number of tests
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
	out := make([]whySurplus, 0, len(list))
	for i := range list {
		x := &list[i]
		there, elsewhere := x.Share()
		out = append(out, whySurplus{
			Thread: s.Track(x.Track).Title(), Collector: s.Collector(x.Collector).Title(), Self: x.Self,
			Samples: x.There, Of: x.OfThere, Share: there, Error: x.Error,
			Elsewhere: x.Elsewhere, OfElsewhere: x.OfElsewhere, ShareElsewhere: elsewhere, ErrorElsewhere: x.ErrorElsewhere, P: x.P,
		})
	}
	return out
}
