package gsttrace

import (
	"bytes"
	"strconv"
)

// Compat computes the figures of gst-stats-1.0 1.22 from the raw bytes of a log, with everything
// that program overlooks or gets wrong, save that it does not crash.
type Compat struct {
	pieces  pieces
	begun   bool
	colored bool
	notes   notation
	t       *tables
	key     []byte

	// read is how many records were read of each name, for comparison with the better reader.
	read map[string]int64
}

// NewCompat makes an empty sum.
func NewCompat() *Compat {
	c := &Compat{t: newTables(true), read: map[string]int64{}}
	c.pieces.call = c.piece
	return c
}

// Write takes the next bytes of the log, cut anywhere. It always takes all and returns no error.
func (c *Compat) Write(p []byte) (int, error) {
	c.pieces.write(p)
	return len(p), nil
}

// Close takes a last line without line end. It returns nil.
func (c *Compat) Close() error {
	c.pieces.close()
	return nil
}

// Figures are the figures so far.
func (c *Compat) Figures() Figures { return c.t.figures() }

func (c *Compat) piece(line []byte) {
	if !c.begun {
		c.begun = true
		head := line
		if nul := bytes.IndexByte(line, 0); nul >= 0 {
			head = line[:nul]
		}
		c.colored = bytes.IndexByte(head, esc) >= 0
	}
	message := traceMessage(line, c.colored)
	if message == nil || !c.notes.read(message) {
		return
	}
	c.record()
}

func (c *Compat) record() {
	n, t := &c.notes, c.t
	object := func(name string) objectKey { return objectKey{0, uint64(n.u32(name))} }
	switch string(n.name) {
	case "new-element":
		t.newElement(object("ix"), uint64(n.u32("parent-ix")), n.str("name"), n.str("type"), n.yes("is-bin"))
	case "new-pad":
		t.newPad(
			object("ix"), uint64(n.u32("parent-ix")), n.u64("thread-id"), n.str("name"), n.yes("is-ghostpad"),
			direction(n.get("pad-direction", "GstPadDirection")),
		)
	case "buffer":
		t.buffer(transfer{ts: n.u64("ts"), pad: uint64(n.u32("pad-ix")), element: uint64(n.u32("element-ix")), peer: uint64(n.u32("peer-element-ix")), size: n.u32("buffer-size"),
			flags: uint32(n.number("buffer-flags", "GstBufferFlags"))})
	case "event":
		t.event(0, n.u64("ts"), uint64(n.u32("pad-ix")), uint64(n.u32("element-ix")))
	case "message":
		t.message(0, n.u64("ts"), uint64(n.u32("element-ix")))
	case "query":
		t.query(0, n.u64("ts"), uint64(n.u32("element-ix")))
	case "thread-rusage":
		t.threadUsage(objectKey{0, n.u64("thread-id")}, n.u64("ts"), uint64(n.u32("average-cpuload")), n.u64("time"))
	case "proc-rusage":
		t.processUsage(n.u64("ts"), uint64(n.u32("average-cpuload")), n.u64("time"))
	case "latency":
		c.way("src-element-id", "src-element", "src", "sink-element-id", "sink-element", "sink")
		t.latency(t.ways, c.key, n.u64("time"), n.u64("ts"))
	case "element-latency":
		c.way("element-id", "element", "src")
		t.latency(t.through, c.key, n.u64("time"), n.u64("ts"))
	case "element-reported-latency":
		t.answer(Reported{
			Element: n.str("element-id") + "." + n.str("element"), Live: n.yes("live"), MinNs: n.u64("min"),
			MaxNs: n.u64("max"), TsNs: n.u64("ts"),
		})
	case "factory-used":
		t.factory(n.str("factory-type"), n.str("factory"), n.str("plugin"))
	default:
		return
	}
	c.read[string(n.name)]++
}

// way makes the key of a latency.
func (c *Compat) way(names ...string) {
	c.key = c.key[:0]
	for i, name := range names {
		switch i {
		case 0:
		case 3:
			c.key = append(c.key, '|')
		default:
			c.key = append(c.key, '.')
		}
		if text := c.notes.get(name, "string"); text != nil {
			c.key = append(c.key, text...)
		} else {
			c.key = append(c.key, "(null)"...)
		}
	}
}

// direction reads a pad's direction as number, nick or symbol.
func direction(text []byte) uint64 {
	switch string(text) {
	case "src", "GST_PAD_SRC":
		return 1
	case "sink", "GST_PAD_SINK":
		return 2
	}
	n, _ := strconv.ParseUint(string(text), 10, 8)
	return n
}
