package folded

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of what a file makes the reader keep.
const (
	maxNames   = 1<<16 - 16
	maxPaths   = 1 << 21
	maxTracks  = 1 << 14
	maxDepth   = 1 << 14 // frames of a stack
	maxSamples = 1 << 22 // in all: each is kept
	maxCount   = 1 << 53
)

// Source opens folded stacks. It implements feed.Source.
type Source struct{}

var _ feed.Source = Source{}

// Name implements feed.Source.
func (Source) Name() string { return "folded stacks" }

// Sniff implements feed.Source: the text has no mark, but nearly all of its lines are stacks with a
// count.
func (Source) Sniff(head []byte, name string) bool {
	const looked = 50
	lines, stacks, deep := 0, 0, false
	var l liner
	l.take = func(_ int64, line []byte) {
		if lines == looked || skipped(line) {
			return
		}
		lines++
		if st, ok := parseLine(line); ok {
			stacks++
			deep = deep || bytes.IndexByte(st.frames, ';') >= 0
		}
	}
	l.write(head)
	if len(head) < feed.HeadSize {
		l.close()
	}
	base := strings.TrimSuffix(filepath.Base(name), ".gz")
	ext := filepath.Ext(base)
	named := ext == ".folded" || ext == ".collapsed"
	return stacks > 0 && 5*stacks >= 4*lines && (deep || named)
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
	l := liner{take: take}
	_, err := feed.ReadParts(ctx, path, func(part []byte, done, total int64) error {
		l.write(part)
		progress(done, total)
		return nil
	})
	if err == nil {
		l.close()
	}
	return err
}

// mapper turns stacks into call paths with samples.
type mapper struct {
	sink    feed.Sink
	room    *feed.Names
	info    model.Info
	ids     map[string]model.CollectorID
	paths   map[uint64]model.PathID
	tracks  map[string]*track
	list    []*track
	stacks  int64
	invalid int64
	first   []int64 // lines that are invalid
	refused int64
	single  bool // a stack has one count: else each has two, of before and after a change
	rounded bool // a sum of counts was none of whole samples
}

// track is one thread's stacks.
type track struct {
	def    model.TrackDef
	counts map[model.PathID]float64
}

const otherCollector model.CollectorID = 1

func newMapper(sink feed.Sink, room *feed.Names, path string) *mapper {
	m := &mapper{
		sink: sink, room: room, ids: map[string]model.CollectorID{}, paths: map[uint64]model.PathID{}, tracks: map[string]*track{},
		info: model.Info{Source: "folded", Program: filepath.Base(path), Peer: path, PID: -1, File: true,
			Sampling: model.Sampling{Timeless: true}, Version: "folded stacks", Detail: "samples without times"},
	}
	sink.Define(model.CollectorDef{ID: 0, Name: "All", Sort: -1})
	sink.Define(model.CollectorDef{ID: otherCollector, Name: feed.MoreNames, Sort: -1})
	return m
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
			m.refused++
			break
		}
		p = m.path(p, m.collector(name))
	}
	t.counts[p] += st.count
}

var threadRoot = regexp.MustCompile(`^(?:process (\d+):"([^;]*)";)*thread \((\d+)\)(?:: ([^;]*))?`)

// trackOf returns the track of a stack: that of the thread that stands at its root, or the one of
// all others.
func (m *mapper) trackOf(frames []byte) *track {
	def := model.TrackDef{Name: "all stacks"} // of no thread
	if x := threadRoot.FindSubmatch(frames); x != nil {
		id, _ := strconv.Atoi(string(x[3]))
		def.Index, def.Name = id, shown(string(x[4]))
		if len(x[1]) > 0 {
			def.Process = "process " + string(x[1])
		}
	}
	key := fmt.Sprintf("%s;%d;%s", def.Process, def.Index, def.Name)
	t := m.tracks[key]
	if t == nil {
		def.ID = model.TrackID(len(m.list))
		if len(m.list) >= maxTracks || len(m.list) >= feed.SureThreads && !m.room.Admit(def) {
			m.refused++
			return m.list[0]
		}
		t = &track{def: def, counts: map[model.PathID]float64{}}
		m.tracks[key] = t
		m.list = append(m.list, t)
	}
	return t
}

func (m *mapper) collector(name []byte) model.CollectorID {
	if id, ok := m.ids[string(name)]; ok {
		return id
	}
	def := model.CollectorDef{ID: otherCollector + 1 + model.CollectorID(len(m.ids)), Name: shown(string(name)), Sort: -1}
	if def.Name == "" {
		def.Name = "(empty)"
	}
	if len(m.ids) >= maxNames || !m.room.Admit(def) {
		m.refused++
		return otherCollector
	}
	m.ids[string(name)] = def.ID
	m.sink.Define(def)
	return def.ID
}

func (m *mapper) path(parent model.PathID, c model.CollectorID) model.PathID {
	k := uint64(parent)<<32 | uint64(uint32(c))
	if p, ok := m.paths[k]; ok {
		return p
	}
	def := model.PathDef{ID: model.PathID(len(m.paths) + 1), Parent: parent, Collector: c}
	if sure := parent == model.PathRoot && c == otherCollector; !sure && (len(m.paths) >= maxPaths || !m.room.Admit(def)) {
		m.refused++
		if parent == model.PathRoot {
			return m.path(parent, otherCollector)
		}
		return parent
	}
	m.paths[k] = def.ID
	m.sink.Define(def)
	return def.ID
}

// finish publishes all samples, at time 0: when they were taken nobody wrote down.
func (m *mapper) finish() error {
	total := 0.0
	for _, t := range m.list {
		for _, n := range t.counts {
			total += n
		}
	}
	if total > maxSamples {
		return fmt.Errorf("its counts add up to %.0f: more than %d samples can't be shown", total, maxSamples)
	}
	for i, t := range m.list {
		id := model.SeriesID(i)
		m.sink.Define(t.def)
		m.sink.Define(model.SeriesDef{
			ID: id, Name: t.def.Name, Group: "samples", Description: "samples of the thread's stack, without times",
			Kind: model.SeriesEvent, Role: model.RoleStack, Track: t.def.ID, Object: model.NoObject, Peer: model.NoObject,
		})
		var order []model.PathID
		for p := range t.counts {
			order = append(order, p)
		}
		slices.Sort(order)
		b := m.sink.Begin()
		b.Track = t.def.ID
		for _, p := range order {
			n := math.Round(t.counts[p])
			m.rounded = m.rounded || n != t.counts[p]
			for range int(n) {
				b.Samples = append(b.Samples, model.Sample{Series: id, Value: float64(p)})
			}
		}
		if !m.sink.Publish(b) {
			return feed.ErrCancelled
		}
	}
	if m.rounded {
		m.sink.Define(model.Warning{Text: "Some counts are fractions: the sum of each stack is rounded to whole samples."})
	}
	if m.invalid > 0 {
		m.sink.Define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: m.invalid,
			Detail: fmt.Sprintf("lines that are no stack with a count: %s", strings.Trim(fmt.Sprint(m.first), "[]"))})
	}
	if m.refused > 0 {
		m.sink.Define(model.Loss{
			Reason: model.LossLimit, Track: model.NoTrack, N: m.refused, Detail: "no room for all frames, call paths or threads",
		})
	}
	return nil
}

func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}
