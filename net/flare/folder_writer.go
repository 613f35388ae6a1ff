package flare

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"framescope/internal/aside"
)

// segmentMs is how long a folder is written to before the next one begins.
const segmentMs = 900_000

// A writer writes what waits after so long, or so many bytes.
const (
	writeEvery = time.Second
	writeBytes = 4 << 20
)

// FolderWriter records samples into folders that the original server opens as well (FORMAT.md, "Sample folders").
// A folder is made with the first sample; after 15 minutes the next one begins. Samples wait in memory for a second
// at most while more come. One goroutine may use it.
type FolderWriter struct {
	parent string
	info   Info
	now    func() time.Time // of folder names and headers

	dir     string // of the segment; empty: none yet
	dirs    []string
	begun   int64 // record_start_time of the segment
	methods pair
	named   map[MethodID]string // known, of all segments
	threads map[int64]*written
	order   []int64
	lastMs  int64

	firstMs int64     // the earliest sample of all segments
	waiting int       // bytes of stacks
	flushed time.Time // when data was written last
}

// written is the writer's state of a thread.
type written struct {
	newest ThreadRecord
	count  int64 // samples in the segment
	seen   bool  // in this segment

	beginMs, stepMs int64
	steps           int64 // the newest step
	amount          int64
	values          []stepValue
	value           stepValue // the newest
	stacks          pair
}

// pair is an index and the data file that it points into, as far as they are not written yet.
type pair struct {
	index, data []byte
	size        int64 // of the data file, with what waits
	keyTag      int   // of the keys in the index
	fresh       bool  // the files do not exist yet
}

// The types of keys: of stacks, and of methods (FORMAT.md, "Type tags").
const (
	stepKey   = 4
	methodKey = 5
)

func newPair(keyTag int) pair { return pair{size: headerSize, keyTag: keyTag, fresh: true} }

// add adds a block.
func (p *pair) add(key uint64, block []byte) {
	if p.keyTag == methodKey {
		p.index = binary.BigEndian.AppendUint64(p.index, key)
	} else {
		p.index = binary.BigEndian.AppendUint32(p.index, uint32(key))
	}
	p.index = binary.BigEndian.AppendUint32(p.index, uint32(p.size))
	p.data = binary.BigEndian.AppendUint16(p.data, uint16(len(block)))
	p.data = append(p.data, block...)
	p.size += int64(2 + len(block))
}

// flush writes what waits, each block before its index entry.
func (p *pair) flush(w *FolderWriter, indexName, dataName string) error {
	if p.fresh {
		unit := strconv.Itoa(widths[p.keyTag] + 4)
		p.data = append(w.head("TEHS", "TEDS", "flare profiler data file", p.keyTag, unit), p.data...)
		p.index = append(w.head("TIHS", "TIDS", "flare profiler indexed file", p.keyTag, unit), p.index...)
		p.fresh = false
	}
	err := appendTo(filepath.Join(w.dir, dataName), p.data)
	if err == nil {
		err = appendTo(filepath.Join(w.dir, indexName), p.index)
	}
	p.data, p.index = p.data[:0], p.index[:0]
	return err
}

type stepValue struct {
	step int64
	us   int32
}

// NewFolderWriter returns a writer that makes its folders in parent. addr is the agent's HOST:PORT. now
// is the clock of names and headers; nil means time.Now.
func NewFolderWriter(parent, addr string, now func() time.Time) *FolderWriter {
	if now == nil {
		now = time.Now
	}
	return &FolderWriter{
		parent: parent, info: Info{AgentAddr: addr}, now: now, named: map[MethodID]string{},
		threads: map[int64]*written{}, flushed: time.Now(),
	}
}

// Dirs returns the folders written so far, the newest last.
func (w *FolderWriter) Dirs() []string { return w.dirs }

