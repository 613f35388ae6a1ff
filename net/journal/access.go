package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"framescope/net/journal/disk"
)

// access reads single records, mostly neighbouring ones one after the other.
type access struct {
	seg uint64
	f   disk.File
	buf []byte
	off int64 // of buf in the segment
}

// accessBlock is how much is read at once.
const accessBlock = 64 << 10

func (a *access) close() {
	if a.f != nil {
		a.f.Close()
	}
	*a = access{buf: a.buf[:0]}
}

// At reads a record again, at a place that Next returned. It is valid until the next call of At.
func (r *Reader) At(pos Pos) (Record, error) {
	a := &r.access
	if a.f == nil || a.seg != pos.Segment {
		a.close()
		path := r.path
		if r.dir {
			path = filepath.Join(r.path, segmentName(pos.Segment))
		}
		f, err := r.fs.OpenFile(path, os.O_RDONLY, 0)
		if err != nil {
			return Record{}, err
		}
		a.f, a.seg = f, pos.Segment
	}
	need := recordHead
	for {
		from := pos.Offset - a.off
		if from < 0 || from+int64(need) > int64(len(a.buf)) {
			if err := a.read(pos.Offset, max(accessBlock, need)); err != nil {
				return Record{}, r.accessError(pos, err)
			}
			from = 0
			if len(a.buf) < need {
				return Record{}, r.accessError(pos, io.ErrUnexpectedEOF)
			}
		}
		rec, n, err := parseRecord(a.buf[from:])
		switch {
		case err == nil:
			rec.Pos = pos
			return rec, nil
		case errors.Is(err, errShort):
			need = n
		default:
			return Record{}, r.accessError(pos, err)
		}
	}
}

func (r *Reader) accessError(pos Pos, err error) error {
	return fmt.Errorf("%s: segment %d, offset %d: %w", r.path, pos.Segment, pos.Offset, err)
}

// read reads up to n bytes from an offset on.
func (a *access) read(off int64, n int) error {
	a.buf = slices.Grow(a.buf[:0], n)[:n]
	k, err := a.f.ReadAt(a.buf, off)
	a.buf, a.off = a.buf[:k], off
	if k > 0 || err == io.EOF {
		return nil
	}
	return err
}
