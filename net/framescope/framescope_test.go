package framescope

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats/gen"
)

// item is a definition or a batch.
type item struct {
	change model.Change
	batch  *model.Batch
}

// write writes items to a session file.
func write(t testkit.T, items []item, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, o)
	for _, x := range items {
		if x.batch == nil {
			w.Define(x.change)
			continue
		}
		b := w.Begin()
		*b = clone(x.batch)
		testkit.That(t, w.Publish(b), "the writer refuses a batch")
	}
	testkit.NoErr(t, w.Close())
	return out.Bytes()
}

// read plays a session file, given whole or in pieces, and returns what came.
func read(t testkit.T, file []byte) *feedtest.Kept {
	t.Helper()
	kept := &feedtest.Kept{}
	play(t, file, kept)
	return kept
}

// play plays a session file, given whole or in pieces.
func play(t testkit.T, file []byte, to feed.Sink) {
	t.Helper()
	p := NewPlayer(to, "session.framescope")
	reason := "cut"
	in := journal.NewStream("session.framescope")
	in.Write(file)
	in.Finish()
	in.Watch(func(d journal.Damage) {
		p.Damaged()
		p.Lost(model.LossDamaged, 1, d.Error())
	})
	for {
		r, err := in.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				reason = err.Error()
			}
			break
		}
		var end journal.End
		if r.Kind == journal.KindEnd && r.Decode(&end) == nil {
			reason = end.Reason
		}
		if err := p.Take(&r); err != nil {
			reason = err.Error()
			break
		}
	}
	p.Close(reason)
}

func clone(b *model.Batch) model.Batch {
	c := *b
	c.Spans, c.Args = append([]model.Span{}, b.Spans...), append([]model.Arg{}, b.Args...)
	c.Self, c.Levels = append([]model.CollectorTime{}, b.Self...), append([]model.Level{}, b.Levels...)
	c.Messages, c.Locks = append([]model.Message{}, b.Messages...), append([]model.LockEvent{}, b.Locks...)
	c.Samples, c.Flows = append([]model.Sample{}, b.Samples...), append([]model.Flow{}, b.Flows...)
	return c
}

// anyValue fills a value with anything: texts that are no UTF-8, the ends of numbers.
func anyValue(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				anyValue(t, v.Field(i))
			}
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "entries")
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range n {
			anyValue(t, v.Index(i))
		}
	case reflect.String:
		v.SetString(string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "text")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "number"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "number") >> (64 - v.Type().Bits()))
	default:
		v.SetInt(rapid.Int64().Draw(t, "number") >> (64 - v.Type().Bits()))
	}
}

func anyBatch(t *rapid.T) *model.Batch {
	b := &model.Batch{}
	v := reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		if v.Field(i).CanSet() && v.Type().Field(i).Name != "Rows" { // these are read alone
			anyValue(t, v.Field(i))
		}
	}
	if rapid.Bool().Draw(t, "nested") {
		b.Spans = nested(t)
	}
	if len(b.Spans) == 0 {
		b.Args = nil
	}
	for i := range b.Args {
		a := &b.Args[i]
		a.Span, a.Key = a.Span&math.MaxInt32%int32(len(b.Spans)), "k"+a.Key
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			a.Value = model.TextArg(a.Key)
		case 1:
			a.Value = model.IntArg(rapid.Int64().Draw(t, "value"))
		default:
			a.Value = model.FloatBits(rapid.Uint64().Draw(t, "bits"))
		}
	}
	return b
}

// nested makes spans that mostly follow each other within a lane, in any order of lanes.
func nested(t *rapid.T) (list []model.Span) {
	at := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "begin")
	var ends [3]int64
	for range rapid.IntRange(1, 20).Draw(t, "spans") {
		lane := rapid.IntRange(0, len(ends)-1).Draw(t, "lane")
		if at = max(at, ends[lane]); rapid.IntRange(0, 30).Draw(t, "overlaps") == 0 {
			at--
		}
		s := model.Span{Begin: at, End: at + rapid.Int64Range(0, 1000).Draw(t, "ns"), Path: model.PathID(rapid.Uint16().Draw(t, "path")), Lane: uint16(lane)}
		switch rapid.IntRange(0, 30).Draw(t, "what") {
		case 0:
			s.Flags = model.SpanContinues
		case 1:
			s.Lane += mostRowLanes - 1
		case 2:
			s.End += 1 << 32
		}
		ends[lane] = s.End
		list = append(list, s)
	}
	return list
}

