package load

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
)

// keptFrames keeps a session of two threads, of 200 frames each, in segments of so many bytes. The client
// held back frames 150 to 153 of the second one.
func keptFrames(t *testing.T, segment int64) string {
	t.Helper()
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	t.Cleanup(root.Close)
	w := root.Create(journal.Meta{Source: decode.JournalSource, Program: "game", Peer: "127.0.0.1:3"},
		journal.Options{SegmentBytes: segment, Flush: time.Microsecond})
	enc := decode.NewEncoder(w)
	enc.Hello(pstats.ClientHello{Program: "game", Version: pstats.Version{Major: 3, Minor: 2}})
	enc.Threads(0, []string{"Main", "Draw"})
	for n := range 200 {
		for thread := range 2 {
			if thread == 1 && n >= 150 && n < 154 {
				continue
			}
			f := pstats.Frame{Thread: uint16(thread), Number: uint32(n)}
			for i := range 5 {
				at := float32(n)/60 + float32(i)/1000
				f.Events = append(f.Events, pstats.Event{Word: uint16(i), Time: at}, pstats.Event{Word: uint16(i) | pstats.StopBit, Time: at + 0.0005})
			}
			enc.Frame(&f, 10)
		}
		if segment > 0 {
			testkit.NoErr(t, w.Flush())
		}
	}
	enc.Close("done")
	testkit.NoErr(t, w.Wait(time.Minute))
	return w.Path()
}

// recordsOf returns where the records of a segment begin.
func recordsOf(data []byte) (at []int) {
	for off := 44; off < len(data); off += 8 + int(binary.LittleEndian.Uint32(data[off:])) {
		at = append(at, off)
	}
	return at
}

// Whatever happens to the bytes of a session on disk: what is whole is read, before and behind it,
// the place is told, and the frames that were in it are not said to have been held back.
func TestDamageOnDisk(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(data []byte, at []int) []byte
		spoilt int64
	}{
		{"a bit of a frame", func(data []byte, at []int) []byte { data[at[100]+30] ^= 4; return data }, 1},
		{"a bit of a length", func(data []byte, at []int) []byte { data[at[100]+2] ^= 4; return data }, 1},
		{"zeros", func(data []byte, at []int) []byte { clear(data[at[100]+5 : at[106]+1]); return data }, 7},
		{"a piece that is gone", func(data []byte, at []int) []byte {
			return append(data[:at[100]+5:at[100]+5], data[at[104]-1:]...)
		}, 4},
		{"a piece twice", func(data []byte, at []int) []byte { return append(data[:at[104]:at[104]], data[at[100]:]...) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := keptFrames(t, 0)
			seg := filepath.Join(path, "00000001.seg")
			data := testkit.Must(os.ReadFile(seg))(t)
			os.WriteFile(seg, c.spoil(data, recordsOf(data)), 0o600)
			rec := testkit.Must(File(t.Context(), path, Options{}))(t)
			places := min(c.spoilt, 1)
			l := rec.Session.Ledger()
			testkit.That(t, l.Sent == 400 && l.Spoilt == c.spoilt && l.Received == 396-c.spoilt && l.HeldBack == 4 &&
				l.SpoiltHere == places && l.Truncated <= 0, "%+v", l)
			if places == 0 {
				return
			}
			at := recordsOf(data)[100]
			var text strings.Builder
			report.Write(&text, rec.Session, report.Options{Stats: true})
			for _, want := range []string{seg, "in damaged places of the recording", "1 places of the recording that are damaged"} {
				testkit.That(t, strings.Contains(text.String(), want), "the report lacks %q:\n%s", want, text.String())
			}
			testkit.That(t, strings.Contains(rec.Cut, seg) && at != 0, "warned of %q", rec.Cut)

			// The same as it comes in pieces, from one file.
			whole := testkit.Must(os.ReadFile(seg))(t)
			s := store.NewSession()
			stream := Journals{}.NewStream(&feedtest.Into{Session: s}, feed.StreamOptions{Name: seg})
			for rest := whole; len(rest) > 0; {
				n := min(len(rest), 777)
				_, err := stream.Write(rest[:n])
				testkit.MustThat(t, err == nil || n >= len(rest), "%v", err)
				rest = rest[n:]
			}
			stream.Close("")
			got := s.Ledger()
			testkit.That(t, got == l, "in pieces %+v\nbut as a folder %+v", got, l)
		})
	}
}

