// Layouts of the Foundation profile stream ("profile_lib"): the form of one record, in each of the
// versions that programs in the field write, in either byte order. These files read and write single
// records and distinguish layouts; they know nothing of the meaning of a stream (see the package
// above).
//
// FORMAT.md beside the package above describes the format in full.

package profilelib

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Variant is one of the layouts that the library had in the course of time (FORMAT.md section 2).
type Variant uint8

// The variants, by their time of use.
const (
	V0 Variant = iota // June 2011, known from a description only: name of 20 bytes, 32-bit links
	V1                // January to October 2013: name of 24 bytes, ids from 0, 32-bit child link
	V2                // October 2013 to March 2014: as V1, ids from 1 and an end-of-stream record
	V3                // March to June 2014: 72 bytes
	V4                // from June 2014 on, all releases
	numVariants
)

// Layout is a variant in a byte order. The zero value is V0, little-endian; nearly every stream is in
// Current.
type Layout struct {
	Variant   Variant
	BigEndian bool
}

// Current is the layout of all releases on little-endian machines.
var Current = Layout{Variant: V4}

// place holds the offsets of the fields that differ between variants. The first 32 bytes are the same
// in all.
type place struct {
	stride                   int
	name                     int // bytes of the name field, at nameAt
	previous, sibling, child int
	wide, wideChild          bool // links of 32 bits: all, the child's
}

const nameAt = 32

var places = [numVariants]place{
	V0: {stride: 64, name: 20, previous: 52, sibling: 56, child: 60, wide: true, wideChild: true},
	V1: {stride: 64, name: 24, previous: 56, sibling: 58, child: 60, wideChild: true},
	V2: {stride: 64, name: 24, previous: 56, sibling: 58, child: 60, wideChild: true},
	V3: {stride: 72, name: 26, previous: 64, sibling: 66, child: 68},
	V4: {stride: 64, name: 26, previous: 58, sibling: 60, child: 62},
}

func (l Layout) place() *place { return &places[min(l.Variant, V4)] }

// Stride returns the size of a record in bytes.
func (l Layout) Stride() int { return l.place().stride }

// NameSize returns the bytes of the name field, the NUL included that ends every name and every
// piece of a message.
func (l Layout) NameSize() int { return l.place().name }

// String returns the layout's short name, which Parse takes: "v4", "v3-72", "v1-be".
func (l Layout) String() string {
	s := fmt.Sprintf("v%d", l.Variant)
	if l.Variant == V3 {
		s += "-72"
	}
	if l.BigEndian {
		s += "-be"
	}
	return s
}

// Words describes the layout for people.
func (l Layout) Words() string {
	when := [numVariants]string{"2011", "January to October 2013", "October 2013 to March 2014", "March to June 2014", "since June 2014"}[min(l.Variant, V4)]
	order := "little-endian"
	if l.BigEndian {
		order = "big-endian"
	}
	return fmt.Sprintf("%d-byte records, %s, %s", l.Stride(), order, when)
}

// ParseRecord reads a layout's short name: v0, v1, v2, v3 or v3-72, v4, each with -le or -be behind it or
// nothing for little-endian.
func ParseRecord(s string) (Layout, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	var l Layout
	if rest, ok := strings.CutSuffix(word, "-be"); ok {
		word, l.BigEndian = rest, true
	} else {
		word = strings.TrimSuffix(word, "-le")
	}
	switch word {
	case "v0":
		l.Variant = V0
	case "v1":
		l.Variant = V1
	case "v2":
		l.Variant = V2
	case "v3", "v3-72":
		l.Variant = V3
	case "v4":
		l.Variant = V4
	default:
		return Layout{}, fmt.Errorf(
			"profile stream: unknown layout %q; choose v0, v1, v2, v3-72 or v4, plus -be for big-endian", s,
		)
	}
	return l, nil
}

// order is the common part of both byte orders of encoding/binary.
type order interface {
	binary.ByteOrder
}

func (l Layout) order() order {
	if l.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// linkWalk counts how far the parents that the library's links lead to are those that the records
// name (FORMAT.md section 4).
type linkWalk struct {
	agree, differ int
	faults        int // records that are nonsense in the layout
}

func (w *linkWalk) better(than *linkWalk) bool {
	return w.agree-4*w.differ-4*w.faults > than.agree-4*than.differ-4*than.faults
}

// maxWalkDepth bounds the depth of the trees that are walked.
const maxWalkDepth = 1024

// walkLinks reads trees by their links: after a node with a child comes its first child's whole
// tree; after that, if it has a sibling, that sibling's. A walk starts at a block without a parent,
// and again at the next one when it went wrong.
func walkLinks(data []byte, l Layout) (w linkWalk) {
	var ids [maxWalkDepth]uint32
	var more [maxWalkDepth]bool // a sibling is to come
	depth, lost := 0, true
	stride := l.Stride()
	var cur [RecordSize]byte
	var r Record
	for i := range min(len(data)/stride, maxLook) {
		l.ToCurrent(data[i*stride:], &cur)
		_ = Current.Decode(cur[:], &r) // cur is long enough
		if CheckRecord(cur[:]) != NoFault {
			w.faults++
			lost = true
			continue
		}
		block := r.ID >= FirstBlock
		if Kind(r.ID) == SysInfo || Kind(r.ID) == EndOfStream {
			continue
		}
		if lost {
			if !block || r.Parent != 0 || r.Sibling != 0 {
				continue
			}
			lost, depth = false, 0
		}
		switch {
		case depth == 0:
			if r.Sibling != 0 || block && r.Parent != 0 {
				w.differ++
				lost = true
				continue
			}
		case block && r.Parent != ids[depth-1]:
			w.differ++
			lost = true
			continue
		case block:
			w.agree++
		}
		ids[depth], more[depth] = r.ID, r.Sibling != 0
		if r.Child != 0 {
			depth++
			lost = depth == maxWalkDepth
			continue
		}
		for depth > 0 && !more[depth] {
			depth--
		}
		if depth == 0 && more[0] {
			lost = true
		}
	}
	return w
}
