package gsttrace

import "framescope/model"

// Limits on what a log can make grow. What lies beyond is counted as LossLimit; the rest of the line is used all the same.
const (
	maxProcesses  = 64
	maxThreads    = 2048 // of all processes
	maxTracks     = 4096 // threads, and streams of latencies
	keptTracks    = maxProcesses + 2
	maxGroups     = 1 << 16 // keys that records are grouped by
	maxSeries     = 1 << 15
	maxCollectors = 1 << 15
	maxPaths      = 1 << 18
	maxObjects    = 1 << 16
	maxLinks      = 1 << 16
	maxResources  = 1 << 18
	maxRefEvents  = 1 << 20
	maxCategories = 64   // event series of one key
	maxStates     = 32   // names of one state series
	maxCalls      = 512  // calls inside one another, on one thread
	maxLanes      = 1024 // spans of one stream at the same time
	maxRenames    = 32   // of one object
	maxText       = 16 << 10
	maxForeign    = 4 << 10 // bytes of a line that is no part of the log
	maxRefSeries  = 1024
	maxLossLines  = 48 // unreadable lines that are told one by one
)

// About what plans and the parts of a group take, in bytes, besides their texts and what is defined for them.
const (
	planBytes   = 1 << 10
	planField   = 640
	groupBytes  = 1280
	seriesBytes = 320
	stateBytes  = 128
	kindBytes   = 448
)

// limitKind is what was too much.
type limitKind uint8

const (
	limitProcesses limitKind = iota
	limitThreads
	limitTracks
	limitGroups
	limitSeries
	limitCollectors
	limitObjects
	limitLinks
	limitResources
	limitCategories
	limitStates
	limitCalls
	limitLanes
	limitText
	numLimits
)

var limitNames = [numLimits]string{
	"processes in one log; the records of more are shown as of one", "threads; more are shown as one",
	"tracks; streams of more are shown as one",
	"kinds and places of measurements; latencies of more are shown as \"(more names)\"", "series", "names and call paths; more are shown as \"(more names)\"",
	"elements and pads", "links", "listed objects and reference events", "different texts in one field; more are shown as \"other\"", "states of one series", "calls inside one another",
	"spans at one time in one stream", "texts that were cut",
}

// limitCounts counts what was beyond each limit since the last report.
type limitCounts struct {
	n    [numLimits]int64
	some bool
	told [numLimits]bool
}

func (l *limitCounts) add(k limitKind) {
	l.n[k]++
	l.some = true
}

// report hands over what was counted.
func (l *limitCounts) report(o *output) {
	if !l.some {
		return
	}
	l.some = false
	for k, n := range l.n {
		if n == 0 {
			continue
		}
		detail := ""
		if !l.told[k] {
			detail, l.told[k] = "too many: "+limitNames[k], true
		}
		l.n[k] = 0
		o.define(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: n, Detail: detail})
	}
}
