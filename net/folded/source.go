package folded

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of the reader's memory.
const (
	maxDepth  = 1 << 14 // frames of a stack
	maxDigits = 1 << 10 // of a count

	mostWeights = 1 << 8 // longest text about the unit of the counts, in bytes
)

// Source opens folded stacks. It implements feed.Source.
type Source struct{}

var _ feed.Source = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "folded stacks" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "Folded stacks",
		Writers: "stackcollapse, py-spy `-f raw`, async-profiler, bpftrace",
		Ends:    []string{".folded", ".collapsed", ".txt"},
	}
}

// OpenFile implements feed.Source. It counts and reports lines that are not stacks; a file without any
// stack is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	m := newMapper(sink, room, path)
	readErr := trace.ReadLines(ctx, path, &trace.Cutter{Take: m.look, Long: func() {}},
		func(done, total int64) { sink.Progress(done/2, total) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	m.tell()
	var lines trace.Cutter
	lines.Take = func(line []byte) { m.line(lines.N, line, lines.Unended) }
	lines.Long = func() { m.long.Add(lines.N) }
	err := trace.ReadLines(ctx, path, &lines, func(done, total int64) { sink.Progress(total/2+done/2, total) })
	readErr = cmp.Or(err, readErr)
	switch {
	case m.stacks > 0:
	case m.tooMuch.N > 0:
		return cmp.Or(readErr, fmt.Errorf("none of its %d lines is a stack with a count below 2^53", m.invalid.N+m.tooMuch.N))
	case m.long.N > 0:
		return cmp.Or(readErr, fmt.Errorf("none of its %d lines is a stack with a count of at most %d bytes", m.invalid.N+m.long.N, trace.MostLine))
	default:
		return cmp.Or(readErr, fmt.Errorf("none of its %d lines is a stack with a count", m.invalid.N))
	}
	if err := m.finish(); err != nil {
		return err
	}
	lines.NULs.Tell(sink.Define)
	if readErr != nil {
		trace.Losses{Define: sink.Define}.Lose(model.LossTruncated, 1, "the rest can't be read: "+readErr.Error())
	}
	return readErr
}

// mapper turns stacks into call paths with samples.
type mapper struct {
	sink    feed.Sink
	room    *feed.Names
	names   *trace.Table
	info    model.Info
	counts  map[counted]count
	total   int64 // what they add up to at most
	stacks  int64
	invalid trace.Lines
	tooMuch trace.Lines // counts too large
	long    trace.Lines // of more than trace.MostLine bytes
	cutAt   int64       // the last line, where it is cut off; 0: it is not
	more    trace.Lines // stacks beyond trace.MaxStacks
	cut     trace.Lines // stacks that were deeper than maxDepth
	single  bool        // a stack has one count: else each has two, of before and after a change
	rounded bool        // a sum of counts was none of whole samples
	parts   float64     // of a sample: the unit of the counts
	kind    trace.WeightKind
	threads bool // the roots of stacks are threads, not functions
}

// count is the sum of a stack's counts: the whole part, and the sum of the fractions.
type count struct {
	whole int64
	part  float64
}

// in is the count in parts of a sample, rounded.
func (c count) in(parts float64) int64 { return c.whole*int64(parts) + int64(math.Round(c.part*parts)) }

// counted is a stack of a thread.
type counted struct {
	track model.TrackID
	path  model.PathID
}

func newMapper(sink feed.Sink, room *feed.Names, path string) *mapper {
	return &mapper{
		sink: sink, room: room, names: trace.New(sink, room, "All"), counts: map[counted]count{}, kind: trace.WeightKind{Name: model.WeightSamples},
		info: model.Info{Source: "folded", Program: filepath.Base(path), Peer: path, PID: -1, File: true,
			Sampling: model.Sampling{Timeless: true}, Version: "folded stacks"},
	}
}

// look takes a line the first time: whether all stacks have two counts must be known before.
func (m *mapper) look(line []byte) {
	if kind, ok := weightsOf(line); ok {
		m.kind = kind
	}
	m.threads = m.threads || string(bytes.TrimSpace(line)) == Threads
	if st, ok := parseLine(line); ok && !skipped(line) {
		m.single = m.single || st.before < 0
	}
}

// tell publishes the description of the file.
func (m *mapper) tell() {
	m.info.Detail = m.kind.Name + " without times"
	if !m.single {
		m.info.Detail += "; of two counts, before and after a change, those after"
	}
	m.sink.Define(m.info)
}

// line takes a line, the second time.
func (m *mapper) line(n int64, line []byte, unended bool) {
	if skipped(line) || bytes.IndexByte(line, 0) >= 0 { // the Cutter counts NULs
		return
	}
	st, ok := parseLine(line)
	if !ok {
		if unended && m.stacks > 0 {
			m.cutAt = n
		} else {
			m.invalid.Add(n)
		}
		return
	}
	whole, part := math.Modf(st.count)
	if st.count > trace.MostOne || int64(whole)+1 > trace.Most-m.total {
		m.tooMuch.Add(n)
		return
	}
	m.stacks++
	if !m.single && st.before > 0 {
		st.frames = st.frames[:st.before]
	}
	t, root := m.trackOf(st.frames)
	if m.threads && root > 0 && root < len(st.frames) {
		st.frames = st.frames[root+1:]
	}
	p := model.PathRoot
	depth := 0
	for rest, more := st.frames, true; more; depth++ {
		var name []byte
		name, rest, more = bytes.Cut(rest, []byte{';'})
		if depth == maxDepth {
			m.cut.Add(n)
			break
		}
		p = m.names.Path(p, m.collector(name))
	}
	at := counted{t, p}
	sum, known := m.counts[at]
	if !known && (len(m.counts) == trace.MaxStacks || !m.room.TakeData(2*trace.StackBytes)) {
		m.more.Add(n)
		return
	}
	m.total += int64(math.Ceil(st.count))
	sum.whole, sum.part = sum.whole+int64(whole), sum.part+part
	m.counts[at] = sum
}

// collector returns the collector of a frame. The name may be empty.
func (m *mapper) collector(name []byte) model.CollectorID {
	if len(name) > 0 {
		return m.names.Collector(name)
	}
	return m.names.Keyed([]byte{0}, func() model.CollectorDef { return model.CollectorDef{Name: "(empty)"} })
}

// threadRoot are the frames that py-spy begins stacks with; where it does not know the system's numbers of threads,
// they are addresses.
var threadRoot = regexp.MustCompile(`^(?:process (\d+):"([^;]*)";)*thread \((\d+|0x[0-9A-Fa-f]+)\)(?:: ([^;]*))?`)

// trackOf returns the track of a stack: that of the thread that stands at its root, or the one of
// all others. root is how long that is.
func (m *mapper) trackOf(frames []byte) (id model.TrackID, root int) {
	def := model.TrackDef{Name: "all stacks"} // of no thread
	if x := threadRoot.FindSubmatch(frames); x != nil {
		root = len(x[0])
		def.Index, def.Name = numberOf(string(x[3])), string(x[4])
		if len(x[1]) > 0 {
			def.Process = "process " + string(x[1])
		}
	}
	id, ok := m.names.Track(fmt.Sprintf("%s;%d;%s", def.Process, def.Index, def.Name), def)
	if !ok {
		return 0, root
	}
	return id, root
}

// numberOf reads the number of a thread, 0 of one that is too large.
func numberOf(s string) int {
	base := 10
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		s, base = hex, 16
	}
	id, err := strconv.ParseInt(s, base, 0)
	if err != nil {
		return 0
	}
	return int(id)
}

// finish publishes all samples, at time 0: their times are unknown.
func (m *mapper) finish() error {
	least, total := 0.0, 0.0
	for _, count := range m.counts {
		sum := float64(count.whole) + count.part
		if total += sum; sum > 0 && (least == 0 || sum < least) {
			least = sum
		}
	}
	m.parts = trace.Parts(least, total)
	all := trace.NewWeighted(nil, m.kind.In(m.parts))
	for at, count := range m.counts {
		m.rounded = m.rounded || count.part != math.Round(count.part)
		if err := all.Add(at.track, at.path, count.in(m.parts)); err != nil {
			return err
		}
	}
	if err := all.Publish(m.sink); err != nil {
		return err
	}
	if m.rounded {
		trace.WarnRounded(m.sink, "counts", m.parts)
	}
	losses := trace.Losses{Define: m.sink.Define}
	lose := func(lines *trace.Lines, words string) { losses.LoseLines(model.LossMalformed, lines, words) }
	limit := func(lines *trace.Lines, words string) { losses.LoseLines(model.LossLimit, lines, words) }
	if m.cutAt > 0 {
		losses.Lose(model.LossTruncated, 1, fmt.Sprintf("line %d: the file ends inside a stack, which is left out", m.cutAt))
	}
	lose(&m.invalid, "no stack with a count")
	lose(&m.tooMuch, "a count of more than 2^53, or with which all are more than 2^62, is left out")
	limit(&m.long, fmt.Sprintf("lines of more than %d bytes are left out, whole stacks or not", trace.MostLine))
	limit(&m.cut, fmt.Sprintf("stacks of more than %d frames are cut there", maxDepth))
	limit(&m.more, m.room.FullOfData(fmt.Sprintf(
		"there are more than %d different stacks, or than memory has room for: lines with further ones are left out", trace.MaxStacks)))
	m.names.Tell()
	return nil
}
