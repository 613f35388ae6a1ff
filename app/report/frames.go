package report

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// framePrinter prints frames as text-stats does (section 15.2).
type framePrinter struct {
	out     *bufio.Writer
	s       *store.Session
	o       *Options
	tracks  map[model.TrackID]*trackPrinter
	alone   []model.CollectorTime
	level   []model.Level
	scratch []byte
	withRaw bool
	sent    *pstats.Frame // the frame as it was sent, if known
}

// trackPrinter is the common state of a track's frames.
type trackPrinter struct {
	times, levels Tree
}

func writeFrames(out *bufio.Writer, c *scope, o *Options) error {
	if o.Compat {
		return writeCompat(out, c, o)
	}
	p := &framePrinter{out: out, s: c.s, o: o, withRaw: o.Raw, tracks: map[model.TrackID]*trackPrinter{}}
	if err := c.each(p.frame); err != nil {
		return err
	}
	for _, id := range c.tracks {
		if o := c.open(id); o != nil {
			fmt.Fprintf(out, "Thread %s: %v\n", escape.Name(c.s.Track(id).Title()), o)
		}
	}
	return nil
}

func (p *framePrinter) frame(track model.TrackID, i int) error {
	t := p.s.Track(track)
	tp := p.tracks[track]
	if tp == nil {
		tp = &trackPrinter{times: NewNets(p.s), levels: NewNets(p.s)}
		p.tracks[track] = tp
	}
	f := t.Frame(i)
	p.alone = p.s.Frames().Self(track, i, p.alone[:0])
	total := tp.times.Times(p.alone)
	tp.times.Sum()
	p.header(t.Title(), f.Number, float64(f.End-f.Begin)/1e9, t.FrameRateOf(i, i), total)
	if p.o.Events != nil {
		p.sent = p.o.Events.FrameOf(t.Def.Index, int32(f.Number))
	}
	if p.withRaw {
		p.raw(p.sent)
	}
	for _, c := range tp.times.Children(0) {
		p.branch(&tp.times, c, 1, false)
	}
	p.level = p.s.Frames().Levels(track, i, p.level[:0])
	tp.levels.Levels(p.level)
	tp.levels.Sum()
	for _, c := range tp.levels.Top() {
		p.branch(&tp.levels, c, 1, true)
	}
	return nil
}

// shown is a name as printed: with Compat unchanged, as the official program prints it.
func (p *framePrinter) shown(name string) string {
	if p.o.Compat {
		return name
	}
	return escape.Name(name)
}

// header prints the line above a frame: its time in seconds and a rate in Hz, and the seconds accounted for where
// they differ from its time by a nanosecond or more.
func (p *framePrinter) header(thread string, number int64, seconds, rate, accounted float64) {
	if p.o.Compat {
		p.out.WriteByte('\r')
	}
	fmt.Fprintf(p.out, "Thread %s frame %d, %s ms (%s Hz)", p.shown(thread), number, appendValue(nil, seconds*1000),
		appendValue(nil, rate))
	if math.Abs(seconds-accounted) > 0.5e-9 {
		fmt.Fprintf(p.out, ", accounted for: %s ms", appendValue(nil, accounted*1000))
	}
	p.out.WriteString(":\n")
}

// raw prints the events of a frame.
func (p *framePrinter) raw(f *pstats.Frame) {
	p.out.WriteString("raw data:\n")
	if f == nil {
		return
	}
	for _, e := range f.Events {
		what := "start"
		if e.Word&pstats.StopBit != 0 {
			what = "stop"
		}
		fmt.Fprintf(p.out, "%15.6f %-5s %s\n", e.Time, what, p.shown(p.name(int(e.Word&^pstats.StopBit))))
	}
}

// name returns the full name of a collector in events.
func (p *framePrinter) name(c int) string {
	col := p.s.Collector(model.CollectorID(c))
	if col == nil || p.o.Compat && !col.Defined {
		return "Unknown"
	}
	return sentFullName(p.s, p.o.Events, col)
}

// maxSentName bounds a full name as it was sent, in bytes: many collectors could have 1,000 parents of
// 64 KiB each.
const maxSentName = 1 << 20

// sentName is the name of a collector as it was sent: the session keeps no more than 1,024 bytes of
// it.
func sentName(raw *sessionfile.Raw, c *model.Collector) string {
	if raw != nil {
		if def, ok := raw.Collector(int(c.ID)); ok {
			return def.Name
		}
	}
	return c.Name
}

// sentFullName is the full name of a collector from the sent names, or the session's name if that would
// be absurd.
func sentFullName(s *store.Session, raw *sessionfile.Raw, c *model.Collector) string {
	if raw == nil || c.ID == 0 || !c.Defined {
		return c.Title()
	}
	names, size := []string{sentName(raw, c)}, 0
	for up := c; up.Parent > 0; {
		if up = s.Collector(up.Parent); up == nil || len(names) > pstats.MaxDepth || size > maxSentName {
			return c.Title()
		}
		names = append(names, sentName(raw, up))
		size += len(names[len(names)-1])
	}
	slices.Reverse(names)
	return strings.Join(names, ":")
}

// tree has values of collectors, each with those below it: Tree, or compatView.
type tree interface {
	Net(c model.CollectorID) (net float64, ok bool)
	Children(c model.CollectorID) []model.CollectorID
}

// branch prints a collector and those below it; level: its values are levels and not seconds.
func (p *framePrinter) branch(t tree, c model.CollectorID, depth int, level bool) {
	net, ok := t.Net(c)
	if !ok {
		return
	}
	unit := "ms"
	if level {
		unit = p.shown(p.s.Collector(c).Unit)
	} else {
		net *= 1000
	}
	b := append(p.value(c, depth, net), ' ') // also without a unit, as text-stats does
	p.flush(append(append(b, unit...), '\n'))
	for _, child := range t.Children(c) {
		p.branch(t, child, depth+1, level)
	}
}

func (p *framePrinter) value(c model.CollectorID, depth int, v float64) []byte {
	b := p.scratch[:0]
	for range depth {
		b = append(b, "  "...)
	}
	b = append(b, p.shown(sentName(p.o.Events, p.s.Collector(c)))...)
	b = append(b, " = "...)
	return appendValue(b, v)
}

func (p *framePrinter) flush(b []byte) {
	p.out.Write(b)
	p.scratch = b[:0]
}

// appendValue appends a number as C++ streams print it: six significant digits.
func appendValue(b []byte, v float64) []byte {
	switch {
	case v == 0:
		v = 0 // no "-0"
	case math.IsInf(v, 1):
		return append(b, "inf"...)
	case math.IsInf(v, -1):
		return append(b, "-inf"...)
	case v != v:
		return append(b, "nan"...)
	}
	return strconv.AppendFloat(b, v, 'g', 6, 64)
}
