// Limits of a log's memory, and counts of the things beyond them.

package gsttrace

import (
	"strconv"

	"framescope/model"
	"framescope/net/feed"
)

// What a log can make grow, at most. What lies beyond is counted as LossLimit; the rest of the line
// is used all the same.
const (
	MaxProcesses  = 64
	MaxThreads    = 2048 // of all processes
	MaxTracks     = 4096 // threads, and streams of latencies
	KeptTracks    = MaxProcesses + 3
	MaxGroups     = 1 << 16 // keys that records are grouped by
	MaxSeries     = 1 << 15
	MaxCollectors = 1 << 15
	MaxPaths      = 1 << 18
	MaxObjects    = 1 << 16
	MaxLinks      = 1 << 16
	MaxResources  = 1 << 18
	MaxRefEvents  = 1 << 20
	MaxCategories = 64   // event series of one key
	MaxStates     = 32   // names of one state series
	MaxCalls      = 512  // calls inside one another, on one thread
	MaxLanes      = 1024 // spans of one stream at the same time
	MaxRenames    = 32   // of one object
	MaxText       = 16 << 10
	MaxForeign    = 4 << 10 // bytes of a line that is no part of the log
	MaxRefSeries  = 1024
	MaxQueued     = 1 << 14 // buffers in one queue: the level of one that holds more is not known
	// MaxTime bounds times, in ns (73 years), as the store does.
	MaxTime      = 1 << 61
	MaxLossLines = 48 // unreadable lines that are reported one by one
)

// Kind is the kind of things beyond a limit.
type Kind uint8

const (
	Processes Kind = iota
	LimitsThreads
	Tracks
	Groups
	Series
	Collectors
	Objects
	Links
	Resources
	Categories
	LimitsStates
	Calls
	Lanes
	Text
	Queued
	numKinds
)

// kindNames name the things beyond each limit, and their treatment.
var kindNames = [numKinds]string{
	Processes:     "processes (at most " + strconv.Itoa(MaxProcesses) + "): records of more are shown as of one",
	LimitsThreads: "threads (at most " + strconv.Itoa(MaxThreads) + "): more are shown as one",
	Tracks:        "elements and paths with latencies (at most " + strconv.Itoa(MaxTracks) + "): more are shown as one",
	Groups:        "places of measurements: those of more are missing, latencies are shown as " + feed.MoreNames,
	Series:        "series (at most " + strconv.Itoa(MaxSeries) + "): the samples of more are missing",
	Collectors:    "names and call paths: more are shown as " + feed.MoreNames,
	Objects:       "elements and pads (at most " + strconv.Itoa(MaxObjects) + "): more are missing",
	Links:         "links (at most " + strconv.Itoa(MaxLinks) + "): more are missing",
	Resources:     "listed objects and reference events: more are missing",
	Categories:    "kinds of events of one element (at most " + strconv.Itoa(MaxCategories) + "): more are shown as other",
	LimitsStates:  "texts of one state series (at most " + strconv.Itoa(MaxStates) + "): more are in Messages only",
	Calls:         "calls inside one another (at most " + strconv.Itoa(MaxCalls) + "): deeper ones are missing",
	Lanes:         "buffers at one time in one place (at most " + strconv.Itoa(MaxLanes) + "): the spans of more are missing",
	Queued:        "buffers in one queue (at most " + strconv.Itoa(MaxQueued) + "): its level is not known any more",
	Text:          "long texts: all but the first " + strconv.Itoa(MaxText>>10) + " KiB is missing",
}

// String names the things beyond the limit, and their treatment.
func (k Kind) String() string { return kindNames[k] }

// LimitsCounts counts the things beyond each limit since the last report.
type LimitsCounts struct {
	n    [numKinds]int64
	some bool
	told [numKinds]bool
}

// Add counts one thing.
func (l *LimitsCounts) Add(k Kind) {
	l.n[k]++
	l.some = true
}

// Report defines the counts as losses.
func (l *LimitsCounts) Report(define func(model.Change)) {
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
			detail, l.told[k] = "too many: "+kindNames[k], true
		}
		l.n[k] = 0
		define(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: n, Limit: kindNames[k], Detail: detail})
	}
}
