// Layouts of the Foundation profile stream ("profile_lib"): the form of one record, in each of the
// versions that programs in the field write. These files read single records and distinguish layouts;
// they know nothing of the meaning of a stream (see the package above).
//
// FORMAT.md beside the package above describes the format in full.

package profilelib

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Layout is one of the layouts that the library had in the course of time (FORMAT.md section 2), little-endian.
type Layout uint8

// The layouts, by their time of use.
const (
	V1 Layout = iota // January to October 2013: name of 24 bytes, ids from 0, 32-bit child link
	V2               // October 2013 to March 2014: as V1, ids from 1 and an end-of-stream record
	V3               // March to June 2014: 72 bytes
	V4               // from June 2014 on, all releases

	// Current is the layout of all releases.
	Current = V4
)

// place holds the offsets of the fields that differ between layouts. The first 32 bytes are the same in all.
type place struct {
	stride                   int
	name                     int // bytes of the name field, at nameAt
	previous, sibling, child int
	wide                     bool // the child's link has 32 bits
	short, when              string
}

const nameAt = 32

var places = [...]place{
	V1: {stride: 64, name: 24, previous: 56, sibling: 58, child: 60, wide: true, short: "v1",
		when: "January to October 2013"},
	V2: {stride: 64, name: 24, previous: 56, sibling: 58, child: 60, wide: true, short: "v2",
		when: "October 2013 to March 2014"},
	V3: {stride: 72, name: 26, previous: 64, sibling: 66, child: 68, short: "v3-72", when: "March to June 2014"},
	V4: {stride: 64, name: 26, previous: 58, sibling: 60, child: 62, short: "v4", when: "since June 2014"},
}

func (l Layout) place() *place { return &places[min(l, V4)] }

// Stride returns the size of a record in bytes.
func (l Layout) Stride() int { return l.place().stride }

// String returns the layout's short name, which ParseRecord takes: "v4", "v3-72".
func (l Layout) String() string { return l.place().short }

// Words describes the layout for people.
func (l Layout) Words() string {
	return fmt.Sprintf("%d-byte records, little-endian, %s", l.Stride(), l.place().when)
}

// ParseRecord reads a layout's short name.
func ParseRecord(s string) (Layout, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	if i := slices.IndexFunc(places[:], func(p place) bool { return p.short == word }); i >= 0 {
		return Layout(i), nil
	}
	return 0, fmt.Errorf("profile stream: unknown layout %q; choose v1, v2, v3-72 or v4", s)
}

// links returns the positions in the library's work buffer to which a record leads; child may be none that can be.
func (l Layout) links(b []byte) (previous, sibling uint16, child uint32) {
	p, o := l.place(), binary.LittleEndian
	if child = uint32(o.Uint16(b[p.child:])); p.wide {
		child = o.Uint32(b[p.child:])
	}
	return o.Uint16(b[p.previous:]), o.Uint16(b[p.sibling:]), child
}
