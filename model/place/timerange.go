package place

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/measure"
	"framescope/model/store"
)

// RangeHelp describes the syntax, for the help texts of commands.
const RangeHelp = `A range is A:B; either end may be missing.
  120:180  120:  :180  120    frame numbers of the thread, both ends included; 120 is one frame
  1.5s:2.5s  200ms:  :1m30s   times as the window shows them, the end excluded; a range of times
                              contains the frames that begin in it
  -100:  -2s:                 from the end: the last hundred frames, the last two seconds
A range without any data is an error.`

// TimeRange is a run of frames or of time. The zero value is everything.
type TimeRange struct {
	// Times means that A and B are times in ns, otherwise they are frame numbers.
	Times bool
	// A and B are the first and the last frame, or the time where it begins and that before which it
	// ends; valid if HasA and HasB.
	A, B       int64
	HasA, HasB bool
}

// All reports whether the range is everything.
func (r TimeRange) All() bool { return !r.HasA && !r.HasB }

// ParseRange reads a range; see Help. An empty text is everything.
func ParseRange(text string) (TimeRange, error) {
	var r TimeRange
	text = strings.TrimSpace(text)
	if text == "" || text == ":" {
		return r, nil
	}
	a, b, two := strings.Cut(text, ":")
	if !two {
		b = a
	}
	timeA, timeB := false, false
	var err error
	if r.A, timeA, r.HasA, err = parseEnd(a); err != nil {
		return TimeRange{}, fmt.Errorf("range %q: %w", text, err)
	}
	if r.B, timeB, r.HasB, err = parseEnd(b); err != nil {
		return TimeRange{}, fmt.Errorf("range %q: %w", text, err)
	}
	if r.HasA && r.HasB && timeA != timeB {
		return TimeRange{}, fmt.Errorf("range %q: give both ends as frame numbers (120:180) or both as times (1.5s:2.5s)",
			text)
	}
	r.Times = timeA || timeB
	if !two && r.Times {
		return TimeRange{}, fmt.Errorf("range %q: a time range needs two ends, such as %s:%s", text, a, "2.5s")
	}
	if r.HasA && r.HasB && (r.A < 0) == (r.B < 0) {
		switch {
		case r.A > r.B:
			return TimeRange{}, fmt.Errorf("range %q: it ends before it begins", text)
		case r.A == r.B && r.Times:
			return TimeRange{}, fmt.Errorf("range %q: it is empty, since a range of times excludes its end", text)
		}
	}
	return r, nil
}

// Of returns the text of the range that a place is, for Parse. A moment is none.
func Of(p Place) (text string, err error) {
	switch {
	case p.Kind == Frames:
		return fmt.Sprintf("%d:%d", p.First, p.Last), nil
	case p.Kind == None || p.BeginNs == p.EndNs:
		return "", errors.New("it is not a range: give frame=5431, range=12.5s:13s or span=12.5s:12.6s")
	case p.BeginNs < 0:
		return "", errors.New("it begins before the session")
	}
	return time.Duration(p.BeginNs).String() + ":" + time.Duration(p.EndNs).String(), nil
}

func parseEnd(text string) (value int64, isTime, has bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, false, false, nil
	}
	if n, err := measure.ParseCount(text); err == nil {
		return n, false, true, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, false, false, fmt.Errorf("%q is neither a frame number (120) nor a time (1.5s, 200ms)", text)
	}
	return int64(d), true, true, nil
}

// ErrNoFrames is returned when a session has nothing to choose from.
var ErrNoFrames = errors.New("no frames were recorded")

// Resolve returns the time [beginNs, endNs) that the range covers in a session. Frame numbers are
// those of the given track. The time of a frame range ends with the last frame's end, so that
// frames of other tracks belong to it when they begin in it; of the track itself, as its frames may
// overlap, just those of Frames do.
func (r TimeRange) Resolve(s *store.Session, track model.TrackID) (beginNs, endNs int64, err error) {
	from, to, ok := s.Bounds()
	if !ok {
		return 0, 0, ErrNoFrames
	}
	beginNs, endNs = from, behind(to)
	if r.All() {
		return beginNs, endNs, nil
	}
	if s.Info().Sampling.Timeless {
		return 0, 0, ErrTimeless
	}
	if r.Times {
		if r.HasA {
			beginNs = fromEnd(r.A, to)
		}
		if r.HasB {
			endNs = fromEnd(r.B, to)
		}
		if beginNs >= endNs || beginNs > to || endNs <= from {
			return 0, 0, fmt.Errorf("nothing was recorded in this range: the recording goes from %s to %s", seconds(from),
				seconds(to))
		}
		return beginNs, endNs, nil
	}
	first, last, err := r.Frames(s, track)
	if err != nil {
		return 0, 0, err
	}
	beginNs, endNs, _ = s.Track(track).FrameTimes(first, last)
	return beginNs, max(endNs, beginNs+1), nil
}