// Info takes the agent's settings; lastSampleMs is its newest sample now. It may come late: then it is in the
// summaries all the same, of this folder and those behind it.
func (w *FolderWriter) Info(startMs, intervalMs, lastSampleMs int64) {
	w.info.SampleStartMs, w.info.IntervalMs = startMs, intervalMs
	if w.dir == "" && lastSampleMs > 0 {
		w.begun = lastSampleMs
	}
}

// Method takes a method's name.
func (w *FolderWriter) Method(id MethodID, name string) {
	if w.named[id] == name {
		return
	}
	w.named[id] = name
	w.methods.add(uint64(id), []byte(name[:min(len(name), 0xffff)]))
}

// Sample takes one sample.
func (w *FolderWriter) Sample(id int64, name string, x Record) error {
	roll := w.dir != "" && x.TimeMs-w.begun > segmentMs
	if w.dir == "" || roll {
		if err := w.segment(x.TimeMs, roll); err != nil {
			return err
		}
	}
	t := w.threads[id]
	if t == nil {
		t = &written{}
		w.threads[id] = t
		w.order = append(w.order, id)
	}
	if !t.seen {
		*t = written{seen: true, beginMs: x.TimeMs, stepMs: w.info.StepMs(), stacks: newPair(stepKey)}
	}
	if w.firstMs == 0 || x.TimeMs < w.firstMs {
		w.firstMs = x.TimeMs
	}
	t.count++
	x.Count = t.count
	t.newest = RecordOf(id, name, x)
	block, err := json.Marshal(&t.newest)
	if err != nil {
		return err
	}
	if len(block) > 0xffff {
		return fmt.Errorf("a sample of thread %d takes %d bytes; the limit of the format is 65535", id, len(block))
	}
	if t.stacks.size+int64(len(block)) > 1<<32-1 {
		return fmt.Errorf("the stacks of thread %d reach the format's limit of 4 GiB", id)
	}
	step := max(0, (x.TimeMs-t.beginMs)/t.stepMs)
	t.steps = max(t.steps, step)
	t.amount = min(t.amount+1, step+1)
	t.add(step, x.CPUDeltaNs)
	t.stacks.add(uint64(step), block)
	w.lastMs = max(w.lastMs, x.TimeMs)
	if w.waiting += len(block); w.waiting >= writeBytes || time.Since(w.flushed) >= writeEvery {
		return w.Flush()
	}
	return nil
}

// add adds CPU time to a step. The original keeps only that of the last sample in a step: its series contain less
// than the use.
func (t *written) add(step, ns int64) {
	if n := len(t.values); n > 0 && t.values[n-1].step == step {
		t.values = t.values[:n-1]
	} else if step != t.value.step {
		t.value = stepValue{step: step}
	}
	t.value.us = int32(min(max(int64(t.value.us)+ns/1000, math.MinInt32), math.MaxInt32))
	t.values = append(t.values, t.value)
}

// segment begins a folder.
func (w *FolderWriter) segment(timeMs int64, roll bool) error {
	if roll {
		if err := w.Flush(); err != nil {
			return err
		}
		for _, t := range w.threads {
			t.seen, t.count = false, 0
			t.newest.Count = 0
		}
	}
	if roll || w.begun == 0 {
		w.begun = timeMs
	}
	base := strings.NewReplacer(":", "_", "/", "_", "\\", "_").Replace(w.info.AgentAddr) + "-" +
		w.now().Format("20060102T150405")
	dir := filepath.Join(w.parent, base)
	if err := os.MkdirAll(w.parent, 0o755); err != nil {
		return err
	}
	for n := 2; ; n++ {
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			break
		}
		if !errors.Is(err, os.ErrExist) || n > 1000 {
			return err
		}
		dir = filepath.Join(w.parent, base+"_"+strconv.Itoa(n))
	}
	w.dir = dir
	w.dirs = append(w.dirs, dir)
	// Every name that is known goes into each segment; the original loses the newest.
	w.methods = newPair(methodKey)
	for id, name := range w.named {
		w.methods.add(uint64(id), []byte(name[:min(len(name), 0xffff)]))
	}
	return nil
}

