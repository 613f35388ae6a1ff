package pstats

import "fmt"

// Newest returns the newest version of the protocol that this package knows. Clients that announce
// a higher minor are decoded as this one (section 4.3).
func Newest() Version { return Version{3, 2} }

// AtLeast reports whether v is major.minor or later.
func (v Version) AtLeast(major, minor uint16) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// HasVersionInHello reports whether a hello of v carries the version itself: since 2.0 (section 4.1).
func (v Version) HasVersionInHello() bool { return v.AtLeast(2, 0) }

// HasFrameType reports whether frame data begin with the type byte, which also means that frames may
// travel over TCP: since 2.1 (section 4.1).
func (v Version) HasFrameType() bool { return v.AtLeast(2, 1) }

// HasNestedStarts reports whether a collector may be started again while it runs on the same thread:
// since 3.1 (section 4.1).
func (v Version) HasNestedStarts() bool { return v.AtLeast(3, 1) }

// WideCounts reports whether the counts of events and levels in a frame have 32 bits: since 3.2.
// Before, they had 16 (section 3.7).
func (v Version) WideCounts() bool { return v.AtLeast(3, 2) }

// HasExpire reports whether a client may send the expire message: since 3.2 (section 3.6).
func (v Version) HasExpire() bool { return v.AtLeast(3, 2) }

// MaxPoints is the largest number of events, and of levels, that a frame of v can hold.
func (v Version) MaxPoints() int {
	if v.WideCounts() {
		return 1<<31 - 1
	}
	return 1<<16 - 1
}

// String returns the version as people write it, for example "3.2".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }
