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
	"framescope/net/lines"
	"framescope/net/names"
	"framescope/net/weighed"
)

// Limits of what a file makes the reader keep.
const (
	maxDepth = 1 << 14 // frames of a stack
	maxCount = 1 << 53
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

// Sniff implements feed.Source: the text has no mark, but nearly all of its lines are stacks with a
// count.
func (Source) Sniff(head []byte, name string) bool {
	const looked = 50
	count, stacks, deep := 0, 0, false
	for _, line := range lines.Head(head, len(head) < feed.HeadSize, 4*looked) {
		if count == looked || skipped([]byte(line)) {
			continue
		}
		count++
		if st, ok := parseLine([]byte(line)); ok {
			stacks++
			deep = deep || bytes.IndexByte(st.frames, ';') >= 0
		}
	}
	base := strings.TrimSuffix(filepath.Base(name), ".gz")
	ext := filepath.Ext(base)
	named := ext == ".folded" || ext == ".collapsed"
	return stacks > 0 && 5*stacks >= 4*count && (deep || named)
}

// OpenFile implements feed.Source. Lines that are no stacks are counted and told; a file without any
// that is one is an error.
func (Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, open(ctx, path, sink))
}

func open(ctx context.Context, path string, sink feed.Sink) error {
	room := feed.NamesOf(sink)
	defer room.Close()
	m := newMapper(sink, room, path)
	readErr := read(ctx, path, func(n int64, line []byte) { m.look(line) }, func(done, total int64) { sink.Progress(done/2, total) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	m.tell()
	readErr = cmp.Or(read(ctx, path, m.line, func(done, total int64) { sink.Progress(total/2+done/2, total) }), readErr)
	if m.stacks == 0 {
		return cmp.Or(readErr, error(fmt.Errorf("none of its %d lines is a stack with a count", m.invalid)))
	}
	if err := m.finish(); err != nil {
		return err
	}
	if readErr != nil {
		sink.Define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1, Detail: "the rest can't be read: " + readErr.Error()})
	}
	return readErr
}

func read(ctx context.Context, path string, take func(n int64, line []byte), progress func(done, total int64)) error {
	var l lines.Cutter
	l.Take = func(line []byte) { take(l.N, line) }
	l.Long = func() { take(l.N, []byte{'?'}) } // no stack
	_, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		l.Write(part)
		progress(done, total)
		return nil
	})
	if err == nil {
		l.Close()
	}
	return err
}

// mapper turns stacks into call paths with samples.
type mapper struct {
	sink    feed.Sink
	names   *names.Table
	info    model.Info
	counts  map[counted]float64
	stacks  int64
	invalid int64
	first   []int64 // lines that are invalid
	cut     int64   // stacks that were deeper than maxDepth
	single  bool    // a stack has one count: else each has two, of before and after a change
	rounded bool    // a sum of counts was none of whole samples
}

// counted is a stack of a thread.
type counted struct {
	track model.TrackID
	path  model.PathID
}

func newMapper(sink feed.Sink, room *feed.Names, path string) *mapper {
	return &mapper{
		sink: sink, names: names.New(sink, room, "All"), counts: map[counted]float64{},
		info: model.Info{Source: "folded", Program: filepath.Base(path), Peer: path, PID: -1, File: true,
			Sampling: model.Sampling{Timeless: true}, Version: "folded stacks", Detail: "samples without times"},
	}
}

// look takes a line the first time: whether all stacks have two counts must be known before.
func (m *mapper) look(line []byte) {
	if st, ok := parseLine(line); ok && !skipped(line) {
		m.single = m.single || st.before < 0
	}
}

// tell tells what is known of the file.
func (m *mapper) tell() {
	if !m.single {
		m.info.Detail += "; of two counts, before and after a change, those after"
	}
	m.sink.Define(m.info)
}

// line takes a line, the second time.
func (m *mapper) line(n int64, line []byte) {
	if skipped(line) {
		return
	}
	st, ok := parseLine(line)
	if !ok {
		m.invalid++
		if len(m.first) < 20 {
			m.first = append(m.first, n)
		}
		return
	}
	m.stacks++
	if !m.single && st.before > 0 {
		st.frames = st.frames[:st.before]
	}
	t := m.trackOf(st.frames)
	p := model.PathRoot
	depth := 0
	for rest, more := st.frames, true; more; depth++ {
		var name []byte
		name, rest, more = bytes.Cut(rest, []byte{';'})
		if depth == maxDepth {
			m.cut++
			break
		}
		p = m.names.Path(p, m.names.Collector(name))
	}
	m.counts[counted{t, p}] += st.count
}

var threadRoot = regexp.MustCompile(`^(?:process (\d+):"([^;]*)";)*thread \((\d+)\)(?:: ([^;]*))?`)

// trackOf returns the track of a stack: that of the thread that stands at its root, or the one of
// all others.
func (m *mapper) trackOf(frames []byte) model.TrackID {
	def := model.TrackDef{Name: "all stacks"} // of no thread
	if x := threadRoot.FindSubmatch(frames); x != nil {
		id, _ := strconv.Atoi(string(x[3]))
		def.Index, def.Name = id, string(x[4])
		if len(x[1]) > 0 {
			def.Process = "process " + string(x[1])
		}
	}
	id, ok := m.names.Track(fmt.Sprintf("%s;%d;%s", def.Process, def.Index, def.Name), def)
	if !ok {
		return 0
	}
	return id
}

// finish publishes all samples, at time 0: when they were taken nobody wrote down.
func (m *mapper) finish() error {
	all := weighed.New(weighed.Kind{Name: model.WeightSamples})
	for at, count := range m.counts {
		n := math.Round(count)
		m.rounded = m.rounded || n != count
		if err := all.Add(at.track, at.path, int64(min(n, weighed.Most+1e9))); err != nil {
			return err
		}
	}
	if err := all.Publish(m.sink); err != nil {
		return err
	}
	if m.rounded {
		m.sink.Define(model.Warning{Text: "Some counts are fractions: the sum of each stack is rounded to whole samples."})
	}
	if m.invalid > 0 {
		m.sink.Define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: m.invalid,
			Detail: fmt.Sprintf("lines that are no stack with a count: %s", strings.Trim(fmt.Sprint(m.first), "[]"))})
	}
	if m.cut > 0 {
		m.sink.Define(model.Loss{
			Reason: model.LossLimit, Track: model.NoTrack, N: m.cut,
			Detail: fmt.Sprintf("stacks of more than %d frames: what is called deeper is left out", maxDepth),
		})
	}
	m.names.Tell()
	return nil
}
