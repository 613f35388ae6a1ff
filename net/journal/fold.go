package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"framescope/net/journal/disk"
)

// minBase is the least limit of a base, in bytes.
const minBase = 1 << 20

// fold writes the base anew: the newest definition of each key, from the old base and from the leaving
// segment, in their order. told holds the counts for this segment. Only the newest definitions are
// kept, up to most bytes. It returns the size of the new base, and how many places could not be read.
func fold(
	fsys disk.FS, dir string, id ID, seg segment, told *Evicted, most int64,
) (size int64, damaged int, err error) {
	files := []string{filepath.Join(dir, baseFile)}
	if seg.defs > 0 {
		files = append(files, filepath.Join(dir, segmentName(seg.number)))
	}
	// Which definition is the newest of its key, and how much they are together.
	type place struct{ n, size int64 }
	newest := map[string]place{}
	var n, sum int64
	each := func(use func(rec *Record, n int64) error) error {
		n, damaged = 0, 0
		for _, file := range files {
			places, err := scan(fsys, file, func(rec *Record) error {
				if rec.Kind != KindDefinition {
					return nil
				}
				n++
				return use(rec, n)
			})
			if err != nil {
				return err
			}
			damaged += places
		}
		return nil
	}
	sizeOf := func(rec *Record) int64 { return int64(recordHead + bodyHead + len(rec.Key) + len(rec.Payload)) }
	err = each(func(rec *Record, n int64) error {
		sum += sizeOf(rec) - newest[string(rec.Key)].size
		newest[string(rec.Key)] = place{n, sizeOf(rec)}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}

	err = replaceFile(fsys, files[0], func(out *sequence) error {
		out.buf = appendHead(out.buf, id, 0, seg.number)
		err := each(func(rec *Record, n int64) error {
			if newest[string(rec.Key)].n != n {
				return nil
			}
			if sum > most {
				sum -= sizeOf(rec)
				told.Definitions++
				return nil
			}
			out.buf = appendRecord(out.buf, KindDefinition, rec.Time, string(rec.Key), rec.Payload)
			return out.flush(readBlock)
		})
		out.buf = appendJSON(out.buf, KindEvicted, told.ToNs, told)
		size = out.size + int64(len(out.buf))
		return err
	})
	return size, damaged, err
}

// scan calls use with each record of a segment, and returns how many places cannot be read. A
// file that is not there has none.
func scan(fsys disk.FS, path string, use func(*Record) error) (damaged int, err error) {
	r := &Reader{fs: fsys, path: path}
	defer r.Close()
	if _, err := r.next(); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return 0, nil
		}
		return 0, err
	}
	for rec, err := range r.All() {
		if err == nil {
			err = use(&rec)
		}
		if err != nil {
			return 0, err
		}
	}
	return r.damaged, nil
}

// sequence writes a file from its beginning on.
type sequence struct {
	f    disk.File
	buf  []byte
	size int64
}

// flush writes the buffer if it holds more than so many bytes.
func (s *sequence) flush(more int) error {
	if len(s.buf) <= more {
		return nil
	}
	n, err := s.f.WriteAt(s.buf, s.size)
	s.size += int64(n)
	if err == nil && n < len(s.buf) {
		err = io.ErrShortWrite
	}
	s.buf = s.buf[:0]
	return err
}
