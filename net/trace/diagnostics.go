package trace

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

// Unknown is the place of a fault without a known place.
const Unknown = -1

// Kind is a kind of diagnostic: a fault of a recording, or data beyond a limit.
type Kind uint8

// The kinds of diagnostics; diagnostics.go has the sentence of each, in the table kinds.
const (
	BadEvent Kind = iota
	BadTime
	BadLength
	BadNumber
	BadWeight
	BadReference
	BadName
	BadLine
	BadFrame
	BadStack
	BadHeader
	LateEvent
	UnmatchedEnd
	MissingEnd
	NoEnd
	NoBegin
	Gap
	Cut
	Unread
	NULBytes
	ControlBytes

	FlowWithoutBegin
	FlowWithoutEnd
	FlowWithoutTrack
	Dropped
	Overwritten
	OutsideFrames
	LostBySource

	BigEvent
	DeepEvent
	LongLine
	DeepStack
	ManyRows
	ManyThreads
	ManyCounters
	ManyNames
	ManyFrames
	BigFrame
	ManyEmptyFrames
	ManyStacks
	ManyArgs
	ManyArgKeys
	LargeNumber
	LargeWeight
	NoMemory
	NoMemoryForArgs
	NoMemoryForNames
	ManyTracks
	ManyObjects
	LongText
	numKinds
)

// kindInfo describes a kind of diagnostic: an id for reports in JSON, why data are missing, and a sentence that names
// the fault and its consequence.
type kindInfo struct {
	id       string
	reason   model.LossReason
	sentence string
}

// Reasons, short for the table.
const (
	malformed = model.LossMalformed
	truncated = model.LossTruncated
	unseen    = model.LossUnseen
	source    = model.LossSource
	unframed  = model.LossUnframed
	limit     = model.LossLimit
)

var kinds = [numKinds]kindInfo{
	BadEvent:     {"bad-event", malformed, "events without a necessary part, or of an unknown type, are left out"},
	BadTime:      {"bad-time", malformed, "events without a valid time are left out"},
	BadLength:    {"bad-length", malformed, "spans without a valid length are shown with none"},
	BadNumber:    {"bad-number", malformed, "values that are not numbers are left out"},
	BadWeight:    {"bad-weight", malformed, "weights are negative or not numbers: they count as 0"},
	BadReference: {"bad-reference", malformed, "references lead to nothing: they are shown as unknown"},
	BadName:      {"bad-name", malformed, "names are not texts: they are left out"},
	BadLine:      {"bad-line", malformed, "lines that are not as the format has them are left out"},
	BadFrame:     {"bad-frame", malformed, "frames that can't be decoded are left out"},
	BadStack:     {"bad-stack", malformed, "stacks that can't be decoded are left out"},
	BadHeader:    {"bad-header", malformed, "values of the header are not valid: they are taken as unknown"},
	LateEvent:    {"late-event", malformed, "times go back: they count as the latest time before"},
	UnmatchedEnd: {"unmatched-end", unseen, "ends of spans that never began are left out"},
	MissingEnd:   {"missing-end", malformed, "ends of spans are missing: they end with the span around them"},
	NoEnd:        {"no-end", malformed, "spans have no end: they go on to the end of their thread"},
	NoBegin:      {"no-begin", malformed, "spans have no begin: they are shown from the begin of their thread"},
	Gap:          {"gap", malformed, "places can't be read and are left out"},
	Cut:          {"cut", truncated, "the recording ends within a record: the rest is left out"},
	Unread:       {"unread", truncated, "the rest of the recording can't be read"},
	NULBytes:     {"nul-bytes", malformed, "NULs stand in place of data"},
	ControlBytes: {"control-bytes", malformed, "control characters stand in texts: these are damaged"},

	FlowWithoutBegin: {"flow-without-begin", unseen, "steps and ends of flow arrows that never began are left out"},
	FlowWithoutEnd:   {"flow-without-end", unseen, "flow arrows began and lead nowhere: their ends never came"},
	FlowWithoutTrack: {"flow-without-track", unseen, "flow arrows begin or end on threads without spans"},
	Dropped:          {"dropped", source, "data were lost before they were written: the recording says so"},
	Overwritten: {
		"overwritten", source, "events are left out: their names and times were overwritten before the recording was " +
			"written",
	},
	OutsideFrames: {
		"outside-frames", unframed, "spans began in no frame: they are shown, and are in call trees by time, but " +
			"not in figures of frames",
	},
	LostBySource: {"lost-by-source", source, "the program that recorded lost events: they were not written down in time"},

	BigEvent: {"big-event", limit, "events of more than 16 MiB are left out"},
	DeepEvent: {
		"deep-event", limit, fmt.Sprintf("events with more than %d values inside each other are left out", MaxDeep),
	},
	LongLine: {"long-line", limit, fmt.Sprintf("lines of more than %d MiB are left out", MostLine>>20)},
	DeepStack: {
		"deep-stack", limit, fmt.Sprintf("stacks of more than %d calls, or %d without times, are shown without "+
			"their innermost part", MaxDepth, MaxWeighed),
	},
	ManyRows:    {"many-rows", limit, fmt.Sprintf("spans beyond %d rows of their thread are left out", maxRows)},
	ManyThreads: {"many-threads", limit, "there are too many threads: the data of further ones are left out"},
	ManyCounters: {
		"many-counters", limit, "there are too many counters: the values of further ones are left out",
	},
	ManyNames: {"many-names", limit, "there are too many names: further ones are shown as " + feed.MoreNames},
	BigFrame: {
		"big-frame", unframed, fmt.Sprintf("frames with more than %d spans or %d samples do not count as frames",
			frameSpans, frameSamples),
	},
	ManyFrames: {"many-frames", limit, "there are too many frames: spans of further ones are in no frame"},
	ManyEmptyFrames: {
		"many-empty-frames", limit, "empty frames of some threads are left out: there are too many for so few events",
	},
	ManyStacks: {"many-stacks", limit, ErrTooMuch.Error() + ": these are left out"},
	ManyTracks: {
		"many-tracks", limit, "there are too many threads, elements and paths: further ones are shown as one",
	},
	ManyObjects: {"many-objects", limit, "there are too many objects and links: further ones are left out"},
	LongText:    {"long-text", limit, "the ends of long texts are left out"},
	ManyArgs:    {"many-args", limit, fmt.Sprintf("arguments beyond %d of an event are left out", model.MaxArgs)},
	ManyArgKeys: {
		"many-arg-keys", limit, fmt.Sprintf("arguments with more than %d different keys are left out", model.MaxArgKeys),
	},
	LargeNumber: {"large-number", limit, Rounded},
	LargeWeight: {"large-weight", malformed, "weights are more than 2^53: they are left out"},
	NoMemory:    {"no-memory", limit, "memory has no room for more events: the rest is left out"},
	NoMemoryForArgs: {
		"no-memory-for-args", limit, "memory has no room for more arguments: further ones are left out",
	},
	NoMemoryForNames: {
		"no-memory-for-names", limit, "memory has no room for more names: further ones are shown as " + feed.MoreNames,
	},
}