// inRows is a sink that takes rows.
type inRows struct{ feedtest.Kept }

// TakesRows implements the method of feed.TakesRows.
func (*inRows) TakesRows() bool { return true }

// TestAnything writes definitions and batches with anything in them: the same come out, in the same order.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []item
		for range rapid.IntRange(1, 30).Draw(t, "items") {
			if rapid.Bool().Draw(t, "batch") {
				items = append(items, item{batch: anyBatch(t)})
				continue
			}
			v := reflect.New(rapid.SampledFrom(definitionTypes).Draw(t, "type")).Elem()
			anyValue(t, v)
			if info, ok := v.Interface().(model.Info); ok && info.File {
				info.Peer = "session.framescope" // where it is read
				v = reflect.ValueOf(info)
			}
			items = append(items, item{change: v.Interface().(model.Change)})
		}
		items = append(items, item{change: model.End{Reason: "over"}})
		file := write(t, items, Options{})
		got := read(t, file)
		var rows inRows
		play(t, file, &rows)
		var changes []model.Change
		var batches []model.Batch
		for _, x := range items {
			if x.batch != nil {
				batches = append(batches, clone(x.batch))
			} else {
				changes = append(changes, x.change)
			}
		}
		for i := range got.Batches {
			got.Batches[i] = clone(&got.Batches[i])
		}
		testkit.MustEqual(t, len(got.Batches), len(batches), "batches come out: %+v", got.Losses)
		for i := range batches {
			testkit.MustSame(t, got.Batches[i], batches[i], "batch %d", i)
			testkit.MustSame(t, inLanes(&rows.Batches[i]), inLanes(&batches[i]), "batch %d, by lanes", i)
		}
		testkit.MustSame(t, plain(got.Changes), plain(changes), "definitions")
	})
}

// inLanes returns the spans of a batch by lane.
func inLanes(b *model.Batch) map[uint16][]model.Span {
	lanes := map[uint16][]model.Span{}
	for _, s := range b.Spans {
		lanes[s.Lane] = append(lanes[s.Lane], s)
	}
	for _, run := range b.Rows {
		for i := range run.Rows {
			lanes[run.Lane] = append(lanes[run.Lane], run.Span(i))
		}
	}
	return lanes
}

// The rows of a file go through a feed into the store as its spans do.
func TestRowsInFeed(t *testing.T) {
	made := testkit.Must(gen.New(gen.Options{Spans: 50_000, Tracks: 2, Depth: 6, Seed: 1}))(t)
	var file bytes.Buffer
	w := NewWriter(&file, Options{})
	testkit.NoErr(t, made.Feed(t.Context(), w))
	testkit.NoErr(t, w.Close())
	direct := store.NewSession()
	kept := read(t, file.Bytes())
	for _, c := range kept.Changes {
		direct.Apply(c)
	}
	for i := range kept.Batches {
		direct.Append(&kept.Batches[i])
	}
	var st store.Store
	hub := feed.NewHub()
	f := hub.NewFeed(feed.Options{Wait: true})
	testkit.That(t, feed.TakesRows(f), "a feed takes no rows")
	done := make(chan struct{})
	go func() {
		defer close(done)
		play(t, file.Bytes(), f)
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		for hub.Poll(&st, time.Second).More {
		}
	}
	got := hub.Entries()[0].Session
	for id := range model.TrackID(direct.NumTracks()) {
		for lane := range direct.Track(id).Lanes() {
			a := direct.Spans().Visible(id, lane, model.MinTime, model.MaxTime, 0, nil)
			b := got.Spans().Visible(id, lane, model.MinTime, model.MaxTime, 0, nil)
			testkit.MustThat(t, len(a) > 0 && slices.Equal(a, b), "track %d, lane %d: %d spans, want %d", id, lane, len(b), len(a))
		}
	}
}

