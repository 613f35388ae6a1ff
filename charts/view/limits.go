// The state of the budgets of a window's session: verdicts made a piece a tick, by the code of
// `framescope check` and over all of the session, and anew at a readable pace while it grows. Panels
// read them here; the window handles files and dialogs. It knows budgets and the model, and no panel.

package view

import (
	"cmp"

	"framescope/model"
	"framescope/model/budget"
	"framescope/model/store"
)

// Limit is a budget and one thing that it is on, with the verdict.
type Limit struct {
	budget.Result
	Words string // "total, p99: 4.210 ms of 4.000 ms, broken"
}

// State is the budgets of a session and their results. The zero value has no budgets, and so has
// nil.
type State struct {
	file            string
	budgets         []budget.Budget
	trouble         string
	session         *store.Session
	of              uint64 // revision of the session for the limits
	pass            *budget.Pass
	passOf          uint64
	tookNs          int64 // the last pass
	beganNs, doneNs int64
	done            bool
	limits          []Limit
	unfit           string // why the budgets cannot be held in this session
	frames          map[model.TrackID][]*Limit
	on              map[limitsPlace][]*Limit
	series          map[model.SeriesID][]*Limit
	revision        uint64
}

type limitsPlace struct {
	track     model.TrackID
	collector model.CollectorID
}

// Set gives the state other budgets: those of a file.
func (s *State) Set(file string, budgets []budget.Budget) {
	s.file, s.budgets, s.trouble = file, budgets, ""
	s.forget()
}

// Fail sets the error of the file; its earlier budgets stay. Empty means no error.
func (s *State) Fail(why string) {
	if s.trouble != why {
		s.trouble = why
		s.revision++
	}
}

// forget begins anew.
func (s *State) forget() {
	s.end()
	s.limits, s.unfit, s.frames, s.on, s.series, s.done = nil, "", nil, nil, nil, false
	s.revision++
}

func (s *State) end() {
	if s.pass != nil {
		s.pass.Close()
		s.pass = nil
	}
}

// The pace while a session grows: a pass begins at most so often, and when four times the duration of
// the last one have gone by since.
const paceNs = 1_000_000_000

// Follow goes on with a session for about so much work, see budget.Pass.Step, and reports whether there are
// new verdicts.
func (s *State) Follow(session *store.Session, nowNs int64, work int) bool {
	if session != s.session {
		s.session = session
		s.forget()
	}
	if session == nil || len(s.budgets) == 0 {
		return false
	}
	if s.pass == nil {
		rests := s.done && nowNs < s.doneNs+max(paceNs, 4*s.tookNs)
		if now := session.Revision(); s.done && now == s.of || rests {
			return false
		} else {
			s.passOf = now
		}
		s.pass, s.beganNs = budget.Begin(session, s.budgets, budget.All(session)), nowNs
		s.pass.Marks = true
	}
	if !s.pass.Step(work) {
		return false
	}
	results, err := s.pass.Results()
	s.end()
	s.of, s.done, s.doneNs, s.tookNs = s.passOf, true, nowNs, nowNs-s.beganNs
	if s.unfit = ""; err != nil {
		s.unfit = err.Error()
	}
	s.setVerdicts(results)
	s.revision++
	return true
}

// setVerdicts stores the verdicts, by their subject.
func (s *State) setVerdicts(results []budget.Result) {
	s.limits = make([]Limit, len(results))
	s.frames, s.on, s.series = map[model.TrackID][]*Limit{}, map[limitsPlace][]*Limit{}, map[model.SeriesID][]*Limit{}
	for i := range results {
		x := &s.limits[i]
		x.Result = results[i]
		x.Words = x.Budget.Measured() + ": " + x.Found() + " of " + x.Allowed() + ", " + string(x.Verdict)
		switch {
		case x.Verdict == budget.Nothing:
			x.Words = x.Budget.Measured() + ": nothing with this name was recorded"
		case x.Series != model.NoSeries:
			s.series[x.Series] = append(s.series[x.Series], x)
		case x.Collector != model.NoCollector:
			at := limitsPlace{x.Track, x.Collector}
			s.on[at] = append(s.on[at], x)
		default:
			s.frames[x.Track] = append(s.frames[x.Track], x)
			root := limitsPlace{x.Track, 0} // which stands for the frame
			s.on[root] = append(s.on[root], x)
		}
	}
}

// Revision changes with the budgets and the verdicts.
func (s *State) Revision() uint64 { return s.revision }

// File returns the file of the budgets, empty while there is none.
func (s *State) File() string { return s.file }

// Budgets returns the budgets of the file.
func (s *State) Budgets() []budget.Budget { return s.budgets }

// Trouble returns the error of the file in its present state, or of its budgets in this session.
func (s *State) Trouble() string { return cmp.Or(s.trouble, s.unfit) }

// Ready reports whether there are verdicts; later ones may be under way.
func (s *State) Ready() bool { return s.done }

// All returns the verdicts in order of the budgets.
func (s *State) All() []Limit { return s.limits }

// Frames returns the limits of whole frames of a track.
func (s *State) Frames(track model.TrackID) []*Limit { return s.frames[track] }

// Of returns the limits of a collector on a track; of the root also those of whole frames.
func (s *State) Of(track model.TrackID, c model.CollectorID) []*Limit {
	return s.on[limitsPlace{track, c}]
}

// Series returns the limits of a series.
func (s *State) Series(id model.SeriesID) []*Limit { return s.series[id] }

// On returns the limits of the hovered or chosen item: of a series, of a collector on a track, else of the
// frames of the track.
func (s *State) On(track model.TrackID, c model.CollectorID, id model.SeriesID) []*Limit {
	switch {
	case id != model.NoSeries:
		return s.Series(id)
	case c != model.NoCollector:
		return s.Of(track, c)
	}
	return s.Frames(track)
}

// Broken reports whether one of some limits is broken.
func Broken(list []*Limit) bool {
	for _, x := range list {
		if x.Breach() {
			return true
		}
	}
	return false
}
