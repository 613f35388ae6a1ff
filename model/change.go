package model

import (
	"math"
	"strconv"
)

// A Change is a definition or a fact about a session that must not be lost; decoders send it apart
// from the batches, and the store takes it with Session.Apply. The types are: Info, CollectorDef,
// TrackDef, TrackEnd, PathDef, SeriesDef, ObjectDef, LinkDef, ResourceDef, RefEvent, FlowDef,
// Loss, End, Warning.
type Change interface{ change() }

// Info describes the program behind a session. A later Info replaces an earlier one.
type Info struct {
	Source  string // "pstats", "profilelib", …
	Program string
	Host    string
	Peer    string // address of the client, or the path of the file
	PID     int64  // -1 unknown
	Version string // protocol version in words, e.g. "PStats 3.2"
	Detail  string // other facts about the version, in words
	Clock   Clock
	File    bool // read from a file, not live
	Table   bool // a table of frame times: frames with their parts and figures, and no calls
	// Sampling is how it was sampled, where spans are runs of samples.
	Sampling Sampling
	ZeroAt   DayTime
	// Monotonic and Boottime are what these clocks of the program's machine showed at time 0, in ns since it was
	// started; 0: not known.
	Monotonic, Boottime int64
}

// VersionWords returns all facts about the protocol's version, and the time of day at time 0 if it is known.
func (i *Info) VersionWords() string {
	words := i.Version
	if i.Detail != "" {
		words += ": " + i.Detail
	}
	if at := i.ZeroAt.Words(); at != "" {
		words += ", begun " + at
	}
	return words
}

// CollectorDef defines, or defines again, a collector.
type CollectorDef struct {
	ID     CollectorID
	Name   string // last component only
	Parent CollectorID
	Color  RGB
	Sort   int     // higher is drawn lower and listed first, -1 if indifferent
	Unit   string  // of level values
	Scale  float64 // suggested full height: seconds for times, units for levels; 0 none
	Factor float64 // already applied by the sender, informational
	Place
}

// Place is where in the source code something is, as far as that is known.
type Place struct {
	File string `json:"file,omitempty"` // of the source code, as the source names it; missing: not known
	Line int    `json:"line,omitempty"` // in it, from 1: where the code begins, or one of its lines; missing: not known
}

// Where returns a place as editors and compilers write it, file:line; empty: not known.
func (p Place) Where() string { return string(p.AppendWhere(nil)) }

// AppendWhere is Where to the end of a text.
func (p Place) AppendWhere(dst []byte) []byte {
	if p.Line <= 0 {
		return append(dst, p.File...)
	}
	if p.File == "" {
		return strconv.AppendInt(append(dst, "line "...), int64(p.Line), 10)
	}
	return strconv.AppendInt(append(append(dst, p.File...), ':'), int64(p.Line), 10)
}

// RGB is a display color (sRGB, not premultiplied). Set is false when the sender suggests none.
type RGB struct {
	R, G, B uint8
	Set     bool
}

// TrackKind is the kind of a track.
type TrackKind uint8

// The kinds of tracks.
const (
	TrackThread TrackKind = iota
	TrackGPU
	// TrackStream is a way through the program, from one Object to its Peer: its spans are things
	// under way, many of them at the same time.
	TrackStream
	// TrackElement is a part of the program, its Object: its spans are the things in it, many of them
	// at the same time.
	TrackElement
	// TrackOutput has messages from unknown threads.
	TrackOutput
	// TrackAsync is work of the program beside its threads, many at the same time: loads, requests,
	// tasks.
	TrackAsync
	// TrackProcessor is a processor: its spans are the threads that it ran, of all programs.
	TrackProcessor
)

// Calls reports whether the spans of such a track are calls, which nest. Others have no callers, and
// no time of their own beside that of others: two that overlap have nothing to do with each other.
func (k TrackKind) Calls() bool { return k == TrackThread || k == TrackGPU }

// String is the name of one such track.
func (k TrackKind) String() string {
	switch k {
	case TrackStream:
		return "path"
	case TrackElement:
		return "element"
	case TrackOutput:
		return "output"
	case TrackAsync:
		return "task"
	case TrackProcessor:
		return "processor"
	}
	return "thread"
}