// A span with flags keeps those of its lane and its batch from being rows, and no others.
func TestRows(t *testing.T) {
	spans := func(flags model.SpanFlags) []model.Span {
		return []model.Span{{Begin: 1, End: 9}, {Begin: 2, End: 3, Lane: 1, Flags: flags}, {Begin: 4, End: 5, Lane: 1}}
	}
	var rows inRows
	play(t, write(t, []item{{batch: &model.Batch{Spans: spans(model.SpanOpenEnd)}}, {batch: &model.Batch{Spans: spans(0)}}}, Options{}), &rows)
	testkit.MustEqual(t, len(rows.Batches), 2, "batches")
	for i, want := range []int{1, 3} {
		b := &rows.Batches[i]
		testkit.Equal(t, b.NumSpans()-len(b.Spans), want, "rows of batch %d", i)
	}
}

// plain makes empty lists of states no lists.
func plain(list []model.Change) []model.Change {
	for i, c := range list {
		if d, ok := c.(model.SeriesDef); ok && len(d.States) == 0 {
			d.States = nil
			list[i] = d
		}
	}
	return list
}

// framed are a session of frames, numbered from 0 on, with a span each.
func framed(n int) []item {
	items := []item{
		{change: model.Info{Source: "made", Program: "game", PID: 7, File: true, Peer: "made.trace"}},
		{change: model.TrackDef{ID: 0, Name: "Main"}}, {change: model.CollectorDef{ID: 1, Name: "draw"}},
		{change: model.PathDef{ID: 1, Collector: 1}},
	}
	for i := range int64(n) {
		b := &model.Batch{HasFrame: true, Number: i, Begin: i * 1000, End: i*1000 + 900}
		for k := range int64(40) {
			length := 1 + int64(uint64(i*40+k)*0x9e3779b97f4a7c15>>32)%15 // of many kinds: it packs badly
			b.Spans = append(b.Spans, model.Span{Begin: b.Begin + k*20, End: b.Begin + k*20 + length, Path: 1})
		}
		items = append(items, item{batch: b})
	}
	return append(items, item{change: model.End{Reason: "it was quit"}})
}

