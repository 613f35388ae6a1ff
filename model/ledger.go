package model

import (
	"fmt"
	"math"
	"time"
)

// Ledger counts the frames of a session by their fate. It adds up:
//
//	Sent = Received + HeldBack + Way + System + Damaged + Late + Ours + Unrecorded + LeftDisk + Erased + Spoilt
//
// The numbers of frames that did not arrive are missing between those that did (Missing), or lie
// before the first or behind the last of a track (Outside), where no later number shows the gap. So
// with Known = Way + System + Damaged + Late + Ours + Unrecorded + LeftDisk + Erased + Spoilt, all
// of them counted losses,
//
//	Missing = HeldBack + Known - Outside
//
// HeldBack is the unexplained part of Missing. If more frames are known lost than are missing, the
// rest is Outside. All other counts are of things that are no frames of the sender.
type Ledger struct {
	// Framed means that the source numbers its frames; all frame counts are 0 otherwise.
	Framed bool
	// Threads is the number of threads with frames of their own, each counted; 1 if the frames of one
	// cut all others.
	Threads int

	Sent     int64 // frames with any trace
	Received int64 // frames that are, or were, in the session
	HeldBack int64 // never sent by the client, or lost on the way (see OnTheWay)
	Way      int64 // lost between the client and us, for sure
	System   int64 // dropped by the operating system
	Damaged  int64 // arrived with a wrong checksum, or could not be decoded
	Late     int64 // came too late to be put in their place
	Ours     int64 // dropped because the viewer did not keep up
	// Unrecorded arrived when the session was live, but the disk refused them: they are not in its
	// recording.
	Unrecorded int64
	// LeftDisk are the oldest frames of a recording, before the first received: deleted to make room.
	LeftDisk int64
	// Erased were in the recording until another program deleted them from the disk.
	Erased int64
	// Spoilt were in the recording, in unreadable places of its files. Of numbers missing across
	// such a place, as many as it may have held count as that: they are indistinguishable from
	// frames that the client held back just there.
	Spoilt int64

	Missing int64 // numbers never received between those received
	Outside int64 // known to be lost before the first or behind the last number received

	// OnTheWay means that frames may have been lost on the way: the client is on another machine, or
	// at an unknown place. On the same machine only the system drops frames, and counts them.
	OnTheWay bool
	// SystemUnknown means that this system does not count the datagrams it dropped: they are in
	// HeldBack.
	SystemUnknown bool

	Evicted     int64 // frames of Received that left memory; without frames: spans, messages, samples
	Malformed   int64 // messages and values, other than frames, that could not be decoded
	TooLate     int64 // things other than frames that came too late
	Dropped     int64 // things other than frames that were dropped by the viewer
	Limited     int64 // things beyond a limit
	Strangers   int64 // datagrams from others than the client
	Implausible int64 // frames with a jump in number or time that no other frame confirmed
	Truncated   int64 // files that were cut off
	SpoiltHere  int64 // unreadable places of recordings
	NotRecorded int64 // of Received (without frames: pieces of data) that are in no recording
	Deleted     int64 // pieces of data without frames that left the disk
	AtSource    int64 // gaps: data that the program dropped, not taken in time
	Between     int64 // gaps between two traces of a program
	Taken       int64 // gaps: data that another client took from the program
	Leftover    int64 // samples of an earlier recording that were left out
	Unseen      int64 // numbers of blocks and messages, begins and ends that never came, without a sign of damage
	Unframed    int64 // blocks that came, and began in no frame that was received
	ErasedHere  int64 // of Received (without frames: pieces of data) that others deleted from the recording
}

// Share is the share of Sent that was received, 1 when nothing was sent.
func (l *Ledger) Share() float64 {
	if l.Sent == 0 {
		return 1
	}
	return float64(l.Received) / float64(l.Sent)
}

// Lost is Sent without Received.
func (l *Ledger) Lost() int64 { return l.Sent - l.Received }

