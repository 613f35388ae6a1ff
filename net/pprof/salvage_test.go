package pprof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// message makes a message of numbers by their fields, and behind them of further bytes.
func message(more []byte, numbers ...uint64) (out []byte) {
	for i, v := range numbers {
		out = protowire.AppendVarint(protowire.AppendTag(out, protowire.Number(i+1), protowire.VarintType), v)
	}
	return append(out, more...)
}

// in puts bytes into a field.
func in(num protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), b)
}

// The parts of a profile of two functions, a that calls b, in the order in which Go writes them: what
// its numbers are, places with their functions, samples, texts.
var (
	typesPart   = in(1, message(nil, 1, 2))
	placesPart  = bytes.Join([][]byte{in(4, message(in(4, message(nil, 1)), 1)), in(4, message(in(4, message(nil, 2)), 2))}, nil)
	funcsPart   = bytes.Join([][]byte{in(5, message(nil, 1, 3)), in(5, message(nil, 2, 4))}, nil)
	samplesPart = bytes.Join([][]byte{in(2, message(nil, 1, 5)), in(2, append(in(1, []byte{2, 1}), in(2, []byte{7})...))}, nil)
	textsPart   = texts("", "delay", "count", "a", "b")
)

func texts(list ...string) (out []byte) {
	for _, s := range list {
		out = append(out, in(6, []byte(s))...)
	}
	return out
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// opened is what comes of a file: what each function has alone, by the name of the number, and the diagnostics.
func opened(t *testing.T, data []byte) (got map[string]int64, faults string, err error) {
	t.Helper()
	s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.pprof", data))
	got = map[string]int64{}
	for i, w := range s.Spans().Weights() {
		for _, n := range feedtest.Tree(s, spans.MeasureWeight+spans.Measure(i)).Nodes {
			got[w.Name+" of "+s.Collector(n.Collector).Name] += n.Self
		}
	}
	return got, tracetest.Faults(s), err
}

// TestDamagedParts opens profiles of which one part is spoilt: that is left out and told, with its place,
// and the rest is shown.
func TestDamagedParts(t *testing.T) {
	var told [][2]string
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"whole", joined(typesPart, placesPart, funcsPart, samplesPart, textsPart)},
		{"a sample in a place that is missing", joined(typesPart, placesPart, funcsPart, in(2, message(nil, 9, 1)), samplesPart, textsPart)},
		{"a sample with two values", joined(typesPart, in(2, in(2, []byte{1, 2})), placesPart, funcsPart, samplesPart, textsPart)},
		{"a sample that is none", joined(typesPart, in(2, []byte{0xff}), placesPart, funcsPart, samplesPart, textsPart)},
		{"a place that is none", joined(typesPart, placesPart, funcsPart, samplesPart, in(4, []byte{0x0c}), textsPart)},
		{"a function that is none", joined(typesPart, placesPart, in(5, message(nil, 1, 3)), in(5, []byte{0x0c}), samplesPart, textsPart)},
		{"a name that is missing", joined(typesPart, placesPart, in(5, message(nil, 1, 3)), in(5, message(nil, 2, 99)), samplesPart, textsPart)},
		{"a field of another form", joined(typesPart, placesPart, funcsPart, []byte{0x48, 7}, in(12, nil), samplesPart, textsPart)},
		{"a number that comes again", joined(typesPart, placesPart, funcsPart, []byte{0x48, 7, 0x48, 9}, samplesPart, textsPart)},
		{"the texts come last and are cut", joined(typesPart, placesPart, funcsPart, samplesPart, textsPart[:len(textsPart)-1])},
		{"the texts come last and are missing", joined(typesPart, placesPart, funcsPart, samplesPart, []byte{0x32})},
		{"the samples come last and are cut", joined(typesPart, placesPart, funcsPart, textsPart, samplesPart[:9])},
		{"what follows is no field", joined(typesPart, placesPart, funcsPart, textsPart, samplesPart, []byte{0x07, 1, 2})},
		{"NULs between the samples", joined(typesPart, placesPart, funcsPart, samplesPart, make([]byte, 9), samplesPart, textsPart)},
		{"NULs between the texts: those behind have no number", joined(typesPart, placesPart, funcsPart, samplesPart,
			textsPart[:2], make([]byte, 9), textsPart[2:])},
		{"another profile follows", joined(typesPart, placesPart, funcsPart, samplesPart, textsPart, typesPart, samplesPart)},
	} {
		got, faults, err := opened(t, c.data)
		testkit.OK(t, err, c.name)
		told = append(told, [2]string{c.name, fmt.Sprintf("%v\n%s", got, faults)})
	}
	testkit.Named(t, "testdata/damaged.txt", "What is read of the profiles that TestDamagedParts makes, and what is wrong.", told)
	whole, _, _ := opened(t, joined(typesPart, placesPart, funcsPart, samplesPart, textsPart))
	packed := feedtest.Gzip(joined(typesPart, placesPart, funcsPart, samplesPart, textsPart))
	got, faults, err := opened(t, append(packed, "\r\n"...))
	testkit.Same(t, got, whole, "with other data behind it: %s", faults)
	testkit.Fails(t, err, "other data follow the compressed data")
	nothing := joined(typesPart, textsPart, in(2, message(nil, 9, 1)))
	if got, _, err := opened(t, nothing); err == nil || !strings.Contains(err.Error(), "an invalid pprof profile") {
		t.Errorf("nothing is good: %v, %v", got, err)
	}
}

