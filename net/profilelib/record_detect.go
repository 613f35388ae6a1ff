package profilelib

import (
	"encoding/binary"
	"fmt"
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
}

// Limits of the detection.
const (
	maxLook   = 2048 // records
	minLook   = 4    // records without which nothing can be said
	sureLook  = 16   // records that are enough for full confidence
	minRatio  = 0.85 // of records that must be plausible
	sniffLook = 8    // records that Sniff demands
	sureBytes = 4096 // of a beginning that is enough for it
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
	for at := 0; at < min(len(head), maxLook*RecordSize) && len(head) > stretch; at += max(stretch, min(len(head), maxLook*RecordSize)/8) {
		if part, ok := detect(head[at:min(at+stretch, len(head))]); ok && part.Confidence >= 0.9 {
			part.Phase = (at + part.Phase) % part.Layout.Stride()
			part.Reasons = append(
				part.Reasons,
				fmt.Sprintf("only bytes %d to %d were looked at: the rest does not go with them", at, at+stretch),
			)
			return part, true
		}
	}
	return d, false
}

func detect(head []byte) (d Detection, ok bool) {
	stride, phase, be, sc := bestPhase(head)
	switch {
	case sc.good+sc.bad == 0:
		d.Reasons = append(d.Reasons, fmt.Sprintf("%d bytes hold no record with content", len(head)))
		return d, false
	case float64(sc.good) < minRatio*float64(sc.good+sc.bad):
		d.Reasons = append(
			d.Reasons,
			fmt.Sprintf("no record size, byte order and offset makes %.0f %% of the records plausible", minRatio*100),
		)
		return d, false
	case sc.good < minLook:
		d.Reasons = append(d.Reasons, fmt.Sprintf("only %d records with content", sc.good))
		return d, false
	}
	d.Phase, d.Records, d.Bad, d.Blocks = phase, sc.good, sc.bad, sc.blocks
	d.Reasons = append(
		d.Reasons,
		fmt.Sprintf("%d of %d records of %d bytes from byte %d on are plausible", sc.good, sc.good+sc.bad, stride, phase),
	)
	data := head[phase:]
	if stride == 72 {
		d.Layout = Layout{V3, be}
		walk := walkLinks(data, d.Layout)
		d.Linked, d.Unlinked = walk.agree, walk.differ
	} else {
		d.pickVariant(data, be)
	}
	if d.Linked+d.Unlinked > 0 {
		d.Reasons = append(
			d.Reasons, fmt.Sprintf("links lead to the parent of %d of %d blocks", d.Linked, d.Linked+d.Unlinked),
		)
	}
	if d.Blocks == 0 && sc.known == 0 {
		d.Reasons = append(d.Reasons, "but there is neither a block nor a frame among them")
		return d, false
	}
	if d.Linked < d.Unlinked && 4*d.Unlinked > d.Blocks {
		d.Reasons = append(d.Reasons, "but the links contradict the ids")
		return d, false
	}
	if !sc.recurs() && d.Linked == 0 && sc.resolved == 0 {
		d.Reasons = append(d.Reasons, "but no thread recurs and no parent is there")
		return d, false
	}
	ratio := float64(sc.good) / float64(sc.good+sc.bad)
	if d.Linked+d.Unlinked > 0 {
		ratio = min(ratio, float64(d.Linked+1)/float64(d.Linked+d.Unlinked+1))
	}
	d.Confidence = ratio * min(1, float64(sc.good)/sureLook)
	return d, true
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

// pickVariant chooses among the variants with 64-byte records.
func (d *Detection) pickVariant(data []byte, be bool) {
	var best linkWalk
	var chosen Variant
	first := true
	for _, v := range []Variant{V4, V2, V0} {
		w := walkLinks(data, Layout{v, be})
		if first || w.better(&best) {
			best, chosen, first = w, v, false
		}
	}
	d.Linked, d.Unlinked = best.agree, best.differ
	if chosen == V2 {
		old, late := eraOfIDs(data, be)
		if old > late {
			chosen = V1
		}
		d.Reasons = append(d.Reasons, fmt.Sprintf("reserved ids: %d as of early 2013, %d as later", old, late))
	}
	d.Layout = Layout{chosen, be}
}

// score is how well a way of cutting the bytes into records fits.
type score struct {
	good, bad, blocks int
	known             int // frames and system information: records with a look of their own
	resolved          int // blocks with a known parent
	threads           [16]uint32
	nThreads, again   int
}

func (s *score) better(than *score) bool {
	a, b := s.good-4*s.bad, than.good-4*than.bad
	return a > b
}

// recurs reports whether records share threads.
func (s *score) recurs() bool { return s.again*2 >= s.good-1 && s.again > 0 }

// bestPhase tries every record size, byte order and offset, by the common properties of all variants.
func bestPhase(head []byte) (stride, phase int, be bool, best score) {
	stride = RecordSize
	for _, st := range []int{64, 72} {
		for _, big := range []bool{false, true} {
			for ph := 0; ph < st && ph < len(head); ph++ {
				if s := scorePhase(head[ph:], st, big, &best); s.better(&best) {
					stride, phase, be, best = st, ph, big, s
				}
			}
		}
	}
	return stride, phase, be, best
}

// scorePhase looks at records of a size. It gives up when it cannot become better than the best so
// far.
func scorePhase(data []byte, stride int, be bool, best *score) (s score) {
	n := min(len(data)/stride, maxLook)
	var o order = binary.LittleEndian
	if be {
		o = binary.BigEndian
	}
	var ids [64]uint32 // of the newest blocks
	for i := range n {
		b := data[i*stride : i*stride+stride]
		kind := commonCheck(b, o, stride)
		switch kind {
		case checkEmpty:
			continue
		case checkBad:
			s.bad++
			if s.bad > 8+i/8 || n-i+s.good-4*s.bad < best.good-4*best.bad {
				s.bad += n - i - 1
				return s
			}
			continue
		case checkBlock:
			s.blocks++
			id, parent := o.Uint32(b), o.Uint32(b[4:])
			if parent != 0 && ids[parent%64] == parent {
				s.resolved++
			}
			ids[id%64] = id
		case checkKnown:
			s.known++
		}
		s.good++
		s.thread(o.Uint32(b[12:]))
	}
	return s
}

// thread notes the thread of a record.
func (s *score) thread(id uint32) {
	for i := range s.nThreads {
		if s.threads[i] == id {
			s.again++
			return
		}
	}
	s.threads[s.nThreads%len(s.threads)] = id
	s.nThreads = min(s.nThreads+1, len(s.threads))
}

const (
	checkBad = iota
	checkEmpty
	checkBlock
	checkKnown
	checkMessage
)

// commonCheck judges a record by the first 52 bytes, which all variants share but for the numbers
// of the reserved ids.
func commonCheck(b []byte, o order, stride int) int {
	id, parent := o.Uint32(b), o.Uint32(b[4:])
	start, end := o.Uint64(b[16:]), o.Uint64(b[24:])
	if start > MaxTicks {
		return checkBad
	}
	kind := checkMessage
	switch {
	case id >= FirstBlock:
		if end < start || end > MaxTicks || parent != 0 && (parent < FirstBlock || parent >= id) {
			return checkBad
		}
		kind = checkBlock
	case id > uint32(SignalMore) || parent != 0 && parent < FirstBlock:
		return checkBad
	case start|end == 0:
		if id == 0 && zero(b) {
			return checkEmpty
		}
		return checkBad
	case end > MaxTicks:
		return checkBad
	}
	text := 0
	for text < 20 && b[nameAt+text] >= 0x20 && b[nameAt+text] != 0x7f {
		text++
	}
	if kind == checkBlock && text == 0 {
		return checkBad // a block without a name is possible, but no evidence
	}
	if text < 20 && b[nameAt+text] != 0 && (kind == checkBlock || b[nameAt+text] > '\r') || text < 19 && b[nameAt+text] == 0 && !zero(b[nameAt+text:nameAt+20]) {
		return checkBad
	}
	if stride == 72 && !(zero(b[58:64]) && zero(b[70:72])) {
		return checkBad
	}
	if kind == checkMessage {
		switch {
		case text == 0 && (id == 3 || id == 4) && parent == 0:
			return checkKnown
		case id <= 1 && end == 0:
			if start < minRate || start > maxRate || string(b[nameAt:nameAt+6]) != "sysinf" {
				return checkBad
			}
			return checkKnown
		case end < FirstBlock || end > 1<<32-1:
			return checkBad
		}
	}
	return kind
}

// eraOfIDs counts the records with ids of V1, and of V2 and later.
func eraOfIDs(data []byte, be bool) (old, late int) {
	var o order = binary.LittleEndian
	if be {
		o = binary.BigEndian
	}
	for i := range min(len(data)/RecordSize, maxLook) {
		b := data[i*RecordSize:]
		id, parent, end, text := o.Uint32(b), o.Uint32(b[4:]), o.Uint64(b[24:]), b[nameAt] != 0
		if id > uint32(SignalMore) {
			continue
		}
		switch {
		case id == 0 && zero(b[:RecordSize]):
			late++
		case id == 0 && text:
			old++ // system information
		case id == 1 && end == 0:
			late++
		case id == 1:
			old++ // a log line
		case parent != 0 && (id == 3 || id == 5 || id == 7 || id == 9):
			// In V1 these were kinds of their own, in V2 odd numbers are: a continuation there is even.
			if id == 3 {
				late++
			}
		case parent != 0 && id <= 10 && id%2 == 0:
			switch id {
			case 2:
				old++
			default:
				late++
			}
		case id == 3 && !text && parent == 0:
			old++ // a frame
		case id == 4 && !text && parent == 0:
			late++
		case id == 2 && parent == 0:
			late++
		}
	}
	return old, late
}