// A compressed session opens as the session does, and one that is cut off says where.
func TestPackedSession(t *testing.T) {
	seg := testkit.Must(os.ReadFile(filepath.Join(keptFrames(t, 0), "00000001.seg")))(t)
	packed := feedtest.Gzip(seg)
	rec := testkit.Must(File(t.Context(), feedtest.File(t, "whole.framescope.gz", packed), Options{}))(t)
	whole := rec.Session.Ledger()
	testkit.That(t, whole.Received == 396 && rec.Cut == "", "%+v, %s", whole, rec.Cut)
	rec, err := File(t.Context(), feedtest.File(t, "cut.framescope.gz", packed[:len(packed)/2]), Options{})
	testkit.Fails(t, err, "cut.framescope.gz: the compressed data are cut off at byte ")
	cut := rec.Session.Ledger()
	testkit.That(t, cut.Received > 100 && cut.Received < 396, "%+v", cut)
}

// A segment that is missing took its frames with it, and no others.
func TestMissingSegment(t *testing.T) {
	path := keptFrames(t, 4<<10)
	os.Remove(filepath.Join(path, "00000003.seg"))
	rec := testkit.Must(File(t.Context(), path, Options{}))(t)
	l := rec.Session.Ledger()
	testkit.That(t, l.Sent == 400 && l.HeldBack == 4 && l.Spoilt >= 10 && l.Received == 396-l.Spoilt && l.SpoiltHere == 1,
		"%+v", l)
	n, _ := rec.Session.Losses()
	testkit.That(t, n[model.LossDamaged] == l.Spoilt+1, "losses %v", n)
}

// TestDamageOfFormats tells of what is wrong in a file of another program, and shows the rest: commands
// end with an exit status by it.
func TestDamageOfFormats(t *testing.T) {
	spall := recordings.Read(t, recordings.Spall, "game-v1.spall")
	binary.LittleEndian.PutUint64(spall[32+10:], math.Float64bits(math.NaN())) // when the first call begins
	trace := []byte(`[{"ph":"X","ts":5,"dur":1,"name":"a"}]`)
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"x.spall", "events without a valid time are left out; the first is at byte 32", spall},
		{"two.json", "there are data after the end of the trace", slices.Concat(trace, trace)},
		{"x.folded", "weights are more than 2^53: they are left out; the first is line 2", []byte("a;b 1\na;c 99999999999999999999\na;d 4\n")},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		testkit.NoErr(t, os.WriteFile(path, c.data, 0o600))
		rec, err := File(t.Context(), path, Options{})
		testkit.That(t, err == nil && strings.Contains(rec.Cut, c.want) && rec.Session.NumTracks() != 0,
			"%s: %v, %+v", c.name, err, rec)
	}
}

// place finds where in a file something is wrong, as errors and losses name it.
var place = regexp.MustCompile(`(bytes?|lines?|offset|segment) \d+|after \d+ bytes`)

