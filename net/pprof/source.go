package pprof

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Source opens pprof profiles. It implements feed.Source.
type Source struct {
	// Label is the key of the labels that divide samples into threads; empty: the first of threadKeys
	// that the profile has, else there is one thread.
	Label string
}

// Kind is the source of these sessions in model.Info.
const Kind = "pprof"

// Name implements feed.Source.
func (Source) Name() string { return "pprof profile" }

// About implements feed.Source.
func (Source) About() feed.About {
	return feed.About{
		Title:   "pprof profiles",
		Writers: "Go's `runtime/pprof`, many other profilers",
		Ends:    []string{".pprof", ".pb.gz", ".prof"},
		Live:    "connect pprof",
	}
}

// textForms are how the text forms of profiles of Go and gperftools begin.
var textForms = []string{
	"goroutine profile: total", "heap profile: ", "threadcreate profile: total", "--- contention:", "--- mutex:",
	"--- contentionz", "--- heapz", "--- threadz",
}

// Sniff implements feed.Source: the form has no mark, but fields in few shapes. The text forms of
// profiles are recognised, too: OpenFile says what they are.
func (Source) Sniff(head []byte, _ string) bool {
	like, _ := look(head)
	return like || isText(head) || isLegacy(head)
}

var _ feed.Patient = Source{}

// Undecided implements feed.Patient: any field may come first.
func (Source) Undecided(head []byte) bool {
	_, cut := look(head)
	return cut
}

// OpenFile implements feed.Source.
func (src Source) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	return feed.End(ctx, path, sink, src.open(ctx, path, sink))
}

func (src Source) open(ctx context.Context, path string, sink feed.Sink) error {
	parts, broken, total, err := readParts(ctx, path, sink)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(parts) > 1 || len(parts) == 1 && broken != nil {
		if p, bad, no := read(parts[0], parsedLimit(sink)); no == nil {
			bad.Define(sink.Define, nil)
			return src.openAll(path, p, parts[1:], err, sink)
		}
	}
	data := join(parts, broken)
	parts, broken = nil, nil
	stopped := err
	if err != nil {
		stopped = fmt.Errorf("after %d bytes of the profile: %w", len(data), err)
	}
	p, bad, err := read(data, parsedLimit(sink))
	if err != nil {
		return cmp.Or(stopped, err)
	}
	info := describe(p)
	info.Program, info.Peer, info.File = programOf(p, path), path, true
	info.Sampling = model.Sampling{Timeless: true}
	sink.Define(info)
	if err := Publish(p, src.Label, sink); err != nil {
		return err
	}
	bad.Define(sink.Define, nil)
	sink.Progress(total, total)
	return stopped
}

// join puts parts together, and the last, which is broken; one alone is what it was.
func join(parts [][]byte, broken []byte) []byte {
	switch {
	case len(parts) == 0:
		return broken
	case len(parts) == 1 && len(broken) == 0:
		return parts[0]
	}
	return append(bytes.Join(parts, nil), broken...)
}

// openAll reads a file of several concatenated profiles: repeated queries of one program. stopped is
// why the rest of the file is unreadable.
func (src Source) openAll(path string, first *profile.Profile, rest [][]byte, stopped error, sink feed.Sink) error {
	s := newSums(sink, src.Label, model.Info{Program: programOf(first, path), Peer: path, File: true})
	defer s.close()
	if err := s.add(first); err != nil {
		return err
	}
	for _, data := range rest {
		if err := s.addProfile(data); err != nil {
			return err
		}
	}
	if stopped != nil {
		trace.Lose(s.sink, model.LossTruncated, 1, fmt.Sprintf("profile %d can't be read, nor what comes after it: %v", s.n+1,
			stopped))
	}
	return s.publish()
}

// readParts returns a file uncompressed: in one piece, or of gzip each of the pieces that were packed
// by themselves. broken is what came of the piece in which there is an error.
func readParts(
	ctx context.Context, path string, sink feed.Sink,
) (parts [][]byte, broken []byte, total int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil {
		total = st.Size()
	}
	counted := &feed.CountingReader{R: f}
	in := bufio.NewReaderSize(counted, 1<<16)
	fits := upTo(unpackedLimit(parsedLimit(sink)))
	watch := func(n int) error {
		sink.Progress(min(counted.N, total)/2, total)
		return errors.Join(fits(n), ctx.Err())
	}
	if head, _ := in.Peek(len(gzipMagic)); string(head) != gzipMagic {
		var data []byte
		err = feed.Copy(ctx, path, func(int64, int64) {}, feed.PartFunc(func(part []byte) error {
			data = append(data, part...)
			return watch(len(part))
		}))
		if err != nil {
			return nil, data, total, err
		}
		return [][]byte{data}, nil, total, nil
	}
	parts, broken, err = unpackAll(in, watch)
	return parts, broken, total, err
}

