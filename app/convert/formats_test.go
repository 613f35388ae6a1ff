package convert_test

import (
	"bytes"
	"context"
	encoding "encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// give writes all of a session in a format, if it can be, and returns whether it was.
func give(t *testing.T, s *store.Session, f *convert.Format) bool {
	t.Helper()
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if errors.Is(err, place.ErrNoFrames) {
		return false // there is nothing in it at all
	}
	testkit.OK(t, err)
	if f.Check(p) != nil {
		return false
	}
	if f.Folder != nil {
		err = f.Folder(context.Background(), p, t.TempDir())
	} else {
		err = f.Write(context.Background(), p, io.Discard)
	}
	testkit.OK(t, err, f.ID)
	return true
}

// Every recording, also as far as a damaged one is read, is given in every format, or the format says why it cannot.
func TestRecordings(t *testing.T) {
	opened, written := map[string]int{}, map[string]int{}
	for _, rec := range everything(t) {
		opened[filepath.Dir(rec.name)]++
		t.Run(rec.name, func(t *testing.T) {
			for _, f := range convert.AllFormats {
				if give(t, rec.session, f) {
					written[f.ID]++
				}
			}
		})
	}
	testkit.That(t, len(opened) >= 14 && len(written) == len(convert.AllFormats), "opened %v, written %v", opened, written)
}

// A session of series alone, without a thread, is one of a process.
func TestSeriesAlone(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Track: model.NoTrack})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 0, Time: 5, Value: 1}}})
	n := 0
	for _, f := range convert.AllFormats {
		if give(t, s, f) {
			n++
		}
	}
	testkit.That(t, n >= 2, "%d formats", n)
	p := convert.Between(s, 0, 10)
	procs, threads := p.Threads()
	if list := p.Counters(threads); len(procs) != 1 || len(threads) != 0 || len(list) != 1 || list[0].Process != 0 {
		t.Errorf("%v, %v, %v", procs, threads, list)
	}
}

// The end of a name says in which format a file is, and whether it is compressed.
func TestPacked(t *testing.T) {
	s := twins()
	for name, magic := range map[string]string{
		"x.json": "{", "x.json.gz": "\x1f\x8b", "x.json.zst": "\x28\xb5\x2f\xfd", "x.FOLDED.GZ": "\x1f\x8b", "x.pb.gz": "\x1f\x8b",
	} {
		f, err := convert.FindFormat("", name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		file := testkit.Must(os.Create(path))(t)
		p := testkit.Must(convert.Of(s, place.TimeRange{}, nil))(t)
		testkit.OK(t, f.Pack(file, path, func(w io.Writer) error { return f.Give(t.Context(), p, w) }))
		file.Close()
		text, _ := os.ReadFile(path)
		testkit.That(t, strings.HasPrefix(string(text), magic), "%s begins with %q", name, text[:min(len(text), 4)])
		if rec, err := load.File(t.Context(), path, load.Options{}); err != nil || rec.Session.NumTracks() != 4 {
			t.Errorf("%s opens as %v, %v", name, rec, err)
		}
	}
	f, err := convert.FindFormat("", "x.csv.zst")
	testkit.That(t, err == nil && !f.InFolder("x.csv.zst") && f.InFolder("tables"), "x.csv.zst: %v", err)
}

// Of a part, a series that holds has the value at its begin that was in force then.
func TestHeldValue(t *testing.T) {
	s := twins()
	s.Apply(model.SeriesDef{ID: 0, Name: "used", Group: "memory", Kind: model.SeriesGauge, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 2, Value: 7}, {Time: 12, Value: 8}}})
	p := convert.Between(s, 10, 14)
	_, threads := p.Threads()
	var got []string
	p.Values(p.Counters(threads), func(_ *convert.Counter, ns int64, v float64) error {
		got = append(got, fmt.Sprint(ns, " ", v))
		return nil
	})
	want := "[10 7 12 8]"
	testkit.That(t, fmt.Sprint(got) == want, "%v, not %s", got, want)
}

// countersOf returns the counters of a session by their process and their name there.
func countersOf(t *testing.T, s *store.Session) map[string]bool {
	t.Helper()
	p := testPart(t, s, "")
	procs, threads := p.Threads()
	out := map[string]bool{}
	for _, c := range p.Counters(threads) {
		out[procs[c.Process].Name+": "+c.Group+"/"+c.Name] = true
	}
	return out
}

