package load

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
)

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
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
	long := strings.Repeat("x", 300_000)
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
		{"x.prof", "pprof profile", string(locationsFirst(200_000))},
		{"x.txt", "folded stacks", strings.Repeat("deep;", 60_000) + "a 3\nb;c 4\n"},
		{"x.txt", "folded stacks", "# " + long + "\nb;c 4\n"},
		{"x.txt", "folded stacks", "a;b many\na;c 4\n"},
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
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
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
		text := []byte(c.begin + strings.Repeat(c.more, feed.FarSize/len(c.more)))[:feed.FarSize]
		for _, n := range []int{feed.HeadSize, feed.FarSize} {
			src, err := reg.RecogniseHead(text[:n], "x")
			if src != nil || (err != nil) != (n >= c.most) {
				t.Errorf("%q and %q, %d bytes: %v, %.100v", c.begin, c.more, n, src, fmt.Sprint(err))
			}
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
			rec, err := File(t.Context(), path, Options{})
			testkit.NoErr(t, err, name)
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
