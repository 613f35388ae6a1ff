package jfr

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"unicode/utf16"
)

const (
	magic       = "FLR\x00"
	headerBytes = 68
	mostChunk   = 1 << 30 // bytes
	mostDepth   = 16      // of values inside each other

	metadataEvent   = 0
	checkpointEvent = 1
)

var (
	errCut   = errors.New("it ends within a value")
	errDeep  = errors.New("its values lie too deep inside each other")
	errWrong = errors.New("it is not as the description of its type says")
)

// header is the begin of a chunk. All its numbers are big-endian.
type header struct {
	major, minor uint16
	size         int64 // 0, or more than there is: the chunk was not ended
	metadata     int64 // where the description of the types is, from the begin of the chunk
	nanos        int64 // when it began, ns since 1970,
	ticks        int64 // and in ticks
	rate         uint64
	features     uint32
}

func readHeader(b []byte) (h header, err error) {
	if len(b) < headerBytes || string(b[:4]) != magic {
		return h, errors.New("no chunk of a flight recording begins here")
	}
	at := func(i int) int64 { return int64(binary.BigEndian.Uint64(b[i:])) }
	h = header{
		major: binary.BigEndian.Uint16(b[4:]), minor: binary.BigEndian.Uint16(b[6:]), size: at(8), metadata: at(24),
		nanos: at(32), ticks: at(48), rate: uint64(at(56)), features: binary.BigEndian.Uint32(b[64:]),
	}
	switch {
	case h.major != 1 && h.major != 2 || h.features&1 == 0:
		return h, fmt.Errorf("version %d.%d of flight recordings with features %#x is unknown", h.major, h.minor, h.features)
	case h.rate == 0 || h.size < 0 || h.size > mostChunk:
		return h, errors.New("the header of a chunk is damaged")
	}
	return h, nil
}

// ns turns a length in ticks into ns.
func (h *header) ns(ticks int64) int64 {
	sign := int64(1)
	if ticks < 0 {
		sign, ticks = -1, -ticks
	}
	hi, lo := bits.Mul64(uint64(ticks), 1e9)
	if hi >= h.rate {
		return sign * math.MaxInt64
	}
	n, _ := bits.Div64(hi, lo, h.rate)
	return sign * int64(min(n, math.MaxInt64))
}

// class is a type: of events, of constants or of values in these.
type class struct {
	id     int64
	name   string
	fields []field
	simple bool // its only field stands for it
}

// field is a part of a value.
type field struct {
	name  string
	class int64
	array bool
	pool  bool // the value is a constant of its class, by number
}

// value is a value of a class: a number, a text, a constant or values by the fields of the class, or of an array.
type value struct {
	n     int64
	f     float64
	text  string
	of    *class
	list  []value
	isRef bool // n is the number of a constant of class of
}

// chunk is a chunk of a recording, which describes itself.
type chunk struct {
	header
	data    []byte
	classes map[int64]*class
	pools   map[int64]map[int64]value // constants by class and number
}

// reader reads values. After an error all are zero.
type reader struct {
	c   *chunk
	b   []byte
	err error
}

// int reads a number of up to nine bytes, seven bits in each but the last, the lowest first.
func (r *reader) int() (v int64) {
	for i, c := range r.b {
		if c < 0x80 || i == 8 {
			r.b = r.b[i+1:]
			return v | int64(c)<<(7*i)
		}
		v |= int64(c&0x7f) << (7 * i)
	}
	r.fail(errCut)
	return 0
}

func (r *reader) fail(err error) {
	r.err = cmp.Or(r.err, err)
	r.b = nil
}

// bytes reads so many bytes.
func (r *reader) bytes(n int64) []byte {
	if n < 0 || n > int64(len(r.b)) {
		r.fail(errCut)
		return nil
	}
	part := r.b[:n]
	r.b = r.b[n:]
	return part
}

// count reads how many values follow. Each takes a byte at least.
func (r *reader) count() int64 {
	n := r.int()
	if n < 0 || n > int64(len(r.b)) {
		r.fail(errCut)
		return 0
	}
	return n
}

// string reads a text, or the number of a constant that is one.
func (r *reader) string(of *class) (v value) {
	kind := r.bytes(1)
	if kind == nil {
		return v
	}
	switch kind[0] {
	case 0, 1:
	case 2:
		v = value{n: r.int(), of: of, isRef: true}
	case 3, 5:
		v.text = strings.ToValidUTF8(string(r.bytes(r.count())), "\uFFFD")
	case 4:
		chars := make([]uint16, 0, 64)
		for n := r.count(); n > 0; n-- {
			chars = append(chars, uint16(r.int()))
		}
		v.text = string(utf16.Decode(chars))
	default:
		r.fail(errWrong)
	}
	return v
}

