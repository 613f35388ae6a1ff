package puffin

import (
	"encoding/binary"
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

// stream is what one thread closed in a frame. Its data are valid until the next frame is read.
type stream struct {
	key       string // identifies the thread: when it began its first scope, and its name
	data      []byte
	numScopes int64
}

// scopeDef says what a scope's number means.
type scopeDef struct {
	id                   uint32
	name, function, file []byte // name is empty where the function is the name
	line                 uint64
}

const (
	maxNumber     = 1 << 60 // of frames
	maxThreadName = 256     // how much of a thread's name counts, in bytes
	maxSurveyed   = 1 << 12 // threads counted apart without an account of memory
)

var (
	errMeta    = errors.New("its header is damaged")
	errStreams = errors.New("the list of its threads is damaged")
	errScopes  = errors.New("the list of its scopes is damaged")
)

// frameReader reads records.
type frameReader struct {
	unpacker unpacker
	frame    frame
	keys     map[string]string // of threads
	key      []byte
}

// read reads a record. With an error there may be a frame of what could be read; nil: nothing could.
func (x *frameReader) read(rec *record) (*frame, error) {
	f := &x.frame
	f.threads, f.defs = f.threads[:0], f.defs[:0]
	plain, err := x.unpacker.unpack(rec.packing, rec.streams)
	if err != nil {
		return nil, err
	}
	streams := reader{b: plain}
	if rec.version == '1' {
		f.number = streams.number()
		x.readStreams(&streams)
		if f.readRange(&streams); streams.bad {
			return nil, errMeta
		}
		return f, nil
	}
	if meta := (reader{b: rec.meta}); !f.readMeta(&meta) {
		return nil, errMeta
	}
	if x.readStreams(&streams); streams.bad {
		err = errStreams
	}
	if rec.version == '4' && !f.readScopes(rec.scopes) && err == nil {
		err = errScopes
	}
	return f, err
}

// readMeta reads what a record says of itself.
func (f *frame) readMeta(r *reader) (ok bool) {
	f.number = r.number()
	f.readRange(r)
	return !r.bad
}

func (f *frame) readRange(r *reader) {
	f.begin, f.end = r.int(), r.int()
	r.uint() // bytes of all streams
	f.numScopes = r.count()
}

func (x *frameReader) readStreams(r *reader) {
	for n := r.uint(); n > 0 && !r.bad; n-- {
		started, start := r.some(), int64(0)
		if started {
			start = r.int()
		}
		name := r.bytes()
		s := stream{data: r.bytes(), numScopes: r.count()}
		r.uint() // depth
		r.int()  // the range
		r.int()
		if !r.bad {
			s.key = x.keyOf(started, start, name)
			x.frame.threads = append(x.frame.threads, s)
		}
	}
}

// keyOf returns the key of a thread; in order, keys are in that in which the threads began.
func (x *frameReader) keyOf(started bool, start int64, name []byte) string {
	order := byte(1)
	if started {
		order = 0
	}
	x.key = binary.BigEndian.AppendUint64(append(x.key[:0], order), uint64(start)^1<<63)
	x.key = append(x.key, name[:min(len(name), maxThreadName)]...)
	key, ok := x.keys[string(x.key)]
	if !ok {
		if x.keys == nil || len(x.keys) > maxSurveyed {
			x.keys = map[string]string{}
		}
		key = string(x.key)
		x.keys[key] = key
	}
	return key
}

// nameIn returns the name in the key of a thread.
func nameIn(key string) string { return key[9:] }

func (f *frame) readScopes(b []byte) (ok bool) {
	r := reader{b: b}
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
	return !r.bad
}

// scope is a call in the stream of a thread.
type scope struct {
	begin, stop int64
	id          uint32 // of PFD4; the others have name and place
	name, place []byte
	data        []byte // the text that the call was given
	inner       []byte // its callees
}

// read reads the first scope of b, and returns what follows it. ok is false where there is none, or one that never
// ended.
func (s *scope) read(b []byte, numbered bool) (rest []byte, ok bool) {
	r := reader{b: b}
	if r.byte() != '(' {
		return nil, false
	}
	if numbered {
		s.id = r.fixed32()
	}
	s.begin = r.fixed64()
	if !numbered {
		s.name = r.take(uint64(r.byte()))
		s.place = r.take(uint64(r.byte()))
	}
	s.data = r.take(uint64(r.byte()))
	s.inner = r.take(uint64(r.fixed64()))
	closed := r.byte() == ')'
	s.stop = r.fixed64()
	return r.b, closed && !r.bad && s.stop >= s.begin
}

// reader reads what bincode wrote with integers of variable length, and integers of a fixed one. After the first
// mistake everything is 0.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) fixed32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) fixed64() int64 {
	if b := r.take(8); b != nil {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// uint reads a number; one of 128 bits is a mistake, nothing is that large.
func (r *reader) uint() uint64 {
	switch b := r.byte(); b {
	default:
		return uint64(b)
	case 251:
		if b := r.take(2); b != nil {
			return uint64(binary.LittleEndian.Uint16(b))
		}
	case 252:
		return uint64(r.fixed32())
	case 253:
		return uint64(r.fixed64())
	case 254, 255:
		r.bad = true
	}
	return 0
}

func (r *reader) int() int64 {
	u := r.uint()
	return int64(u>>1) ^ -int64(u&1)
}

// number reads the number of a frame.
func (r *reader) number() int64 {
	n := r.uint()
	r.bad = r.bad || n > maxNumber
	return int64(min(n, maxNumber))
}

// count reads how many of something there are.
func (r *reader) count() int64 { return int64(min(r.uint(), math.MaxInt64)) }

// some reports whether an optional value follows.
func (r *reader) some() bool {
	b := r.byte()
	r.bad = r.bad || b > 1
	return b == 1 && !r.bad
}

// bytes reads a text or bytes.
func (r *reader) bytes() []byte { return r.take(r.uint()) }