// twoProcesses has counters in each of two processes; one has the name of the other in its own.
const twoProcesses = `[{"ph":"M","pid":1,"name":"process_name","args":{"name":"game"}},
{"ph":"M","pid":2,"name":"process_name","args":{"name":"game server"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"a"},{"ph":"X","pid":2,"tid":1,"ts":0,"dur":9,"name":"b"},
{"ph":"C","pid":2,"tid":7,"ts":1,"name":"memory","args":{"heap":5,"":7}},
{"ph":"C","pid":1,"tid":0,"ts":2,"name":"memory","args":{"heap":6}}]`

// Counters of several processes have the process that they are of, and come back in it from Chrome traces.
func TestCountersKeepTheirProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.json")
	testkit.OK(t, os.WriteFile(path, []byte(twoProcesses), 0o600))
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	want := map[string]bool{"game server: memory/heap": true, "game server: memory/": true, "game: memory/heap": true}
	if got := countersOf(t, rec.Session); !maps.Equal(got, want) {
		t.Errorf("read: %v, not %v", got, want)
	}
	again, _ := reopened(t, &convert.ChromeFormat, testPart(t, rec.Session, ""))
	got := countersOf(t, again)
	testkit.That(t, maps.Equal(got, want), "%v, not %v", got, want)
}

// leftOf writes a part and returns what is told to be left out, a line each.
func leftOf(t *testing.T, f *convert.Format, p *convert.Part) string {
	t.Helper()
	testkit.OK(t, f.Give(t.Context(), p, io.Discard))
	var lines []string
	for _, l := range p.Left() {
		lines = append(lines, l.String())
	}
	return strings.Join(lines, "\n")
}

// Exports list what they leave out: losses and warnings, other measures, and data that formats of events cannot hold.
func TestLeftOut(t *testing.T) {
	lossy := twins()
	lossy.Apply(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 3, Detail: "odd"})
	lossy.Apply(model.Warning{Text: "Mind the gap."})
	lossy.Apply(model.CollectorDef{ID: 2, Name: "main.c"})
	lossy.Apply(model.CollectorDef{ID: 3, Name: "Update", Parent: 2})
	lossy.Apply(model.PathDef{ID: 2, Collector: 3})
	heap := opened(t, "pprof/game-heap.pprof")
	pipeline := opened(t, "gsttrace/all-audio-chain.log.gz")
	for _, c := range []struct {
		f    *convert.Format
		p    *convert.Part
		want []string
	}{
		{&convert.ChromeFormat, testPart(t, lossy, ""), []string{"1 account of what the recording lacks: malformed: 3"}},
		{&convert.ChromeFormat, testPart(t, pipeline, ""), []string{
			"elements and pads of the graph", "5 links of the graph",
		}},
		{&convert.FoldedFormat, testPart(t, lossy, ""), []string{"1 note on the recording: Mind the gap."}},
		{&convert.FoldedFormat, testPart(t, heap, ""), []string{"3 other measures: ", "--measure NAME writes another one than"}},
		{&convert.PprofFormat, testPart(t, heap, ""), []string{"functions' lines but one, programs and labels", "1 time and length of a profile"}},
	} {
		got := leftOf(t, c.f, c.p)
		for _, want := range c.want {
			testkit.That(t, strings.Contains(got, want), "%s: %q is not told:\n%s", c.f.ID, want, got)
		}
	}
	got := leftOf(t, &convert.PprofFormat, testPart(t, twins(), ""))
	testkit.That(t, !strings.Contains(got, "function") && !strings.Contains(got, "account"), "told: %s", got)
}

// twins are threads of one name, two of them with one number, in two processes.
func twins() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Update"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for i, def := range []model.TrackDef{
		{Name: "Worker", Index: 7, Process: "game"}, {Name: "Worker", Index: 8, Process: "game"}, {Name: "Main", Index: 1, Process: "game"},
		{Name: "Worker", Index: 7, Process: "editor"},
	} {
		def.ID, def.Object, def.Peer = model.TrackID(i), model.NoObject, model.NoObject
		s.Apply(def)
	}
	for i := range model.TrackID(4) {
		s.Append(&model.Batch{Track: i, Spans: []model.Span{{Begin: 10, End: 11 + int64(i), Path: 1}}})
	}
	return s
}

// through writes a part and reads it, nil where there is nothing to write.
func through(t *rapid.T, dir string, f *convert.Format, p *convert.Part) *store.Session {
	path := filepath.Join(dir, "again"+f.Ext)
	file := testkit.Must(os.Create(path))(t)
	defer file.Close()
	if f.Give(t.Context(), p, file) != nil {
		return nil
	}
	return testkit.Must(load.File(t.Context(), path, load.Options{}))(t).Session
}

