package frametimes

import (
	"math"
	"testing"

	"framescope/internal/testkit"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/net/feed/feedtest"
)

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"mangohud-0.6.8-interval100-versioned", "byhand-capframex-comments", "byhand-presentmon-v2-two-apps", "byhand-generic-semicolon-comma", "presentmon-2.5-case0"} {
		data := recordings.Read(f, recordings.FrameTimes, name+".csv")
		f.Add(uint8(3), data[:min(len(data), 4000)])
	}
	f.Add(uint8(0), []byte("t,frametime\n0,1\n5,1e300\n4,-2\nt,frametime\n9e99,3\n0,NA\n1,1\n"))
	f.Add(uint8(9), []byte("timestamp;a;mode\n2026-11-21 22:59:59.98;1,5;x\n2026-11-21 22:59:59.99;;y\n"))
	f.Add(uint8(5), []byte("thread_id,thread,frame,begin_ns,duration_ns,spans,missing\n0,Main,1,10,16,2,0\n1,GPU,1,9,4,2,0\n0,Main,2,26,90,1,0\n"))
	for _, c := range damaged {
		f.Add(uint8(13), []byte(c.text[:min(len(c.text), 4000)]))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		read := func(step int) string {
			k := feedtest.NewRuled(t)
			k.Also = func(b *model.Batch) {
				at := [2]int64{math.MinInt64, math.MinInt64}
				for _, s := range b.Spans {
					testkit.MustThat(t, s.Begin >= at[s.Lane] && (!b.HasFrame || s.End <= b.End),
						"a span %+v in the frame from %d to %d, %d before it", s, b.Begin, b.End, at[s.Lane])
					at[s.Lane] = s.End
				}
			}
			_ = feedtest.Stream(Source{}, k, data, feedtest.Steps(step), false)
			s := k.Session
			n := s.Limits()
			testkit.That(t, len(n) <= 0, "limits: %v", n)
			feedtest.Unrefused(t, s)
			return facts(s) + feedtest.Losses(s)
		}
		got, want := read(1+int(step)), read(len(data)+1)
		testkit.MustThat(t, got == want, "in pieces of %d:\n%s\nas a whole\n%s", step, got, want)
		Source{}.Sniff(data, "x")
	})
}
