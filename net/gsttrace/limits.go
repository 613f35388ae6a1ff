package gsttrace

import (
	"strconv"

	"framescope/model"
	"framescope/net/feed"
)

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
	maxQueued     = 1 << 14 // buffers in one queue: the level of one that holds more is not known
	// maxTimeNs bounds times (73 years), as the store does.
	maxTimeNs    = 1 << 61
	maxLossLines = 48 // unreadable lines that are told one by one
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
	limitQueued
	numLimits
)

// limitNames say of each limit what there is too much of, and what becomes of it.
var limitNames = [numLimits]string{
	limitProcesses:  "processes (at most " + strconv.Itoa(maxProcesses) + "): records of more are shown as of one",
	limitThreads:    "threads (at most " + strconv.Itoa(maxThreads) + "): more are shown as one",
	limitTracks:     "elements and paths with latencies (at most " + strconv.Itoa(maxTracks) + "): more are shown as one",
	limitGroups:     "places of measurements: those of more are missing, latencies are shown as " + feed.MoreNames,
	limitSeries:     "series (at most " + strconv.Itoa(maxSeries) + "): the samples of more are missing",
	limitCollectors: "names and call paths: more are shown as " + feed.MoreNames,
	limitObjects:    "elements and pads (at most " + strconv.Itoa(maxObjects) + "): more are missing",
	limitLinks:      "links (at most " + strconv.Itoa(maxLinks) + "): more are missing",
	limitResources:  "listed objects and reference events: more are missing",
	limitCategories: "kinds of events of one element (at most " + strconv.Itoa(maxCategories) + "): more are shown as other",
	limitStates:     "texts of one state series (at most " + strconv.Itoa(maxStates) + "): more are in Messages only",
	limitCalls:      "calls inside one another (at most " + strconv.Itoa(maxCalls) + "): deeper ones are missing",
	limitLanes:      "buffers at one time in one place (at most " + strconv.Itoa(maxLanes) + "): the spans of more are missing",
	limitQueued:     "buffers in one queue (at most " + strconv.Itoa(maxQueued) + "): its level is not known any more",
	limitText:       "long texts: all but the first " + strconv.Itoa(maxText>>10) + " KiB is missing",
}

// String says what there is too much of, and what becomes of it.
func (k limitKind) String() string { return limitNames[k] }

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
func (l *limitCounts) report(define func(model.Change)) {
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
		define(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: n, Limit: limitNames[k], Detail: detail})
	}
}
