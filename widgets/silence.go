package widgets

import (
	"strconv"
	"time"
)

// Silence is for how long a live session has received nothing. The zero value means no silence
// worth showing.
type Silence struct {
	// Ns is how long it has lasted, in ns.
	Ns int64
	// UsualNs is after how long something usually comes, in ns; 0: not known yet.
	UsualNs int64
	// Nothing means that the session has not received anything at all yet.
	Nothing bool
	// Overdue means that data should have come by now.
	Overdue bool
}

// Append appends the silence in words: "silent for 12 s", "nothing received yet, 25 s"; nothing for
// the zero value.
func (s Silence) Append(b []byte) []byte {
	switch {
	case s.Ns <= 0:
		return b
	case s.Nothing:
		return appendAge(append(b, "nothing received yet, "...), s.Ns)
	}
	return appendAge(append(b, "silent for "...), s.Ns)
}

// seconds is the part that changes the words, so that they are painted anew only then.
func (s Silence) seconds() uint64 {
	n := uint64(s.Ns / int64(100*time.Millisecond))
	if n >= 10 {
		n -= n % 10
	}
	n <<= 2
	if s.Nothing {
		n |= 1
	}
	if s.Overdue {
		n |= 2
	}
	return n
}

// appendAge appends how long ago something was, as exact as one wants to know that: "0.6 s", "12
// s", "2 min 5 s".
func appendAge(b []byte, ns int64) []byte {
	total := ns / int64(time.Second)
	switch {
	case total < 1:
		b = append(b, "0."...)
		b = strconv.AppendInt(b, ns/int64(100*time.Millisecond), 10)
	case total < 60:
		b = strconv.AppendInt(b, total, 10)
	case total < 3600:
		b = append(strconv.AppendInt(b, total/60, 10), " min "...)
		b = strconv.AppendInt(b, total%60, 10)
	default:
		b = append(strconv.AppendInt(b, total/3600, 10), " h "...)
		return append(strconv.AppendInt(b, total/60%60, 10), " min"...)
	}
	return append(b, " s"...)
}