// Diagnostics counts the faults of a recording by kind. The zero value has none.
type Diagnostics struct {
	// Unit is the unit of places: "byte" of the unpacked recording, if it is empty, or "line".
	Unit string
	// Within means that a place is the begin of the record that the fault is in.
	Within bool

	counts [numKinds]diagnostic
}

// diagnostic is how often there is something of a kind, where first, and what that is.
type diagnostic struct {
	n       int64
	place   int64
	example string
}

// Bad counts one more of a kind, at a place of the recording, or at Unknown.
func (d *Diagnostics) Bad(k Kind, place int64) { d.BadN(k, 1, place) }

// BadN counts n more of a kind, the first of them at a place, or at Unknown.
func (d *Diagnostics) BadN(k Kind, n, place int64) {
	x := &d.counts[k]
	if n > 0 && x.n == 0 {
		x.place = place
	}
	x.n += max(n, 0)
}

// Explain counts one more of a kind and keeps what the first of them is, in a few words.
func (d *Diagnostics) Explain(k Kind, place int64, format string, args ...any) {
	if x := &d.counts[k]; x.n == 0 {
		x.example = Shown(feed.PlainText(fmt.Sprintf(format, args...)))
	}
	d.Bad(k, place)
}

// Count returns how many there are of a kind.
func (d *Diagnostics) Count(k Kind) int64 { return d.counts[k].n }

// Define defines all that was counted as losses of the recording. room is the account that bounded it.
func (d *Diagnostics) Define(define func(model.Change), room *feed.Names) {
	for k, x := range d.counts {
		if x.n == 0 {
			continue
		}
		about := kinds[k]
		switch Kind(k) {
		case NoMemory, NoMemoryForArgs:
			about.sentence = room.FullOfData(about.sentence)
		case NoMemoryForNames:
			about.sentence = room.FullOfNames(about.sentence)
		}
		loss := model.Loss{
			Reason: about.reason, Track: model.NoTrack, N: x.n, Kind: about.id, Detail: about.sentence, Example: x.example,
		}
		if about.reason == model.LossLimit {
			loss.Limit = about.sentence
		}
		if x.n > 1 {
			loss.Detail += fmt.Sprintf(" (%d)", x.n)
		}
		if x.example != "" {
			loss.Detail += ": " + x.example
		}
		if x.place != Unknown {
			loss.Place = fmt.Sprintf("%s %d", d.unit(), x.place)
			loss.Detail += "; the first is " + d.at() + loss.Place
		}
		define(loss)
	}
	d.counts = [numKinds]diagnostic{}
}

func (d *Diagnostics) unit() string {
	if d.Unit == "" {
		return "byte"
	}
	return d.Unit
}

// at is the preposition before a place.
func (d *Diagnostics) at() string {
	switch {
	case d.Within:
		return "in what begins at "
	case d.Unit == "line":
		return ""
	}
	return "at "
}