// Frames returns the indices of the first and the last stored frame of a track in the range.
func (r TimeRange) Frames(s *store.Session, track model.TrackID) (first, last int, err error) {
	t := s.Track(track)
	if t == nil || t.NumFrames() == 0 {
		return 0, 0, ErrNoFrames
	}
	first, last = 0, t.NumFrames()-1
	oldest, newest := t.Frame(first), t.Frame(last)
	if r.Times {
		beginNs, endNs, err := r.Resolve(s, track)
		if err != nil {
			return 0, 0, err
		}
		first, last = t.FramesBeginning(beginNs, endNs)
	} else {
		if r.HasA {
			first, _ = t.FrameByNumber(fromEnd(r.A, newest.Number+1))
		}
		if r.HasB {
			i, found := t.FrameByNumber(fromEnd(r.B, newest.Number+1))
			if last = i; !found {
				last--
			}
		}
	}
	if first > last || first >= t.NumFrames() || last < 0 {
		err := fmt.Errorf("no frame of thread %s in this range: it has frames %d to %d, from %v to %v", t.Title(),
			oldest.Number, newest.Number,
			seconds(oldest.Begin), seconds(newest.End))
		if o, ok := t.OpenFrame(); ok {
			err = fmt.Errorf("%w, and the open frame %d", err, o.Number)
		}
		return 0, 0, err
	}
	return first, last, nil
}

// fromEnd counts a negative value from the end.
func fromEnd(value, end int64) int64 {
	if value < 0 {
		return end + value
	}
	return value
}

// behind is the open end of a range with ns as its last instant.
func behind(ns int64) int64 {
	if ns == math.MaxInt64 {
		return ns
	}
	return ns + 1
}

// FindTrack returns the track of a name, else that of a number (store.ThreadNumbers), as in reports
// and exported tables, else the one that the text matches as a part, a glob or an expression, as in
// "thread:" of expressions. Empty is the main track. The error names the threads that may be meant.
func FindTrack(s *store.Session, name string) (model.TrackID, error) {
	found, err := tracksOf(s, name)
	switch {
	case err != nil:
		return model.NoTrack, err
	case len(found) > 1:
		return model.NoTrack, several(s, name, found)
	}
	return found[0], nil
}

// FindTracks returns the tracks of names, each once: for each name that of FindTrack, for a glob or
// an expression all matches.
func FindTracks(s *store.Session, names []string) (all []model.TrackID, err error) {
	for _, name := range names {
		found, err := tracksOf(s, name)
		if err != nil {
			return nil, err
		}
		if len(found) > 1 && !strings.ContainsAny(name, "*?") && !strings.HasPrefix(name, "/") {
			return nil, several(s, name, found)
		}
		for _, id := range found {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all, nil
}

func several(s *store.Session, name string, found []model.TrackID) error {
	return fmt.Errorf("%d threads have %q in their names; choose one: %s", len(found), escape.Name(name), titles(s, found))
}

// tracksOf returns the tracks that a text may mean, one at least.
func tracksOf(s *store.Session, name string) ([]model.TrackID, error) {
	if name == "" {
		if t := s.MainTrack(); t != model.NoTrack {
			return []model.TrackID{t}, nil
		}
		return nil, ErrNoFrames
	}
	var all []model.TrackID
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id) != nil {
			all = append(all, id)
		}
	}
	id, ok := Thread(s, name, 0)
	if !ok {
		id, ok = folded(s, name)
	}
	if !ok {
		id = numbered(s, name)
	}
	if id != model.NoTrack {
		return []model.TrackID{id}, nil
	}
	found, err := find.Threads(s, name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("thread %q: %w", escape.Name(name), err)
	case len(found) == 0:
		return nil, fmt.Errorf("no thread %q; the threads are: %s", escape.Name(name), titles(s, all))
	}
	return found, nil
}

// numbered returns the thread of a number as a text, NoTrack if it is none or has no thread.
func numbered(s *store.Session, text string) model.TrackID {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return model.NoTrack
	}
	var numbers store.ThreadNumbers
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id) != nil && numbers.Of(s, id) == int64(n) {
			return id
		}
	}
	return model.NoTrack
}

// titles lists the names of threads, with the numbers of those that are called alike.
func titles(s *store.Session, ids []model.TrackID) string {
	const most = 20
	more := ""
	if n := len(ids) - most; n > 0 {
		ids, more = ids[:most], fmt.Sprintf(" and %d more", n)
	}
	names, alike := make([]string, len(ids)), map[string]int{}
	for i, id := range ids {
		names[i] = escape.Name(s.Track(id).Title())
		alike[names[i]]++
	}
	var numbers store.ThreadNumbers
	for i, id := range ids {
		if alike[names[i]] > 1 {
			names[i] = fmt.Sprintf("%s (%d)", names[i], numbers.Of(s, id))
		}
	}
	return strings.Join(names, ", ") + more
}

// seconds writes a time in the unit in which all times of a line are compared, as ranges take it.
func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) + "s" }
