package convert

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

var update = testkit.Update

// sum is what spans of a thread and call path add up to.
type sum struct{ n, total, self int64 }

// The spans of a table add up to what the call trees of reports and charts have, by thread and path;
// they are in order of begin, and so many as there are. Of frames, counters, messages, samples and events
// each is there.
func TestSums(t *testing.T) {
	rows := map[string]int64{}
	for _, row := range testkit.Rows("testdata/recordings.txt") {
		name := row[0]
		for _, text := range row[1:] {
			t.Run(name+" "+text, func(t *testing.T) {
				p := part(t, name, text)
				testSpans(t, p)
				testThings(t, p)
				for _, table := range AllTables {
					err := table.Rows(t.Context(), p, func(row []Cell) error { rows[table.ID]++; return nil })
					testkit.That(t, err == nil, "%v", err)
				}
			})
		}
	}
	for _, table := range AllTables {
		testkit.That(t, rows[table.ID] != 0 || table == &Locks || table == &Flows, "%s: no recording has any", table.ID)
	}
}

func testSpans(t *testing.T, p *Part) {
	t.Helper()
	if !Spans.Has(p) {
		return
	}
	got, last := map[string]sum{}, int64(model.MinTime)
	at := places(&Spans)
	testkit.OK(t, Spans.Rows(t.Context(), p, func(row []Cell) error {
		begin := row[at["begin_ns"]].Int
		testkit.That(t, begin >= last, "a span at %d behind one at %d", begin, last)
		last = begin
		key := fmt.Sprint(row[at["thread_id"]].Int, " ", row[at["path"]].Text)
		s := got[key]
		s.n, s.total, s.self = s.n+1, s.total+row[at["duration_ns"]].Int, s.self+row[at["self_ns"]].Int
		got[key] = s
		return nil
	}))
	want := map[string]sum{}
	for _, id := range p.Tracks {
		var tree spans.Tree
		p.Tree(spans.MeasureDuration, id, &tree)
		names := newNames(p)
		for k := range tree.Nodes {
			n := &tree.Nodes[k]
			key := fmt.Sprint(names.numbers.Of(p.Session, id), " ", names.way(n.Path).path)
			s := want[key]
			s.total += n.Total
			if p.Session.Track(id).Def.Kind.Calls() {
				s.self += n.Self
			}
			want[key] = s
		}
	}
	for key, w := range want {
		g := got[key]
		w.n = g.n
		testkit.That(t, g == w, "%s: %+v instead of %+v", key, g, w)
	}
	for key, g := range got {
		_, ok := want[key]
		testkit.That(t, ok || g.total <= 0, "%s: %+v is in no call tree", key, g)
	}
}

// What threads did with locks is there, of the threads and the range that were asked for.
func TestLocks(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Queue"})
	for id := range model.TrackID(2) {
		s.Apply(model.TrackDef{ID: id, Name: string('A' + rune(id))})
		s.Append(&model.Batch{Track: id, Locks: []model.LockEvent{
			{Time: 10, Lock: 1, Kind: model.LockTry}, {Time: 20, Lock: 1, Kind: model.LockAcquired},
			{Time: 30, Lock: 1, Kind: model.LockReleased},
		}})
	}
	p := testkit.Must(Of(s, place.TimeRange{Times: true, A: 15, HasA: true}, []string{"B"}))(t)
	var got []string
	err := Locks.Rows(t.Context(), p, func(row []Cell) error {
		got = append(got, fmt.Sprint(row[0].Int, row[1].Text, row[2].Int, row[3].Text, row[4].Text))
		return nil
	})
	want := []string{"1B20Queueacquired", "1B30Queuereleased"}
	testkit.That(t, err == nil && slices.Equal(got, want) && Locks.Has(p), "%v instead of %v, %v", got, want, err)
}