// TrackDef defines, or renames, a track.
type TrackDef struct {
	ID   TrackID
	Name string // empty: not named (yet)
	// Kin is Name without the number that a run gave the thread, as that of a goroutine: with another run
	// it is compared by that. Empty: it is Name.
	Kin   string
	Kind  TrackKind
	Index int // index or id on the wire, for display
	// Process names the process of a recording; empty if there is one, or it is not known.
	Process string
	// OwnClock means that the track's times are not comparable with the session's (GPU epoch of old
	// clients, PROTOCOL.md section 7).
	OwnClock bool
	// ShiftNs is by how much the track's times were moved onto the session's clock, because they came
	// on one of their own; 0 if they were not. It is the median difference over so many frames
	// (ShiftFrames) of the same number; nine tenths of them differ within ShiftSpreadNs. A natural
	// delay of the track is not known.
	ShiftNs, ShiftSpreadNs, ShiftFrames int64
	// Sums means that the track's spans are no calls, but sums of some that the source drew as spans: it is hidden
	// at first, and in no figure of all tracks.
	Sums bool
	// Skips means that the numbers of the track's frames leave some out that never existed: nothing is missing
	// between two of them.
	Skips bool
	// Main marks the track to look at first, where the source knows it; else the first one with
	// frames, or the one with the most spans, is looked at.
	Main bool
	// Object is the object of a TrackElement, and the begin of a TrackStream; Peer is the end of
	// that. Other kinds have neither, whatever is in the fields.
	Object, Peer ObjectID
	// Program names the program of the track in a session that has several; empty: it has one. ProgramSpreadNs says how
	// exactly the program's times compare with those of others: to ± so many ns, or SpreadUnknown.
	Program         string
	ProgramSpreadNs int64
}

// SpreadUnknown is the spread of clocks of which nothing tells how they compare.
const SpreadUnknown = math.MaxInt64

// TrackEnd means that the thread behind a track is gone; its data stay.
type TrackEnd struct{ ID TrackID }

// PathDef defines a call path. Parents come first; the first id is 1 and ids are dense.
type PathDef struct {
	ID        PathID
	Parent    PathID
	Collector CollectorID
}

// LossReason is why data are missing.
type LossReason uint8

// The reasons for which data can be missing. The store finds LossNumbers from frame numbers; only those before the
// oldest frames of a recording are sent.
const (
	LossNumbers     LossReason = iota // frame numbers never received, whatever the cause (see Ledger)
	LossChecksum                      // UDP datagrams with a wrong checksum
	LossMalformed                     // frames, messages or values that could not be decoded
	LossLate                          // frames that arrived too late to be put in their place
	LossRing                          // frames dropped because the viewer did not keep up
	LossEvicted                       // frames that left memory; without frames: spans, messages, locks, samples
	LossStranger                      // datagrams that do not come from the client
	LossLimit                         // events, spans or definitions beyond a limit
	LossTruncated                     // the rest of a file that was cut off
	LossSystem                        // datagrams that the operating system dropped before we could read them
	LossImplausible                   // frames with a jump in number or time that no other frame confirmed
	LossNotRecorded                   // data that the disk refused during recording
	LossLeftDisk                      // the oldest part of a recording, which was deleted to make room
	LossDeleted                       // data that was in the recording until another program deleted it
	LossSource                        // data that the program dropped, not taken in time: gaps
	LossTaken                         // data that another client took: gaps in ours
	LossLeftover                      // samples of an earlier recording that were left out
	LossUnseen                        // blocks, messages, begins and ends that never came, without a sign of damage
	LossDamaged                       // unreadable parts of a recording: frames, and places of unknown content
	LossUnframed                      // blocks that are there and began in no frame: they are not counted in frames
	LossBetween                       // the unrecorded time between two traces of a program: gaps
	LossWay                           // frames that the program sent and that something between it and us did not pass on
	NumLossReasons
)

// Loss reports that N things are missing. Detail is one line for the log and the loss panel.
type Loss struct {
	Reason LossReason
	Track  TrackID // or NoTrack
	N      int64   // frames, datagrams or definitions, by Reason

	// Frames is how many of them are frames that the sender numbered and that are in no batch. Their
	// numbers are missing between those of other frames, or lie behind the last one: see Ledger.
	Frames int64

	// Begin and End are the session's times between which they were lost, in ns: the end of the newest
	// frame before, and the begin of the data after. 0 if unknown.
	Begin, End int64

	// Uncounted means that losses of this reason cannot be counted on this system. N is 0 then.
	Uncounted bool

	// Limit names, for a LossLimit, the excess data and the missing results: one of a few texts, by
	// which the losses are counted separately.
	Limit string

	// Kind is the id of the diagnostic that counts these losses, Place where in the recording the first of them is
	// ("byte 17"), and Example what that is; each is empty if unknown.
	Kind, Place, Example string

	Detail string
}

// Warning is something to know before trusting a session's data, in a sentence or two.
type Warning struct{ Text string }

// End ends a session: it receives nothing more.
type End struct{ Reason string }

// BrokeOff begins the reason of an end at which the program or the connection broke: it was killed, failed, or was cut
// off within a message.
const BrokeOff = "broke off: "

func (Info) change()         {}
func (CollectorDef) change() {}
func (TrackDef) change()     {}
func (TrackEnd) change()     {}
func (PathDef) change()      {}
func (FlowDef) change()      {}
func (Loss) change()         {}
func (End) change()          {}
func (Warning) change()      {}
