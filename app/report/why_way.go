package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/model/why"
)

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
		return nil, fmt.Errorf("%s is not a path of buffers; `framescope report FILE --stats` lists the paths", escape.Name(s.Track(one).Title()))
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
		x.explain(&teller{Engine: engine}, &a)
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
