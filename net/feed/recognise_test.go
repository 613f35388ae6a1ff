package feed

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// lines is a source of text whose first line is "lines"; each byte of its streams becomes an event
// of the test.
type lines struct{ whole }

// whole is a source that reads only what is whole; its recordings begin with "whole", and folders
// are its own if they have a file of that name.
type whole struct{}

func (whole) Name() string                                 { return "whole recording" }
func (whole) About() About                                 { return About{} }
func (whole) Sniff(head []byte, _ string) bool             { return bytes.HasPrefix(head, []byte("whole")) }
func (whole) OpenFile(context.Context, string, Sink) error { return nil }
func (whole) SniffFolder(path string) bool {
	_, err := os.Stat(filepath.Join(path, "whole"))
	return err == nil
}

func (lines) Name() string                     { return "list of lines" }
func (lines) About() About                     { return About{} }
func (lines) Sniff(head []byte, _ string) bool { return bytes.Contains(head, []byte("lines\n")) }
func (lines) SniffFolder(string) bool          { return false }
func (lines) NewStream(sink Sink, o StreamOptions) Stream {
	sink.Define(model.Info{Program: o.Program, Peer: o.Name})
	return &lineStream{sink: sink}
}

type lineStream struct {
	sink Sink
	text bytes.Buffer
}

func (s *lineStream) Write(p []byte) (int, error) { return s.text.Write(p) }
func (s *lineStream) Idle()                       { s.text.WriteString("<idle>") }
func (s *lineStream) Close(reason string)         { s.sink.Define(model.End{Reason: reason}) }

func ended(f *Feed) string {
	s := store.NewSession()
	f.Poll(s, later())
	reason, over := s.Ended()
	if !over {
		return "not ended"
	}
	return reason
}

func textOf(s *Recogniser) string {
	if l, ok := s.stream.(*lineStream); ok {
		return l.text.String()
	}
	return ""
}

func TestRecogniser(t *testing.T) {
	reg := Registry{whole{}, lines{}}
	start := func() (*Recogniser, *Feed) {
		f := alone(Options{Live: true})
		return reg.NewStream(f, StreamOptions{Name: "the input", Program: "game"}), f
	}
	put := func(t *testing.T, s *Recogniser, text string) {
		t.Helper()
		n, err := s.Write([]byte(text))
		testkit.MustThat(t, err == nil && n == len(text), "%d %v", n, err)
	}

	t.Run("a few bytes are looked at when no more come", func(t *testing.T) {
		s, f := start()
		put(t, s, "li")
		s.Idle()
		put(t, s, "nes\n")
		testkit.That(t, s.Source() == nil, "recognised while more was coming")
		s.Idle()
		put(t, s, "more")
		got := textOf(s)
		testkit.That(t, got == "lines\n<idle>more" && s.Source() != nil && s.Head() == nil, "%q", got)
		s.Close("over")
		testkit.Equal(t, ended(f), "over", "ended with")
	})
	t.Run("many bytes are looked at as they come", func(t *testing.T) {
		s, _ := start()
		for range 60 {
			put(t, s, strings.Repeat("-", 1000))
		}
		put(t, s, "lines\n")
		put(t, s, strings.Repeat("-", HeadSize-60_006))
		got := textOf(s)
		testkit.That(t, len(got) == HeadSize && strings.Contains(got, "lines"), "%d bytes", len(got))
	})
	t.Run("nothing that is known", func(t *testing.T) {
		s, f := start()
		put(t, s, strings.Repeat("-", HeadSize-1))
		testkit.Refused(s.Write([]byte("-")))(t, "it follows: list of lines", "the input: ")
		s.Close("")
		got := ended(f)
		testkit.That(t, strings.Contains(got, "not a recording"), "ended with %q", got)
	})
	t.Run("too little", func(t *testing.T) {
		s, f := start()
		put(t, s, "some")
		s.Idle()
		testkit.That(t, s.Finish() != nil, "no error")
		s.Close("")
		got := ended(f)
		testkit.That(t, strings.Contains(got, "not a recording"), "ended with %q", got)
	})
	t.Run("nothing", func(t *testing.T) {
		s, f := start()
		s.Idle()
		s.Close("no more")
		testkit.Equal(t, ended(f), "no more", "ended with")
	})
	t.Run("what must be whole", func(t *testing.T) {
		for text, source := range map[string]Source{"whole, and more": whole{}, "\x1f\x8b\x08\x00": nil} {
			s, _ := start()
			put(t, s, text)
			s.Idle()
			_, err := s.Write([]byte("x"))
			if e, ok := errors.AsType[*NotStreamedError](err); !ok || e.Source != source || !strings.Contains(e.Error(), "when it is whole") {
				t.Errorf("%q: %v", text, err)
			}
			testkit.That(t, string(s.Head()) == text, "%q is kept", s.Head())
		}
	})
}