// derive derives Sent, HeldBack and Outside from the other counts. outside is how many frames are
// known to lie behind the last one received; those that left the disk lie before the first.
func (l *Ledger) derive(outside int64) {
	outside = AddSat(outside, l.LeftDisk)
	known := AddSat(
		AddSat(AddSat(AddSat(l.Way, l.System), l.Damaged), AddSat(l.Late, l.Ours)),
		AddSat(AddSat(l.Unrecorded, l.LeftDisk), AddSat(l.Erased, l.Spoilt)),
	)
	inside := min(max(known-outside, 0), l.Missing)
	l.HeldBack, l.Outside = l.Missing-inside, known-inside
	l.Sent = AddSat(AddSat(l.Received, l.HeldBack), known)
}

// LedgerLine is one count of a ledger in words.
type LedgerLine struct {
	Key   string // for machines: "held_back"
	Label string // for people: "held back by the client"
	N     int64
	Lost  bool // it is part of Sent but not of Received
	Bad   bool // alarming when it is not 0
}

// OfFrames reports whether the line is a part of the sum of frames, or the sum itself.
func (l *LedgerLine) OfFrames() bool { return l.Lost || l.Key == "in_all" || l.Key == "received" }

// Missing reports whether the line counts data that are not in the session, or no longer.
func (l *LedgerLine) Missing() bool { return l.N > 0 && (l.Lost || l.Bad || l.Key == "left_memory") }

// Lines appends the counts in words to out, in the order of the sum. Those that are 0 are left out,
// but for some where a 0 is an answer, too.
func (l *Ledger) Lines(out []LedgerLine) []LedgerLine {
	held := "held back by the client"
	switch {
	case l.SystemUnknown:
		held = "held back, lost or dropped by the system"
	case l.OnTheWay:
		held = "held back or lost"
	}
	if l.Unrecorded > 0 && l.Outside > 0 { // no later frame says how many numbers went by
		held += ", as far as recorded"
	}
	sent, received := "frames in all", "frames received"
	if l.Threads > 1 {
		sent, received = fmt.Sprintf("frames of %d threads", l.Threads), "received of these"
	}
	all := [...]LedgerLine{
		{"in_all", sent, l.Sent, false, false},
		{"received", received, l.Received, false, false},
		{"held_back", held, l.HeldBack, true, true},
		{"lost_on_the_way", "lost on the way", l.Way, true, true},
		{"dropped_by_system", "dropped by the system", l.System, true, true},
		{"damaged", "damaged", l.Damaged, true, true},
		{"late", "came too late", l.Late, true, true},
		{"dropped_by_viewer", "dropped by the viewer", l.Ours, true, true},
		{"unrecorded", "lost when recorded", l.Unrecorded, true, true},
		{"left_disk", "left the disk", l.LeftDisk, true, true},
		{"deleted_afterwards", "deleted from the disk afterwards", l.Erased, true, true},
		{"damaged_on_disk", "in damaged places of the recording", l.Spoilt, true, true},
		{"dropped_at_source", "gaps: dropped by the program's own queue", l.AtSource, false, true},
		{"between_traces", "gaps: not recorded, between two traces", l.Between, false, false},
		{"taken_by_others", "gaps: taken by another client", l.Taken, false, true},
		{"leftovers", "left over from an earlier recording", l.Leftover, false, false},
		{"left_memory", "left memory", l.Evicted, false, true},
		{"malformed", "malformed", l.Malformed, false, true},
		{"never_came", "never came: blocks, messages, begins, ends", l.Unseen, false, true},
		{"outside_frames", "calls outside frames, all threads", l.Unframed, false, false},
		{"things_late", "too late for their place", l.TooLate, false, true},
		{"beyond_limit", "beyond a limit", l.Limited, false, true},
		{"strangers", "from strangers", l.Strangers, false, true},
		{"implausible", "implausible", l.Implausible, false, true},
		{"truncated", "files cut off", l.Truncated, false, true},
		{"damaged_places", "places of the recording that are damaged", l.SpoiltHere, false, true},
		{"not_recorded", "not recorded", l.NotRecorded, false, true},
		{"deleted", "left the disk", l.Deleted, false, true},
		{"deleted_on_disk", "deleted from the disk", l.ErasedHere, false, true},
	}
	for _, line := range all {
		always := false
		switch line.Key {
		case "in_all", "received", "held_back":
			always = l.Framed
		case "dropped_by_viewer":
			always = true
			line.N = AddSat(line.N, l.Dropped)
		}
		if line.N != 0 || always {
			out = append(out, line)
		}
	}
	return out
}