// TestCutProfiles cuts profiles anywhere, packed and not: what was read before is shown, and that it is cut
// is told, or it is an error.
func TestCutProfiles(t *testing.T) {
	for _, name := range []string{"game-cpu.pprof", "game-heap.pprof", "byhand-edges.pprof"} {
		packed := recordings.Read(t, recordings.PProf, name)
		plain := packed
		if z, err := gzip.NewReader(bytes.NewReader(packed)); err == nil {
			var out bytes.Buffer
			testkit.Must(out.ReadFrom(z))(t)
			plain = out.Bytes()
		}
		for how, data := range map[string][]byte{"packed": packed, "plain": plain} {
			shown := 0
			cuts := testkit.Rounds(17, 60)
			for i := 1; i < cuts; i++ {
				got, lost, err := opened(t, data[:len(data)*i/cuts])
				if len(got) > 0 {
					shown++
				}
				testkit.That(t, err != nil || lost != "" && len(got) != 0 || how != "packed",
					"%s, %s, %d of %d: %v, told %q", name, how, i, cuts, got, lost)
			}
			testkit.That(t, shown >= cuts/3, "%s, %s: only %d of %d show something", name, how, shown, cuts)
		}
	}
}

// FuzzRead reads anything as Source does: nothing breaks, and what is missing of what is shown is told.
func FuzzRead(f *testing.F) {
	f.Add(joined(typesPart, placesPart, funcsPart, samplesPart, textsPart))
	f.Add(joined(typesPart, placesPart, in(4, message(nil, 2)), funcsPart, samplesPart, textsPart[:9]))
	f.Add(joined(typesPart, placesPart, funcsPart, in(2, message(in(3, message(nil, 77, 3)), 1, 4)), samplesPart, textsPart))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, bad, err := read(data, leastParsed)
		if err != nil || len(data) > 1<<16 {
			return
		}
		k := &feedtest.Into{Session: store.NewSession()}
		k.Define(model.Info{Sampling: model.Sampling{Timeless: true}})
		testkit.OK(t, Publish(p, "", k))
		before, _ := k.Session.Losses()
		any := bad.Any()
		bad.Define(k.Define, nil)
		after, _ := k.Session.Losses()
		testkit.That(t, !any || after != before, "nothing is told: %+v", bad)
	})
}

// What is packed so that it grows beyond the memory that there is is not unpacked further than that.
func TestUnpackedIsBounded(t *testing.T) {
	testkit.OneGoroutine(t)
	path := filepath.Join(t.TempDir(), "large.pb.gz")
	f := testkit.Must(os.Create(path))(t)
	z := testkit.Must(gzip.NewWriterLevel(f, gzip.BestSpeed))(t)
	some := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(some)
	for range leastParsed>>20 + 1 {
		testkit.Must(z.Write(some))(t)
	}
	err := z.Close()
	testkit.MustThat(t, err == nil && f.Close() == nil, "%v", err)
	v := feedtest.New(t, 16<<20)
	v.Run(func(sink feed.Sink) {
		limit := unpackedLimit(parsedLimit(sink))
		testkit.That(t, limit == leastParsed/4, "up to %d bytes", limit)
		testkit.Fails(t, (Source{}).OpenFile(t.Context(), path, sink), "larger than 16 MiB when unpacked")
		var bomb bytes.Buffer
		z := gzip.NewWriter(&bomb)
		z.Write(make([]byte, 2*leastUnpacked))
		z.Close()
		data, err := unpack(bufio.NewReader(&bomb), func(int) error { return nil })
		testkit.Fails(t, err, "64 times larger")
		testkit.That(t, len(data) < leastUnpacked*5/4, "%d bytes are unpacked", len(data))
	})
}
