package flare

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// summary reads summary_info.json; ok reports whether there was one that could be read.
func (r *reader) summary() (ok bool) {
	if !r.has(SummaryFile) {
		r.problem(SummaryFile, -1, "is missing: threads and times are taken from the other files")
		return false
	}
	data := r.load(SummaryFile, maxSummaryBytes)
	s, err := parseSummary(data)
	if err != nil {
		at := int64(-1)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = syntax.Offset - 1
		}
		r.problem(SummaryFile, at, "%v", err)
		return false
	}
	r.rec.Info = s.Info
	for _, t := range s.Threads {
		if !r.thread(t.ID) {
			r.problem(SummaryFile, -1, "more than %d threads", folderMaxThreads)
			break
		}
		r.rec.Thread(t.ID).Name = t.Name
	}
	return true
}

// widths are those of the types of values, by tag (FORMAT.md, "Type tags").
var widths = [256]int{1: 2, 2: 2, 3: 4, 4: 4, 5: 8}

func number(b []byte, tag byte) int64 {
	switch tag {
	case 1:
		return int64(int16(binary.BigEndian.Uint16(b)))
	case 2:
		return int64(binary.BigEndian.Uint16(b))
	case 3:
		return int64(int32(binary.BigEndian.Uint32(b)))
	case 4:
		return int64(binary.BigEndian.Uint32(b))
	}
	return int64(binary.BigEndian.Uint64(b))
}

// series reads a thread's CPU times. The size of a value follows from its type: the size in the
// header is wrong in every file of the original.
func (r *reader) series(t *Thread, name string) {
	data := r.load(name, maxFileBytes)
	if data == nil {
		return
	}
	s, at, err := parseSeries(data)
	if err != nil {
		r.problem(name, at, "%v", err)
	}
	t.CPU = s
}

// checkSeries notes that the CPU times of a thread end before its last sample.
func (r *reader) checkSeries(t *Thread) {
	n := len(t.Records)
	if n == 0 || t.CPU.StepMs == 0 {
		return
	}
	if short := t.Records[n-1].TimeMs - t.CPU.BeginMs - t.CPU.StepMs*int64(len(t.CPU.Values)); short > lateSample {
		r.problem(threadName(t.ID, cpuPart), -1, "ends %d ms before the last sample: the rest is missing", short)
	}
}

// lateSample is how far behind the end of the CPU times a thread's last sample may be, in ms.
const lateSample = 1000

// parseSeries reads a whole .fts file; with an error, the values that it has.
func parseSeries(data []byte) (s Series, at int64, err error) {
	const fixed = 26 // bytes of the header's fields
	if len(data) < 6+fixed || !bytes.Equal(data[:4], []byte("TSHS")) {
		return s, 0, fmt.Errorf("not a time series: it does not begin with TSHS and a header")
	}
	h := int(binary.BigEndian.Uint16(data[4:]))
	if h < fixed || len(data) < 10+h {
		return s, 4, fmt.Errorf("invalid header size: %d bytes", h)
	}
	tag := data[6]
	w := widths[tag]
	if w == 0 {
		return s, 6, fmt.Errorf("values of the unknown type %d", tag)
	}
	s.StepMs, s.BeginMs = int64(int32(binary.BigEndian.Uint32(data[8:]))), int64(binary.BigEndian.Uint64(data[12:]))
	if s.StepMs <= 0 {
		return s, 8, fmt.Errorf("invalid step: %d ms", s.StepMs)
	}
	if s.BeginMs < 0 || s.BeginMs > MaxTimeMs {
		return s, 12, fmt.Errorf("invalid start: %d ms", s.BeginMs)
	}
	if !bytes.Equal(data[6+h:10+h], []byte("TSDS")) {
		return s, int64(6 + h), fmt.Errorf("TSDS is missing before the values")
	}
	body := data[10+h:]
	if n := len(body) % w; n > 0 {
		at, err = int64(len(data)-n), errors.New("it is cut off in a value")
	}
	s.Values = make([]int64, len(body)/w)
	for i := range s.Values {
		s.Values[i] = number(body[i*w:], tag)
	}
	return s, at, err
}

// header is the beginning of an index or data file.
type header struct {
	keyTag, offsetTag byte
	body              int // where entries or blocks begin
}

// parseHeader reads the head of an index ("TIHS") or data ("TEHS") file. Properties that are
// missing get the values of stack files.
func parseHeader(data []byte, magic, bodyMagic string, keyTag byte) (h header, at int64, err error) {
	h = header{keyTag: keyTag, offsetTag: 4}
	if len(data) < 7 || string(data[:4]) != magic {
		return h, 0, fmt.Errorf("it does not begin with %s", magic)
	}
	n := int(binary.BigEndian.Uint16(data[4:]))
	if len(data) < 10+n {
		return h, 4, fmt.Errorf("invalid header size: %d bytes in a file of %d", n, len(data))
	}
	h.body = 10 + n
	if string(data[6+n:10+n]) != bodyMagic {
		return h, int64(6 + n), fmt.Errorf("%s is missing before the entries", bodyMagic)
	}
	if n == 0 {
		return h, 0, nil
	}
	text := data[7 : 6+n]
	for range min(int(data[6]), 127) {
		key, rest, ok := bytes.Cut(text, []byte{0})
		if !ok {
			break
		}
		value, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			break
		}
		text = rest
		if len(value) == 1 && widths[value[0]-'0'] > 0 {
			switch string(key) {
			case "first_el_type":
				h.keyTag = value[0] - '0'
			case "second_el_type":
				h.offsetTag = value[0] - '0'
			}
		}
	}
	return h, 0, nil
}