// Whatever is damaged in a file costs what was there: every frame that comes is one that was written, and
// those that are missing between others are counted.
func TestDamage(t *testing.T) {
	const n = 5000
	file := write(t, framed(n), Options{})
	chunks := records(file)
	testkit.MustThat(t, len(chunks) > 20, "the file has few chunks: %d", len(chunks))
	for i, c := range chunks {
		got := read(t, slices.Delete(bytes.Clone(file), c[0], c[1]))
		frames := int64(0)
		for _, l := range got.Losses {
			frames += l.Frames
		}
		last := i == len(chunks)-1 // which is empty
		testkit.That(t, (len(got.Losses) == 0) == last, "without record %d: %v", i, got.Losses)
		if i > 0 && i < len(chunks)-2 {
			testkit.Equal(t, frames, int64(n-len(got.Batches)), "frames missing without a record")
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(file)
		at := rapid.IntRange(0, len(bad)-1).Draw(t, "at")
		cut := rapid.Bool().Draw(t, "cut")
		if cut {
			bad = bad[:at]
		} else {
			bad[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		}
		got := read(t, bad)
		last, missing := int64(-1), int64(0)
		for i := range got.Batches {
			b := &got.Batches[i]
			testkit.MustThat(t, b.Number > last && b.Begin == b.Number*1000 && len(b.Spans) == 40, "frame %d is a false one", b.Number)
			if missing += b.Number - last - 1; last < 0 {
				missing = 0
			}
			last = b.Number
		}
		counted, places := int64(0), 0
		for _, l := range got.Losses {
			if counted += l.Frames; l.Frames == 0 {
				places++
			}
		}
		testkit.Equal(t, counted, missing, "frames missing between those that came")
		testkit.That(t, cut || places > 0 || len(got.Batches) == n || got.End.Reason != "it was quit", "frames went, and nothing says so")
		testkit.That(t, got.End != nil, "the session does not end")
	})
}

// records returns where the chunks of a file begin and end.
func records(file []byte) (chunks [][2]int) {
	const head, kindData = 44, 3
	for at, end := head, 0; at < len(file); at = end {
		if end = at + 8 + int(binary.LittleEndian.Uint32(file[at:])); file[at+8] == kindData {
			chunks = append(chunks, [2]int{at, end})
		}
	}
	return chunks
}

// A damaged record leaves most of a small session, too.
func TestSmall(t *testing.T) {
	const n = 300
	file := write(t, framed(n), Options{})
	for _, c := range records(file) {
		bad := bytes.Clone(file)
		bad[(c[0]+c[1])/2] ^= 1
		testkit.That(t, len(read(t, bad).Batches) > n/2, "%d of %d frames are left without the record at %d", len(read(t, bad).Batches), n, c[0])
	}
}

// A part has the frames that begin in it, and what else overlaps it, with its arguments.
func TestPart(t *testing.T) {
	items := framed(100)
	loose := &model.Batch{
		Track: 1, Spans: []model.Span{{Begin: 0, End: 5}, {Begin: 9_990, End: 10_010}, {Begin: 30_000, End: 30_001}},
		Args:     []model.Arg{{Span: 0, Key: "a"}, {Span: 1, Key: "b"}, {Span: 2, Key: "c"}},
		Messages: []model.Message{{Time: 9_999, Text: "before"}, {Time: 10_000, Text: "in"}, {Time: 20_000, Text: "behind"}},
		Samples:  []model.Sample{{Time: 9_999}, {Time: 19_999}},
	}
	got := read(t, write(t, append(items, item{batch: loose}), Options{Part: Part{Stretch: model.Stretch{Begin: 10_000, End: 20_000}}}))
	testkit.MustEqual(t, len(got.Batches), 11, "batches")
	for i := range int64(10) {
		testkit.Equal(t, got.Batches[i].Number, 10+i, "frame")
	}
	b := got.Batches[10]
	testkit.Same(t, b.Spans, loose.Spans[1:2], "spans")
	testkit.Same(t, b.Args, []model.Arg{{Span: 0, Key: "b"}}, "arguments")
	testkit.That(t, len(b.Messages) == 1 && b.Messages[0].Text == "in" && len(b.Samples) == 1, "messages and samples: %+v", b)
}

// A record that is small as long as it is packed is left out where it would take too much, and what comes
// behind it is there.
func TestBomb(t *testing.T) {
	testkit.OneGoroutine(t)
	feed.SetMemory(64 << 20)
	defer feed.SetMemory(0)
	packer := newPacker()
	var before, after runtime.MemStats
	kept := &feedtest.Kept{}
	p := NewPlayer(kept, "x")
	items, spans, frame := newEncoder(), newEncoder(), newEncoder()
	items.buf = make([]byte, 256<<20)
	spans.columns[columnBegin] = make([]uint64, 1<<20)
	frame.batch(&model.Batch{HasFrame: true, Number: 7})
	var chunks []journal.Record
	for _, e := range []*codec{&items, &spans, &frame} {
		chunks = append(chunks, journal.Record{Kind: journal.KindData, Payload: bytes.Clone(packer.chunk(e))})
	}
	runtime.ReadMemStats(&before)
	for i := range chunks {
		testkit.OK(t, p.Take(&chunks[i]))
	}
	p.Close("over")
	runtime.ReadMemStats(&after)
	testkit.That(t, after.TotalAlloc-before.TotalAlloc < 32<<20, "%d bytes", after.TotalAlloc-before.TotalAlloc)
	testkit.That(t, len(kept.Batches) == 1 && kept.Batches[0].Number == 7, "%d batches", len(kept.Batches))
	testkit.Equal(t, len(kept.Losses), 2, "losses")
	for _, l := range kept.Losses {
		testkit.That(t, strings.Contains(l.Detail, "takes more than the 4 MiB"), "%+v", l)
	}
}

// What is attached is found without reading the session.
func TestAttached(t *testing.T) {
	o := Options{
		Attached:   map[string][]byte{Bookmarks: []byte("at = 1"), Budgets: []byte("x")},
		AttachedTo: func(program string) map[string][]byte { return map[string][]byte{Budgets: []byte("of " + program)} },
	}
	path := feedtest.File(t, "a.framescope", write(t, framed(3), o))
	text, err := ReadAttached(path, Bookmarks)
	testkit.That(t, err == nil && string(text) == "at = 1", "%q, %v", text, err)
	text, err = ReadAttached(path, Budgets)
	testkit.That(t, err == nil && string(text) == "of game", "%q, %v", text, err)
	text, err = ReadAttached(path, "other")
	testkit.That(t, err == nil && text == nil, "%q, %v", text, err)
	_, err = ReadAttached(filepath.Join(t.TempDir(), "none"), Bookmarks)
	testkit.That(t, errors.Is(err, fs.ErrNotExist), "%v", err)
}

// A disk that is full ends the source's work, and its error is what Close returns.
func TestFullDisk(t *testing.T) {
	w := NewWriter(&full{room: 100_000}, Options{})
	refused := false
	for _, x := range framed(20000) {
		if x.batch == nil {
			w.Define(x.change)
			continue
		}
		b := w.Begin()
		*b = clone(x.batch)
		if refused = !w.Publish(b); refused {
			break
		}
	}
	testkit.That(t, refused, "it goes on")
	testkit.Fails(t, w.Close(), "no space")
}

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, syscall.ENOSPC
	}
	return len(b), nil
}