// Power that fails leaves NULs in files: 4 KB of them, or all of the second half, or behind the end. Where less of such a recording is
// shown than of the whole one, an error or Recording.Cut says so, which make the exit status 1, and names the place
// unless nothing at all could be read. Compressed recordings are damaged before compression, and the first three of
// each source after it, too.
func TestNULsAreReported(t *testing.T) {
	if testing.Short() {
		t.Skip("every recording in pieces")
	}
	reg := testkit.Must(Sources{}.Registry())(t)
	list := recordings.All(t, reg)
	if testkit.Long {
		list = append(list, recordings.Shared(t, reg)...)
	}
	tried := 0
	ofSource := map[string]int{}
	try := func(open, file string, data []byte) {
		kind := ""
		testkit.NoErr(t, os.WriteFile(file, data, 0o600))
		if src, err := reg.Recognise(open); err == nil {
			kind = src.Name()
		}
		n := ofSource[kind]
		ofSource[kind]++
		if n >= testkit.Rounds(3, 1000) {
			return
		}
		whole := reportOf(t, open, file, data)
		for what, damaged := range zeroed(t, data, n < testkit.Rounds(1, 3)) {
			tried++
			got := reportOf(t, open, file, damaged)
			switch behind := strings.Contains(what, "behind the end"); {
			case whole.some && !got.some && (behind || len(data) > 12<<10 && strings.Contains(got.told, "not a recording")):
				t.Errorf("%s: %s: nothing of it is read: %s", file, what, got.told)
			case got.text == whole.text && !(behind && whole.some):
			case got.told == "" || got.told == whole.told:
				t.Errorf("%s: %s: nothing is reported beside %q", file, what, whole.told)
			case got.some && !place.MatchString(got.told):
				t.Errorf("%s: %s: no place is named: %s", file, what, got.told)
			}
		}
	}
	into := t.TempDir()
	seen := map[string]bool{}
	for _, path := range list {
		name := filepath.Base(path)
		st, err := os.Stat(path)
		if err != nil || st.IsDir() || st.Size() > 256<<10 || seen[name] {
			continue
		}
		seen[name] = true
		data := testkit.Must(os.ReadFile(path))(t)
		try(filepath.Join(into, name), filepath.Join(into, name), data)
	}
	folder := flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*")
	files := testkit.Must(os.ReadDir(folder))(t)
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		data := testkit.Must(os.ReadFile(path))(t)
		try(folder, path, data)
		os.WriteFile(path, data, 0o600)
	}
	testkit.That(t, tried >= testkit.Rounds(120, 600), "only %d files were tried", tried)
}

// zeroed returns a file with NULs in several places, by what was done to it.
func zeroed(t *testing.T, data []byte, packed bool) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	add := func(what string, data []byte, keep func([]byte) []byte) {
		half := len(data) / 2
		places := map[string][2]int{ // where NULs begin and how many there are
			"4 KB of the second block" + what: {4096, 4096}, // definitions, which stand first, and what uses them later
			"4 KB in the middle" + what:       {half, 4096},
			"4 KB at 25 %" + what:             {len(data) / 4, 4096},
			"4 KB at 75 %" + what:             {len(data) * 3 / 4, 4096},
			"the second half" + what:          {half, len(data)},
		}
		if line := bytes.IndexByte(data[half:], '\n'); line >= 0 {
			places["all behind a line"+what] = [2]int{half + line + 1, len(data)}
		}
		if len(data) > 4<<10 { // in fewer there may be nothing else to know it by
			places["100 bytes of the first 10 KB"+what] = [2]int{min(len(data)/3, 8<<10), 100}
		}
		out["4 KB behind the end"+what] = keep(append(bytes.Clone(data), make([]byte, 4<<10)...))
		for what, at := range places {
			hole := bytes.Clone(data)
			clear(hole[min(len(hole), at[0]):min(len(hole), at[0]+at[1])])
			out[what] = keep(hole)
		}
	}
	same := func(b []byte) []byte { return b }
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		add("", data, same)
		return out
	}
	text, _ := io.ReadAll(z) // of a file that is cut off as much as there is
	if packed {
		add(" of the compressed bytes", data, same)
	}
	add("", text, func(b []byte) []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.NoCompression)
		w.Write(b)
		w.Close()
		return out.Bytes()
	})
	return out
}

// reported is what a command has of a recording: some of it, and what is wrong with it.
type reported struct {
	text, told, source string
	some               bool
}