// TestPlacesInTheSource: formats that have a place for files and lines keep them.
func TestPlacesInTheSource(t *testing.T) {
	at := model.Place{File: "render/\"draw\"\x1b.cpp", Line: 212}
	s := session([]model.Change{model.CollectorDef{ID: 3, Name: "Draw", Place: at}}, model.Batch{Spans: []model.Span{{Begin: 5, End: 9, Path: 3}}})
	p := testPart(t, s, "")
	for _, f := range []*convert.Format{&convert.PprofFormat} {
		var where []string
		again, _ := reopened(t, f, p)
		for _, c := range again.Collectors().Tree().All {
			where = append(where, c.Where())
		}
		testkit.That(t, slices.Contains(where, "render/\"draw\"\ufffd.cpp:212"), "%s: %q", f.ID, where)
	}
	for _, table := range []*convert.Table{&convert.Spans, &convert.Paths} {
		rows := 0
		testkit.NoErr(t, table.Rows(t.Context(), p, func(row []convert.Cell) error {
			rows++
			file, line := row[len(row)-2], row[len(row)-1]
			testkit.That(t, file.Text == at.File && line.Int == 212, "%s: %+v, %+v", table.ID, file, line)
			return nil
		}))
		testkit.That(t, rows > 0, "%s has no rows", table.ID)
	}
}

// firstDifference says where lists differ first.
func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		at := func(list []string) string {
			if i < len(list) {
				return list[i]
			}
			return "nothing"
		}
		if at(want) != at(got) {
			return fmt.Sprintf("%s\nnot\n%s", at(got), at(want))
		}
	}
	return ""
}

// session returns one of a batch on the threads Main and Other.
func session(changes []model.Change, batches ...model.Batch) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", PID: 7})
	for i, name := range []string{"Main", "Other"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name, Index: i, Object: model.NoObject, Peer: model.NoObject})
	}
	for i, name := range []string{"Update", "say \"hi\"\\\n\x01\xff", "Draw"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	for _, c := range changes {
		s.Apply(c)
	}
	for i := range batches {
		s.Append(&batches[i])
	}
	return s
}

func export(t *testing.T, p *convert.Part) string {
	t.Helper()
	var out bytes.Buffer
	testkit.OK(t, convert.ChromeFormat.Write(t.Context(), p, &out))
	testkit.That(t, json.Valid(out.Bytes()), "no JSON: %s", out.Bytes())
	return out.String()
}

// Times have all digits of their nanoseconds, names are strings of JSON, and of what has not ended only
// a begin is written, if it lasts as long as all else.
func TestEvents(t *testing.T) {
	const day = 86_400_000_000_000
	p := testPart(t, session(nil,
		model.Batch{Track: 0, Spans: []model.Span{
			{Begin: day + 1, End: day + 1_000_203, Path: 1},
			{Begin: day + 2_000_000, End: day + 3_000_000, Path: 3, Flags: model.SpanOpenEnd},
		}, Messages: []model.Message{{Time: day + 5, Text: "Framebuffer lost", Severity: model.SeverityWarning, Category: "gpu"}}},
		model.Batch{Track: 1, Spans: []model.Span{{Begin: day + 20, End: day + 30, Path: 2, Flags: model.SpanOpenEnd | model.SpanOpenBegin}}},
		model.Batch{Track: model.NoTrack},
	), "")
	p.Session.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: day + 100, End: day + 3_000_000, Path: 1}}})
	text := export(t, p)
	for _, want := range []string{
		`{"ph":"X","pid":7,"tid":1,"ts":86400000000.001,"dur":1000.202,"name":"Update"}`,
		`{"ph":"B","pid":7,"tid":1,"ts":86400002000,"name":"Draw"}`,
		`{"ph":"X","pid":7,"tid":2,"ts":86400000000.02,"dur":0.01,"name":"say \"hi\"\\\n\u0001\ufffd"}`,
		`"s":"t","name":"message","cat":"gpu","args":{"message":"Framebuffer lost","severity":"warning"}}`,
	} {
		testkit.That(t, strings.Contains(text, want), "no %s in %s", want, text)
	}
	testkit.That(t, len(p.Left()) == 0, "left out: %v", p.Left())
}