// TestFormat pins the bytes of the format.
func TestFormat(t *testing.T) {
	written := write(t, framed(50), Options{})
	path := filepath.Join("testdata", fmt.Sprintf("version%d.framescope", version))
	if flag.Lookup("update").Value.String() == "true" {
		testkit.OK(t, os.WriteFile(path, written, 0o644))
	}
	want, got := read(t, written), read(t, testkit.Must(os.ReadFile(path))(t))
	testkit.Same(t, got.Batches, want.Batches, "batches")
	testkit.Same(t, got.Changes, want.Changes, "definitions")
}

// A chunk of another version says that it is one.
func TestOtherVersion(t *testing.T) {
	kept := &feedtest.Kept{}
	p := NewPlayer(kept, "x")
	testkit.OK(t, p.Take(&journal.Record{Kind: journal.KindData, Payload: []byte{version + 1, 0}}))
	p.Close("over")
	testkit.MustEqual(t, len(kept.Losses), 1, "losses")
	testkit.That(t, strings.Contains(kept.Losses[0].Detail, "offset 0 is of version 4 of the format, not 3: open the file with the build that wrote it"), "%+v", kept.Losses)
}

// FuzzPlay plays a chunk with any items and any columns: the first are packed here, as no bytes found by
// chance are those of Zstandard.
func FuzzPlay(f *testing.F) {
	e, packer := newEncoder(), newPacker()
	for _, x := range framed(3) {
		if x.batch != nil {
			e.batch(x.batch)
		} else if _, end := x.change.(model.End); !end {
			e.define(x.change)
		}
	}
	items := bytes.Clone(e.buf)
	e.buf = nil
	const columns = numColumns + numRowColumns
	none := newEncoder()
	head := len(packer.chunk(&none)) - columns
	f.Add(items, bytes.Clone(packer.chunk(&e)[head:]))
	f.Fuzz(func(t *testing.T, items, packed []byte) {
		none := newEncoder()
		none.buf = items
		chunk := packer.chunk(&none)
		chunk = append(chunk[:len(chunk)-columns], packed...)
		rows := &inRows{}
		ordered := &feedtest.Kept{}
		for to, kept := range map[feed.Sink]*feedtest.Kept{ordered: ordered, rows: &rows.Kept} {
			p := NewPlayer(to, "x")
			err := p.Take(&journal.Record{Kind: journal.KindData, Payload: chunk})
			p.Close("over")
			testkit.That(t, err == nil && kept.End != nil && kept.End.Reason == "over", "it does not end: %v", err)
		}
		s := store.NewSession()
		for _, c := range rows.Changes {
			s.Apply(c)
		}
		for i := range rows.Batches {
			s.Append(&rows.Batches[i])
		}
	})
}
