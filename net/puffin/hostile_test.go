package puffin

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
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
			if n := s.Track(s.MainTrack()).NumFrames(); n == 0 || len(lines) > 8 {
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
	if _, err := u.unpack(packedZstd, bomb); err == nil || !strings.Contains(err.Error(), "more than") && !strings.Contains(err.Error(), "exceeded") {
		t.Errorf("%d bytes that become %d: %v", len(bomb), maxUnpacked+1, err)
	}
	for _, packing := range []byte{3, 255} {
		if _, err := u.unpack(packing, nil); err == nil {
			t.Errorf("packed %d is taken", packing)
		}
	}
	// One that comes after is read all the same.
	if out, err := u.unpack(packedLZ4, pack(packedLZ4, []byte(strings.Repeat("abc", 100)))); err != nil || len(out) != 300 {
		t.Errorf("%q, %v", out, err)
	}
	deep := one(1, 0, 5000)
	for i := range int64(1200) {
		deep = one(1, 0, 5000+i, deep)
	}
	f := madeFrame{threads: []madeThread{{name: "main", scopes: []made{deep}}}}
	s := feedtest.Made(t, Source{}, "made.puffin", file(f.record('4', packedLZ4)))
	if lost, lines := s.Losses(); s.Track(0).Lanes() != maxDepth || lost[model.LossLimit] != 1 {
		t.Errorf("%d deep, %v %q", s.Track(0).Lanes(), lost, lines)
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
				lost, lines := s.Losses()
				begin, end, _ := main.FrameTimes(0, main.NumFrames()-1)
				testkit.That(t, main.NumSpans() == n-1 && lost[model.LossMalformed] == 1 && lost[model.LossLate] == 0,
					"%d at %d: %d scopes, %q", garbage, at, main.NumSpans(), lines)
				testkit.That(t, begin >= 0 && end <= n*10*ms,
					"%d at %d: the frames are from %d to %d", garbage, at, begin, end)
			}
		}
	}
}

// A clock that is set back costs nothing, and is told.
func TestClockSetBack(t *testing.T) {
	times := make([]int64, 20)
	for i := range times {
		if times[i] = int64(1_790_000_000e9) + int64(i)*1e7; i >= 10 {
			times[i] -= int64(time.Hour)
		}
	}
	s := feedtest.Made(t, Source{}, "made.puffin", file(framesAt(times)...))
	main := s.Track(s.MainTrack())
	warnings := strings.Join(s.Warnings(), "\n")
	if _, end, _ := s.Bounds(); main.NumSpans() != 20 || end < 19*1e7 || end > 20*1e7 {
		t.Errorf("%d scopes up to %d", main.NumSpans(), end)
	}
	if lost, lines := s.Losses(); lost[model.LossLate] != 0 || !strings.Contains(warnings, "set back (1×, by 59m59.995s in all") {
		t.Errorf("%q, %q", lines, warnings)
	}
}

// What claims to be nothing, or little, is refused or unpacked, whatever its bytes are.
func TestShortLZ4(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	refused := 0
	for n := range 20_000 {
		b := binary.LittleEndian.AppendUint32(nil, rng.Uint32N(5))
		for range 1 + n%24 {
			b = append(b, byte(rng.Uint32()))
		}
		var u unpacker // each with no room yet
		if _, err := u.unpack(packedLZ4, b); err != nil {
			refused++
		}
	}
	testkit.That(t, refused >= 10_000, "only %d were refused", refused)
}
