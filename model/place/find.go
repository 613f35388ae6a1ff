package place

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Found is a place in a session.
type Found struct {
	// Track is its thread, NoTrack without one.
	Track model.TrackID
	// First and Last are the indices of its frames, of Kind Frames.
	First, Last int
	// BeginNs and EndNs are its time.
	BeginNs, EndNs int64
	// Span is the span there, of Kind Span.
	Span spans.Bar
}

// Thread returns the nth thread, from 0, of a title; ok is false where there is none.
func Thread(s *store.Session, title string, nth int) (id model.TrackID, ok bool) {
	for id = range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && t.Title() == title {
			if nth == 0 {
				return id, true
			}
			nth--
		}
	}
	return model.NoTrack, false
}

// Of fills in the thread of a place.
func (p Place) Of(s *store.Session, track model.TrackID) Place {
	t := s.Track(track)
	if t == nil {
		return p
	}
	p.Thread, p.Nth = t.Title(), 0
	for id := range track {
		if o := s.Track(id); o != nil && o.Title() == p.Thread {
			p.Nth++
		}
	}
	return p
}

// ThreadIn returns the thread of a place, NoTrack if it has none: for frames the main one if none
// is named. The error means that the session has no such thread.
func (p Place) ThreadIn(s *store.Session) (model.TrackID, error) {
	if p.Thread == "" && p.Kind != Frames {
		return model.NoTrack, nil
	}
	id, ok := s.MainTrack(), true
	if p.Thread != "" {
		if id, ok = Thread(s, p.Thread, p.Nth); !ok && p.Nth == 0 {
			id, ok = folded(s, p.Thread)
		}
	}
	if !ok || id == model.NoTrack {
		return model.NoTrack, fmt.Errorf("no thread “%s” was received", escape.Name(p.Thread))
	}
	return id, nil
}

// folded returns the thread of a title, ignoring case, for titles written by hand.
func folded(s *store.Session, title string) (id model.TrackID, ok bool) {
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && strings.EqualFold(t.Title(), title) {
			return id, true
		}
	}
	return model.NoTrack, false
}

// Find looks the place up. The error names the missing data in words.
func (p Place) Find(s *store.Session) (f Found, err error) {
	if f.Track, err = p.ThreadIn(s); err != nil {
		return f, err
	}
	return p.FindOn(s, f.Track)
}

// FindOn is Find where the thread is known (ThreadIn).
func (p Place) FindOn(s *store.Session, track model.TrackID) (f Found, err error) {
	f = Found{Track: track, First: -1, Last: -1, BeginNs: p.BeginNs, EndNs: p.EndNs}
	switch p.Kind {
	case Frames:
		return f, f.frames(s, p)
	case Span:
		return f, f.span(s, p)
	}
	begin, end, ok := s.Bounds()
	if !ok || p.EndNs < begin || p.BeginNs > end {
		return f, fmt.Errorf("nothing was recorded at %s", p.clock())
	}
	return f, nil
}

// clock returns the time of the place.
func (p Place) clock() string {
	if p.BeginNs == p.EndNs {
		return time.Duration(p.BeginNs).String()
	}
	return fmt.Sprintf("%v to %v", time.Duration(p.BeginNs), time.Duration(p.EndNs))
}

func (f *Found) frames(s *store.Session, p Place) error {
	t := s.Track(f.Track)
	if t == nil || t.NumFrames() == 0 {
		return fmt.Errorf("no frames were received of thread “%s”", escape.Name(p.Thread))
	}
	first, _ := t.FrameByNumber(p.First)
	last, exact := t.FrameByNumber(p.Last)
	if !exact {
		last--
	}
	if first > last || last < 0 || first >= t.NumFrames() {
		what := fmt.Sprintf("frame %d", p.First)
		if p.First != p.Last {
			what = fmt.Sprintf("none of the frames %d to %d", p.First, p.Last)
		}
		have := fmt.Sprintf("thread “%s” has frames %d to %d", escape.Name(t.Title()), t.Frame(0).Number,
			t.Frame(t.NumFrames()-1).Number)
		if p.First != p.Last {
			return fmt.Errorf("%s was received: %s", what, have)
		}
		return fmt.Errorf("%s was not received: %s", what, have)
	}
	f.First, f.Last = first, last
	f.BeginNs, f.EndNs, _ = t.FrameTimes(first, last)
	return nil
}

// span looks for the span: of those that run when it begins the one that begins just then and is as
// long, else one that begins then, else the innermost. Cost: O(threads · lanes · log spans).
func (f *Found) span(s *store.Session, p Place) error {
	tracks := []model.TrackID{f.Track}
	if f.Track == model.NoTrack {
		tracks = tracks[:0]
		for id := range model.TrackID(s.NumTracks()) {
			tracks = append(tracks, id)
		}
	}
	best := -1
	for _, id := range tracks {
		t := s.Track(id)
		if t == nil {
			continue
		}
		for lane := range t.Lanes() {
			b, ok := s.Spans().At(id, lane, p.BeginNs, 0)
			if !ok || p.Collector != "" && !named(s, b.Collector, p.Collector) {
				continue
			}
			rank := 0
			if b.Begin == p.BeginNs {
				rank++
			}
			if rank > 0 && b.End == p.EndNs {
				rank++
			}
			longer := (b.End - b.Begin) - (f.Span.End - f.Span.Begin)
			if rank > best || rank == best && (longer < 0 || longer == 0 && id == f.Span.Ref.Track) {
				best, f.Span = rank, b
			}
		}
	}
	if best < 0 {
		what := "no span"
		if p.Collector != "" {
			what = "no span of “" + escape.Name(p.Collector) + "”"
		}
		return fmt.Errorf("%s runs at %v", what, time.Duration(p.BeginNs))
	}
	f.Track, f.BeginNs, f.EndNs = f.Span.Ref.Track, f.Span.Begin, f.Span.End
	return nil
}

// named reports whether a collector is called so.
func named(s *store.Session, c model.CollectorID, name string) bool {
	k := s.Collector(c)
	return k != nil && slices.Contains([]string{k.FullName, k.Name}, name)
}

// OfFrames returns the place of frames, by their indices.
func OfFrames(s *store.Session, track model.TrackID, first, last int) (Place, bool) {
	t := s.Track(track)
	if t == nil || first < 0 || last < first || last >= t.NumFrames() {
		return Place{}, false
	}
	p := Place{Kind: Frames, First: t.Frame(first).Number, Last: t.Frame(last).Number}
	return p.Of(s, track), true
}

// OfSpan returns the place of a span.
func OfSpan(s *store.Session, b spans.Bar) (Place, bool) {
	k := s.Collector(b.Collector)
	if stored, ok := s.Spans().ByRef(b.Ref); ok {
		b = stored // a picture may have moved it in time
	}
	if k == nil || s.Track(b.Ref.Track) == nil {
		return Place{}, false
	}
	p := Place{Kind: Span, BeginNs: b.Begin, EndNs: b.End, Collector: k.Title()}
	return p.Of(s, b.Ref.Track), true
}
