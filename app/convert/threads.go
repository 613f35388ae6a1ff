package convert

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/model/store"
)

// Process is one of the part, for formats that have processes.
type Process struct {
	Name string // empty: not known
	PID  int64  // its own where it is known (pids); unlike the others, of 31 bits and above 0
	// Known reports that PID is its own: formats need one of each process.
	Known bool
	// Host is the track with the frames of the process, for formats with one sequence of frames in a
	// process; NoTrack: it has none.
	Host model.TrackID
}

// Thread is a track of the part, for formats that have threads with numbers.
type Thread struct {
	ID      model.TrackID
	Track   *store.Track
	Process int    // index of its process
	TID     int64  // its number on the wire, where no other of its process has that; above 0
	Name    string // empty: it only has its number
}

// Threads returns the tracks of the part and their processes; there is at least one process, for series
// without one.
func (p *Part) Threads() (procs []Process, threads []Thread) {
	info := p.Session.Info()
	index := map[string]int{}
	taken := []map[int64]bool{}
	main := p.Session.MainTrack()
	for _, id := range p.Tracks {
		t := p.Session.Track(id)
		of, ok := index[t.Def.Process]
		if !ok {
			of = len(procs)
			index[t.Def.Process] = of
			procs = append(procs, Process{Name: cmp.Or(t.Def.Process, info.Program), Host: model.NoTrack})
			taken = append(taken, map[int64]bool{})
		}
		th := Thread{ID: id, Track: t, Process: of, TID: int64(t.Def.Index), Name: t.Def.Name}
		if !t.Def.Kind.Calls() {
			th.Name = t.Title()
		}
		if th.TID <= 0 || taken[of][th.TID] || !t.Def.Kind.Calls() {
			for th.TID = int64(id) + 1; taken[of][th.TID]; th.TID++ {
			}
			th.Name = t.Title()
		}
		taken[of][th.TID] = true
		threads = append(threads, th)
		p.host(&procs[of], id, main)
	}
	if len(procs) == 0 {
		procs = append(procs, Process{Name: info.Program, Host: model.NoTrack})
	}
	own := 0 // the process with the session's PID
	if t := p.Session.Track(main); t != nil {
		at, ok := index[t.Def.Process]
		if own = at; !ok {
			own = -1
		}
	} else if len(procs) > 1 {
		own = -1
	}
	p.pids(procs, own)
	return procs, threads
}

// pids gives processes their numbers: the one at own gets the session's, unnamed ones the number in
// their title, "process 4711", and the rest the first free numbers.
func (p *Part) pids(procs []Process, own int) {
	taken := map[int64]bool{}
	take := func(of *Process, pid int64) bool {
		if of.PID > 0 || pid <= 0 || pid > math.MaxInt32 || taken[pid] {
			return false
		}
		of.PID, of.Known, taken[pid] = pid, true, true
		return true
	}
	if own >= 0 {
		take(&procs[own], p.Session.Info().PID)
	}
	for i := range procs {
		if digits, ok := strings.CutPrefix(procs[i].Name, "process "); ok {
			if pid, err := strconv.ParseInt(digits, 10, 32); err == nil {
				take(&procs[i], pid)
			}
		}
	}
	for i := range procs {
		made := procs[i].PID <= 0
		for pid := int64(i) + 1; procs[i].PID <= 0 && !take(&procs[i], pid); pid++ {
		}
		procs[i].Known = procs[i].Known && !made
	}
}

// Titles returns unique titles of the part's tracks, for formats in which a thread is its name. Equal
// titles have numbers behind them.
func (p *Part) Titles() map[model.TrackID]string {
	alike, taken := map[string]int{}, map[string]bool{}
	for _, id := range p.Tracks {
		title := p.Session.Track(id).Title()
		alike[title]++
		taken[title] = true
	}
	out := map[model.TrackID]string{}
	for _, id := range p.Tracks {
		t := p.Session.Track(id)
		title := t.Title()
		if n := t.Def.Index; alike[title] > 1 {
			for title = numbered(t.Title(), n); taken[title]; title = numbered(t.Title(), n) {
				n++
			}
			taken[title] = true
		}
		out[id] = title
	}
	return out
}

func numbered(title string, n int) string { return fmt.Sprintf("%s (%d)", title, n) }

// host makes a track the host of its process if it has more frames than the present one, or is the
// session's main track.
func (p *Part) host(of *Process, id, main model.TrackID) {
	n := func(id model.TrackID) int {
		if id == model.NoTrack {
			return 0
		}
		first, end := p.Frames(id)
		return end - first
	}
	if n(id) > 0 && (id == main || of.Host != main && n(id) > n(of.Host)) {
		of.Host = id
	}
}