// Empty reports whether all counts are zero.
func (l *Ledger) Empty() bool {
	for _, line := range l.Lines(nil) {
		if line.N != 0 {
			return false
		}
	}
	return true
}

// LedgerCounts are the counts that make a Ledger, for users without a Session.
type LedgerCounts struct {
	Threads           int                   // as in Ledger
	Received, Missing int64                 // as in Ledger
	Lost              [NumLossReasons]int64 // Loss.N, by reason
	Frames            [NumLossReasons]int64 // Loss.Frames, by reason
	Outside           int64                 // of Frames, those known to lie behind the last frame received
	Local             bool                  // nothing can be lost on the way
	SystemUnknown     bool
}

// Ledger makes the account.
func (c *LedgerCounts) Ledger() Ledger {
	rest := func(r LossReason) int64 { return max(c.Lost[r]-c.Frames[r], 0) }
	l := Ledger{
		Threads: c.Threads, Received: c.Received, Missing: c.Missing,
		Way: c.Frames[LossWay], System: c.Frames[LossSystem],
		Damaged: AddSat(c.Frames[LossChecksum], c.Frames[LossMalformed]), Late: c.Frames[LossLate],
		Ours: AddSat(c.Frames[LossRing], c.Frames[LossLimit]), Unrecorded: c.Frames[LossNotRecorded],
		NotRecorded: rest(LossNotRecorded), LeftDisk: c.Frames[LossLeftDisk], Deleted: rest(LossLeftDisk),
		AtSource: c.Lost[LossSource], Between: c.Lost[LossBetween], Taken: c.Lost[LossTaken],
		Leftover: c.Lost[LossLeftover],
		Unseen:   c.Lost[LossUnseen], Unframed: c.Lost[LossUnframed],
		Erased: c.Frames[LossDeleted], ErasedHere: rest(LossDeleted),
		OnTheWay: !c.Local, SystemUnknown: c.SystemUnknown,
		Spoilt: c.Frames[LossDamaged], SpoiltHere: rest(LossDamaged),
		Evicted: c.Lost[LossEvicted], Malformed: AddSat(rest(LossMalformed), rest(LossChecksum)),
		TooLate: rest(LossLate), Dropped: rest(LossRing), Limited: rest(LossLimit),
		Strangers: c.Lost[LossStranger], Implausible: c.Lost[LossImplausible], Truncated: c.Lost[LossTruncated],
	}
	l.derive(c.Outside)
	l.Framed = l.Sent > 0
	return l
}

// Line puts the detail of a loss into a line, with its place in time.
func (l *Loss) Line() string {
	at := func(ns int64) string { return time.Duration(ns).Round(time.Millisecond).String() }
	switch {
	case l.Begin <= 0:
		return l.Detail
	case l.End <= l.Begin:
		return fmt.Sprintf("after %s: %s", at(l.Begin), l.Detail)
	}
	return fmt.Sprintf("between %s and %s: %s", at(l.Begin), at(l.End), l.Detail)
}

// Add makes l stand for other, too, which has the same reason, track and detail.
func (l *Loss) Add(other Loss) {
	l.N, l.Frames = AddSat(l.N, other.N), AddSat(l.Frames, other.Frames)
	l.Uncounted = l.Uncounted || other.Uncounted
	l.Begin = earlier(l.Begin, other.Begin)
	l.End = max(l.End, other.End)
}

// earlier returns the earlier of two times; 0 means unknown.
func earlier(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// AddSat adds counts, and stops at the greatest.
func AddSat(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