// reportOf reads a recording, of which a file holds these bytes, as a command does.
func reportOf(t *testing.T, open, file string, data []byte) (r reported) {
	t.Helper()
	testkit.NoErr(t, os.WriteFile(file, data, 0o600))
	rec, err := File(t.Context(), open, Options{})
	if err != nil {
		r.told = err.Error()
	}
	if rec != nil {
		if r.told == "" {
			r.told = rec.Cut
		}
		var text strings.Builder
		s := rec.Session
		report.Write(&text, s, report.Options{Stats: true})
		fmt.Fprintln(&text, s.Series().Stored(), s.Flows().Stored())
		for id := range model.TrackID(s.NumTracks()) {
			tr := s.Track(id)
			fmt.Fprintln(&text, tr.Title(), tr.NumFrames(), tr.NumSpans(), tr.NumMessages())
		}
		r.text, r.some, r.source = text.String(), s.NumTracks() > 0, s.Info().Source
	}
	return r
}

// firefoxFile is a profile in which b is in a library, and c in a file.
const firefoxFile = `{"meta":{"interval":1,"startTime":1,"preprocessedProfileVersion":49,"product":"x"},"libs":[{"name":"lib"}],
	"threads":[{"name":"T","pid":"7","tid":8,"samples":{"stack":[1,1],"time":[0,1]},"markers":{"name":[]},
	"stackTable":{"prefix":[null,0],"frame":[0,1]},"frameTable":{"func":[0,1]},"resourceTable":{"lib":[0]},
	"funcTable":{"name":[0,1],"resource":[0,-1],"fileName":[3,2],"lineNumber":[null,31]},
	"stringArray":["b","c","file:///x/y.js","hg:src/b.cpp"]}]}`

// chromeFile has a span whose arguments say where it is, one that is in two files, one whose file is hostile, and
// samples of V8.
const chromeFile = `[{"name":"a","ph":"X","ts":0,"dur":1,"pid":1,"tid":1,"args":{"src_file":"x/a.cc","src_line":5}},
	{"name":"b","ph":"X","ts":2,"dur":1,"pid":1,"tid":1,".file":"b.rs",".line":6},
	{"name":"b","ph":"X","ts":4,"dur":1,"pid":1,"tid":1,".file":"c.rs",".line":6},
	{"name":"d","ph":"X","ts":6,"dur":1,"pid":1,"tid":1,".file":"--\u001b[31m\n\"d","line":7},
	{"name":"d","ph":"X","ts":8,"dur":1,"pid":1,"tid":1,".file":"--\u001b[31m\n\"d",".line":-7},
	{"name":"Profile","ph":"P","id":"1","ts":9,"pid":1,"tid":1,"args":{"data":{"startTime":9}}},
	{"name":"ProfileChunk","ph":"P","id":"1","ts":10,"pid":1,"tid":1,"args":{"data":{"timeDeltas":[1,1],"cpuProfile":{
		"samples":[1,1],"nodes":[{"id":1,"callFrame":{"functionName":"f","url":"http://x/f.js","lineNumber":0}}]}}}}]`

// perfFile has the lines that perf script -F +srcline adds; perf does not know one of them.
const perfFile = "game 1 10.000001:     100 cpu-clock: \n\t  3f b+0x1 (/x/game)\n  render/b.c:7\n" +
	"\t  4f c+0x1 (/x/game)\n  game[4f]\n\t  2f main+0x1 (/x/game)\n  main.c:99\n\n"

// TestPlaces: collectors have the file and the line that each source says. Those of recorded games are lines of their
// own source; names are not in question here.
func TestPlaces(t *testing.T) {
	texts := map[string]string{"args.json": chromeFile, "firefox.json": firefoxFile, "perf.txt": strings.Repeat(perfFile, 3)}
	for _, row := range testkit.Rows("testdata/places.txt") {
		path := row[0]
		if text := texts[path]; text != "" {
			path = filepath.Join(t.TempDir(), path)
			testkit.NoErr(t, os.WriteFile(path, []byte(text), 0o600))
		}
		rec, err := File(t.Context(), path, Options{})
		testkit.OK(t, err, path)
		places := map[string]model.Place{}
		for _, x := range rec.Session.Collectors().Tree().All {
			places[x.Title()] = x.Place
		}
		for want := range strings.SplitSeq(row[1], ", ") {
			name, where, _ := strings.Cut(want, "=")
			place, there := places[name]
			testkit.That(t, there && place.Where() == where, "%s: the place of %s is %q, not %q", path, name, place.Where(), where)
		}
	}
}