// readMetadata reads the description of the types.
func (c *chunk) readMetadata(b []byte) error {
	r := reader{c: c, b: b}
	r.int() // size
	if r.int() != metadataEvent {
		return errWrong
	}
	for range 3 { // time, length, number
		r.int()
	}
	var texts []string
	for n := r.count(); n > 0 && r.err == nil; n-- {
		texts = append(texts, r.string(nil).text)
	}
	r.element(texts, nil, 0)
	return r.err
}

// element reads an element of the description with all inside it.
func (r *reader) element(texts []string, in *class, depth int) {
	text := func() string {
		if i := r.int(); i >= 0 && i < int64(len(texts)) {
			return texts[i]
		}
		r.fail(errWrong)
		return ""
	}
	number := func(s string) (n int64) {
		_, _ = fmt.Sscan(s, &n)
		return n
	}
	if depth > mostDepth {
		r.fail(errDeep)
	}
	name, attributes := text(), map[string]string{}
	for n := r.count(); n > 0 && r.err == nil; n-- {
		key := text()
		attributes[key] = text()
	}
	switch {
	case name == "class":
		in = &class{id: number(attributes["id"]), name: attributes["name"], simple: attributes["simpleType"] == "true"}
		r.c.classes[in.id] = in
	case name == "field" && in != nil:
		in.fields = append(in.fields, field{
			attributes["name"], number(attributes["class"]), number(attributes["dimension"]) > 0,
			attributes["constantPool"] == "true",
		})
	}
	for n := r.count(); n > 0 && r.err == nil; n-- {
		r.element(texts, in, depth+1)
	}
}

// readPools reads the constants of a checkpoint.
func (c *chunk) readPools(b []byte) error {
	r := reader{c: c, b: b}
	for range 3 { // time, length, way to the next
		r.int()
	}
	r.bytes(1)
	for n := r.count(); n > 0 && r.err == nil; n-- {
		of := c.classes[r.int()]
		if of == nil {
			return errWrong
		}
		pool := c.pools[of.id]
		if pool == nil {
			pool = map[int64]value{}
			c.pools[of.id] = pool
		}
		for k := r.count(); k > 0 && r.err == nil; k-- {
			key := r.int()
			pool[key] = r.value(of, 0)
		}
	}
	return r.err
}

// value reads a value of a class.
func (r *reader) value(of *class, depth int) (v value) {
	v.of = of
	if depth > mostDepth {
		r.fail(errDeep)
		return v
	}
	switch of.name {
	case "boolean", "byte":
		if b := r.bytes(1); b != nil {
			v.n = int64(int8(b[0]))
		}
	case "char", "short", "int", "long":
		v.n = r.int()
	case "float":
		if b := r.bytes(4); b != nil {
			v.f = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
		}
	case "double":
		if b := r.bytes(8); b != nil {
			v.f = math.Float64frombits(binary.BigEndian.Uint64(b))
		}
	case "java.lang.String":
		return r.string(of)
	default:
		for i := range of.fields {
			v.list = append(v.list, r.field(&of.fields[i], depth+1))
		}
	}
	return v
}

// field reads a field of a value.
func (r *reader) field(f *field, depth int) (v value) {
	of := r.c.classes[f.class]
	if of == nil {
		r.fail(errWrong)
		return v
	}
	one := func() value {
		if f.pool {
			return value{n: r.int(), of: of, isRef: true}
		}
		return r.value(of, depth)
	}
	if !f.array {
		return one()
	}
	for n := r.count(); n > 0 && r.err == nil; n-- {
		v.list = append(v.list, one())
	}
	return v
}

// constant returns the value that a value stands for, itself if it is no constant.
func (c *chunk) constant(v value) value {
	for range mostDepth {
		switch {
		case v.isRef:
			v = c.pools[v.of.id][v.n]
		case v.of != nil && v.of.simple && len(v.list) == 1:
			v = v.list[0]
		default:
			return v
		}
	}
	return value{}
}

// get returns what stands at a path of fields below a value, zero if there is no such field.
func (c *chunk) get(v value, path ...string) value {
	v = c.constant(v)
	for _, name := range path {
		if v.of == nil {
			return value{}
		}
		at := -1
		for i := range v.of.fields {
			if v.of.fields[i].name == name && i < len(v.list) {
				at = i
			}
		}
		if at < 0 {
			return value{}
		}
		v = c.constant(v.list[at])
	}
	return v
}
