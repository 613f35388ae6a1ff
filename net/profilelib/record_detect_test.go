package profilelib

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// captures returns the recordings that are there, with their layouts.
func captures(t testing.TB) map[string]Layout {
	all := map[string]Layout{}
	for _, dir := range []string{"../../testdata/profilelib", "../../../shared/captures/profilelib"} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.prof"))
		for _, f := range files {
			all[f] = layoutOf(f)
		}
	}
	if len(all) < 5 {
		t.Fatalf("only %d captures are there", len(all))
	}
	return all
}

func expect(t *testing.T, what string, head []byte, want Layout, phase int) {
	t.Helper()
	d, ok := Detect(head)
	if !ok || d.Layout != want || d.Phase != phase {
		t.Errorf("%s: %v from byte %d, %v, confidence %.2f, want %v from byte %d; %q", what, d.Layout, d.Phase, ok, d.Confidence, want, phase, d.Reasons)
	}
}

func TestDetectCaptures(t *testing.T) {
	for name, want := range captures(t) {
		data := readFile(t, name)
		base := filepath.Base(name)
		expect(t, base, data[:min(len(data), 64<<10)], want, 0)
		if !Sniff(data[:min(len(data), 64<<10)]) {
			t.Errorf("%s: not recognised", base)
		}
		be := want
		be.BigEndian = true
		swapped := convert(data, want, be)
		expect(t, base+" big-endian", swapped, be, 0)
		st := want.Stride()
		for _, in := range []struct {
			l    Layout
			data []byte
		}{{want, data}, {be, swapped}} {
			for cut := range 3 * st {
				expect(t, base+" cut at its begin", in.data[cut:min(len(in.data), 32<<10)], in.l, (st-cut%st)%st)
			}
			r := rand.New(rand.NewPCG(1, uint64(len(data))))
			for range 150 {
				cut := r.IntN(len(in.data) - 40*st)
				expect(t, base+" cut anywhere", in.data[cut:min(len(in.data), cut+16<<10)], in.l, (st-cut%st)%st)
			}
		}
	}
}

// Each capture written in every other layout is recognised as that one.
func TestDetectConverted(t *testing.T) {
	for name, from := range captures(t) {
		data := readFile(t, name)
		for _, to := range AllRecords() {
			got, ok := Detect(convert(data, from, to))
			want := to
			if to.Variant == V1 || to.Variant == V2 {
				if old, late := eraOfIDs(convert(data, from, to), to.BigEndian); old == late {
					t.Fatalf("%s: nothing tells V1 from V2", name)
				}
			}
			if !ok || got.Layout != want || got.Phase != 0 {
				t.Errorf("%s as %v: %v %v; %q", filepath.Base(name), to, got.Layout, ok, got.Reasons)
			}
		}
	}
}

func TestDetectRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	random := make([]byte, 256<<10)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	smooth := make([]byte, 64<<10) // an image: small numbers side by side
	for i := range smooth {
		smooth[i] = byte(i/977 + i%3)
	}
	counting := make([]byte, 64<<10)
	for i := 0; i < len(counting); i += 8 {
		binary.LittleEndian.PutUint64(counting[i:], uint64(i))
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write(readFile(t, "../../testdata/profilelib/small-clean.prof"))
	_ = w.Close()
	cases := map[string][]byte{
		"nothing": nil, "zeros": make([]byte, 64<<10), "ones": bytes.Repeat([]byte{1}, 64<<10), "0xff": bytes.Repeat([]byte{0xff}, 64<<10),
		"random": random, "image": smooth, "counting": counting, "gzip": zipped.Bytes(), "short": make([]byte, 63),
		"text":  []byte(strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 1000)),
		"utf16": bytes.Repeat([]byte{'a', 0, 'b', 0, ' ', 0}, 10000),
	}
	for _, pattern := range []string{"../pstats/testdata/*", "../../testdata/*/*", "../../testdata/*", "../../assets/*", "../*.go", "../../docs/*"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if st, err := os.Stat(f); err != nil || st.IsDir() || strings.HasSuffix(f, ".prof") {
				continue
			}
			data := readFile(t, f)
			cases[f] = data[:min(len(data), 64<<10)]
		}
	}
	for name, data := range cases {
		if d, ok := Detect(data); ok || Sniff(data) {
			t.Errorf("%s is taken for a profile stream: %v, %q", name, d.Layout, d.Reasons)
		}
	}
	t.Logf("%d other files and patterns refused", len(cases))
}

func FuzzDetect(f *testing.F) {
	f.Add(readFile(f, "../../testdata/profilelib/no-sysinfo.prof"))
	f.Add(make([]byte, 640))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, ok := Detect(data)
		if ok && (d.Phase < 0 || d.Phase >= d.Layout.Stride() || d.Records*d.Layout.Stride() > len(data) || d.Confidence < 0 || d.Confidence > 1) {
			t.Fatalf("impossible answer %+v", d)
		}
		if len(d.Reasons) == 0 {
			t.Fatal("no reason given")
		}
	})
}

// NULs that were written into a file hide neither what it is nor how its records lie.
func TestNULsHideNoLayout(t *testing.T) {
	for name, layout := range captures(t) {
		data := readFile(t, name)
		for _, at := range []int{4096, len(data) / 2, len(data) * 3 / 4} {
			for _, n := range []int{100, 1000, 4999, 5000, 20000} {
				if at < sureBytes || at > len(data) {
					continue
				}
				damaged := append(append(append([]byte(nil), data[:at]...), make([]byte, n)...), data[at:]...)
				if !Sniff(data) {
					continue // too little of it
				}
				if d, ok := Detect(damaged); !Sniff(damaged) || !ok || d.Layout.Stride() != layout.Stride() {
					t.Errorf("%s with %d NULs at %d: %+v", filepath.Base(name), n, at, d)
				}
			}
		}
	}
}
