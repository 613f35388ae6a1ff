package convert

import (
	"fmt"
	"strings"

	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
)

// LeaveAccount notes the open frames, the known losses of the session and its warnings, as the file
// does not contain them. It skips held-back frames: their numbers are missing in the file, too.
func (p *Part) LeaveAccount() {
	p.leaveOpenFrames()
	ledger := p.Session.Ledger()
	var words []string
	for _, line := range ledger.Lines(nil) {
		if line.N > 0 && line.Bad && line.Key != "held_back" {
			words = append(words, fmt.Sprintf("%s: %d", line.Label, line.N))
		}
	}
	p.Leave(int64(len(words)), "account of what the recording lacks", "accounts of what the recording lacks", strings.Join(words, ", "))
	if warnings := p.Session.Warnings(); len(warnings) > 0 {
		p.Leave(int64(len(warnings)), "note on the recording", "notes on the recording", strings.Join(warnings, " "))
	}
}

// leaveOpenFrames notes the frames that had not ended when the recording did.
func (p *Part) leaveOpenFrames() {
	open := int64(0)
	for _, id := range p.Tracks {
		_, end := p.Frames(id)
		if t := p.Session.Track(id); t != nil && end == t.NumFrames() {
			if _, ok := t.OpenFrame(); ok {
				open++
			}
		}
	}
	p.Leave(open, "open frame", "open frames", "no end was received")
}

// LeaveGroups notes the files, libraries and groups on the part's call paths, for formats in which a
// function is only a name.
func (p *Part) LeaveGroups() {
	table := p.Session.Collectors()
	seen := map[model.CollectorID]bool{}
	of := map[string]int{}
	n, alike := int64(0), int64(0)
	for id := range model.PathID(p.Session.Paths().Len()) {
		_, c := p.Session.Path(id)
		x := table.ByID(c)
		if x == nil || seen[c] {
			continue
		}
		seen[c] = true
		if x.Parent > 0 {
			n++
		}
		if of[x.Name]++; of[x.Name] == 2 {
			alike++
		}
	}
	p.Leave(n, "file or group of a function", "files or groups of functions", "")
	if n > 0 {
		p.Leave(alike, "name of several functions", "names of several functions", "which become one")
	}
}

// LeaveMeasures notes the stacks' other measures besides the written one.
func (p *Part) LeaveMeasures(written spans.Measure) {
	var names []string
	for _, m := range p.Session.Spans().Measures(p.Tracks, nil) {
		if _, own := p.Session.Spans().Weight(m); own && m != written {
			names = append(names, subject.MeasureName(p.Session, m))
		}
	}
	p.Leave(int64(len(names)), "other measure", "other measures", strings.Join(names, ", ")+": --measure NAME writes another one than "+
		subject.MeasureName(p.Session, written))
}
