package sessionfile_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// arrivals notes the frames that a file's reader lets through.
type arrivals struct {
	*sessionfile.Raw
	numbers []int64
	left    int64
}

func (a *arrivals) Lost(l model.Loss) {
	if l.Reason == model.LossImplausible {
		a.left += l.N
	}
}

func (a *arrivals) Frame(f *pstats.Frame, _ int) { a.numbers = append(a.numbers, int64(f.Number)) }

// A frame of a file whose number or time jumps enters if a neighbour confirms it, as one of a live
// client does; else it is counted and left out, and what comes after is as if it had not been there.
func TestJumps(t *testing.T) {
	at := func(number uint32, sec float32) pstats.Frame {
		return pstats.Frame{Number: number, Events: []pstats.Event{{Time: sec}, {Word: pstats.StopBit, Time: sec + 0.016}}}
	}
	const top = 1<<31 - 1
	for name, c := range map[string]struct {
		frames []pstats.Frame
		left   []int // by index
	}{
		"numbers that jump": {[]pstats.Frame{at(0, 0), at(1, 0.02), at(2, 0.04), at(top, 0.06), at(top-1, 0.08), at(5, 0.1),
			at(6, 0.12), at(top-4, 0.14)}, []int{3, 4, 7}},
		"a time that jumps":       {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 9e6), at(3, 1.06), at(4, 1.08)}, []int{2}},
		"a last time that jumps":  {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 9e6)}, []int{2}},
		"a time that jumps back":  {[]pstats.Frame{at(7, 900), at(8, 900.02), at(9, 3), at(10, 900.06)}, []int{2}},
		"another program's count": {[]pstats.Frame{at(0, 1), at(1, 1.02), at(9e8, 1.04), at(9e8+1, 1.06)}, nil},
		"a pause":                 {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 300), at(3, 300.02)}, nil},
		"a pause before the last": {[]pstats.Frame{at(0, 1), at(1, 1.02), at(2, 300)}, nil},
		"a frame in five minutes": {[]pstats.Frame{at(0, 1), at(1, 301), at(2, 601), at(3, 901), at(4, 1201), at(5, 1501)}, nil},
		"a clock that went back":  {[]pstats.Frame{at(7, 900), at(8, 900.02), at(9, 3), at(10, 3.02)}, nil},
		"numbers that count down": {[]pstats.Frame{at(9, 1), at(8, 1.02), at(7, 1.04), at(6, 1.06)}, nil},
		"one number":              {[]pstats.Frame{at(1, 1), at(1, 1.02), at(1, 1.04)}, nil},
		"a number that is off":    {[]pstats.Frame{at(46, 0.85), at(137, 0.87), at(48, 0.89), at(49, 0.91), at(60, 1.1)}, nil},
		"a file by number":        {[]pstats.Frame{at(46, 0.85), at(48, 0.89), at(49, 0.91), at(60, 1.1), at(137, 0.87)}, nil},
		"numbers that are far":    {[]pstats.Frame{at(0, 1), at(3000, 51), at(6000, 101)}, nil},
	} {
		in, want := &arrivals{Raw: sessionfile.NewRaw()}, []int64(nil)
		for i := range c.frames {
			if !slices.Contains(c.left, i) {
				want = append(want, int64(c.frames[i].Number))
			}
		}
		data := fileOf(c.frames)
		info, err := sessionfile.Read(bytes.NewReader(data), "test.pstats", int64(len(data)), in, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(in.numbers, want) || in.left != int64(len(c.left)) {
			t.Errorf("%s: frames %v, not %v; %d were left out", name, in.numbers, want, in.left)
		}
		// What entered does so again, in the order in which it is written.
		var b bytes.Buffer
		if err := in.WriteSession(&b, &info); err != nil {
			t.Fatal(name, err)
		}
		again := &arrivals{Raw: sessionfile.NewRaw()}
		if _, err := sessionfile.Read(&b, "again.pstats", 0, again, nil); err != nil {
			t.Fatal(name, err)
		}
		if again.left != 0 {
			t.Errorf("%s: written and read again, %d of %v are left out", name, again.left, in.numbers)
		}
	}
}

// fileOf writes a session file with these frames of one thread, in this order.
func fileOf(frames []pstats.Frame) []byte {
	info := sessionfile.Info{Major: 1, Minor: 1, PID: -1}
	le := binary.LittleEndian
	body := append(sessionfile.FileHead(&info, nil), 0, 0)
	body = pstats.AppendString(body, "Main")
	for i := range frames {
		body = append(body, pstats.AppendFrame(nil, sessionfile.FrameVersion, &frames[i])[3:]...)
	}
	body = append(body, 255, 255, 255, 255, 255, 255)
	body = append(body, sessionfile.FileTail(&info)...)
	return append(le.AppendUint32(sessionfile.FileMagic[:], uint32(len(body))), body...)
}
