// Package frames holds the frames of threads: numbers, times and gaps, the self times of collectors
// and the levels in each, levels outside frames, and the queries on them: strip charts, statistics
// of runs of frames, the slowest and outliers. Table answers; Keeper and Track change the data for
// the session. It knows the model and collectors; spans only through Host's call trees.
package frames

import (
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/internal/histogram"
)

// Table has the frames of a session, and the levels outside frames.
//
// Its methods are queries. Keeper and Track have the methods that change it; the session keeps
// these private.
type Table struct {
	self    []Stats // see SelfTimes
	host    Host
	tracks  []*Thread // those with data
	visited int64     // see Visited
	limit   model.HitchLimit
}

// Host is the environment that the session gives to its frames.
type Host struct {
	Collectors *model.Collectors
	// Latest returns the latest time of a track.
	Latest func(model.TrackID) int64
	// Tiles returns a reader of what ran in frames, for one goroutine.
	Tiles func() Tiles
	// Work is the working memory of queries. Sessions share it, as one goroutine makes them all.
	Work *Scratch

	Frames, Totals, Levels, Other *columns.Account
}

// Tiles reads the times of collectors in some frames at once.
type Tiles interface {
	// Each calls f with the times of each collector in frames of a track from a position on, callees
	// included, as in call trees: several times for one with several call paths. ok is false if there is
	// no room for so many frames.
	Each(track model.TrackID, position int64, frames []model.Stretch,
		f func(c model.CollectorID, mask uint64, ns []int64)) (ok bool)
	// Visited returns how many spans were read. For tests.
	Visited() int64
}

// Scratch is the working memory of single queries. The zero value is ready.
type Scratch struct {
	reader   bandReader
	tally    oneTally
	all      [2]tallyAll // of times, of levels
	ranks    histogram.Ranks
	stats    statWork
	asked    Answers[question, Stats] // AllStats
	runs     frameRuns
	around   aroundWork
	hitches  []int64  // positions
	selfSums selfSums // SelfTimes
	steps    stepper
	lengths  []int64 // of frames: Pace
	found    []int
}

// Keeper is a table with the methods that change it.
type Keeper struct{ Table }

// Init makes the table ready.
func (x *Keeper) Init(host Host) {
	x.host = host
}

// Clear frees everything. The tracks have been cleared.
func (x *Keeper) Clear() {
	columns.LetGo(x.host.Other, x.tracks)
	x.tracks = nil
}

// track returns a track, nil if nothing came of it.
func (x *Table) track(id model.TrackID) *Thread { return columns.Slot(x.tracks, id) }
