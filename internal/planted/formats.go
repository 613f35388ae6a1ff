package planted

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// Format is the format of a file.
type Format string

// The formats.
const (
	PStats   Format = "pstats"
	Chrome   Format = "json"
	Perfetto Format = "pftrace"
	Puffin   Format = "puffin"
	Spall    Format = "spall"
)

// Formats are all of them.
var Formats = []Format{PStats, Chrome, Perfetto, Puffin, Spall}

// Write writes the session in its format.
func (s *Session) Write(to io.Writer) error {
	out := bufio.NewWriter(to)
	switch s.w.o.Format {
	case Chrome:
		s.writeChrome(out)
	case Perfetto:
		s.writePerfetto(out)
	case Puffin:
		s.writePuffin(out)
	case Spall:
		s.writeSpall(out)
	default:
		return s.writePStats(to)
	}
	return out.Flush()
}

func (s *Session) writePStats(to io.Writer) error {
	c := sessionfile.Content{
		Hello: pstats.ClientHello{
			Host: "localhost", Program: fmt.Sprintf("planted, seed %d", s.w.o.Seed), Version: pstats.Newest(), PID: 4711,
		},
		Collectors: s.w.collectors, Threads: s.w.threads,
	}
	return sessionfile.Write(to, c, s)
}

var _ sessionfile.Frames = (*Session)(nil)

// FrameBytes implements sessionfile.Frames.
func (s *Session) FrameBytes(thread int) (n int64) {
	s.EachFrame(thread, func(f *pstats.Frame) error {
		n += sessionfile.FrameSize(f)
		return nil
	})
	return n
}

// EachFrame implements sessionfile.Frames.
func (s *Session) EachFrame(thread int, fn func(*pstats.Frame) error) error {
	l := s.threads[thread]
	for _, f := range l.frames {
		p := pstats.Frame{Thread: uint16(thread), Number: uint32(f.number), Events: make([]pstats.Event, len(f.events))}
		for i, e := range f.events {
			p.Events[i] = pstats.Event{Word: e.word, Time: float32(float64(e.ns+l.shift) / 1e9)}
		}
		if err := fn(&p); err != nil {
			return err
		}
	}
	return nil
}

// call is a call of a thread. Those in it stand behind it.
type call struct {
	collector  int
	begin, end int64
	depth      int // 0: it is in no other
}

// calls returns all calls of a thread. Of frames, only the main thread's are calls themselves.
func (s *Session) calls(thread int) (out []call) {
	var open []int
	for i := range s.threads[thread].frames {
		for _, e := range s.threads[thread].frames[i].events {
			switch c := int(e.word &^ pstats.StopBit); {
			case c == 0 && (thread > 0 || s.w.o.Format == Puffin):
			case e.word&pstats.StopBit == 0:
				open = append(open, len(out))
				out = append(out, call{collector: c, begin: e.ns, depth: len(open) - 1})
			default:
				out[open[len(open)-1]].end = e.ns
				open = open[:len(open)-1]
			}
		}
	}
	return out
}

// eachCall calls fn with the begin of each call of a thread, and with its end, in order.
func (s *Session) eachCall(thread int, fn func(c call, ns int64, ends bool)) {
	var open []call
	closeTo := func(depth int) {
		for ; len(open) > depth; open = open[:len(open)-1] {
			c := open[len(open)-1]
			fn(c, c.end, true)
		}
	}
	for _, c := range s.calls(thread) {
		closeTo(c.depth)
		fn(c, c.begin, false)
		open = append(open, c)
	}
	closeTo(0)
}

func (s *Session) writeChrome(out *bufio.Writer) {
	out.WriteString(`{"traceEvents":[`)
	for id, name := range s.w.threads {
		if id > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, `{"ph":"M","pid":1,"tid":%d,"name":"thread_name","args":{"name":%q}}`, id+1, name)
		for _, c := range s.calls(id) {
			fmt.Fprintf(out, ",\n"+`{"ph":"X","pid":1,"tid":%d,"ts":%.3f,"dur":%.3f,"name":%q}`, id+1, float64(c.begin)/1e3,
				float64(c.end-c.begin)/1e3, s.w.named(c.collector))
		}
	}
	out.WriteString("]}\n")
}

// number and text append a field of a protobuf message.
func number(to []byte, id, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(to, id<<3), value)
}

func text[T []byte | string](to []byte, id uint64, value T) []byte {
	to = binary.AppendUvarint(binary.AppendUvarint(to, id<<3|2), uint64(len(value)))
	return append(to, value...)
}

