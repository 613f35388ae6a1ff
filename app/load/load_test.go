package load

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/frametimes"
)

const nested = "../../testdata/pstats/nested.pstats"

func TestFile(t *testing.T) {
	var done, total int64
	rec, err := File(t.Context(), nested, Options{Events: true, Progress: func(d, of int64) { done, total = d, of }})
	testkit.NoErr(t, err)
	track := rec.Session.Track(0)
	testkit.That(t, track.NumFrames() == 200 && len(rec.Events.Numbers(0)) == 200,
		"%d frames, %d with events", track.NumFrames(), len(rec.Events.Numbers(0)))
	_, ended := rec.Session.Ended()
	testkit.That(t, ended, "the session has not ended")
	if st, _ := os.Stat(nested); done != st.Size() || total != st.Size() {
		t.Errorf("progress %d of %d, the file has %d bytes", done, total, st.Size())
	}
	rec, err = File(t.Context(), nested, Options{})
	testkit.That(t, err == nil && rec.Events == nil, "events that nobody asked for, %v", err)
}

func TestCutFileGivesWhatIsBeforeTheCut(t *testing.T) {
	data := testkit.Must(os.ReadFile(nested))(t)
	path := filepath.Join(t.TempDir(), "cut.pstats")
	testkit.NoErr(t, os.WriteFile(path, data[:len(data)*3/4], 0o666))
	rec, err := File(t.Context(), path, Options{Events: true})
	testkit.That(t, err != nil && strings.Contains(err.Error(), "cut.pstats"), "error %v", err)
	testkit.MustThat(t, rec != nil, "nothing")
	if n := rec.Session.Track(0).NumFrames(); n < 50 || n >= 200 || n != len(rec.Events.Numbers(0)) {
		t.Errorf("%d frames, %d with events", n, len(rec.Events.Numbers(0)))
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	testkit.NoErr(t, os.WriteFile(text, []byte("hello"), 0o666))
	source := filepath.Join(dir, "fgprof.go") // with numbers and commas as tables have them
	testkit.NoErr(t, os.WriteFile(source, []byte("package fgprof\n\n// 1,2,3\nvar times = []int{\n\t16, 17, 16,\n\t16, 33, 16,\n}\n"), 0o666))
	reports := map[string]string{ // of `go tool pprof`, for people
		"cpu.string": "PeriodType: cpu nanoseconds\nPeriod: 10000000\nSamples:\nsamples/count cpu/nanoseconds\n" +
			strings.Repeat("          1   10000000: 1 2 \n", 9),
		"all_frames": "Showing nodes accounting for 150, 100% of 150 total\n      flat  flat%   sum%        cum   cum%\n" +
			strings.Repeat("       120 80.00% 80.00%        150   100%  operator new (inline)\n", 9),
	}
	wants := map[string]string{
		filepath.Join(dir, "none"): "none", dir: "folder", text: "not a recording", source: "not a recording",
	}
	for name, report := range reports {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, os.WriteFile(path, []byte(report), 0o666))
		wants[path] = "not a recording"
	}
	for path, want := range wants {
		rec, err := File(t.Context(), path, Options{})
		testkit.That(t, rec == nil && err != nil && strings.Contains(err.Error(), want), "%s: %v %v", path, rec, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := File(ctx, nested, Options{})
	testkit.That(t, errors.Is(err, context.Canceled), "cancelled: %v", err)
}

// TestUnused names the flags that mean nothing for a kind of recording, and no others.
func TestUnused(t *testing.T) {
	all := Sources{Label: "thread", Time: "1", FrameTime: "2"}
	for file, want := range map[string][]string{
		"chrometrace/engine-object.json.gz":        {"--label", "--time", "--frame-time"},
		"pprof/game-cpu.pprof":                     {"--time", "--frame-time"},
		"frametimes/byhand-capframex-comments.csv": {"--label"},
		"speedscope/game-evented.speedscope.json":  {"--label", "--time", "--frame-time"},
		"perfetto/frametimeline.pftrace.gz":        {"--label", "--time", "--frame-time"},
	} {
		o := all
		if file == "frametimes/byhand-capframex-comments.csv" {
			o.Time, o.FrameTime = "TimeInSeconds", "MsBetweenPresents"
		}
		rec, err := File(t.Context(), filepath.Join("../../testdata", file), Options{Sources: o})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if !slices.Equal(rec.Unused, want) {
			t.Errorf("%s: %q, want %q", file, rec.Unused, want)
		}
	}
}

// Tables of frame times are opened as such, and no other recording is.
func TestRecordingsOfTables(t *testing.T) {
	testkit.OneGoroutine(t)
	reg := testkit.Must(Sources{}.Registry())(t)
	root := recordings.Root(t)
	n := map[bool]int{}
	for _, pattern := range []string{"testdata/*/*", "../shared/captures/*/*"} {
		paths := testkit.Must(filepath.Glob(filepath.Join(root, pattern)))(t)
		for _, path := range paths {
			src, err := reg.Recognise(path)
			if err != nil {
				continue // a file beside a recording, a folder, or one that is damaged
			}
			_, is := src.(frametimes.Source)
			ours := strings.Contains(path, "frametimes") && strings.Contains(path, ".csv")
			testkit.That(t, ours == is || besides(path), "%s is opened as %s", path, src.Name())
			n[is]++
		}
	}
	testkit.That(t, n[true] >= 10 && n[false] >= 50, "%d tables, %d others", n[true], n[false])
}

// besides tells whether a file is none of those that are opened, but a table of what is in one.
func besides(path string) bool { return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") }

// TestColumnsByName asks for frames by the columns of a table.
func TestColumnsByName(t *testing.T) {
	const path = "../../testdata/frametimes/byhand-presentmon-v2-two-apps.csv"
	rec := testkit.Must(File(t.Context(), path, Options{Sources: Sources{FrameTime: "DisplayedTime"}}))(t)
	tr := rec.Session.Track(rec.Session.MainTrack())
	testkit.Equal(t, tr.NumFrames(), 60, "frames by the time that they were on the screen")
	_, err := File(t.Context(), path, Options{Sources: Sources{Time: "nothing"}})
	testkit.That(t, err != nil &&
		strings.Contains(err.Error(), `no column "nothing"; the columns are: Application, ProcessID`), "%v", err)
	rec, err = File(t.Context(), path, Options{Sources: Sources{Frames: "none"}})
	testkit.That(t, err == nil && !rec.Session.HasFrames() && rec.Session.Series().Len() != 0,
		"%v %v", "frames that nobody wants", err)
}

var update = testkit.Update

const readme = "../../README.md"

// had is what the recordings of a source have.
type had struct {
	of                    store.Contents
	calls, samples, times bool
}

// add adds what a session has.
func (h *had) add(c store.Contents) {
	h.of = h.of.Or(c)
	h.calls = h.calls || c.Spans && !c.Sampled && !c.Timeless
	h.samples = h.samples || c.Sampled && !c.Timeless
	h.times = h.times || !c.Timeless
}

// words says it for the table.
func (h *had) words() string {
	var list []string
	for _, w := range []struct {
		has  bool
		word string
	}{
		{h.of.Frames, "frames"}, {h.calls, "calls"}, {h.samples, "samples"}, {h.of.Timeless, "sums"},
		{h.of.Series || h.of.Levels, "counters"}, {h.of.Messages, "messages"}, {h.of.Flows, "flows"},
		{h.of.Locks, "locks"}, {h.of.Processors, "processors"}, {h.of.Objects, "elements"},
		{h.of.Resources, "leaks"},
	} {
		if w.has {
			list = append(list, w.word)
		}
	}
	return cmp.Or(strings.Join(list, ", "), "the source's data")
}

// contents opens every recording that is here, and returns by name of the source what these have.
func contents(t *testing.T, reg feed.Registry) map[string]*had {
	t.Helper()
	all := map[string]*had{}
	for _, src := range reg {
		all[src.Name()] = &had{}
	}
	paths := recordings.All(t, reg)
	flare := flaretest.Captures(t)
	for _, folder := range []string{"recorded-60s", "constructed-60s"} {
		paths = append(paths, filepath.Join(flare, folder))
	}
	for _, path := range paths {
		src := testkit.Must(reg.Recognise(path))(t)
		if rec, _ := File(t.Context(), path, Options{}); rec != nil {
			all[src.Name()].add(rec.Session.Contents())
		}
		checkEnd(t, src, path)
	}
	return all
}

// checkEnd demands that the recordings that are here are called as is said to be usual.
func checkEnd(t *testing.T, src feed.Source, path string) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	usual := slices.ContainsFunc(src.About().Ends, func(end string) bool { return strings.HasSuffix(name, end) })
	testkit.That(t, usual || folders(src),
		"%s: the names of a %s usually end with %q", path, src.Name(), src.About().Ends)
}

// pages returns where each page of docs/sources is, from README, by its title.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files := testkit.Must(filepath.Glob("../../docs/sources/*.md"))(t)
	list := map[string]string{}
	for _, f := range files {
		data := testkit.Must(os.ReadFile(f))(t)
		title, _, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
		list[title] = "docs/sources/" + filepath.Base(f)
	}
	return list
}

// table is README's table of formats: what their sources say of themselves, what these implement, and
// what is in the recordings that are here.
func table(t *testing.T, reg feed.Registry, text string) string {
	t.Helper()
	has := contents(t, reg)
	at := func(src feed.Source) int { return strings.Index(text, "["+src.About().Title+"](") }
	page := pages(t)
	rows := slices.Clone(reg) // in the order in which README has them
	slices.SortStableFunc(rows, func(a, b feed.Source) int { return cmp.Compare(at(a), at(b)) })
	var b strings.Builder
	b.WriteString("| format | written by | names usually end with | has | while it grows | live: `framescope …` |\n|---|---|---|---|---|---|\n")
	for _, src := range rows {
		a := src.About()
		testkit.That(t, page[a.Title] != "", "docs/sources has no page %q", a.Title)
		ends, grows, live := "", "", ""
		if folders(src) {
			ends = "(a folder)"
		}
		for _, end := range a.Ends {
			ends += " `" + end + "`"
		}
		if growing(src) {
			grows = "`--follow`"
		}
		if a.Live != "" {
			live = "`" + a.Live + "`"
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s | %s | %s | %s |\n",
			a.Title, page[a.Title], a.Writers, strings.TrimSpace(ends), has[src.Name()].words(), grows, live)
	}
	return b.String()
}

// TestTableOfFormats holds README's table of formats against the registry.
func TestTableOfFormats(t *testing.T) {
	testkit.OneGoroutine(t)
	reg := testkit.Must(Sources{}.Registry())(t)
	data := testkit.Must(os.ReadFile(readme))(t)
	const begin, end = "<!-- the formats -->\n", "<!-- end of the formats -->\n"
	before, rest, ok := strings.Cut(string(data), begin)
	was, after, closed := strings.Cut(rest, end)
	testkit.MustThat(t, ok && closed, "README.md has no place for the formats, between %q and %q", begin, end)
	want := table(t, reg, string(data))
	if *update && was != want {
		testkit.NoErr(t, os.WriteFile(readme, []byte(before+begin+want+end+after), 0o644))
	} else if was != want {
		t.Errorf("README.md does not have the formats as they are: go test ./app/load -update\n%s", want)
	}
}

// locationsFirst is a profile that begins with many locations; what its numbers are comes behind them.
func locationsFirst(n uint64) (out []byte) {
	number := func(b []byte, num protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), v)
	}
	message := func(num protowire.Number, b []byte) {
		out = protowire.AppendBytes(protowire.AppendTag(out, num, protowire.BytesType), b)
	}
	for id := uint64(1); id <= n; id++ {
		message(4, number(number(nil, 1, id), 3, 0x401000+id))
	}
	message(2, number(number(nil, 1, 1), 2, 5))
	message(1, number(number(nil, 1, 1), 2, 2))
	for _, s := range []string{"", "samples", "count"} {
		message(6, []byte(s))
	}
	return out
}

