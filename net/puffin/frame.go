package puffin

import (
	"errors"
	"math"
)

// frame is what a record says.
type frame struct {
	number     int64
	begin, end int64 // from the first to the last time of all scopes in it
	numScopes  int64
	threads    []stream
	defs       []scopeDef
}

// stream is what one thread closed in a frame. Its bytes are valid until the next frame is read.
type stream struct {
	start     int64 // when the thread began its first scope; with the name it is the thread
	started   bool
	name      []byte
	data      []byte
	numScopes int64
}

// scopeDef says what a scope's number means.
type scopeDef struct {
	id                   uint32
	name, function, file []byte // name is empty where the function is the name
	line                 uint64
}

// maxNumber bounds the numbers of frames.
const maxNumber = 1 << 60

var (
	errMeta    = errors.New("its header is damaged")
	errStreams = errors.New("the list of its threads is damaged")
	errScopes  = errors.New("the list of its scopes is damaged")
)

// frameReader reads records.
type frameReader struct {
	unpacker unpacker
	frame    frame
}

// read reads a record. With an error there may be a frame of what could be read; nil: nothing could.
func (x *frameReader) read(rec *record) (*frame, error) {
	f := &x.frame
	f.threads, f.defs = f.threads[:0], f.defs[:0]
	plain, err := x.unpacker.unpack(rec.packing, rec.streams)
	if err != nil {
		return nil, err
	}
	if rec.version <= '1' {
		r := reader{b: plain}
		f.number = number(&r)
		f.readStreams(&r)
		f.readRange(&r)
		if r.bad {
			return nil, errMeta
		}
		return f, nil
	}
	r := reader{b: rec.meta}
	f.number = number(&r)
	f.readRange(&r)
	if r.bad {
		return nil, errMeta
	}
	s := reader{b: plain}
	if f.readStreams(&s); s.bad {
		err = errStreams
	}
	if rec.version == '4' {
		d := reader{b: rec.scopes}
		if f.readScopes(&d); d.bad && err == nil {
			err = errScopes
		}
	}
	return f, err
}

func number(r *reader) int64 {
	n := r.uint()
	r.bad = r.bad || n > maxNumber
	return int64(min(n, maxNumber))
}

// count reads how many of something there are.
func count(r *reader) int64 { return int64(min(r.uint(), math.MaxInt64)) }

func (f *frame) readRange(r *reader) {
	f.begin, f.end = r.int(), r.int()
	r.uint() // bytes of all streams
	f.numScopes = count(r)
}

func (f *frame) readStreams(r *reader) {
	for n := r.uint(); n > 0 && !r.bad; n-- {
		var s stream
		if s.started = r.some(); s.started {
			s.start = r.int()
		}
		s.name, s.data = r.bytes(), r.bytes()
		s.numScopes = count(r)
		r.uint() // depth
		r.int()  // the range
		r.int()
		if !r.bad {
			f.threads = append(f.threads, s)
		}
	}
}

func (f *frame) readScopes(r *reader) {
	for n := r.uint(); n > 0 && !r.bad; n-- {
		var d scopeDef
		known := r.some()
		if known {
			id := r.uint()
			r.bad = r.bad || id > math.MaxUint32
			d.id = uint32(id)
		}
		if r.some() {
			d.name = r.bytes()
		}
		d.function, d.file, d.line = r.bytes(), r.bytes(), r.uint()
		if known && !r.bad {
			f.defs = append(f.defs, d)
		}
	}
}
