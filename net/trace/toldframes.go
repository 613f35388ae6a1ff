// File toldframes.go is how exports of Framescope tell the frames of each thread in formats in which
// others know a frame by an instant where it begins, as far as the next one: so that frames come back
// with their ends, numbers, gaps and overlaps. It owns the words for that, which those who write and
// those who read share; of formats it knows nothing.
//
// The instants that begin the frames of a process, "frame 12", say how long each is (Length). Of other
// threads a text (Note) tells which of these frames they have as they are, and instants of another name
// (Beside), which nobody else takes for frames, tell those that are theirs alone.

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

// ToldframesFrame is one of a thread: its number, its begin and its end in ns, and the number of what is told of its figures
// (Figures), 0 where nothing is. One that is open, the last, went on at its end.
type ToldframesFrame struct {
	Number, Begin, End int64
	Figures            int32
	Open               bool
}

// Run is frames whose numbers are those from one to another one, both included.
type Run struct{ From, To int64 }

// Thread is what is told of one.
type Thread struct {
	Main  bool              // it is the main one of the session
	Hosts bool              // frames of it are those of the process
	Runs  []Run             // frames of the process that it has
	Own   []ToldframesFrame // frames of its own
}

// Some reports whether a thread has frames.
func (t *Thread) Some() bool { return len(t.Runs)+len(t.Own) > 0 }

// Add adds a frame that is told to be a thread's own; hosts: it is one of the process, too.
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

// NoteBytes bounds how much of memory what is told by a text takes.
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
// process; false where the name is that of no frame. Whether the instant tells how long it is, who asks
// has to see.
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

// Numbered keeps the numbers of frames in order of time, -1 of one that has none, where they ascend: skips tells
// that they leave some out, which nobody says were ever there. Else frames are counted, from 0; lost tells that
// some had numbers.
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
				f.Figures = 0 // which are the other one's
				out = append(out, f)
			}
		}
	}
	return append(out, own...)
}
