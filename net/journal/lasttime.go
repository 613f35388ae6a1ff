package journal

import (
	"encoding/binary"
	"os"

	"framescope/net/journal/disk"
)

// The last record of a segment is looked for from its end: in as many bytes as tailBlock, then in
// more, up to mostTail, and with checksums of so many bytes in all as tailWork.
const (
	tailBlock = 32 << 10
	tailGrows = 8
	mostTail  = 16 << 20
	tailWork  = 64 << 20
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
	work := tailWork
	for block := int64(tailBlock); block <= mostTail && work > 0; block *= tailGrows {
		from := max(int64(segmentHead), size-block)
		if from >= size {
			return 0, nil
		}
		buf := make([]byte, size-from)
		n, _ := f.ReadAt(buf, from)
		if ns, end, ok := newestIn(buf[:n], &work); ok || from == int64(segmentHead) {
			return ns, end
		}
	}
	return 0, nil
}

// newestIn looks for records in bytes that begin anywhere: from the first place on that is a
// record, by its checksum, all that follow are read.
func newestIn(b []byte, work *int) (ns int64, end *End, ok bool) {
	for at := 0; at+recordHead <= len(b) && *work > 0; {
		r, n, err := parseRecord(b[at:])
		switch {
		case err == nil:
			ns, end, ok = max(ns, r.Time), nil, true
			if e := (End{}); r.Kind == KindEnd && r.Decode(&e) == nil {
				end = &e
			}
			at += n
			continue
		case err == errDamaged:
			*work -= n
		}
		if ok {
			return ns, end, true
		}
		at++
		if n := zeros(b[at:]); n >= lengthBytes {
			at += n - lengthBytes + 1 // a record does not begin with a length of zero
		}
	}
	return ns, end, ok
}

// lengthBytes is the size of the length that a record begins with.
const lengthBytes = 4

// zeros returns a number of zeros that bytes begin with, in steps of 8. A crash may leave a segment with many.
func zeros(b []byte) (n int) {
	for n+8 <= len(b) && binary.LittleEndian.Uint64(b[n:]) == 0 {
		n += 8
	}
	return n
}