func TestRecognise(t *testing.T) {
	reg := Registry{whole{}, lines{}}
	dir := t.TempDir()
	testkit.Refused(reg.Recognise(dir))(t, "is a folder")
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "whole"), []byte("lines\n"), 0o600))
	src, err := reg.Recognise(dir)
	testkit.That(t, err == nil && src == (whole{}), "a folder that is a recording: %v %v", src, err)
	src, err = reg.Recognise(filepath.Join(dir, "whole"))
	testkit.That(t, err == nil && src == (lines{}), "a file: %v %v", src, err)
	testkit.That(t, !reg.SniffStream([]byte("whole"), "") && reg.SniffStream([]byte("lines\n"), "") &&
		!reg.SniffStream(nil, ""), "SniffStream")
	_, _, err = beginOf(os.DevNull, HeadSize)
	testkit.That(t, errors.Is(err, ErrNotAFile), "a device: %v", err)
}

func zipped(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	io.WriteString(z, text)
	z.Close()
	return out.Bytes()
}

// The reader goes on with further compressed data, also behind zeros. It reports the place of anything else, and of a cut.
func TestGunzip(t *testing.T) {
	a, b := zipped("first "), zipped(strings.Repeat("second ", 20_000))
	damaged := slices.Clone(b)
	damaged[len(b)/2] ^= 0xff
	all := "first " + strings.Repeat("second ", 20_000)
	z := testkit.Must(zstd.NewWriter(nil))(t).EncodeAll([]byte(all), nil)
	badSum := slices.Clone(z)
	badSum[len(z)-1] ^= 1
	for name, c := range map[string]struct {
		data      []byte
		want, err string
	}{
		"zstd":                     {z, all, ""},
		"zstd without its sum":     {z[:len(z)-4], all, "are cut off at byte "},
		"zstd with another sum":    {badSum, all, "are damaged before byte "},
		"zstd and then other data": {slices.Concat(z, []byte("other")), all, "are damaged before byte "},
		"two":                      {slices.Concat(a, b), all, ""},
		"an empty one":             {slices.Concat(zipped(""), a, zipped("")), "first ", ""},
		"zeros":                    {slices.Concat(a, make([]byte, 70_000)), "first ", "other data follow the compressed data at byte 30"},
		"zeros and more":           {slices.Concat(a, make([]byte, 512), b), all, ""},
		"garbage":                  {slices.Concat(a, b, []byte("x")), all, "other data follow the compressed data at byte "},
		"cut":                      {slices.Concat(a, b[:len(b)-9]), "first ", "are cut off at byte 273: unexpected EOF"},
		"damaged":                  {slices.Concat(a, damaged), "first ", "the compressed data are damaged before byte "},
		"cut head":                 {slices.Concat(a, b[:4]), "first ", "the compressed data are damaged from byte 30 on"},
	} {
		r := testkit.Must(Uncompressed(bytes.NewReader(c.data)))(t)
		got, err := io.ReadAll(r)
		if !strings.HasPrefix(string(got), c.want) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %.20q… of %d bytes, %v", name, got, len(got), err)
		}
	}
}

// A compressed file that is damaged and then recognised by no source is named as damaged, where.
func TestDamagedAndUnknown(t *testing.T) {
	data := zipped(strings.Repeat("nothing known ", 300))
	data[len(data)-5] ^= 0xff
	path := filepath.Join(t.TempDir(), "damaged.gz")
	testkit.OK(t, os.WriteFile(path, data, 0o666))
	want := path + ": the compressed data are damaged before byte "
	_, err := (Registry{}).Recognise(path)
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), want), "%v, want %s", err, want)
}

// TestTextsCount checks that texts of messages count for the bound of a live feed, and do not stay
// with batches that wait for their next use.
func TestTextsCount(t *testing.T) {
	f := alone(Options{Live: true, Bytes: 1 << 20})
	text := strings.Repeat("x", 32<<10)
	for range 100 {
		b := f.Begin()
		b.Messages = append(b.Messages, model.Message{Text: text, Category: "c", Object: "o"})
		f.Publish(b)
		st := f.Stats()
		testkit.MustThat(t, st.WaitingBytes <= 1<<20, "%d bytes wait", st.WaitingBytes)
	}
	st := f.Stats()
	testkit.That(t, st.Waiting <= 32 && st.Dropped >= 68, "%d batches wait, %d were dropped", st.Waiting, st.Dropped)
	for _, b := range f.pool.free {
		testkit.MustThat(t, len(b.Messages) == 0 && b.Messages[:1][0].Text == "",
			"a batch that waits for its next use keeps a text")
	}
	testkit.That(t, len(f.pool.free) != 0, "no batch is used again")
}

// The error for a recording of another tool names the tool, and the command that makes it readable if there is one.
func TestForeignRecordingsAreNamed(t *testing.T) {
	for _, row := range testkit.Rows("testdata/foreign.txt") {
		path := filepath.Join(t.TempDir(), row[0])
		content := testkit.Must(strconv.Unquote(row[1]))(t)
		if strings.HasSuffix(row[0], "/") {
			testkit.OK(t, os.Mkdir(path, 0o700))
		} else {
			testkit.OK(t, os.WriteFile(path, []byte(content), 0o600))
		}
		testkit.Refused(Registry{}.Recognise(path))(t, row[2])
	}
}