// unpackAll reads all pieces that were packed by themselves, up to an error, in the piece broken.
func unpackAll(in *bufio.Reader, watch func(n int) error) (parts [][]byte, broken []byte, err error) {
	for {
		data, err := unpack(in, watch)
		if err != nil {
			return parts, data, err
		}
		parts = append(parts, data)
		switch next, _ := in.Peek(len(gzipMagic)); {
		case len(next) == 0:
			return parts, nil, nil
		case string(next) != gzipMagic:
			return parts, nil, errors.New("other data follow the compressed data and were left out")
		}
	}
}

// upTo returns a function that counts bytes and fails after more than limit.
func upTo(limit int64) func(n int) error {
	left := limit
	return func(n int) error {
		if left -= int64(n); left < 0 {
			return fmt.Errorf("is larger than %d MiB when unpacked", limit>>20)
		}
		return nil
	}
}

const gzipMagic = "\x1f\x8b"

// unpack reads one gzip member, and not a byte more. watch is called with the bytes read so far and
// may stop the reading with an error.
func unpack(in *bufio.Reader, watch func(n int) error) (data []byte, err error) {
	packed := &counter{Reader: in}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	for {
		data = slices.Grow(data, 1<<14)
		n, err := z.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, watch(n)
		}
		if err != nil {
			return data, err
		}
		if int64(len(data)) > leastUnpacked+mostRatio*packed.n {
			err = fmt.Errorf("is more than %d times larger when unpacked, as no profile is", mostRatio)
		}
		if err := cmp.Or(err, watch(n)); err != nil {
			return data, err
		}
	}
}

// counter counts the bytes that gzip takes of its input.
type counter struct {
	*bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	c.n++
	return c.Reader.ReadByte()
}

// parse reads an uncompressed profile that takes so much memory at most. An error names its real format, or
// the place of the damage.
func parse(data []byte, limit int64) (*profile.Profile, error) {
	if isText(data) {
		return nil, errors.New("is a profile in text form: request it without debug=1, " +
			"or convert it with `go tool pprof -proto FILE > FILE.pb.gz`")
	}
	if err := fits(data, limit); err != nil {
		return nil, err
	}
	if _, rest := parsedSize(data); len(rest) > 0 {
		return nil, fmt.Errorf("is an incomplete pprof profile: byte %d: no field begins here", len(data)-len(rest))
	}
	read := profile.ParseUncompressed
	if isLegacy(data) {
		read = profile.ParseData
	}
	p, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("is an incomplete pprof profile: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("is an invalid pprof profile: %w", err)
	}
	if len(p.SampleType) == 0 {
		return nil, errors.New("is a pprof profile without sample types")
	}
	return p, nil
}

// read parses a profile, or the intact parts of a damaged one. bad lists the losses.
func read(data []byte, limit int64) (p *profile.Profile, bad *trace.Diagnostics, err error) {
	p, err = parse(data, limit)
	if err == nil || isText(data) || isLegacy(data) || fits(data, limit) != nil {
		return p, &trace.Diagnostics{}, err
	}
	if p, bad = salvage(data); p == nil {
		return nil, nil, err
	}
	if !bad.Any() { // the fault is none of those that are counted
		bad.Explain(trace.Unread, trace.Unknown, "it %v", err)
	}
	return p, bad, nil
}

// isText reports whether a profile is in the text form.
func isText(data []byte) bool {
	return slices.ContainsFunc(textForms, func(text string) bool { return bytes.HasPrefix(data, []byte(text)) })
}

// programOf returns the name of the program: that of its file, else of the profile's.
func programOf(p *profile.Profile, path string) string {
	if len(p.Mapping) > 0 && p.Mapping[0].File != "" && !strings.HasPrefix(p.Mapping[0].File, "[") {
		return base(p.Mapping[0].File)
	}
	return feed.Stem(path, ".pb", ".pprof", ".prof")
}

// base is the last part of a path of any system.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