// Arrows go from thread to thread, each under its number.
func TestFlows(t *testing.T) {
	flow := func(from, to int64, of model.TrackID, chain uint32) model.Flow {
		return model.Flow{From: from, To: to, FromTrack: of, Chain: chain, FromLane: model.NoLane, ToLane: model.NoLane}
	}
	p := testPart(t, session([]model.Change{model.FlowDef{ID: 0, Name: "wakes"}},
		model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 10, Path: 1}, {Begin: 50, End: 60, Path: 1}}},
		model.Batch{
			Track: 1, Spans: []model.Span{{Begin: 20, End: 40, Path: 3}},
			Flows: []model.Flow{flow(5, 20, 0, 0), flow(6, 25, 0, 9)},
		},
		model.Batch{Track: 0, Flows: []model.Flow{flow(25, 50, 1, 9)}},
	), "")
	var got []string
	for _, e := range regexp.MustCompile(`"ph":"([stf])","pid":7,"tid":(\d),"ts":([0-9.]+),"cat":"flow","id":"(0x[0-9a-f]+)","name":"wakes"(,"bp":"e")?`).
		FindAllStringSubmatch(export(t, p), -1) {
		got = append(got, strings.Join([]string{e[1], e[2], e[3], e[4], e[5]}, " "))
	}
	const end = " ,\"bp\":\"e\""
	want := []string{
		"s 2 0.025 0x1 ", "f 1 0.05 0x1" + end, "s 1 0.005 0x2 ", "f 2 0.02 0x2" + end, "s 1 0.006 0x3 ", "f 2 0.025 0x3" + end,
	}
	testkit.That(t, slices.Equal(got, want) && len(p.Left()) == 0, "%q instead of %q; left out: %v", got, want, p.Left())
}

// What damage took the call paths of is exported without a name.
func TestLostPaths(t *testing.T) {
	const lost = 1 << 30
	s := session([]model.Change{model.SeriesDef{Name: "stack", Role: model.RoleStack, Track: 0}},
		model.Batch{Spans: []model.Span{{Begin: 0, End: 10, Path: lost}}},
		model.Batch{Samples: []model.Sample{{Series: 0, Time: 5, Value: lost}}})
	testkit.That(t, strings.Contains(export(t, testPart(t, s, "")), `"name":"#-1"`), "the span is not in Chrome JSON")
	for _, f := range convert.AllFormats {
		if f.Folder != nil {
			testkit.OK(t, f.Folder(t.Context(), testPart(t, s, ""), t.TempDir()), f.ID)
		}
	}
}

// What was called off ends.
func TestCalledOff(t *testing.T) {
	p := testPart(t, opened(t, "gsttrace/all-audio-chain.log.gz"), "")
	ctx, cancel := context.WithCancel(t.Context())
	p.OnProgress(func(done, total int64) { cancel() })
	err := convert.ChromeFormat.Write(ctx, p, io.Discard)
	testkit.That(t, errors.Is(err, context.Canceled), "%v", err)
}

// Sums without times can't be written.
func TestTimeless(t *testing.T) {
	p := testPart(t, opened(t, "pprof/game-heap.pprof"), "")
	testkit.Fails(t, convert.ChromeFormat.Check(p), "without times")
}

// readsAs reads what was written with another reader and compares it, cell by cell, with the table.
func readsAs(t *testing.T, p *convert.Part, table *convert.Table, data []byte) (rows int) {
	t.Helper()
	in := encoding.NewReader(bytes.NewReader(data))
	head := testkit.Must(in.Read())(t)
	for k, c := range table.Columns {
		testkit.That(t, head[k] == c.Name, "column %q instead of %q", head[k], c.Name)
	}
	err := table.Rows(t.Context(), p, func(row []convert.Cell) error {
		got, err := in.Read()
		if err != nil {
			return err
		}
		for k := range row {
			want := row[k].Text
			switch {
			case row[k].Null:
				want = ""
			case table.Columns[k].Kind == convert.Int:
				want = strconv.FormatInt(row[k].Int, 10)
			case table.Columns[k].Kind == convert.Float:
				if v, err := strconv.ParseFloat(got[k], 64); err == nil && v == row[k].Float {
					continue
				}
				want = strconv.FormatFloat(row[k].Float, 'g', -1, 64)
			}
			switch {
			case want != "" && got[k] == "'"+want: // what formulas are, package escape tests
				testkit.That(t, strings.ContainsRune("=+-@\t\r\n＝ ", []rune(want)[0]),
					"row %d: an apostrophe before %q", rows, want)
			case got[k] != want:
				t.Errorf("row %d: %s is %q instead of %q", rows, head[k], got[k], want)
			}
		}
		rows++
		return nil
	})
	testkit.OK(t, err)
	if more, err := in.Read(); err == nil {
		t.Errorf("one more row: %q", more)
	}
	return rows
}