// Flows are there with the spans at their ends.
func TestFlows(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.FlowDef{ID: 0, Name: "wakes"})
	for id, name := range []string{"Send", "Receive"} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: name[:1]})
		s.Apply(model.CollectorDef{ID: model.CollectorID(id + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(id + 1), Collector: model.CollectorID(id + 1)})
		b := model.Batch{Track: model.TrackID(id), Spans: []model.Span{{Begin: 10, End: 30, Path: model.PathID(id + 1)}}}
		if id == 1 {
			b.Flows = []model.Flow{
				{From: 12, To: 15, FromLane: model.NoLane, ToLane: model.NoLane},
				{From: 20, To: 25, Chain: 7, FromLane: model.NoLane, ToLane: model.NoLane},
			}
		}
		s.Append(&b)
	}
	p := testkit.Must(Of(s, place.TimeRange{Times: true, A: 20, HasA: true}, nil))(t)
	var got []string
	err := Flows.Rows(t.Context(), p, func(row []Cell) error {
		var line []string
		for k, c := range row {
			if Flows.Columns[k].Kind == Int {
				c.Text = fmt.Sprint(c.Int)
			}
			line = append(line, c.Text)
		}
		got = append(got, strings.Join(line, " "))
		return nil
	})
	want := []string{"wakes 7 0 S 20 Send 1 R 25 Receive"}
	testkit.That(t, err == nil && slices.Equal(got, want) && Flows.Has(p), "%q instead of %q, %v", got, want, err)
	p.Some, p.Tracks = true, p.Tracks[1:]
	testkit.OK(t, Flows.Rows(t.Context(), p, func([]Cell) error { return fmt.Errorf("a row") }), "of the receiver alone")
}

func testThings(t *testing.T, p *Part) {
	t.Helper()
	want := map[*Table]int64{&Threads: int64(len(p.Tracks))}
	for _, id := range p.Tracks {
		p.EachFrame(id, func(frames.Frame) error { want[&Frames]++; return nil })
		p.Levels(id, func(int, *model.Level) error { want[&Counters]++; return nil })
		p.Messages(id, func(*model.Message) error { want[&Messages]++; return nil })
	}
	for _, x := range p.Series() {
		p.Samples(x, func(model.Sample) error { want[&Series]++; return nil })
	}
	for _, table := range []*Table{&Threads, &Frames, &Counters, &Messages, &Series} {
		var n int64
		err := table.Rows(t.Context(), p, func([]Cell) error { n++; return nil })
		testkit.That(t, err == nil && n == want[table], "%s: %d rows instead of %d, %v", table.ID, n, want[table], err)
		testkit.That(t, n <= 0 || table.Has(p), "%s: it is said to have nothing", table.ID)
	}
}

func places(table *Table) map[string]int {
	at := map[string]int{}
	for k, c := range table.Columns {
		at[c.Name] = k
	}
	return at
}

const page = "../../docs/tables.md"

// The page says what the program says, and columns are named well.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.Write(testkit.Must(os.ReadFile("testdata/tables_head.md"))(t))
	for _, table := range AllTables {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| column | what it is |\n|---|---|\n", table.ID, strings.ToUpper(table.Help[:1])+table.Help[1:])
		seen := map[string]bool{}
		for _, c := range table.Columns {
			testkit.That(t, c.Name != "" && c.Help != "" && !seen[c.Name] && c.Name == strings.ToLower(c.Name),
				"%s: %+v", table.ID, c)
			seen[c.Name] = true
			fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Help)
		}
		testkit.That(t, table.Sorted == "" || seen[table.Sorted], "%s: sorted by %s", table.ID, table.Sorted)
	}
	if *update {
		testkit.OK(t, os.WriteFile(page, []byte(b.String()), 0o644))
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != b.String() {
		t.Errorf("docs/tables.md does not say what the program says: go test ./app/convert -update (%v)", err)
	}
}

// part is a range of a recording, all of it where the text is empty.
func part(t *testing.T, name, text string) *Part {
	t.Helper()
	rec := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{}))(t)
	r := testkit.Must(place.ParseRange(text))(t)
	return testkit.Must(Of(rec.Session, r, nil))(t, name, text)
}

