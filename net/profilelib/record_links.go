package profilelib

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
