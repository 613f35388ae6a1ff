package convert

import (
	"fmt"
	"strings"

	"framescope/charts/subject"
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
	p.Leave(int64(len(words)), "account of what the recording lacks", "accounts of what the recording lacks",
		strings.Join(words, ", "))
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

// LeaveMeasures notes the stacks' other measures besides the written one.
func (p *Part) LeaveMeasures(written spans.Measure) {
	var names []string
	for _, m := range p.Session.Spans().Measures(p.Tracks, nil) {
		if _, own := p.Session.Spans().Weight(m); own && m != written {
			names = append(names, subject.MeasureName(p.Session, m))
		}
	}
	p.Leave(int64(len(names)), "other measure", "other measures",
		strings.Join(names, ", ")+": --measure NAME writes another one than "+
			subject.MeasureName(p.Session, written))
}