func (s *Session) writePerfetto(out *bufio.Writer) {
	const sequence = 7
	packet := func(body []byte) { out.Write(text(nil, 1, number(body, 10, sequence))) }
	for id, name := range s.w.threads {
		track := uint64(id + 1)
		thread := text(number(number(nil, 1, 1), 2, track), 5, name)
		packet(text(nil, 60, text(number(nil, 1, track), 4, thread)))
		s.eachCall(id, func(c call, ns int64, ends bool) {
			event := number(nil, 11, track)
			if ends {
				event = number(event, 9, 2)
			} else {
				event = text(number(event, 9, 1), 23, s.w.named(c.collector))
			}
			packet(text(number(nil, 8, uint64(ns)), 11, event))
		})
	}
}

func (s *Session) writeSpall(out *bufio.Writer) {
	u := binary.LittleEndian
	head := u.AppendUint64(u.AppendUint64(nil, 0x0BADF00D), 3)
	out.Write(u.AppendUint64(u.AppendUint64(head, math.Float64bits(1)), 0))
	for id, name := range s.w.threads {
		events := append([]byte{9, byte(len(name))}, name...)
		s.eachCall(id, func(c call, ns int64, ends bool) {
			if ends {
				events = u.AppendUint64(append(events, 4), uint64(ns))
				return
			}
			name := s.w.named(c.collector)
			events = append(u.AppendUint64(append(events, 3), uint64(ns)), byte(len(name)), 0)
			events = append(events, name...)
		})
		head := u.AppendUint32(u.AppendUint32(nil, uint32(len(events))), uint32(id+1))
		out.Write(u.AppendUint64(u.AppendUint32(head, 1), 0))
		out.Write(events)
	}
}

// scopes appends the calls of a puffin stream.
func scopes(to []byte, calls []call) []byte {
	u := binary.LittleEndian
	for i := 0; i < len(calls); {
		c, next := calls[i], i+1
		for next < len(calls) && calls[next].depth > c.depth {
			next++
		}
		inside := scopes(nil, calls[i+1:next])
		to = append(u.AppendUint64(u.AppendUint32(append(to, '('), uint32(c.collector)), uint64(c.begin)), 0)
		to = append(append(u.AppendUint64(to, uint64(len(inside))), inside...), ')')
		to, i = u.AppendUint64(to, uint64(c.end)), next
	}
	return to
}

// bincode appends values as bincode writes them, numbers in eight bytes.
func bincode(to []byte, values ...any) []byte {
	number := func(n uint64) { to = binary.LittleEndian.AppendUint64(append(to, 253), n) }
	for _, v := range values {
		switch v := v.(type) {
		case int:
			number(uint64(v))
		case int64:
			number(uint64(v<<1 ^ v>>63))
		case bool:
			to = append(to, 0)
			if v {
				to[len(to)-1] = 1
			}
		case string:
			number(uint64(len(v)))
			to = append(to, v...)
		}
	}
	return to
}

// writePuffin writes frames with the calls of all threads that ended in them.
func (s *Session) writePuffin(out *bufio.Writer) {
	out.WriteString("PUF0")
	u := binary.LittleEndian
	part := func(b []byte) { out.Write(append(u.AppendUint32(nil, uint32(len(b))), b...)) }
	names := bincode(nil, len(s.w.collectors)-1)
	for i := range s.w.collectors[1:] {
		names = bincode(names, true, i+1, true, s.w.named(i+1), "", "", 0)
	}
	var all [][]call
	for id := range s.w.threads {
		all = append(all, s.calls(id))
	}
	for _, f := range s.threads[0].frames {
		begin, end := f.events[0].ns, f.events[len(f.events)-1].ns
		var streams []byte
		bytes, n := 0, 0
		for id, name := range s.w.threads {
			upTo := 0
			for upTo < len(all[id]) && (all[id][upTo].depth > 0 || all[id][upTo].end <= end) {
				upTo++
			}
			stream := scopes(nil, all[id][:upTo])
			streams = bincode(streams, true, int64(id), name, string(stream), upTo, 0, begin, end)
			n, bytes, all[id] = n+upTo, bytes+len(stream), all[id][upTo:]
		}
		out.WriteString("PFD4")
		part(bincode(nil, int(f.number), begin, end, bytes, n))
		streams = append(bincode(nil, len(s.w.threads)), streams...)
		out.Write(append(u.AppendUint32(nil, uint32(len(streams))), 0))
		out.Write(streams)
		part(names)
		names = bincode(nil, 0)
	}
}
