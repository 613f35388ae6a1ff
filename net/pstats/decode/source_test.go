package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// TestOpenFile checks what a sink gets in the end: an End always, a loss for a cut, nothing more
// after cancelling.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	data := pstatstest.Bytes(t, "nested.pstats")
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		testkit.OK(t, os.WriteFile(path, data, 0o644))
		return path
	}
	last := func(s *pstatstest.Sink) string {
		end, ok := s.Changes[len(s.Changes)-1].(model.End)
		if !ok {
			t.Fatalf("the last change is %#v", s.Changes[len(s.Changes)-1])
		}
		return end.Reason
	}
	registry := feed.Registry{Source{}}

	s := &pstatstest.Sink{}
	if err := registry.Open(context.Background(), write("whole", data), s); err != nil || last(s) != "end of file" || s.Count != 200 {
		t.Errorf("whole: %v, %q, %d frames", err, last(s), s.Count)
	}
	s = &pstatstest.Sink{}
	if err := registry.Open(context.Background(), write("cut", data[:len(data)/2]), s); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(last(s), "cut off") || s.Count == 0 || s.Losses()[model.LossTruncated] != 1 {
		t.Errorf("cut: %v, %q, %d frames, losses %v", err, last(s), s.Count, s.Losses())
	}
	broken := bytes.Clone(data)
	copy(broken[len(broken)/2:], bytes.Repeat([]byte{0xee}, 100))
	s = &pstatstest.Sink{}
	if err := registry.Open(context.Background(), write("broken", broken), s); err == nil || s.Count == 0 || s.Losses()[model.LossMalformed] == 0 {
		t.Errorf("broken: %v, %q, %d frames, losses %v", err, last(s), s.Count, s.Losses())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s = &pstatstest.Sink{}
	if err := registry.Open(ctx, write("again", data), s); !errors.Is(err, context.Canceled) || s.Count > 1 || !strings.Contains(last(s), "cancelled") {
		t.Errorf("cancelled: %v, %q, %d frames", err, last(s), s.Count)
	}
	if err := (Source{}).OpenFile(context.Background(), filepath.Join(dir, "none"), &pstatstest.Sink{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// One damaged number in a file makes no gap of two thousand million frames; a real jump stays.
func TestAWildNumberInAFile(t *testing.T) {
	const all = 20 // frames of the first thread
	for _, real := range []bool{false, true} {
		data := madeSession(t, 2, func(thread int, f *pstats.Frame) {
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

// lossSink keeps what is told of losses.
type lossSink struct {
	*pstatstest.Sink
	losses []model.Loss
}

func (k *lossSink) Define(c model.Change) {
	if l, ok := c.(model.Loss); ok {
		k.losses = append(k.losses, l)
	}
	k.Sink.Define(c)
}

// Numbers of a file that can't be are losses of the file, of a live program those of its thread.
func TestImpossibleLevels(t *testing.T) {
	frame := &pstats.Frame{Levels: []pstats.Level{{Collector: 1, Value: -1.7e38}}}
	for _, file := range []bool{false, true} {
		k := &lossSink{Sink: &pstatstest.Sink{Session: store.NewSession()}}
		d := New(k, Options{File: file})
		d.Frame(frame, 0)
		d.Close("")
		if len(k.losses) != 1 || k.losses[0].Reason != model.LossMalformed || (k.losses[0].Track == model.NoTrack) != file {
			t.Errorf("file=%v: %+v", file, k.losses)
		}
	}
}

// wildInPlace is a made session whose first thread has a frame in the middle with a damaged number.
func wildInPlace(t *testing.T) []byte {
	data := madeSession(t, 2, nil)
	raw, _, err := pstatstest.ReadRaw(data)
	if err != nil {
		t.Fatal(err)
	}
	frame := pstats.AppendFrame(nil, sessionfile.FrameVersion, raw.FrameOf(0, 9))[3:]
	at := bytes.Index(data, frame)
	if at < 0 {
		t.Fatal("the frame is not in the file")
	}
	binary.LittleEndian.PutUint32(data[at:], math.MaxInt32)
	return data
}
