package profilelib

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Detection is the result of Detect.
type Detection struct {
	Layout Layout
	// Phase is how many bytes lie before the first whole record: 0 unless the stream is joined in the
	// middle.
	Phase int
	// Confidence is from 0 (not recognised) to 1: the share of what agrees, less where there is little
	// to look at.
	Confidence float64
	// Why says why it is no profile stream.
	Why string

	records, blocks, bad int // plausible ones, how many of them are blocks, and records that are not plausible
	linked, unlinked     int // blocks that had the parent to which the library's links lead, and others
	known                int // frames and system information: records with a look of their own
	threads              []uint32
	again                int // records of a thread that was there before
}

// Limits of the detection.
const (
	maxLook     = 2048 // records
	minLook     = 4    // records without which nothing can be said
	sureLook    = 16   // records that are enough for full confidence
	minRatio    = 0.85 // of records that must be plausible
	sniffLook   = 8    // records that Sniff demands
	sureBytes   = 4096 // of a beginning that is enough for it
	lookThreads = 16   // counted apart
)

// Detect finds the layout and phase of head, the beginning (or any part) of a stream (FORMAT.md
// section 2.1). ok is false when it is no profile stream, or too little of one; Why says which.
// A longer head gives a better result, up to 2,048 records. Where head as a whole is not plausible,
// because bytes are missing within it or garbage lies before it, Detect tries stretches of it; Phase
// is then that of the stretch.
func Detect(head []byte) (d Detection, ok bool) {
	if d, ok = detect(head); ok {
		return d, ok
	}
	const stretch = 128 * RecordSize
	most := min(len(head), maxLook*RecordSize)
	for at := 0; at < most && len(head) > stretch; at += max(stretch, most/8) {
		if part, ok := detect(head[at:min(at+stretch, len(head))]); ok && part.Confidence >= 0.9 {
			part.Phase = (at + part.Phase) % part.Layout.Stride()
			return part, true
		}
	}
	return d, false
}

func detect(head []byte) (d Detection, ok bool) {
	d = best(head, V4, V3, V2, V1)
	all := float64(d.records + d.bad)
	switch {
	case all == 0:
		d.Why = fmt.Sprintf("%d bytes hold no record with content", len(head))
	case float64(d.records) < minRatio*all:
		d.Why = fmt.Sprintf("no record size and offset makes %.0f %% of the records plausible", minRatio*100)
	case d.records < minLook:
		d.Why = fmt.Sprintf("only %d records with content", d.records)
	case d.blocks+d.known == 0:
		d.Why = "there is neither a block nor a frame among the records"
	case d.linked < d.unlinked && 4*d.unlinked > d.blocks:
		d.Why = "the links contradict the ids"
	case d.linked == 0 && (d.again == 0 || 2*d.again < d.records-1):
		d.Why = "no thread recurs and no parent is there"
	default:
		ratio := float64(d.records) / all
		if links := d.linked + d.unlinked; links > 0 {
			ratio = min(ratio, float64(d.linked+1)/float64(links+1))
		}
		d.Confidence = ratio * min(1, float64(d.records)/sureLook)
		return d, true
	}
	return d, false
}

// Sniff reports whether the beginning of a file is surely a profile stream. It is strict, for the
// format has no mark of its own.
func Sniff(head []byte) bool {
	sure := func(d Detection, ok bool) bool {
		return ok && d.records >= sniffLook && d.blocks >= sniffLook/2 && d.Confidence >= 0.5*minRatio &&
			float64(d.bad) <= 0.1*float64(d.records)
	}
	return sure(detect(head)) || len(head) > sureBytes && sure(detect(head[:sureBytes])) // the rest may be damaged
}

// points is how well a layout and a phase fit.
func (d *Detection) points() int { return d.records - 4*d.bad + d.linked - 4*d.unlinked }

// best tries layouts and every offset.
func best(head []byte, layouts ...Layout) (best Detection) {
	best.Layout = layouts[0]
	var walk treeWalk
	for _, l := range layouts {
		for phase := range min(l.Stride(), len(head)) {
			d := Detection{Layout: l, Phase: phase}
			if d.look(head[phase:], &walk); d.points() > best.points() || best.records+best.bad == 0 {
				best = d
			}
		}
	}
	return best
}

// look counts what agrees in records of the layout. It gives up where too much does not.
func (d *Detection) look(data []byte, walk *treeWalk) {
	walk.lost = true
	stride, n := d.Layout.Stride(), min(len(data)/d.Layout.Stride(), maxLook)
	var cur [RecordSize]byte
	for i := range n {
		raw := data[i*stride:][:stride]
		if zero(raw) {
			continue
		}
		d.Layout.ToCurrent(raw, &cur)
		if CheckRecord(cur[:]) != NoFault || d.Layout == V3 && !(zero(raw[58:64]) && zero(raw[70:])) {
			d.refuse(walk)
		} else {
			d.record(cur[:], walk)
		}
		if d.bad > 8+i/8 {
			d.bad += n - i - 1
			return
		}
	}
}

func (d *Detection) refuse(walk *treeWalk) {
	d.bad++
	walk.lost = true
}

// record counts a record in the current layout.
func (d *Detection) record(b []byte, walk *treeWalk) {
	o := binary.LittleEndian
	id, parent, thread := o.Uint32(b), o.Uint32(b[AtParent:]), o.Uint32(b[AtThread:])
	isBlock := id >= FirstBlock
	switch {
	case isBlock && (b[AtName] == 0 || parent >= id), Kind(id) == SysInfo && string(b[AtName:AtName+6]) != "sysinf":
		d.refuse(walk) // such are possible, but no evidence
		return
	case isBlock:
		d.blocks++
	case Kind(id) == Frame, Kind(id) == SysInfo:
		d.known++
	}
	d.records++
	if slices.Contains(d.threads, thread) {
		d.again++
	} else if len(d.threads) < lookThreads {
		d.threads = append(d.threads, thread)
	}
	if Kind(id) == SysInfo {
		return
	}
	was := walk.lost
	depth, broken := walk.place(id, parent, thread, o.Uint16(b[AtSibling:]), o.Uint16(b[AtChild:]))
	switch {
	case broken, !was && walk.lost && depth == stray:
		d.unlinked++
	case isBlock && depth > 0 && !was:
		d.linked++
	}
}