// The spans of a part are those that touch the time of its frames, cut at the ends, in order of begin,
// callers first; their parts have the length of the whole.
func TestSpans(t *testing.T) {
	for name, ranges := range map[string][]string{
		"pstats/nested.pstats":                    {"", "10:20", "-5:", "1.5s:2s"},
		"chrometrace/engine-object.json.gz":       {"", "10:20", "100ms:200ms"},
		"speedscope/game-evented.speedscope.json": {"", "5ms:10ms"},
	} {
		for _, text := range ranges {
			p := part(t, name, text)
			total := int64(0)
			for _, id := range p.Tracks {
				total += testTrack(t, p, id)
			}
			testkit.That(t, total != 0, "%s %s: nothing", name, text)
		}
	}
}

// testTrack compares the spans of a track with what lies in its lanes, and returns how many there are.
func testTrack(t *testing.T, p *Part, id model.TrackID) (n int64) {
	t.Helper()
	s := p.Session
	begin, end := p.Time(id)
	var want, got, ns, gotNs int64
	for lane := range s.Track(id).Lanes() {
		first, behind := s.Spans().Kept(id, lane)
		for i := first; i < behind; i++ {
			b, _ := s.Spans().ByRef(spans.Ref{Track: id, Lane: uint16(lane), Index: i})
			if b.End > begin && b.Begin < end || b.Begin == b.End && b.Begin >= begin && b.Begin <= end {
				want++
				ns += min(b.End, end) - max(b.Begin, begin)
			}
		}
	}
	last := Span{Span: model.Span{Begin: model.MinTime}}
	err := p.Spans(id, func(x *Span) error {
		testkit.That(t, x.Begin >= last.Begin && (x.Begin != last.Begin || x.Lane >= last.Lane), "%v after %v", x, last)
		testkit.That(t, x.Begin >= begin && x.End <= end && x.Begin <= x.End, "%v outside of %d to %d", x, begin, end)
		last = *x
		if x.Flags&model.SpanMoves == 0 {
			got++
		}
		gotNs += x.End - x.Begin
		return nil
	})
	testkit.That(t, err == nil && got == want && gotNs == ns,
		"track %d: %d spans of %d ns instead of %d of %d, %v", id, got, gotNs, want, ns, err)
	return got
}

// The process of the main thread has the number that the session tells, others that by which they are called; no two
// have the same one, and none is longer than formats have room for.
func TestPIDs(t *testing.T) {
	for _, c := range []struct {
		pid                int64
		processes, threads []string
		want               []int64
	}{
		{-1, []string{""}, nil, []int64{1}},
		{4711, []string{""}, nil, []int64{4711}},
		{1 << 31, []string{""}, nil, []int64{1}},
		{900, []string{"a", "game", "b"}, nil, []int64{1, 900, 3}},
		{3, []string{"a", "game", "b"}, nil, []int64{1, 3, 4}},
		{900, []string{"process 3", "game", "process 900", "process 3000000000", "process 2x"}, nil, []int64{3, 900, 4, 5, 6}},
		{900, []string{"a", "game"}, []string{"T0"}, []int64{1}}, // it is of another one
		{900, []string{"a", "game"}, []string{"T1"}, []int64{900}},
	} {
		s := store.NewSession()
		s.Apply(model.Info{PID: c.pid})
		for i, process := range c.processes {
			s.Apply(model.TrackDef{
				ID: model.TrackID(i), Name: fmt.Sprint("T", i), Process: process, Object: model.NoObject, Peer: model.NoObject,
			})
			s.Append(&model.Batch{Track: model.TrackID(i), Messages: []model.Message{{Time: 1, Text: "ready"}}})
			if process == "game" {
				s.Append(&model.Batch{Track: model.TrackID(i), HasFrame: true, Begin: 0, End: 5})
			}
		}
		p := testkit.Must(Of(s, place.TimeRange{}, c.threads))(t)
		procs, _ := p.Threads()
		var got []int64
		for _, x := range procs {
			got = append(got, x.PID)
		}
		testkit.That(t, slices.Equal(got, c.want), "process %d, %q: %d, not %d", c.pid, c.processes, got, c.want)
	}
}

