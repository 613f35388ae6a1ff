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

// writeSession writes a session file. The length stands before the content, so that sizes are
// summed up first.
func writeSession(w io.Writer, defs *Definitions, info *Info, frames Frames) error {
	if info == nil {
		live := defs.info()
		info = &live
	}
	head := fileHead(info, defs.CollectorDefs())
	tail := fileTail(info)
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
func fileHead(info *Info, defs []pstats.CollectorDef) []byte {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, 1)
	b = le.AppendUint16(b, 1)
	b = appendBool(b, info.ClientKnown)
	b = pstats.AppendString(b, info.Host)
	b = pstats.AppendString(b, info.Program)
	b = le.AppendUint32(b, uint32(info.PID))
	for i := range defs {
		b = pstats.AppendCollectorDef(b, &defs[i])
		words := info.LevelThreads[int(defs[i].Index)]
		for len(words) > 0 && words[len(words)-1] == 0 {
			words = words[:len(words)-1]
		}
		b = le.AppendUint32(b, uint32(len(words)+len(words)%2)) // 64-bit builds write pairs
		for _, w := range words {
			b = le.AppendUint32(b, w)
		}
		if len(words)%2 == 1 {
			b = le.AppendUint32(b, 0)
		}
		b = append(b, 0)
	}
	return append(b, 0xff, 0xff)
}

// fileTail encodes fields 11 to 21: colors and graphs.
func fileTail(info *Info) []byte {
	le := binary.LittleEndian
	f64 := func(b []byte, v float64) []byte { return le.AppendUint64(b, math.Float64bits(v)) }
	f32 := func(b []byte, v float32) []byte { return le.AppendUint32(b, math.Float32bits(v)) }
	i16 := func(b []byte, v int16) []byte { return le.AppendUint16(b, uint16(v)) }

	b := le.AppendUint32(nil, uint32(len(info.Colors)))
	for _, c := range info.Colors {
		b = f32(f32(f32(le.AppendUint32(b, uint32(c.Collector)), c.R), c.G), c.B)
	}
	timelines := info.Timelines[:min(len(info.Timelines), math.MaxUint16)]
	b = le.AppendUint16(b, uint16(len(timelines)))
	for _, t := range timelines {
		b = appendWindow(f64(f64(f64(f64(b, t.Scale), t.Start), t.LowestStart), t.HighestEnd), t.Window)
	}
	strips := info.StripCharts[:min(len(info.StripCharts), math.MaxUint16)]
	b = le.AppendUint16(b, uint16(len(strips)))
	for _, s := range strips {
		b = appendBool(appendBool(appendBool(i16(i16(b, s.Thread), s.Collector), s.Level), s.Scroll), s.Average)
		b = appendWindow(f64(f64(f64(b, s.Width), s.Start), s.FullScale), s.Window)
	}
	flames := info.FlameGraphs[:min(len(info.FlameGraphs), math.MaxUint16)]
	b = le.AppendUint16(b, uint16(len(flames)))
	for _, f := range flames {
		b = f64(i16(i16(i16(b, f.Thread), f.Collector), f.Original), f.Width)
		b = appendWindow(appendBool(b, f.Average), f.Window)
	}
	rolls := info.PianoRolls[:min(len(info.PianoRolls), math.MaxUint16)]
	b = le.AppendUint16(b, uint16(len(rolls)))
	for _, r := range rolls {
		b = appendWindow(f64(f64(i16(b, r.Thread), r.Width), r.Start), r.Window)
	}
	return append(b, 0, 0) // reserved
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendWindow(b []byte, w Window) []byte {
	if !w.Present {
		return append(b, 0)
	}
	b = append(b, 1)
	for _, v := range [...]int32{w.X, w.Y, w.W, w.H} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return appendBool(appendBool(b, w.Maximized), w.Minimized)
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

// WriteLive writes a session file of a live client, with frames from any store, and with the one strip
// chart that makes the official viewer show something. It uses the store as Write does.
func WriteLive(w io.Writer, d *Definitions, frames Frames) error {
	return writeSession(w, d, nil, frames)
}
