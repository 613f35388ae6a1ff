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
	// Records is how many records were plausible, Blocks how many of them were blocks, Bad how many
	// were not plausible.
	Records, Blocks, Bad int
	// Linked is how many blocks had the parent to which the library's links lead, Unlinked how many
	// had another.
	Linked, Unlinked int
	// Confidence is from 0 (not recognised) to 1: the share of what agrees, less where there is little
	// to look at.
	Confidence float64
	// Reasons explains the result in words.
	Reasons []string

	known   int // frames and system information: records with a look of their own
	threads []uint32
	again   int // records of a thread that was there before
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
// section 2.1). ok is false when it is no profile stream, or too little of one; the reasons say which.
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
			part.say("only bytes %d to %d were looked at: the rest does not go with them", at, at+stretch)
			return part, true
		}
	}
	return d, false
}

func (d *Detection) say(format string, args ...any) {
	d.Reasons = append(d.Reasons, fmt.Sprintf(format, args...))
}

func detect(head []byte) (d Detection, ok bool) {
	d = best(head)
	switch {
	case d.Records+d.Bad == 0:
		d.say("%d bytes hold no record with content", len(head))
		return d, false
	case float64(d.Records) < minRatio*float64(d.Records+d.Bad):
		d.say("no record size and offset makes %.0f %% of the records plausible", minRatio*100)
		return d, false
	case d.Records < minLook:
		d.say("only %d records with content", d.Records)
		return d, false
	}
	d.say("%d of %d records of %d bytes from byte %d on are plausible", d.Records, d.Records+d.Bad, d.Layout.Stride(), d.Phase)
	ratio := float64(d.Records) / float64(d.Records+d.Bad)
	if links := d.Linked + d.Unlinked; links > 0 {
		d.say("links lead to the parent of %d of %d blocks", d.Linked, links)
		ratio = min(ratio, float64(d.Linked+1)/float64(links+1))
	}
	switch {
	case d.Blocks+d.known == 0:
		d.say("but there is neither a block nor a frame among them")
	case d.Linked < d.Unlinked && 4*d.Unlinked > d.Blocks:
		d.say("but the links contradict the ids")
	case d.Linked == 0 && (d.again == 0 || 2*d.again < d.Records-1):
		d.say("but no thread recurs and no parent is there")
	default:
		d.Confidence = ratio * min(1, float64(d.Records)/sureLook)
		return d, true
	}
	return d, false
}

// Sniff reports whether the beginning of a file is surely a profile stream. It is strict, for the
// format has no mark of its own.
func Sniff(head []byte) bool {
	sure := func(d Detection, ok bool) bool {
		return ok && d.Records >= sniffLook && d.Blocks >= sniffLook/2 && d.Confidence >= 0.5*minRatio &&
			float64(d.Bad) <= 0.1*float64(d.Records)
	}
	return sure(detect(head)) || len(head) > sureBytes && sure(detect(head[:sureBytes])) // the rest may be damaged
}

// points is how well a layout and a phase fit.
func (d *Detection) points() int { return d.Records - 4*d.Bad + d.Linked - 4*d.Unlinked }

// best tries every layout and offset.
func best(head []byte) (best Detection) {
	best.Layout = Current
	var walk treeWalk
	for _, l := range [...]Layout{V4, V3, V2, V1} {
		for phase := range min(l.Stride(), len(head)) {
			d := Detection{Layout: l, Phase: phase}
			if d.look(head[phase:], &walk); d.points() > best.points() || best.Records+best.Bad == 0 {
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
			d.bad(walk)
		} else {
			d.record(cur[:], walk)
		}
		if d.Bad > 8+i/8 {
			d.Bad += n - i - 1
			return
		}
	}
}

func (d *Detection) bad(walk *treeWalk) {
	d.Bad++
	walk.lost = true
}

// record counts a record in the current layout.
func (d *Detection) record(b []byte, walk *treeWalk) {
	o := binary.LittleEndian
	id, parent, thread := o.Uint32(b), o.Uint32(b[AtParent:]), o.Uint32(b[AtThread:])
	isBlock := id >= FirstBlock
	switch {
	case isBlock && (b[AtName] == 0 || parent >= id), Kind(id) == SysInfo && string(b[AtName:AtName+6]) != "sysinf":
		d.bad(walk) // such are possible, but no evidence
		return
	case isBlock:
		d.Blocks++
	case Kind(id) == Frame, Kind(id) == SysInfo:
		d.known++
	}
	d.Records++
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
		d.Unlinked++
	case isBlock && depth > 0 && !was:
		d.Linked++
	}
}