// Broken counts why a text was not read to its end, or is damaged: the error that its reading ended with, or nil.
func (d *Diagnostics) Broken(err error) {
	if spoiled, ok := errors.AsType[*SpoiledError](err); ok {
		kind := ControlBytes
		if spoiled.left > 0 {
			kind = Gap
		}
		d.Explain(kind, spoiled.At, "%v", spoiled)
		d.BadN(kind, spoiled.N-1, spoiled.At)
	} else if err != nil {
		d.Explain(Unread, Unknown, "%v", err)
	}
}

// Any reports whether anything was counted.
func (d *Diagnostics) Any() bool { return d.counts != [numKinds]diagnostic{} }

// Warn defines a warning at a sink.
func Warn(sink feed.Sink, format string, args ...any) {
	sink.Define(model.Warning{Text: fmt.Sprintf(format, args...)})
}

// Lose defines at a sink that n things are missing, if there are any. words say which, and what becomes of them.
func Lose(sink feed.Sink, reason model.LossReason, n int64, words string) {
	if n <= 0 {
		return
	}
	words = feed.PlainText(words)
	loss := model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: words}
	if reason == model.LossLimit {
		loss.Limit = words
	}
	if n > 1 {
		loss.Detail += fmt.Sprintf(" (%d)", n)
	}
	sink.Define(loss)
}

// Unshown are the things of a recording that are not shown, for its reader.
type Unshown struct{ parts []string }

// Add adds n of a kind, if there are any: the words for one, and for more.
func (u *Unshown) Add(n int64, one, more string) {
	switch {
	case n == 1:
		u.parts = append(u.parts, "1 "+one)
	case n > 1:
		u.parts = append(u.parts, fmt.Sprintf("%d %s", n, more))
	}
}

// Report defines a warning of them, if there are any.
func (u *Unshown) Report(define func(model.Change)) {
	if len(u.parts) > 0 {
		define(model.Warning{Text: "Not shown from the file: " + strings.Join(u.parts, ", ") + "."})
	}
}

// NULs counts the places of data that hold more NULs behind each other than their format has: a computer that lost
// power or a damaged disk leaves them where something else was. The zero value is ready, for texts, which have none;
// Write takes the data in pieces.
type NULs struct {
	Least int64 // NULs that make a place; 0: one
	N     int64 // places
	Bytes int64 // NULs in all of them
	First int64 // byte at which the first begins
	read  int64
	run   int64 // NULs at the end of the bytes read so far
}

// Write takes the next piece. Of data with a large Least it looks at few bytes: from where a place could end backwards.
func (x *NULs) Write(b []byte) {
	least := max(x.Least, 1)
	for i := 0; i < len(b); {
		if x.run >= least {
			n := len(b) - i - len(bytes.TrimLeft(b[i:], "\x00"))
			x.Bytes += int64(n)
			if x.run, i = x.run+int64(n), i+n; i == len(b) {
				break
			}
			x.run = 0
		}
		if least == 1 {
			k := bytes.IndexByte(b[i:], 0)
			if k < 0 {
				break
			}
			i += k
		}
		for k := int64(i) + least - x.run; k <= int64(len(b)) && b[k-1] != 0; k += least {
			i, x.run = int(k), 0
		}
		part := b[i:min(int64(len(b)), int64(i)+least-x.run)]
		n := len(part) - len(bytes.TrimRight(part, "\x00"))
		if n < len(part) {
			x.run = 0
		}
		x.run += int64(n)
		if i += len(part); x.run == least {
			if x.N++; x.N == 1 {
				x.First = x.read + int64(i) - least
			}
			x.Bytes += least
		}
	}
	x.read += int64(len(b))
}

// Skip passes over so many bytes, which may be NULs.
func (x *NULs) Skip(n int) {
	if n > 0 {
		x.read, x.run = x.read+int64(n), 0
	}
}

// String says where they are; it is empty where there are none.
func (x *NULs) String() string {
	if x.N == 0 {
		return ""
	}
	text := fmt.Sprintf("byte %d: NULs in place of data", x.First)
	if x.N > 1 {
		text += fmt.Sprintf(", and in %d more places", x.N-1)
	}
	if x.Bytes > 1 {
		text += fmt.Sprintf(", %d bytes", x.Bytes)
	}
	return text
}

// Report defines a loss of the recording, if there are any.
func (x *NULs) Report(define func(model.Change)) {
	if x.N > 0 {
		define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: x.N, Detail: x.String()})
	}
}

// Rounded says what becomes of whole numbers that values of series can't hold, see Exact.
const Rounded = "whole numbers of more than 2^53 are shown without their last digits"

// Exact reports whether a whole number stays what it is as a value of a series, which is a float64.
func Exact(n int64) bool {
	u := uint64(max(n, -n)) // the least of all is its own opposite, and one bit
	return u < 1<<53 || bits.Len64(u)-bits.TrailingZeros64(u) <= 53
}
