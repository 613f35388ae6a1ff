package spall

import (
	"slices"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of the reader's memory.
const (
	maxThreads = 1 << 14
	maxFrames  = 1 << 20 // in a file
	maxPIDs    = 1 << 10
)

// frameNames are the names of calls that are frames, where one thread made two of them or more. The
// first that is there counts.
var frameNames = [...]string{"frame", "Frame", "main loop", "tick"}

// border is when a frame begins and ends, ns. One that is open went on at its end.
type border struct {
	begin, end int64
	open       bool
}

// survey is the result of the first reading.
type survey struct {
	clock     clock
	threads   map[key]*surveyed
	order     []*surveyed // as they appear
	processes map[uint32]string
	last      *surveyed
	room      *feed.Names
	kept      int  // frames, of all candidates
	refused   bool // there were more
	frames    []border
	main      *surveyed // the thread that has the frames
	frameName string
	want      feed.Frames
	names     []string // that frames may have
	least     int      // how many calls of a name make frames
}

// surveyed is its result for a thread.
type surveyed struct {
	key        key
	name       string
	firstNs    int64
	lastNs     int64
	any        bool
	depth      int
	candidates [len(frameNames)]candidate
}

// candidate is the calls of a thread that may be frames.
type candidate struct {
	depth   int // at which the one that goes on was begun, from 1; 0 there is none
	begin   int64
	borders []border
}

func newSurvey(room *feed.Names, want feed.Frames) *survey {
	s := &survey{threads: map[key]*surveyed{}, processes: map[uint32]string{}, room: room, want: want, names: frameNames[:], least: 2}
	if name, ok := want.Named(); ok {
		s.names, s.least = []string{name}, 1
	} else if want == feed.NoFrames {
		s.names = nil
	}
	return s
}

// thread returns the state of a thread, nil when there are too many.
func (s *survey) thread(k key) *surveyed {
	if s.last != nil && s.last.key == k {
		return s.last
	}
	t := s.threads[k]
	if t == nil {
		def := model.TrackDef{ID: model.TrackID(len(s.order))}
		if len(s.order) >= maxThreads || len(s.order) >= feed.SureThreads && !s.room.Admit(def) {
			return nil
		}
		t = &surveyed{key: k}
		s.threads[k] = t
		s.order = append(s.order, t)
	}
	s.last = t
	return t
}

// take takes an event.
func (s *survey) take(e *event) {
	t := s.thread(e.key)
	if t == nil {
		return
	}
	switch e.kind {
	case nameThread:
		t.name = string(e.name)
	case nameProcess:
		if _, known := s.processes[e.key.pid]; known || len(s.processes) < maxPIDs {
			s.processes[e.key.pid] = string(e.name)
		}
	case begin, end:
		ns, ok := s.clock.time(e)
		switch {
		case !ok:
			ns = t.lastNs
		case !t.any:
			t.firstNs, t.lastNs, t.any = ns, ns, true
		}
		t.lastNs = max(ns, t.lastNs)
		if e.kind == begin {
			s.begin(t, e)
		} else if t.depth > 0 {
			s.end(t)
		}
	}
}

func (s *survey) begin(t *surveyed, e *event) {
	t.depth++
	if i := slices.IndexFunc(s.names, func(name string) bool { return name == string(e.name) }); i >= 0 && t.candidates[i].depth == 0 {
		t.candidates[i].depth, t.candidates[i].begin = t.depth, t.lastNs
	}
}

func (s *survey) end(t *surveyed) {
	for i := range t.candidates {
		if c := &t.candidates[i]; c.depth == t.depth {
			s.add(c, t.lastNs, false)
		}
	}
	t.depth--
}

// add adds the candidate's call that goes on, which ends, or is open to the last.
func (s *survey) add(c *candidate, endNs int64, open bool) {
	c.depth = 0
	if s.kept >= maxFrames {
		s.refused = true
		return
	}
	s.kept++
	c.borders = append(c.borders, border{c.begin, endNs, open})
}

// finish decides on time 0 and frames. A frame that never ended is open at the thread's last event.
func (s *survey) finish() {
	first := true
	for _, t := range s.order {
		if t.any && (first || t.firstNs < s.clock.zeroNs) {
			s.clock.zeroNs, first = t.firstNs, false
		}
		for i := range t.candidates {
			if c := &t.candidates[i]; c.depth > 0 {
				s.add(c, t.lastNs, true)
			}
		}
	}
	for i, name := range s.names {
		for _, t := range s.order {
			if b := t.candidates[i].borders; len(b) >= s.least && len(b) > len(s.frames) {
				s.frames, s.main, s.frameName = b, t, name
			}
		}
		if s.main != nil {
			break
		}
	}
	for i := range s.frames {
		s.frames[i].begin -= s.clock.zeroNs
		s.frames[i].end -= s.clock.zeroNs
	}
	for _, t := range s.order {
		t.candidates = [len(frameNames)]candidate{}
	}
}