// TestLongFirstValues opens recordings whose first values are longer than what is looked at first: from
// files, compressed or not, and what comes in pieces is recognised as well.
func TestLongFirstValues(t *testing.T) {
	testkit.OneGoroutine(t)
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
	long := strings.Repeat("x", 100_000)
	const event = `{"ph":"X","ts":5,"dur":1,"name":"a"}`
	const node = `{"id":1,"callFrame":{"functionName":"a","scriptId":"0","url":"","lineNumber":1,"columnNumber":1}}`
	for _, c := range []struct{ name, kind, text string }{
		{"x.json", "Chrome trace JSON", `{"metadata":{"x":"` + long + `"},"traceEvents":[` + event + `]}`},
		{"x.json", "Chrome trace JSON", `[{"name":"` + long + `","ph":"X","ts":5,"dur":1}]`},
		{"x.json", "Chrome trace JSON", strings.Repeat(" ", 70_000) + `[` + event + `]`},
		{"x.json", "Chrome trace JSON", strings.Repeat("\n", 70_000) + `{"traceEvents":[` + event + `]}`},
		{"x.json", "speedscope JSON", `{"name":"` + long + `","shared":{"frames":[{"name":"a"}]},"profiles":[{"type":"sampled","name":"m","unit":"none",` +
			`"startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]}`},
		{"x.json", "Firefox Profiler JSON", `{"shared":{"stringArray":["` + long + `"]},"meta":{"interval":1,"startTime":0,"processType":0,` +
			`"preprocessedProfileVersion":57,"categories":[]},"libs":[],"threads":[]}`},
		{"x.cpuprofile", "V8 CPU profile", `{"title":"` + long + `","nodes":[` + node + `],"startTime":0,"endTime":9,"samples":[1],"timeDeltas":[5]}`},
		{"x.prof", "pprof profile", string(locationsFirst(20_000))},
		{"x.txt", "folded stacks", strings.Repeat("deep;", 20_000) + "a 3\nb;c 4\n"},
		{"x.txt", "folded stacks", "# " + long + "\nb;c 4\n"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(c.text))
		z.Close()
		for name, data := range map[string][]byte{path: []byte(c.text), path + ".gz": packed.Bytes()} {
			testkit.NoErr(t, os.WriteFile(name, data, 0o600))
			src, err := reg.Recognise(name)
			if err != nil || src.Name() != c.kind {
				t.Errorf("%.30q… as %s: %v %.200v, want %s", c.text, filepath.Base(name), src, err, c.kind)
				continue
			}
			if rec, err := File(t.Context(), name, Options{}); err != nil && c.kind != "Firefox Profiler JSON" { // which has no threads here
				t.Errorf("%.30q…: %.200v, %v", c.text, err, rec)
			}
		}
		if src, err := reg.RecogniseHead([]byte(c.text), path); err != nil || src == nil || src.Name() != c.kind {
			t.Errorf("%.30q…: the head is of %v, %.200v", c.text, src, err)
		}
		if src, err := reg.RecogniseHead([]byte(c.text)[:min(len(c.text), feed.HeadSize)], path); err != nil {
			t.Errorf("%.30q…: the first bytes are refused: %v, %.200v", c.text, src, err)
		}
		into := reg.NewStream(feed.NewHub().NewFeed(feed.Options{}), feed.StreamOptions{Name: path})
		var not *feed.NotStreamedError
		err = nil
		for rest := []byte(c.text); len(rest) > 0 && err == nil; rest = rest[min(len(rest), 10_000):] {
			_, err = into.Write(rest[:min(len(rest), 10_000)])
		}
		if err == nil {
			err = into.Finish()
		}
		testkit.That(t, errors.As(err, &not) && not.Source != nil && not.Source.Name() == c.kind,
			"%.30q… in pieces: %.200v", c.text, err)
	}
}

