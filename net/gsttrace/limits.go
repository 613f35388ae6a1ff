package gsttrace

import "framescope/net/trace"

// What a log can make grow, at most. What lies beyond is counted; the rest of the line is used all the same.
const (
	MaxProcesses  = 64
	MaxThreads    = 2048 // of all processes
	MaxTracks     = 4096 // threads, and streams of latencies
	KeptTracks    = MaxProcesses + 3
	MaxSeries     = 1 << 15
	MaxObjects    = 1 << 16
	MaxLinks      = 1 << 16
	MaxResources  = 1 << 18
	MaxCategories = 64   // event series of one key
	MaxStates     = 32   // names of one state series
	MaxCalls      = 512  // calls inside one another, on one thread
	MaxLanes      = 1024 // spans of one stream at the same time
	MaxRenames    = 32   // of one object
	MaxText       = 16 << 10
	MaxForeign    = 4 << 10 // bytes of a line that is no part of the log
	MaxQueued     = 1 << 14 // buffers in one queue: the level of one that holds more is not known
	// MaxTime bounds times, in ns (73 years), as the store does.
	MaxTime = trace.MaxTime
)
