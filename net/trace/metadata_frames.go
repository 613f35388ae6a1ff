// The toldframes files define how Framescope's exports store the frames of each thread in formats that only
// mark the begin of a frame with an instant. Frames keep their ends, numbers, gaps and overlaps.
//
// The instants of a process, "frame 12", have the length of the frame (Length). For other threads a text
// (Note) lists the frames that they share with the process, and instants of another name (Beside), which
// other readers ignore, mark the frames of the thread itself.

package trace

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

const (
	// Length is the argument of an instant that says how long the frame is that begins there, in ns.
	Length = "frame_ns"
	// ToldframesHost and a number is what an instant is called that begins a frame of the process, and of its thread.
	ToldframesHost = "frame "
	// ToldframesBeside and a number is what an instant is called that begins a frame of its thread alone.
	ToldframesBeside = "thread frame "
	// ToldframesNote is what the text is called that says of a thread whether it is the main one, and which frames
	// of its process it has: "main 0:99 120:240", the first and the last number of each run.
	ToldframesNote = "thread_frames"

	main = "main"

	mostNumber = 1 << 61 // as the store has it
)

// ToldframesFrame is a frame of a thread: its number, its begin and its end in ns, and the number of its
// figures (Figures), 0 for none. An open frame, the last, continued after its end.
type ToldframesFrame struct {
	Number, Begin, End int64
	Figures            int32
	Open               bool
}

// Run is a range of frame numbers, both ends included.
type Run struct{ From, To int64 }

// Thread holds the frames of a thread.
type Thread struct {
	Main  bool              // it is the main one of the session
	Hosts bool              // frames of it are those of the process
	Runs  []Run             // frames of the process that it has
	Own   []ToldframesFrame // frames of its own
}

// Some reports whether a thread has frames.
func (t *Thread) Some() bool { return len(t.Runs)+len(t.Own) > 0 }

// Add adds a frame of the thread itself; hosts marks a frame that the process has, too.
func (t *Thread) Add(f ToldframesFrame, hosts bool) {
	t.Own, t.Hosts = append(t.Own, f), t.Hosts || hosts
}

// AppendNote appends the text on a thread.
func AppendNote(dst []byte, isMain bool, runs []Run) []byte {
	if isMain {
		dst = append(dst, main...)
	}
	for _, r := range runs {
		if len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(append(strconv.AppendInt(dst, r.From, 10), ':'), r.To, 10)
	}
	return dst
}

// NoteBytes bounds the memory for the frames in a text.
func NoteBytes(text []byte) int64 { return 8 * int64(len(text)) }

// TakeNote takes the text on a thread. Runs that do not follow those before are left out, and whole is
// false then.
func (t *Thread) TakeNote(text []byte) (whole bool) {
	whole = true
	for word := range bytes.FieldsSeq(text) {
		a, b, ok := bytes.Cut(word, []byte(":"))
		from, errA := strconv.ParseInt(string(a), 10, 64)
		to, errB := strconv.ParseInt(string(b), 10, 64)
		switch n := len(t.Runs); {
		case string(word) == main:
			t.Main = true
		case ok && errA == nil && errB == nil && from <= to && (n == 0 || t.Runs[n-1].To < from):
			t.Runs = append(t.Runs, Run{from, to})
		default:
			whole = false
		}
	}
	return whole
}

// Number returns the number of the frame that an instant of a name begins, and whether it is one of the
// process; false where the name is that of no frame. It does not check whether the instant has a length.
func Number(name []byte) (number int64, hosts, ok bool) {
	digits, hosts := bytes.CutPrefix(name, []byte(ToldframesHost))
	if !hosts {
		if digits, ok = bytes.CutPrefix(name, []byte(ToldframesBeside)); !ok {
			return 0, false, false
		}
	}
	number, err := strconv.ParseInt(string(digits), 10, 64)
	return number, hosts, err == nil && number >= -mostNumber && number <= mostNumber
}

// Sorted puts frames in order of their numbers. Where two have one number all are counted instead, in
// order of time, from 0, and it returns false.
func Sorted(list []ToldframesFrame) bool {
	byNumber := func(a, b ToldframesFrame) int { return cmp.Compare(a.Number, b.Number) }
	slices.SortStableFunc(list, byNumber)
	for i := 1; i < len(list); i++ {
		if list[i].Number != list[i-1].Number {
			continue
		}
		slices.SortStableFunc(list, func(a, b ToldframesFrame) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), byNumber(a, b)) })
		for k := range list {
			list[k].Number = int64(k)
		}
		return false
	}
	return true
}

// Numbered keeps the numbers of frames in order of time, -1 for no number, if they ascend; skips reports gaps
// in them, which need not be lost frames. Otherwise it counts the frames from 0; lost reports that some had
// numbers.
func Numbered(list []ToldframesFrame) (skips, lost bool) {
	ascend := true
	for i, f := range list {
		lost = lost || f.Number >= 0
		ascend = ascend && f.Number >= 0 && f.Number <= mostNumber && (i == 0 || f.Number > list[i-1].Number)
	}
	if n := len(list); n > 0 && ascend {
		return list[n-1].Number-list[0].Number >= int64(n), false
	}
	for i := range list {
		list[i].Number = int64(i)
	}
	return false, lost
}

// Of returns the frames of a thread, of is those of its process: both in order of their numbers. Of those of
// one number the thread's own is the one. It may be t.Own or of itself.
func (t *Thread) Of(of []ToldframesFrame) (out []ToldframesFrame) {
	if len(t.Runs) == 0 {
		return t.Own
	}
	own := t.Own
	until := func(number int64) { // takes the thread's own before, and at, a number
		for len(own) > 0 && own[0].Number <= number {
			out, own = append(out, own[0]), own[1:]
		}
	}
	for _, r := range t.Runs {
		at, _ := slices.BinarySearchFunc(of, r.From, func(f ToldframesFrame, n int64) int { return cmp.Compare(f.Number, n) })
		for ; at < len(of) && of[at].Number <= r.To; at++ {
			until(of[at].Number)
			if n := len(out); n == 0 || out[n-1].Number != of[at].Number {
				f := of[at]
				f.Figures = 0 // they belong to the other frame
				out = append(out, f)
			}
		}
	}
	return append(out, own...)
}