// TestEndlessFirstValues refuses what goes on without becoming a recording, once enough of it came; what
// can become none is refused at once.
func TestEndlessFirstValues(t *testing.T) {
	testkit.OneGoroutine(t)
	reg := testkit.Must(Sources{}.Registry())(t)
	for _, c := range []struct {
		begin, more string
		most        int
	}{
		{`{"metadata":"`, "x", feed.FarSize},
		{"", " ", feed.FarSize},
		{"", "x", feed.FarSize},
		{"[", " 7,", feed.FarSize},
		{"", "\x00", feed.HeadSize},
		{"\x7fELF", "\x01\x00\xff", feed.HeadSize},
		{"", "some text; and more\n", feed.HeadSize},
	} {
		size := min(4*c.most, feed.FarSize)
		text := []byte(c.begin + strings.Repeat(c.more, size/len(c.more)+1))[:size]
		for _, n := range []int{feed.HeadSize, size} {
			src, err := reg.RecogniseHead(text[:n], "x")
			testkit.That(t, src == nil && (err != nil) == (n >= c.most),
				"%q and %q, %d bytes: %v, %.100v", c.begin, c.more, n, src, fmt.Sprint(err))
		}
		path := filepath.Join(t.TempDir(), "x")
		testkit.NoErr(t, os.WriteFile(path, text, 0o600))
		src, err := reg.Recognise(path)
		testkit.That(t, err != nil, "%q and %q: %v", c.begin, c.more, src)
	}
}

