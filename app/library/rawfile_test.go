package library

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// flaky is a file on a disk that fails at times.
type flaky struct {
	mu   sync.Mutex
	data []byte
	fail func(n int) (take int, err error) // for the n-th write
	n    int
}

func (f *flaky) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	take, err := f.fail(f.n)
	if err == nil {
		take = len(p)
	}
	take = min(take, len(p))
	f.data = append(f.data, p[:take]...)
	return take, err
}

func (f *flaky) Sync() error  { return nil }
func (f *flaky) Close() error { return nil }

func (f *flaky) all() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(f.data)
}

// What a disk refuses is written when it takes something again, in order and once, wherever the
// write failed.
func TestRawFileGoesOn(t *testing.T) {
	for _, short := range []int{0, 1, 5, 1 << 20} {
		var mu sync.Mutex
		told := 0
		f := newRawFile("x", func() time.Duration { return time.Second }, func() { mu.Lock(); told++; mu.Unlock() })
		f.retry = 5 * time.Millisecond
		d := &flaky{fail: func(n int) (int, error) {
			if n%3 == 1 {
				return short, syscall.ENOSPC
			}
			return 0, nil
		}}
		f.open = func() (fileWriter, error) { return d, nil }
		go f.run()
		for n := range 200 {
			testkit.MustThat(t, f.write(piece(n)), "refused")
			if n%20 == 0 {
				f.hurry()
				// many writes, not one
				until(t, "what came is written", func() bool { return d.all() == string(pieces(n+1)) })
			}
		}
		until(t, "all is written", func() bool { return d.all() == string(pieces(200)) })
		testkit.NoErr(t, f.close())
		mu.Lock()
		s := f.State()
		testkit.That(t, s.Bytes == int64(len(pieces(200))) && s.Refused == 0 && told >= 2, "%+v, told %d times", s, told)
		mu.Unlock()
	}
}

// What does not fit while nothing can be written is refused and counted; what fits is kept.
func TestRawFileIsBounded(t *testing.T) {
	f := newRawFile("x", func() time.Duration { return 0 }, func() {})
	f.retry, f.most = 2*time.Millisecond, 1000
	full := true
	d := &flaky{}
	d.fail = func(int) (int, error) {
		if full {
			return 0, syscall.EIO
		}
		return 0, nil
	}
	f.open = func() (fileWriter, error) { return d, nil }
	go f.run()
	taken := []byte{}
	refused := int64(0)
	for n := range 500 {
		if f.write(piece(n)) {
			taken = append(taken, piece(n)...)
		} else {
			refused++
		}
	}
	until(t, "the trouble is known", func() bool { return f.State().Err != nil })
	d.mu.Lock()
	full = false
	d.mu.Unlock()
	until(t, "what was taken is written", func() bool { return f.State().Err == nil && d.all() == string(taken) })
	if s := f.State(); s.Refused != refused || refused == 0 || s.RefusedBytes != refused*int64(len(piece(0))) {
		t.Errorf("%+v, %d refused", s, refused)
	}
	err := f.close()
	testkit.That(t, err != nil && strings.Contains(err.Error(), "lacks"), "closed with %v", err)
	testkit.That(t, bytes.HasPrefix(pieces(500), taken[:len(piece(0))]), "not in order")
}

// A file whose name ends in .zst is compressed, and can be read at any moment up to what was
// written; what a disk refuses is written when it takes something again, in order and once.
func TestRawFileIsCompressed(t *testing.T) {
	for _, short := range []int{0, 1, 5} {
		f := newRawFile("x.log.zst", func() time.Duration { return time.Second }, func() {})
		f.retry = 5 * time.Millisecond
		d := &flaky{fail: func(n int) (int, error) {
			if n%3 == 1 {
				return short, syscall.ENOSPC
			}
			return 0, nil
		}}
		f.open = func() (fileWriter, error) { return d, nil }
		go f.run()
		unpacked := func() string {
			r, err := feed.Uncompressed(strings.NewReader(d.all()))
			if err != nil || d.all() == "" {
				return ""
			}
			text, _ := io.ReadAll(r) // the last piece may be cut while it is being written
			return string(text)
		}
		for n := range 200 {
			testkit.MustThat(t, f.write(piece(n)), "refused")
			if n%20 == 0 {
				f.hurry()
				until(t, "what came is written", func() bool {
					now := unpacked()
					testkit.MustThat(t, len(now) <= 4 || strings.HasPrefix(string(pieces(200)), now),
						"it can't be read while it grows: %q", now)
					return now == string(pieces(n+1))
				})
			}
		}
		until(t, "all is written", func() bool { return unpacked() == string(pieces(200)) })
		testkit.NoErr(t, f.close())
		s := f.State()
		testkit.That(t, s.Bytes == int64(len(pieces(200))) && s.Refused == 0, "%+v", s)
		if got := d.all(); len(got) >= len(pieces(200)) || unpacked() != string(pieces(200)) {
			t.Errorf("%d bytes became %d", len(pieces(200)), len(got))
		}
	}
}
