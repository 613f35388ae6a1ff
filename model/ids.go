// Package model is the language of Framescope: the statements of sources about a program
// (definitions, batches, losses) and the common types for it (ids, clocks, kinds). It stores
// nothing: the packages below model/store do. It depends on the standard library only and knows no
// protocol, no store and no screen.
//
// All times are int64 nanoseconds on the session's clock (see Clock).
package model

import "math"

// CollectorID is the index of a Collector within its session, dense from 0. For PStats it is the
// index on the wire; collector 0 is then "Frame", the root of the static hierarchy.
type CollectorID int32

// TrackID is the index of a Track within its session, dense from 0 in order of first appearance.
type TrackID int32

// PathID is the index of a call path (the dynamic hierarchy of calls) within its session. PathRoot
// is the empty path; a path names its parent path and a collector (see PathDef).
type PathID uint32

const (
	// NoCollector is the absence of a collector.
	NoCollector CollectorID = -1
	// NoTrack is the absence of a track.
	NoTrack TrackID = -1
	// PathRoot is the empty call path.
	PathRoot PathID = 0
	// NoFrame is the absence of a frame number.
	NoFrame int64 = math.MinInt64
)