func TestCells(t *testing.T) {
	for _, name := range []string{"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz"} {
		p := part(t, name, "")
		dir := t.TempDir()
		testkit.OK(t, convert.CSVFormat.Folder(t.Context(), p, dir))
		for _, table := range convert.AllTables {
			path := filepath.Join(dir, table.ID+".csv")
			if !table.Has(p) {
				_, err := os.Stat(path)
				testkit.That(t, err != nil, "%s: there is a file of %s, of which there are none", name, table.ID)
				continue
			}
			data := testkit.Must(os.ReadFile(path))(t)
			testkit.That(t, readsAs(t, p, table, data) != 0, "%s: %s has no rows", name, table.ID)
			p.Table = table.ID
			var one bytes.Buffer
			if err := convert.CSVFormat.Write(t.Context(), p, &one); err != nil || !bytes.Equal(one.Bytes(), data) {
				t.Errorf("%s: %s as a file is another: %v", name, table.ID, err)
			}
		}
	}
}

// Nothing is a formula of a spreadsheet, whatever threads, collectors and texts are called.
func TestNoFormulas(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "root", Parent: model.NoCollector})
	for i, name := range testkit.HostileNames {
		id := model.TrackID(i)
		s.Apply(model.TrackDef{ID: id, Name: name})
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
		s.Append(&model.Batch{Track: id, HasFrame: true, Number: 1, Begin: 0, End: 10,
			Spans:    []model.Span{{Begin: 0, End: 5, Path: model.PathID(i + 1)}},
			Messages: []model.Message{{Time: int64(i), Text: name, Category: name}}})
	}
	p := testPart(t, s, "")
	dir := t.TempDir()
	testkit.OK(t, convert.CSVFormat.Folder(t.Context(), p, dir))
	formulas := 0
	for _, table := range convert.AllTables {
		data, err := os.ReadFile(filepath.Join(dir, table.ID+".csv"))
		if err != nil {
			continue
		}
		rows := testkit.Must(encoding.NewReader(bytes.NewReader(data)).ReadAll())(t, table.ID)
		for _, row := range rows {
			for k, cell := range row {
				if strings.HasPrefix(cell, "'=") {
					formulas++
				}
				first := strings.TrimLeft(cell, " ")
				if _, err := strconv.ParseFloat(cell, 64); first == "" || err == nil || first == "+1.5 ms" {
					continue
				}
				testkit.That(t, !strings.ContainsRune("=+-@\t\r\n＝", []rune(first)[0]), "%s: %s is %q", table.ID, rows[0][k], cell)
			}
		}
	}
	testkit.That(t, formulas >= 5, "only %d cells with an apostrophe", formulas)
}

// Texts come back whatever is in them.
func TestQuotes(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: `a "b", c`})
	var list []model.Message
	for k, text := range []string{"", "plain", "a,b", `"`, `""`, "two\nlines", "two\r lines", " begins", "ends ", "größer", "=1+2", "-1", `\.`} {
		list = append(list, model.Message{Time: int64(k), Text: text, Category: text})
	}
	s.Append(&model.Batch{Messages: list})
	p := testPart(t, s, "")
	var out bytes.Buffer
	testkit.OK(t, convert.CSVFormat.Write(t.Context(), p, &out))
	testkit.Equal(t, readsAs(t, p, &convert.Messages, out.Bytes()), len(list), "rows")
}

// A thread whose name is a formula of a spreadsheet has that name again when its table of frames is opened.
func TestNamesOfFramesOpen(t *testing.T) {
	s := store.NewSession()
	want := map[string]bool{"=1+1": true, "@SUM(A1)": true, "-cmd|x": true, "'=1": true, "'quoted'": true}
	for name := range want {
		id := model.TrackID(s.NumTracks())
		s.Apply(model.TrackDef{ID: id, Name: name})
		for i := range int64(4) {
			s.Append(&model.Batch{Track: id, HasFrame: true, Number: i, Begin: i * 1e7, End: i*1e7 + 9e6})
		}
	}
	p := testPart(t, s, "")
	p.Table = convert.Frames.ID
	again, path := reopened(t, &convert.CSVFormat, p)
	for id := range model.TrackID(again.NumTracks()) {
		delete(want, again.Track(id).Def.Name)
	}
	testkit.That(t, len(want) == 0, "no threads called %v in %s", want, path)
}
