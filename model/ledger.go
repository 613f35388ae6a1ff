package model

import (
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// Ledger says of how many frames a session tells, and what became of each. It adds up:
//
//	Sent = Received + HeldBack + System + Damaged + Late + Ours + Unrecorded + LeftDisk + Erased
//
// The numbers of frames that did not arrive are missing between those that did (Missing), or lie
// before the first or behind the last of a track (Outside), where no later number tells of them. So
// with Known = System + Damaged + Late + Ours + Unrecorded + LeftDisk + Erased, each of which somebody counted,
//
//	Missing = HeldBack + Known - Outside
//
// HeldBack is what of Missing nobody accounts for. Where more is known lost than is missing, the
// rest is Outside. All other counts are of things that are no frames of the sender.
type Ledger struct {
	// Framed tells that the source numbers its frames; all frame counts are 0 otherwise.
	Framed bool

	Sent     int64 // frames of which there is any trace
	Received int64 // frames that are, or were, in the session
	HeldBack int64 // never sent by the client, or lost on the way (see OnTheWay)
	System   int64 // dropped by the operating system
	Damaged  int64 // arrived with a wrong checksum, or could not be decoded
	Late     int64 // came too late to be put in their place
	Ours     int64 // dropped by us because the viewer did not keep up
	// Unrecorded arrived when the session was live, but the disk refused them: they are not in its recording.
	Unrecorded int64
	// LeftDisk are the oldest frames of a recording, before the first received: deleted to make room.
	LeftDisk int64
	// Erased were in the recording until another program deleted them from the disk.
	Erased int64

	Missing int64 // numbers never received between those received
	Outside int64 // known to be lost before the first or behind the last number received

	// OnTheWay tells that frames may have been lost on the way: the client is on another machine, or it is
	// not known where. On the same machine nothing is lost but what the system drops and counts.
	OnTheWay bool
	// SystemUnknown tells that this system does not say how many datagrams it dropped: they are in HeldBack.
	SystemUnknown bool

	Evicted     int64 // frames of Received that left memory; of what has no frames: spans, messages, samples
	Malformed   int64 // messages and values, other than frames, that could not be decoded
	TooLate     int64 // things other than frames that came too late
	Dropped     int64 // things other than frames that were dropped by us
	Limited     int64 // things beyond a limit
	Strangers   int64 // datagrams from others than the client
	Implausible int64 // frames whose number or time jumped, and that no other frame confirmed
	Truncated   int64 // files that were cut off
	NotRecorded int64 // of Received (of what has no frames: pieces of data) that are in no recording
	Deleted     int64 // pieces of data without frames that left the disk
	ErasedHere  int64 // of Received (of what has no frames: pieces of data) that others deleted from the recording
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

// settle fills Sent, HeldBack and Outside from the other counts. outside is how many frames are
// known to lie behind the last one received; those that left the disk lie before the first.
func (l *Ledger) settle(outside int64) {
	outside = addSat(outside, l.LeftDisk)
	known := addSat(addSat(addSat(l.System, l.Damaged), addSat(l.Late, l.Ours)), addSat(addSat(l.Unrecorded, l.LeftDisk), l.Erased))
	inside := min(max(known-outside, 0), l.Missing)
	l.HeldBack, l.Outside = l.Missing-inside, known-inside
	l.Sent = addSat(addSat(l.Received, l.HeldBack), known)
}

// LedgerLine is one count of a ledger in words.
type LedgerLine struct {
	Key   string // for machines: "held_back"
	Label string // for people: "held back by the client"
	N     int64
	Lost  bool // it is part of Sent but not of Received
	Bad   bool // somebody should know when it is not 0
}

// Lines appends the counts in words to out, in the order of the sum. Those that are 0 are left out, but
// for some where a 0 is an answer, too.
func (l *Ledger) Lines(out []LedgerLine) []LedgerLine {
	held := "held back by the client"
	switch {
	case l.SystemUnknown:
		held = "held back, lost or dropped by the system"
	case l.OnTheWay:
		held = "held back or lost"
	}
	all := [...]LedgerLine{
		{"sent", "frames in all", l.Sent, false, false},
		{"received", "frames received", l.Received, false, false},
		{"held_back", held, l.HeldBack, true, true},
		{"dropped_by_system", "dropped by the system", l.System, true, true},
		{"damaged", "damaged", l.Damaged, true, true},
		{"late", "came too late", l.Late, true, true},
		{"dropped_by_viewer", "dropped by us", l.Ours, true, true},
		{"unrecorded", "lost when recorded", l.Unrecorded, true, true},
		{"left_disk", "left the disk", l.LeftDisk, true, true},
		{"deleted_afterwards", "deleted from the disk afterwards", l.Erased, true, true},
		{"left_memory", "left memory", l.Evicted, false, true},
		{"malformed", "malformed", l.Malformed, false, true},
		{"things_late", "too late for their place", l.TooLate, false, true},
		{"beyond_limit", "beyond a limit", l.Limited, false, true},
		{"strangers", "from strangers", l.Strangers, false, true},
		{"implausible", "implausible", l.Implausible, false, true},
		{"truncated", "cut off the file", l.Truncated, false, true},
		{"not_recorded", "not recorded", l.NotRecorded, false, true},
		{"deleted", "left the disk", l.Deleted, false, true},
		{"deleted_on_disk", "deleted from the disk", l.ErasedHere, false, true},
	}
	for _, line := range all {
		always := false
		switch line.Key {
		case "sent", "received", "held_back":
			always = l.Framed
		case "dropped_by_viewer":
			always = true
			line.N = addSat(line.N, l.Dropped)
		}
		if line.N != 0 || always {
			out = append(out, line)
		}
	}
	return out
}

// Empty tells that there is nothing to account for.
func (l *Ledger) Empty() bool {
	for _, line := range l.Lines(nil) {
		if line.N != 0 {
			return false
		}
	}
	return true
}

// ledgerAnswer is the newest answer of Ledger, which several panels ask for in each tick.
type ledgerAnswer struct {
	mu     sync.Mutex
	ledger Ledger
	rev    uint64
	known  bool
}

// Ledger returns the account of the session. Cost: O(tracks), nothing while the session stays the same.
func (s *Session) Ledger() Ledger {
	a := &s.ledgerAnswer
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.known || a.rev != s.rev {
		a.ledger, a.rev, a.known = s.makeLedger(), s.rev, true
	}
	return a.ledger
}

func (s *Session) makeLedger() Ledger {
	var b LedgerCounts
	for _, t := range s.tracks {
		b.Received = addSat(b.Received, addSat(int64(t.frames.n()), t.evicted))
		b.Missing = addSat(b.Missing, addSat(t.evictedMissing, t.Missing()))
	}
	b.Lost, b.Frames = s.losses, s.ledger.frames
	b.Outside = s.ledger.after(s.newestEnd())
	b.Local, b.SystemUnknown = isLocal(s.info), s.ledger.uncounted
	return b.Ledger()
}

// LedgerCounts are the counts that make a Ledger, for those who keep them without a Session.
type LedgerCounts struct {
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
		Received: c.Received, Missing: c.Missing,
		System: c.Frames[LossSystem], Damaged: addSat(c.Frames[LossChecksum], c.Frames[LossMalformed]),
		Late: c.Frames[LossLate], Ours: addSat(c.Frames[LossRing], c.Frames[LossLimit]),
		Unrecorded: c.Frames[LossNotRecorded], NotRecorded: rest(LossNotRecorded),
		LeftDisk: c.Frames[LossLeftDisk], Deleted: rest(LossLeftDisk),
		Erased: c.Frames[LossDeleted], ErasedHere: rest(LossDeleted),
		OnTheWay: !c.Local, SystemUnknown: c.SystemUnknown,
		Evicted: c.Lost[LossEvicted], Malformed: addSat(rest(LossMalformed), rest(LossChecksum)),
		TooLate: rest(LossLate), Dropped: rest(LossRing), Limited: rest(LossLimit),
		Strangers: c.Lost[LossStranger], Implausible: c.Lost[LossImplausible], Truncated: c.Lost[LossTruncated],
	}
	l.settle(c.Outside)
	l.Framed = l.Sent > 0
	return l
}

// newestEnd returns the latest end of a track's newest frame, on the session's clock.
func (s *Session) newestEnd() int64 {
	newest := int64(minTime)
	for _, t := range s.tracks {
		if f := &t.frames; f.number.n > f.first && !t.Def.OwnClock {
			newest = max(newest, f.end.at(f.number.n-1))
		}
	}
	return newest
}

// isLocal tells whether a client is on this machine, so that nothing between it and us loses datagrams.
func isLocal(info Info) bool {
	at, err := netip.ParseAddrPort(info.Peer)
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// ledgerBook keeps which frames are known to be lost, and when.
type ledgerBook struct {
	frames    [NumLossReasons]int64
	recent    []lostFrames // those that may lie behind the last frame received, oldest first
	uncounted bool
	looked    uint64 // Session.appends when the newest frame's end was last looked for
}

type lostFrames struct{ beginNs, n int64 }

// maxRecent is how many losses are kept apart; more of them become one.
const maxRecent = 64

// enter takes a loss of a session. Losses before the end of the newest frame are forgotten when there
// is no room, but that end is looked for, in all tracks, only so often that each frame pays for it.
func (b *ledgerBook) enter(l *Loss, s *Session) {
	if l.Uncounted && l.Reason == LossSystem {
		b.uncounted = true
	}
	n := min(l.Frames, l.N)
	if n <= 0 {
		return
	}
	b.frames[l.Reason] = addSat(b.frames[l.Reason], n)
	if l.Begin <= 0 {
		return
	}
	if len(b.recent) == maxRecent && s.appends-b.looked >= uint64(len(s.tracks)) {
		b.looked = s.appends
		end, keep := s.newestEnd(), b.recent[:0]
		for _, x := range b.recent {
			if x.beginNs >= end {
				keep = append(keep, x)
			}
		}
		b.recent = keep
	}
	if k := len(b.recent); k == maxRecent {
		last := &b.recent[k-1]
		last.beginNs, last.n = min(last.beginNs, l.Begin), addSat(last.n, n)
		return
	}
	b.recent = append(b.recent, lostFrames{l.Begin, n})
}

// after returns how many frames were lost at a time or later.
func (b *ledgerBook) after(ns int64) (n int64) {
	for _, x := range b.recent {
		if x.beginNs >= ns {
			n = addSat(n, x.n)
		}
	}
	return n
}

// lossLine puts the detail of a loss into a line, with its place in time.
func lossLine(l *Loss) string {
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
	l.N, l.Frames = addSat(l.N, other.N), addSat(l.Frames, other.Frames)
	l.Uncounted = l.Uncounted || other.Uncounted
	l.Begin = earlier(l.Begin, other.Begin)
	l.End = max(l.End, other.End)
}

// earlier returns the earlier of two times, of which 0 is not known.
func earlier(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
