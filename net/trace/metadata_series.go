// The retold files define the metadata that Framescope's exports add to foreign formats, so that a session
// survives the round trip: its series and the origin of its times, for example. Writers and readers share
// these words.

package trace

import (
	"bytes"
	"fmt"
	"strconv"

	"framescope/model"
)

const (
	// Series is what the text is called that says what a counter is: an object of JSON.
	Series = "counter_info"
	// Counter and Key are its members that identify the series, if nothing else does: the name of its events,
	// and their argument with the values.
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
	// Role is the word of its model.SeriesRole, Description as there. Range is
	// "0 100", the least and the greatest value there can be.
	Role        = "role"
	Description = "description"
	Range       = "range"
	// Gaps is what the text is called that says from which times on a counter has no value until the next one: an
	// object of JSON, with Counter and Key as in Series. At has the times, in ns, a space between two.
	Gaps = "counter_gaps"
	At   = "at"
	// Level is the Kind of a counter with values stored in frames instead of a series.
	Level = "level"
	// Alone is true of a series, or a track, that belongs to no process, though there are some.
	Alone = "alone"
)

const (
	mostUnit   = 64  // bytes of one
	mostStates = 256 // of a series

	mostDescription = 1 << 10 // bytes of one
)

// SeriesInfo is the metadata of a series.
type SeriesInfo struct {
	Kind   model.SeriesKind
	Unit   string
	Named  bool // it has these two
	Group  string
	Name   string
	States []string
	Alone  bool
	Level  bool // it is a counter of frames
	Bad    bool // something in it makes no sense

	role         model.SeriesRole
	object, peer model.ObjectID
	description  string
	min, max     float64
	ranged       bool
}

// roleWords are the words for exported roles.
var roleWords = map[model.SeriesRole]string{
	model.RoleCPULoad: "cpu_load", model.RoleCPUTime: "cpu_time", model.RoleProcessor: "processor", model.RoleToldLoad: "told_load",
	model.RoleFlow: "flow", model.RoleLatency: "latency", model.RoleReported: "reported_latency", model.RoleState: "state",
	model.RoleRefCount: "ref_count", model.RoleActivity: "activity", model.RoleInterval: "interval", model.RoleLevel: "level",
}

// RoleWord returns the word for a role, empty for roles that are not exported.
func RoleWord(r model.SeriesRole) string { return roleWords[r] }

func roleOf(word []byte) model.SeriesRole {
	for r, of := range roleWords {
		if string(word) == of {
			return r
		}
	}
	return model.RoleNone
}

// ReadSeries reads the metadata of a series. The default is a gauge without a unit.
func ReadSeries(text []byte) SeriesInfo {
	s := SeriesInfo{Kind: model.SeriesGauge, object: model.NoObject, peer: model.NoObject}
	said := 0
	Members(text, func(key, value []byte) {
		said++
		switch string(key) {
		case Unit:
			if len(value) <= mostUnit {
				s.Unit = JSONText(value)
			}
		case Kind:
			s.Level = string(value) == Level
			known := false
			s.Kind, known = kindOf(value)
			s.Bad = s.Bad || !known && !s.Level
		case Group:
			s.Group, s.Named = JSONText(value), true
		case Name:
			s.Name, s.Named = JSONText(value), true
		case States:
			s.States = statesOf(value)
		case Role:
			s.role = roleOf(value)
			s.Bad = s.Bad || s.role == model.RoleNone
		case On:
			s.object = model.ObjectID(numberOf(value))
		case Peer:
			s.peer = model.ObjectID(numberOf(value))
		case Description:
			if len(value) <= mostDescription {
				s.description = JSONText(value)
			}
		case Range:
			_, err := fmt.Sscan(string(value[:min(len(value), mostUnit)]), &s.min, &s.max)
			s.ranged = err == nil && s.max-s.min >= 0
			s.Bad = s.Bad || !s.ranged
		case Alone:
			s.Alone = string(value) == "true"
		}
	})
	s.Bad = s.Bad || said == 0
	return s
}

func kindOf(word []byte) (k model.SeriesKind, known bool) {
	for k := model.SeriesValue; k <= model.SeriesEvent; k++ {
		if string(word) == k.Word() {
			return k, true
		}
	}
	return model.SeriesGauge, false
}

func statesOf(list []byte) (out []string) {
	EachJSON(list, func(_, value []byte, _ byte) {
		if len(out) < mostStates {
			out = append(out, JSONText(value))
		}
	})
	return out
}

// SeriesBytes bounds the memory for the metadata in a text.
func SeriesBytes(text []byte) int64 { return 3*int64(len(text)) + 128 + 16*mostStates }

// Define applies the metadata to the definition of a series; its objects must be in the topology.
func (s *SeriesInfo) Define(def *model.SeriesDef, in *Topology) {
	def.Kind, def.Unit, def.Role, def.Description = s.Kind, s.Unit, s.role, s.description
	def.Min, def.Max, def.HasRange = s.min, s.max, s.ranged
	def.Object, def.Peer = in.Has(s.object), in.Has(s.peer)
	if s.Named {
		def.Group, def.Name = s.Group, s.Name
	}
	if def.Kind == model.SeriesState {
		def.States = s.States
	}
}

// ReadGaps reads times, as they stand in the text. ok is false where something in it is none.
func ReadGaps(at []byte, take func(ns int64)) (ok bool) {
	ok = true
	for word := range bytes.FieldsSeq(at) {
		ns, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil || ns < model.MinTime || ns > model.MaxTime {
			ok = false
			continue
		}
		take(ns)
	}
	return ok
}