// block is one entry of an index with the bytes that it points at.
type block struct {
	key    int64 // -1 when the index is not used
	offset int64
	data   []byte
}

// blocks returns the blocks of an index and data pair. When the index is missing or wrong the data
// file is scanned instead.
func (r *reader) blocks(indexName, dataName string, keyTag byte) []block {
	if !r.has(dataName) {
		r.problem(dataName, -1, "is missing")
		return nil
	}
	data := r.load(dataName, maxFileBytes)
	if data == nil {
		return nil
	}
	dh, at, err := parseHeader(data, "TEHS", "TEDS", keyTag)
	if err != nil {
		r.problem(dataName, at, "%v", err)
		return nil
	}
	if !r.has(indexName) {
		r.problem(indexName, -1, "is missing: the data file is scanned")
		return r.scan(dataName, data, dh.body)
	}
	index := r.load(indexName, maxFileBytes)
	ih, at, err := parseHeader(index, "TIHS", "TIDS", keyTag)
	if err != nil {
		r.problem(indexName, at, "%v: the data file is scanned", err)
		return r.scan(dataName, data, dh.body)
	}
	kw, ow := widths[ih.keyTag], widths[ih.offsetTag]
	body := index[ih.body:]
	out := make([]block, 0, len(body)/(kw+ow))
	end := int64(dh.body)
	for i := 0; i+kw+ow <= len(body); i += kw + ow {
		key, offset := number(body[i:], ih.keyTag), number(body[i+kw:], ih.offsetTag)
		b, why := cut(data, dh.body, offset)
		if why != "" {
			r.problem(indexName, int64(ih.body+i), "%s: the data file is scanned", why)
			return r.scan(dataName, data, dh.body)
		}
		if offset != end {
			r.problem(indexName, int64(ih.body+i), "an entry points at byte %d, but the block before it ends at %d", offset, end)
		}
		out = append(out, block{key, offset, b})
		end = offset + 2 + int64(len(b))
	}
	if end < int64(len(data)) {
		// Blocks are written before their entries: what a recorder that died, or still writes, left at the end.
		more := r.scan(dataName, data, int(end))
		r.problem(indexName, int64(len(index)), "the entries of %d blocks are missing", len(more))
		out = append(out, more...)
	}
	return out
}

// cut returns the block at an offset, or why there is none.
func cut(data []byte, begin int, offset int64) (b []byte, why string) {
	if offset < int64(begin) || offset+2 > int64(len(data)) {
		return nil, fmt.Sprintf("an entry points at byte %d of a file of %d", offset, len(data))
	}
	n := int64(binary.BigEndian.Uint16(data[offset:]))
	if offset+2+n > int64(len(data)) {
		return nil, fmt.Sprintf("the block at byte %d extends beyond the end of the file", offset)
	}
	return data[offset+2 : offset+2+n], ""
}

// scan returns the blocks that follow each other from an offset on.
func (r *reader) scan(name string, data []byte, from int) (out []block) {
	for at := int64(from); at < int64(len(data)); {
		b, why := cut(data, from, at)
		if why != "" {
			r.problem(name, at, "the last block is cut off")
			return out
		}
		out = append(out, block{-1, at, b})
		at += 2 + int64(len(b))
	}
	return out
}

// methods reads the names of methods. The last entry of an id counts.
func (r *reader) methods() {
	const index, data = "method_info.fidx", "method_info.fdata"
	if !r.has(index) && !r.has(data) {
		r.problem(data, -1, "is missing: methods have no names")
		return
	}
	for _, b := range r.blocks(index, data, methodKey) {
		if b.key < 0 {
			continue // without the index the owner of a name is unknown
		}
		if len(b.data) == 0 || bytes.IndexByte(b.data, 0) >= 0 {
			r.problem(data, b.offset, "NUL bytes instead of a method name")
			continue
		}
		r.rec.Methods[MethodID(b.key)] = string(bytes.ToValidUTF8(b.data, []byte("\uFFFD")))
	}
}

// stacks reads the samples of a thread.
func (r *reader) stacks(t *Thread) {
	name := threadName(t.ID, dataPart)
	blocks := r.blocks(threadName(t.ID, indexPart), name, stepKey)
	t.Records = make([]Record, 0, len(blocks))
	var stacks StackPool
	for _, b := range blocks {
		x, who, err := parseRecord(b.data, &stacks)
		if err != nil {
			r.problem(name, b.offset, "%v", err)
			continue
		}
		t.Add(x, who)
	}
}
