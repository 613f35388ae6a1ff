package pstats

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats/wire"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenFile checks what a sink gets in the end: an End always, a loss for a cut, nothing more after cancelling.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	data := captureBytes(t, "nested.pstats")
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	last := func(s *sink) string {
		end, ok := s.changes[len(s.changes)-1].(model.End)
		if !ok {
			t.Fatalf("the last change is %#v", s.changes[len(s.changes)-1])
		}
		return end.Reason
	}
	registry := feed.Registry{Source{}}

	s := &sink{}
	if err := registry.Open(context.Background(), write("whole", data), s); err != nil || last(s) != "end of file" || s.count != 200 {
		t.Errorf("whole: %v, %q, %d frames", err, last(s), s.count)
	}
	s = &sink{}
	if err := registry.Open(context.Background(), write("cut", data[:len(data)/2]), s); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(last(s), "cut off") || s.count == 0 || s.losses()[model.LossTruncated] != 1 {
		t.Errorf("cut: %v, %q, %d frames, losses %v", err, last(s), s.count, s.losses())
	}
	broken := bytes.Clone(data)
	copy(broken[len(broken)/2:], bytes.Repeat([]byte{0xee}, 100))
	s = &sink{}
	if err := registry.Open(context.Background(), write("broken", broken), s); err == nil || s.count == 0 || s.losses()[model.LossMalformed] == 0 {
		t.Errorf("broken: %v, %q, %d frames, losses %v", err, last(s), s.count, s.losses())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s = &sink{}
	if err := registry.Open(ctx, write("again", data), s); !errors.Is(err, context.Canceled) || s.count > 1 || !strings.Contains(last(s), "cancelled") {
		t.Errorf("cancelled: %v, %q, %d frames", err, last(s), s.count)
	}
	if err := (Source{}).OpenFile(context.Background(), filepath.Join(dir, "none"), &sink{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// One damaged number in a file makes no gap of two thousand million frames; a real jump stays.
func TestAWildNumberInAFile(t *testing.T) {
	const all = 20 // frames of the first thread
	for _, real := range []bool{false, true} {
		data := madeSession(t, 2, func(thread int, f *wire.Frame) {
			if thread == 0 && (f.Number == 9 || real && f.Number > 9) {
				f.Number += 2_000_000_000
			}
		})
		if !real { // the writer sorts by number: put the wild frame back to where it was
			data = wildInPlace(t)
		}
		c := compareWorkers(t, fmt.Sprintf("real=%v", real), data)
		want, losses := all, 0
		if !real {
			want, losses = all-1, 1
		}
		if len(c.Frames["0.1"]) != want || len(c.Losses) != losses {
			t.Errorf("real=%v: %d frames, losses %q", real, len(c.Frames["0.1"]), c.Losses)
		}
	}
}

// wildInPlace is a made session whose first thread has a frame in the middle with a damaged number.
func wildInPlace(t *testing.T) []byte {
	data := madeSession(t, 2, nil)
	raw, _, err := readRaw(data)
	if err != nil {
		t.Fatal(err)
	}
	frame := wire.AppendFrame(nil, FrameVersion, raw.FrameOf(0, 9))[3:]
	at := bytes.Index(data, frame)
	if at < 0 {
		t.Fatal("the frame is not in the file")
	}
	binary.LittleEndian.PutUint32(data[at:], math.MaxInt32)
	return data
}
