package pstats

import (
	"fmt"
	"math"
	"slices"
)

// pointSize is the size of an event and of a level on the wire, in bytes (section 3.7).
const pointSize = 6

// DecodeFrame decodes the payload of a frame from a client of version v into f and reuses its slices
// (section 3.7). Counts are checked against the bytes that remain before anything is allocated.
// Trailing bytes are ignored. Times and values stay as they came, NaN and negative ones too. After an
// error f holds no events and no levels.
func DecodeFrame(payload []byte, v Version, f *Frame) error {
	*f = Frame{Events: f.Events[:0], Levels: f.Levels[:0]}
	at := 0
	if v.HasFrameType() {
		if len(payload) == 0 {
			return frameError(0, "empty")
		}
		if payload[0] != TypeFrame {
			return frameError(0, "message type is %d, not %d", payload[0], TypeFrame)
		}
		at = 1
	}
	if len(payload)-at < 6 {
		return frameError(at, "cut off: thread and frame number need 6 bytes, %d remain", len(payload)-at)
	}
	f.Thread = le.Uint16(payload[at:])
	f.Number = le.Uint32(payload[at+2:])
	at += 6

	events, at, err := points(payload, at, v, "events")
	if err != nil {
		return err
	}
	levels, _, err := points(payload, at, v, "levels")
	if err != nil {
		return err
	}

	n := len(events) / pointSize
	f.Events = slices.Grow(f.Events, n)[:n]
	for i := range f.Events {
		p := events[i*pointSize : i*pointSize+pointSize : i*pointSize+pointSize]
		f.Events[i] = Event{le.Uint16(p), math.Float32frombits(le.Uint32(p[2:]))}
	}
	n = len(levels) / pointSize
	f.Levels = slices.Grow(f.Levels, n)[:n]
	for i := range f.Levels {
		p := levels[i*pointSize : i*pointSize+pointSize : i*pointSize+pointSize]
		f.Levels[i] = Level{le.Uint16(p), math.Float32frombits(le.Uint32(p[2:]))}
	}
	return nil
}

// points returns the bytes of a counted list of points at offset at, and the offset behind it.
func points(payload []byte, at int, v Version, what string) (list []byte, end int, err error) {
	var count uint64
	size := 2
	if v.WideCounts() {
		size = 4
	}
	if len(payload)-at < size {
		return nil, at, frameError(at, "cut off: the number of %s needs %d bytes, %d remain", what, size, len(payload)-at)
	}
	if v.WideCounts() {
		count = uint64(le.Uint32(payload[at:]))
	} else {
		count = uint64(le.Uint16(payload[at:]))
	}
	left := len(payload) - at - size
	if count*pointSize > uint64(left) {
		return nil, at, frameError(at, "%d %s announced, but %d bytes hold %d at most", count, what, left, left/pointSize)
	}
	at += size
	end = at + int(count)*pointSize
	return payload[at:end], end, nil
}

func frameError(at int, format string, args ...any) error {
	return &Error{"frame", at, fmt.Sprintf(format, args...)}
}
