package sessionfile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"framescope/net/pstats"
)

// FrameVersion is the layout of frames in a session file: that of protocol 3.2, whatever the client
// spoke (PROTOCOL.md section 12.4).
var FrameVersion = pstats.Version{Major: 3, Minor: 2}

// FrameSize returns the bytes of a frame in a session file, its number included.
func FrameSize(f *pstats.Frame) int64 { return int64(12 + 6*len(f.Events) + 6*len(f.Levels)) }

// WriteLive writes a session file of a live client, with frames from any store, and with the one strip
// chart that makes the official viewer show something. It uses the store as Write does: the length stands
// before the content, so that sizes are summed up first.
func WriteLive(w io.Writer, defs *Definitions, frames Frames) error {
	head, tail := fileHead(defs), fileTail()
	threads := defs.ThreadIndices()
	length := int64(len(head) + 2 + len(tail))
	for _, t := range threads {
		length += int64(2+2+len(cut(defs.threads[t]))) + frames.FrameBytes(t) + 4
	}

	bw := bufio.NewWriterSize(w, 1<<18)
	bw.Write(fileMagic[:])
	if length < math.MaxUint32 {
		bw.Write(binary.LittleEndian.AppendUint32(nil, uint32(length)))
	} else {
		bw.Write(binary.LittleEndian.AppendUint64([]byte{0xff, 0xff, 0xff, 0xff}, uint64(length)))
	}
	bw.Write(head)
	var buf []byte
	for _, t := range threads {
		buf = binary.LittleEndian.AppendUint16(buf[:0], uint16(t))
		bw.Write(pstats.AppendString(buf, defs.threads[t]))
		var written int64
		err := frames.EachFrame(t, func(f *pstats.Frame) error {
			if int32(f.Number) == -1 {
				return nil // it would end the thread
			}
			written += FrameSize(f)
			buf = pstats.AppendFrame(buf[:0], FrameVersion, f)
			_, err := bw.Write(buf[3:]) // without type and thread
			return err
		})
		if err != nil {
			return fmt.Errorf("frames of thread %d: %w", t, err)
		}
		if want := frames.FrameBytes(t); written != want {
			return fmt.Errorf("frames of thread %d: %d bytes were announced, %d came", t, want, written)
		}
		bw.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	bw.Write([]byte{0xff, 0xff})
	bw.Write(tail)
	return bw.Flush()
}

// cut shortens a string to the limit of its length field, as AppendString does.
func cut(s string) string { return s[:min(len(s), math.MaxUint16)] }

// fileHead encodes fields 1 to 8: identity and collectors.
func fileHead(d *Definitions) []byte {
	le := binary.LittleEndian
	known := byte(0)
	if d.known {
		known = 1
	}
	b := append(le.AppendUint16(le.AppendUint16(nil, 1), 1), known)
	b = pstats.AppendString(pstats.AppendString(b, d.hello.Host), d.hello.Program)
	b = le.AppendUint32(b, uint32(max(-1, min(d.hello.PID, math.MaxInt32))))
	levels := d.levelThreads()
	for _, def := range d.CollectorDefs() {
		b = pstats.AppendCollectorDef(b, &def)
		words := levels[int(def.Index)]
		words = append(words, make([]uint32, len(words)%2)...) // 64-bit builds write pairs
		b = le.AppendUint32(b, uint32(len(words)))
		for _, w := range words {
			b = le.AppendUint32(b, w)
		}
		b = append(b, 0)
	}
	return append(b, 0xff, 0xff)
}

// fileTail encodes fields 11 to 21: no colors, and of graphs the one strip chart (section 12.6): of thread and
// collector 0, of times, scrolling, 20 seconds wide and two thirtieths of one high.
func fileTail() []byte {
	le := binary.LittleEndian
	b := append(make([]byte, 4+2), 1, 0) // colors, timelines, strip charts
	b = append(b, 0, 0, 0, 0, 0, 1, 0)   // thread, collector, level, scroll, average
	for _, v := range [...]float64{20, 0, 2.0 / 30} {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	return append(b, make([]byte, 1+2+2+2)...) // its window, flame graphs, piano rolls, reserved
}

// Content is the content of a session file besides frames, for programs that make one without a
// client.
type Content struct {
	Hello      pstats.ClientHello
	Collectors []pstats.CollectorDef // with indices of 0 and above
	Threads    []string              // names by index, at most 65,535
	// LevelThreads maps a collector to the threads with its level data; its ancestors need not be
	// listed.
	LevelThreads map[int][]int
}

// Write writes a session file with frames from any store, and with the one strip chart that makes the
// official viewer show something. It reads the size of each thread's frames first and the frames
// afterwards, thread after thread, so that none of them need be in memory.
func Write(w io.Writer, c Content, frames Frames) error {
	if len(c.Threads) > maxFileThread+1 {
		return fmt.Errorf("%d threads: a session file holds at most %d", len(c.Threads), maxFileThread+1)
	}
	d := NewDefinitions()
	d.Hello(c.Hello)
	d.Collectors(c.Collectors)
	for i, name := range c.Threads {
		d.threads[i] = name
	}
	for collector, threads := range c.LevelThreads {
		for _, t := range threads {
			d.levels[collector] = setBit(d.levels[collector], t)
		}
	}
	return WriteLive(w, &d, frames)
}