// TestTextInAnyEncoding opens texts as shells write them that redirect in UTF-16, or with a mark: each
// is the same session as before.
func TestTextInAnyEncoding(t *testing.T) {
	for kind, name := range map[recordings.Kind]string{
		recordings.FrameTimes: "byhand-mangohud-0.8-ms.csv", recordings.PerfScript: "game-flat.txt.gz", recordings.Folded: "recursion.txt",
	} {
		text := string(recordings.Read(t, kind, name))
		var want []any
		for _, data := range [][]byte{
			[]byte(text), []byte("\ufeff" + text),
			utf16s(binary.LittleEndian.AppendUint16, "\ufeff"+text), utf16s(binary.BigEndian.AppendUint16, "\ufeff"+text),
		} {
			path := filepath.Join(t.TempDir(), "x"+filepath.Ext(name))
			if filepath.Ext(path) == ".gz" {
				path = path[:len(path)-3] + ".txt"
			}
			testkit.NoErr(t, os.WriteFile(path, data, 0o600))
			rec := testkit.Must(File(t.Context(), path, Options{}))(t, name)
			s := rec.Session
			got := []any{s.Info().Source, s.NumTracks()}
			for id := range model.TrackID(s.NumTracks()) {
				tr := s.Track(id)
				got = append(got, tr.Title(), tr.NumSpans(), tr.NumFrames())
			}
			if want == nil {
				want = got
			}
			testkit.That(t, reflect.DeepEqual(got, want), "%s, beginning with %x: %v, want %v", name, data[:4], got, want)
		}
	}
}

func utf16s(add func([]byte, uint16) []byte, text string) (out []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		out = add(out, u)
	}
	return out
}

// growing reports whether a source reads recordings also while they are being written.
func growing(s feed.Source) bool {
	switch s.(type) {
	case feed.Streamer, feed.FolderFollower:
		return true
	}
	return false
}

// folders reports whether recordings of a source are folders.
func folders(s feed.Source) bool {
	_, ok := s.(feed.FolderSource)
	return ok
}
