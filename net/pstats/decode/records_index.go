package decode

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"os"
	"slices"

	"framescope/internal/heap"
	"framescope/net/journal"
)

// exportRef is where a frame is in a journal.
type exportRef struct {
	key  uint64 // thread and number, in the order of a session file
	pos  journal.Pos
	size uint32 // in a session file
}

// refKey orders frames by thread and then by number, which is signed.
func refKey(thread int, number int32) uint64 {
	return uint64(thread)<<32 | uint64(uint32(number)^1<<31)
}

func (r exportRef) thread() int { return int(r.key >> 32) }

// compareRefs puts frames of the same number in the order in which they came.
func compareRefs(a, b exportRef) int {
	return cmp.Or(
		cmp.Compare(a.key, b.key), cmp.Compare(a.pos.Segment, b.pos.Segment),
		cmp.Compare(a.pos.Offset, b.pos.Offset),
	)
}

// maxRefs is how many are kept in memory; more are sorted in runs of so many, on disk. It is
// changed by tests only.
var maxRefs = 256 << 10

// refBytes is the size of an exportRef on disk.
const refBytes = 28

// frameIndex sorts the frames of a journal, however many there are: of a day of 240 Hz with four
// threads, 83 million.
type frameIndex struct {
	dir  string // for the file
	refs []exportRef
	file *os.File
	runs []int64 // where each begins in the file
	end  int64
	err  error
}

// add takes a frame. Its errors are those of merged.
func (x *frameIndex) add(r exportRef) {
	if x.refs = append(x.refs, r); len(x.refs) >= maxRefs {
		x.spill()
	}
}

// spill writes the entries in memory as a run.
func (x *frameIndex) spill() {
	slices.SortFunc(x.refs, compareRefs)
	defer func() { x.refs = x.refs[:0] }()
	if x.err != nil {
		return
	}
	if x.file == nil {
		if x.file, x.err = os.CreateTemp(x.dir, ".framescope-index-*.part"); x.err != nil {
			return
		}
		os.Remove(x.file.Name()) // gone with the program, where the system can do that
	}
	w := bufio.NewWriterSize(x.file, 256<<10)
	var b [refBytes]byte
	for _, r := range x.refs {
		binary.LittleEndian.PutUint64(b[:], r.key)
		binary.LittleEndian.PutUint64(b[8:], r.pos.Segment)
		binary.LittleEndian.PutUint64(b[16:], uint64(r.pos.Offset))
		binary.LittleEndian.PutUint32(b[24:], r.size)
		w.Write(b[:])
	}
	x.err = w.Flush()
	x.runs = append(x.runs, x.end)
	x.end += int64(len(x.refs)) * refBytes
}

func (x *frameIndex) close() {
	if x.file != nil {
		x.file.Close()
		os.Remove(x.file.Name()) // where it could not be done before
	}
}

// merged returns all frames in their order, of each number the one that came last. Nothing may be
// added any more.
func (x *frameIndex) merged() (*mergedRefs, error) {
	if len(x.runs) > 0 && len(x.refs) > 0 {
		x.spill()
	}
	if x.err != nil {
		return nil, x.err
	}
	m := &mergedRefs{}
	if len(x.runs) == 0 {
		slices.SortFunc(x.refs, compareRefs)
		m.add(&refRun{refs: x.refs})
	}
	for i, from := range x.runs {
		to := x.end
		if i+1 < len(x.runs) {
			to = x.runs[i+1]
		}
		m.add(&refRun{r: bufio.NewReaderSize(io.NewSectionReader(x.file, from, to-from), 32<<10)})
	}
	heap.Init(m.runs, comesBefore)
	return m, m.err
}

// refRun is a run of frames in their order, in memory or on disk.
type refRun struct {
	refs []exportRef
	r    *bufio.Reader
	ref  exportRef // the next
}

func (r *refRun) next() (ok bool, err error) {
	if r.r == nil {
		if len(r.refs) == 0 {
			return false, nil
		}
		r.ref, r.refs = r.refs[0], r.refs[1:]
		return true, nil
	}
	var b [refBytes]byte
	if _, err := io.ReadFull(r.r, b[:]); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.ref = exportRef{
		key:  binary.LittleEndian.Uint64(b[:]),
		pos:  journal.Pos{Segment: binary.LittleEndian.Uint64(b[8:]), Offset: int64(binary.LittleEndian.Uint64(b[16:]))},
		size: binary.LittleEndian.Uint32(b[24:]),
	}
	return true, nil
}

// mergedRefs merges runs.
type mergedRefs struct {
	runs []*refRun // a heap
	err  error
}

func (m *mergedRefs) add(r *refRun) {
	ok, err := r.next()
	if ok {
		m.runs = append(m.runs, r)
	}
	m.err = cmp.Or(m.err, err)
}

// next returns the next frame; ok is false when there are no more.
func (m *mergedRefs) next() (ref exportRef, ok bool, err error) {
	for len(m.runs) > 0 && m.err == nil {
		first := m.runs[0]
		ref = first.ref
		more, err := first.next()
		switch {
		case err != nil:
			m.err = err
		case more:
			heap.Sink(m.runs, 0, comesBefore)
		default:
			_, m.runs = heap.Pop(m.runs, comesBefore)
		}
		if m.err == nil && (len(m.runs) == 0 || m.runs[0].ref.key != ref.key) { // else it came again
			return ref, true, nil
		}
	}
	return exportRef{}, false, m.err
}

// comesBefore is the order of runs in their heap: by their next frames.
func comesBefore(a, b **refRun) bool { return compareRefs((*a).ref, (*b).ref) < 0 }
