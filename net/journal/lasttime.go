package journal

import (
	"os"

	"framescope/net/journal/disk"
)

// The last record of a segment is looked for from its end: in as many bytes as tailBlock, then in
// more, up to mostTail.
const (
	tailBlock = 32 << 10
	tailGrows = 8
	mostTail  = 16 << 20
)

// lastTime returns the time of the newest of the last records of a segment, in ns from the
// session's start, 0 if none is found, and how the session ended, if the last one says that. It reads the
// segment's end only.
func lastTime(fsys disk.FS, path string, size int64) (ns int64, end *End) {
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return 0, nil
	}
	defer f.Close()
	for block := int64(tailBlock); block <= mostTail; block *= tailGrows {
		from := max(int64(segmentHead), size-block)
		if from >= size {
			return 0, nil
		}
		buf := make([]byte, size-from)
		n, _ := f.ReadAt(buf, from)
		if ns, end, ok := newestIn(buf[:n]); ok || from == int64(segmentHead) {
			return ns, end
		}
	}
	return 0, nil
}

// newestIn looks for records in bytes that begin anywhere.
func newestIn(b []byte) (ns int64, end *End, some bool) {
	find := splitter{lost: true, passed: 1}
	for {
		rec, skip, n, ok := find.next(b, int64(len(b)))
		if !ok {
			return ns, end, some
		}
		ns, end, some = max(ns, rec.Time), nil, true
		if e := (End{}); rec.Kind == KindEnd && rec.Decode(&e) == nil {
			end = &e
		}
		b = b[skip+n:]
	}
}
