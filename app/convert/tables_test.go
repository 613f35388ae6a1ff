package convert

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

var update = testkit.Update

// recordings are of every kind, with ranges in them.
var recordings = map[string][]string{
	"pstats/nested.pstats":                    {"", "10:20", "500ms:800ms"},
	"pstats/gaps.pstats":                      {"", "-20:"},
	"pstats/late.pstats":                      {""},
	"pstats/recursion.pstats":                 {"", "10:20"},
	"chrometrace/engine-object.json.gz":       {"", "10:20", "100ms:200ms"},
	"chrometrace/bevy-async.json.gz":          {"", "10ms:20ms"},
	"gsttrace/latency-two-sources.log.gz":     {""},
	"gsttrace/rusage-threads.log.gz":          {""},
	"gotrace/game-122.trace.gz":               {"", "100ms:200ms"},
	"perfetto/sdk-us.pftrace.gz":              {""},
	"perfscript/game-dwarf-inline.txt.gz":     {""},
	"profilelib/small-clean.prof":             {""},
	"puffin/pfd2.puffin":                      {"", "10:20"},
	"spall/game-v3.spall":                     {""},
	"speedscope/game-evented.speedscope.json": {"", "5ms:10ms"},
	"cpuprofile/main.cpuprofile":              {""},
	"pprof/game-heap.pprof":                   {""},
	"folded/game-threads.folded":              {""},
}

// sum is what spans of a thread and call path add up to.
type sum struct{ n, total, self int64 }

// The spans of a table add up to what the call trees of reports and charts have, by thread and path;
// they are in order of begin, and so many as there are. Of frames, counters, messages, samples and events
// each is there.
func TestSums(t *testing.T) {
	rows := map[string]int64{}
	for name, ranges := range recordings {
		for _, text := range ranges {
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

const head = `# Tables

` + "`framescope export`" + ` writes these tables as CSV and as Parquet: one into a file (` + "`--table`" + `), or all into a folder. Columns have
base units, named at the end of the column's name. All times are on the session's clock, as in ` + "`report --json`" + `.
This page is made from the program (` + "`go test ./app/convert -update`" + `).

    framescope export session.pstats --to parquet -o session
    duckdb -c "select name, count(*) n, sum(self_ns) / 1e6 ms from 'session/spans.parquet'
               where thread = 'Main' group by name order by ms desc limit 10"

The slowest frames, and the most expensive collectors in each:

    select f.frame, f.duration_ns / 1e6 as ms, s.name, sum(s.self_ns) / 1e6 as own_ms
    from (from 'session/frames.parquet' where thread = 'Main' order by duration_ns desc limit 5) f
    join 'session/spans.parquet' s on s.thread_id = f.thread_id and s.frame = f.frame
    group by all order by ms desc, own_ms desc
`

// The page says what the program says, and columns are named well.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(head)
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