// headerSize is the length of the head of index and data files.
const headerSize = 202

// head makes the head of an index or data file.
func (w *FolderWriter) head(magic, bodyMagic, desc string, keyTag int, unit string) []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, magic...)
	b = binary.BigEndian.AppendUint16(b, 192)
	now := strconv.FormatInt(w.now().UnixMilli(), 10)
	props := []string{"ver", "0.1.0", "desc", desc, "first_el_type", strconv.Itoa(keyTag), "second_el_type", "4",
		"unit_len", unit,
		"begin_time", now, "end_time", now, "amount", "0"}
	b = append(b, byte(len(props)/2))
	for _, p := range props {
		b = append(append(b, p...), 0)
	}
	for len(b) < headerSize-4 {
		b = append(b, 0)
	}
	return append(b, bodyMagic...)
}

// Flush writes the data since the last Flush, each data block before its index entry.
func (w *FolderWriter) Flush() error {
	w.flushed, w.waiting = time.Now(), 0
	if w.dir == "" {
		return nil
	}
	if len(w.methods.data) > 0 || w.methods.fresh {
		if err := w.methods.flush(w, "method_info.fidx", "method_info.fdata"); err != nil {
			return err
		}
	}
	for _, id := range w.order {
		t := w.threads[id]
		if len(t.stacks.data) == 0 {
			continue
		}
		if err := t.stacks.flush(w, threadName(id, indexPart), threadName(id, dataPart)); err != nil {
			return err
		}
		if err := w.flushSeries(id, t); err != nil {
			return err
		}
		t.values = t.values[:0]
	}
	return w.writeSummary()
}

func appendTo(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// flushSeries writes the CPU times of new steps at their places, and the head anew.
func (w *FolderWriter) flushSeries(id int64, t *written) error {
	f, err := os.OpenFile(filepath.Join(w.dir, threadName(id, cpuPart)), os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	head := make([]byte, 0, 36)
	head = append(head, "TSHS"...)
	head = binary.BigEndian.AppendUint16(head, 26)
	head = append(head, 3, 4) // 32-bit values; the size is the true one, which the original server honours
	head = binary.BigEndian.AppendUint32(head, uint32(t.stepMs))
	head = binary.BigEndian.AppendUint64(head, uint64(t.beginMs))
	head = binary.BigEndian.AppendUint64(head, uint64(t.beginMs+t.stepMs*t.steps))
	head = binary.BigEndian.AppendUint32(head, uint32(t.amount))
	head = append(head, "TSDS"...)
	_, err = f.WriteAt(head, 0)
	for _, v := range t.values {
		var b [4]byte
		binary.BigEndian.PutUint32(b[:], uint32(v.us))
		if err == nil {
			_, err = f.WriteAt(b[:], int64(len(head))+4*v.step)
		}
	}
	return errors.Join(err, f.Close())
}

// writeSummary writes the summary in the place of the old one.
func (w *FolderWriter) writeSummary() error {
	start := w.info.SampleStartMs
	if start <= 0 {
		start = w.firstMs
	}
	dir := filepath.ToSlash(filepath.Join(filepath.Base(w.parent), filepath.Base(w.dir)))
	s := Summary{Info: Info{w.info.StepMs(), start, w.begun, w.lastMs, w.info.AgentAddr, dir}, Threads: []ThreadRecord{}}
	for _, id := range w.order {
		s.Threads = append(s.Threads, w.threads[id].newest)
	}
	data, err := json.MarshalIndent(&s, "", "  ")
	if err != nil {
		return err
	}
	return aside.Small(filepath.Join(w.dir, SummaryFile), data, 0o644)
}

// Close writes the rest.
func (w *FolderWriter) Close() error { return w.Flush() }
