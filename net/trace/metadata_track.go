package trace

import (
	"strconv"

	"framescope/model"
)

const (
	// Track is the name of the text that describes a track which readers would misread or miss, such as a
	// thread with counters only: an object of JSON.
	Track = "track_info"
	// Of is its member that says what the track is, in the word of KindWord; its name is in Name.
	Of = "of"
	// OwnClock is true if times of the track are not comparable with those of the session.
	OwnClock = "own_clock"
	// Sums is true of one that has sums instead of calls.
	Sums = "sums"
	// Skips is true if frame numbers of the track have gaps for frames that never existed.
	Skips = "skips"
	// Index is its number as the source has it, where others have to see another one.
	Index = "index"
	// Kin is its name without what a run gave it, where that is another one.
	Kin = "kin"
)

// kindWords are what tracks are called.
var kindWords = [...]string{
	model.TrackThread: "thread", model.TrackGPU: "gpu", model.TrackOutput: "output", model.TrackAsync: "task",
	model.TrackStream: "path", model.TrackElement: "element",
}

// KindWord is what a kind of tracks is called.
func KindWord(k model.TrackKind) string {
	if int(k) < len(kindWords) && kindWords[k] != "" {
		return kindWords[k]
	}
	return kindWords[model.TrackAsync]
}

// TrackInfo is the metadata of a track.
type TrackInfo struct {
	Told   bool // anything is: it is to be shown, whatever it has
	Kind   model.TrackKind
	Name   string // of a track that is no thread; the format has names of threads
	Rows   bool   // its spans have places
	Beside bool   // it has more spans of the thread that it belongs to
	// OwnClock is that of its definition.
	OwnClock bool
	Alone    bool // it belongs to no process

	sums, skips  bool
	index        int
	indexed      bool
	kin          string
	object, peer model.ObjectID
}

// ReadTrack reads the text on a track.
func ReadTrack(text []byte) TrackInfo {
	t := TrackInfo{Told: true, object: model.NoObject, peer: model.NoObject}
	Members(text, func(key, value []byte) {
		switch string(key) {
		case Of:
			for k, word := range kindWords {
				if word != "" && string(value) == word {
					t.Kind = model.TrackKind(k)
				}
			}
		case Name:
			t.Name = JSONText(value)
		case Rows:
			t.Rows = string(value) == "true"
		case Beside:
			t.Beside = string(value) == "true"
		case Sums:
			t.sums = string(value) == "true"
		case Skips:
			t.skips = string(value) == "true"
		case Index:
			n, err := strconv.ParseInt(string(value), 10, 64)
			t.index, t.indexed = int(n), err == nil
		case Kin:
			t.kin = JSONText(value)
		case On:
			t.object = model.ObjectID(numberOf(value))
		case Peer:
			t.peer = model.ObjectID(numberOf(value))
		case OwnClock:
			t.OwnClock = string(value) == "true"
		case Alone:
			t.Alone = string(value) == "true"
		}
	})
	return t
}

// Define applies the metadata to the definition of a track. An element or stream without its objects
// becomes a task.
func (t *TrackInfo) Define(def *model.TrackDef, in *Topology) {
	def.Object, def.Peer = model.NoObject, model.NoObject
	if !t.Told {
		return
	}
	if t.indexed {
		def.Index = t.index
	}
	if t.Alone {
		def.Process = ""
	}
	def.Kind, def.OwnClock, def.Kin, def.Sums = t.Kind, t.OwnClock, t.kin, t.sums
	def.Skips = def.Skips || t.skips
	if def.Kind != model.TrackElement && def.Kind != model.TrackStream {
		return
	}
	def.Object, def.Peer = in.Has(t.object), in.Has(t.peer)
	if def.Object == model.NoObject || def.Kind == model.TrackStream && def.Peer == model.NoObject {
		def.Kind, def.Object, def.Peer = model.TrackAsync, model.NoObject, model.NoObject
	}
}
