package puffin

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// TestNamesThatNeverRepeat sends scopes with names that never repeat, of each kind, and threads
// without end: that must not cost more memory than is allowed, and what there is no room for is
// counted.
func TestNamesThatNeverRepeat(t *testing.T) {
	const frames, scopes = 60, 1000
	for name, c := range map[string]struct {
		version byte
		make    func(frame, i int, m *made, f *madeFrame)
	}{
		"names": {'3', func(frame, i int, m *made, _ *madeFrame) {
			m.name, m.place = strings.Repeat("n", 100), fmt.Sprint(frame, ":", i)
		}},
		"numbers": {'4', func(frame, i int, m *made, _ *madeFrame) { m.id = uint32(frame*scopes + i + 1) }},
		"definitions": {'4', func(frame, i int, m *made, f *madeFrame) {
			m.id = uint32(frame*scopes + i + 1)
			f.defs = append(f.defs, scopeDef{id: m.id, name: fmt.Append(nil, "scope of ", frame, " and ", i)})
		}},
		"threads": {'4', func(frame, i int, m *made, f *madeFrame) {
			m.id = 1
			f.threads = append(f.threads, madeThread{start: int64(frame*scopes + i), name: "w", scopes: []made{*m}})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			v := feedtest.New(t, 16<<20)
			s := v.Run(func(sink feed.Sink) {
				st := Source{}.NewStream(sink, feed.StreamOptions{})
				st.Write([]byte(fileMagic))
				for frame := range frames {
					f := madeFrame{number: uint64(frame)}
					th := madeThread{start: -1, name: "main"}
					for i := range scopes {
						at := int64(frame*scopes+i) * 10
						m := made{id: 1, name: "x", begin: at, stop: at + 5}
						c.make(frame, i, &m, &f)
						th.scopes = append(th.scopes, m)
					}
					f.threads = append(f.threads, th)
					if _, err := st.Write(f.record(c.version, packedNot)); err != nil {
						t.Error(err)
					}
				}
				st.Close("")
			})
			v.Check(t)
			losses, lines := s.Losses()
			testkit.That(t, losses[model.LossLimit] != 0, "nothing is beyond a limit: %q", lines)
			if name != "threads" {
				v.CheckMore(t, s)
			}
			if n := s.Track(s.MainTrack()).NumFrames(); n == 0 || len(lines) > 9 {
				t.Errorf("%d frames, losses %q", n, lines)
			}
		})
	}
}

// What claims to be larger than it can be is refused before there is room for it.
func TestClaims(t *testing.T) {
	var u unpacker
	if _, err := u.unpack(packedLZ4, binary.LittleEndian.AppendUint32(nil, maxUnpacked)); err == nil || len(u.room) > 0 {
		t.Errorf("%v, room for %d", err, len(u.room))
	}
	bomb := pack(packedZstd, make([]byte, maxUnpacked+1))
	if _, err := u.unpack(packedZstd, bomb); err == nil || !strings.Contains(err.Error(), "exceed") {
		t.Errorf("%d bytes that become %d: %v", len(bomb), maxUnpacked+1, err)
	}
	for _, packing := range []byte{3, 255} {
		if _, err := u.unpack(packing, nil); err == nil {
			t.Errorf("packed %d is taken", packing)
		}
	}
	for _, b := range []string{"", "\x00\x00\x00\x00\xff", "\x04\x00\x00\x00\x01\x02\x03\x04\xff\xff\xff\xff\xff"} {
		var empty unpacker // with no room yet
		if _, err := empty.unpack(packedLZ4, []byte(b)); err == nil && len(b) == 0 {
			t.Errorf("%q is taken", b)
		}
	}
	// One that comes after is read all the same.
	if out, err := u.unpack(packedLZ4, pack(packedLZ4, []byte(strings.Repeat("abc", 100)))); err != nil || len(out) != 300 {
		t.Errorf("%q, %v", out, err)
	}
	deep := one(1, 0, 5000)
	for i := range int64(trace.MaxDepth + 200) {
		deep = one(1, 0, 5000+i, deep)
	}
	f := madeFrame{threads: []madeThread{{name: "main", scopes: []made{deep}}}}
	s := feedtest.Made(t, Source{}, "made.puffin", file(f.record('4', packedLZ4)))
	if s.Track(0).Lanes() != trace.MaxDepth || faults(s) != "deep-stack 1" {
		t.Errorf("%d deep, %q", s.Track(0).Lanes(), faults(s))
	}
}

// framesAt returns frames of a scope of 5 ms each, which begin at times.
func framesAt(times []int64) (out [][]byte) {
	for i, at := range times {
		f := madeFrame{number: uint64(i), threads: []madeThread{{start: -1, name: "main", scopes: []made{one(1, at, at+5e6)}}}}
		out = append(out, f.record('4', packedNot))
	}
	return out
}

// One time that is garbage, wherever it stands, costs its own frame alone.
func TestGarbageTimes(t *testing.T) {
	const n, epoch, ms = 20, int64(1_790_000_000e9), int64(1e6)
	for _, base := range []int64{0, epoch} {
		for _, garbage := range []int64{math.MinInt64 + 10, math.MaxInt64 - 10*ms, base + 1<<62, base - 1<<62} {
			for _, at := range []int{0, 1, 10, n - 1} {
				times := make([]int64, n)
				for i := range times {
					times[i] = base + int64(i)*10*ms
				}
				times[at] = garbage
				s := feedtest.Made(t, Source{}, "made.puffin", file(framesAt(times)...))
				main := s.Track(s.MainTrack())
				begin, end, _ := main.FrameTimes(0, main.NumFrames()-1)
				testkit.That(t, main.NumSpans() == n-1 && faults(s) == "bad-time 1",
					"%d at %d: %d scopes, %q", garbage, at, main.NumSpans(), faults(s))
				testkit.That(t, begin >= 0 && end <= n*10*ms,
					"%d at %d: the frames are from %d to %d", garbage, at, begin, end)
			}
		}
	}
}
