// Package retold is what exports of Framescope tell of a session beside what formats have a place for, so
// that it comes back as it was: what its series are, and where its times begin. It owns the words for that,
// which those who write and those who read share; of formats it knows nothing.
package retold

import (
	"framescope/model"
	"framescope/net/jsonscan"
)

const (
	// Series is what the text is called that says what a counter is: an object of JSON.
	Series = "counter_info"
	// Counter and Key are its members that say of which, where nothing else does: the name of its events,
	// and the argument of these that has the values.
	Counter = "counter"
	Key     = "key"
	// Unit is its unit, as model.SeriesDef has it: values are in base units.
	Unit = "unit"
	// Kind is the word of its model.SeriesKind.
	Kind = "kind"
	// Group and Name are those of the series, where a counter is called in another way.
	Group = "group"
	Name  = "name"
	// States are the names of its states, in their order.
	States = "states"
	// Level is the word of Kind of what is no series but a counter of frames, which tell its values.
	Level = "level"
	// Alone is true of a series that belongs to no process, though there are several.
	Alone = "alone"
)

const (
	mostUnit   = 64  // bytes of one
	mostStates = 256 // of a series
)

// SeriesInfo is what is told of a series.
type SeriesInfo struct {
	Kind   model.SeriesKind
	Unit   string
	Named  bool // it has these two
	Group  string
	Name   string
	States []string
	Alone  bool
	Level  bool // it is a counter of frames
}

// ReadSeries reads the text on a series. What it does not say is as in readers that are told nothing: a
// gauge without a unit.
func ReadSeries(text []byte) SeriesInfo {
	s := SeriesInfo{Kind: model.SeriesGauge}
	jsonscan.Members(text, func(key, value []byte) {
		switch string(key) {
		case Unit:
			if len(value) <= mostUnit {
				s.Unit = jsonscan.Text(value)
			}
		case Kind:
			s.Kind, s.Level = kindOf(value), string(value) == Level
		case Group:
			s.Group, s.Named = jsonscan.Text(value), true
		case Name:
			s.Name, s.Named = jsonscan.Text(value), true
		case States:
			s.States = statesOf(value)
		case Alone:
			s.Alone = string(value) == "true"
		}
	})
	return s
}

func kindOf(word []byte) model.SeriesKind {
	for k := model.SeriesValue; k <= model.SeriesEvent; k++ {
		if string(word) == k.Word() {
			return k
		}
	}
	return model.SeriesGauge
}

func statesOf(list []byte) (out []string) {
	jsonscan.Each(list, func(_, value []byte, _ byte) {
		if len(out) < mostStates {
			out = append(out, jsonscan.Text(value))
		}
	})
	return out
}

// SeriesBytes bounds how much of memory takes what is told by a text.
func SeriesBytes(text []byte) int64 { return 3*int64(len(text)) + 128 + 16*mostStates }

// Define makes a definition of a series the one that is told.
func (s *SeriesInfo) Define(def *model.SeriesDef) {
	def.Kind, def.Unit = s.Kind, s.Unit
	if s.Named {
		def.Group, def.Name = s.Group, s.Name
	}
	if def.Kind == model.SeriesState {
		def.States = s.States
	}
}