// What is read back is what the tables have, in row groups of so many rows.
func TestReadsBack(t *testing.T) {
	defer func(n int) { groupRows = n }(groupRows)
	groupRows = 500
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz", "pprof/game-heap.pprof",
		"gsttrace/rusage-threads.log.gz",
	} {
		p, dir := part(t, name, ""), t.TempDir()
		testkit.OK(t, ParquetFormat.Folder(t.Context(), p, dir))
		for _, table := range AllTables {
			data, err := os.ReadFile(filepath.Join(dir, table.ID+".parquet"))
			testkit.That(t, (err == nil) == table.Has(p), "%s: %s: %v", name, table.ID, err)
			if err == nil {
				readsAs(t, p, table, data)
			}
		}
	}
}

func readsAs(t *testing.T, p *Part, table *Table, data []byte) {
	t.Helper()
	f := testkit.Must(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))(t)
	for k, column := range f.Schema().Columns() {
		testkit.Equal(t, column[0], table.Columns[k].Name, "%s: column", table.ID)
	}
	for k, g := range f.RowGroups() {
		if n := int(g.NumRows()); n > groupRows || n < groupRows && k < len(f.RowGroups())-1 {
			t.Errorf("%s: %d rows in a group", table.ID, n)
		}
		s := g.SortingColumns()
		testkit.That(t, table.Sorted == "" || len(s) == 1 && s[0].Path()[0] == table.Sorted, "%s: sorted by %v", table.ID, s)
	}
	in := parquet.NewReader(f)
	defer in.Close()
	buf := make([]parquet.Row, 1)
	row := 0
	err := table.Rows(t.Context(), p, func(want []Cell) error {
		if n, err := in.ReadRows(buf); n != 1 {
			return fmt.Errorf("row %d: %w", row, err)
		}
		for k, v := range buf[0] {
			var got Cell
			switch c := &table.Columns[k]; {
			case v.IsNull():
				got.Null = true
			case c.Kind == Int:
				got.Int = v.Int64()
			case c.Kind == Float:
				got.Float = v.Double()
			default:
				got.Text = string(v.ByteArray())
			}
			if w := want[k]; got.Null != w.Null || !w.Null && got != w {
				t.Errorf("%s row %d: %s is %+v instead of %+v", table.ID, row, table.Columns[k].Name, got, w)
			}
		}
		row++
		return nil
	})
	testkit.That(t, err == nil && int64(row) == f.NumRows(),
		"%s: %d rows instead of %d, %v", table.ID, f.NumRows(), row, err)
}

// Row groups of spans are stretches of time: by their least and greatest begin a reader knows which of
// them it need not read.
func TestStretches(t *testing.T) {
	defer func(n int) { groupRows = n }(groupRows)
	groupRows = 100
	p := part(t, "chrometrace/engine-object.json.gz", "")
	var out bytes.Buffer
	testkit.OK(t, ParquetFormat.Write(t.Context(), p, &out))
	f := testkit.Must(parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	at, last := -1, int64(0)
	for k, c := range Spans.Columns {
		if c.Name == Spans.Sorted {
			at = k
		}
	}
	testkit.MustThat(t, len(f.RowGroups()) >= 5, "%d row groups", len(f.RowGroups()))
	for k, g := range f.RowGroups() {
		least, most, ok := g.ColumnChunks()[at].(*parquet.FileColumnChunk).Bounds()
		testkit.That(t, ok && least.Int64() >= last && most.Int64() >= least.Int64(),
			"group %d: %v to %v behind %d, %v", k, least, most, last, ok)
		last = most.Int64()
	}
}
