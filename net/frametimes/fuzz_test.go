package frametimes

import (
	"math"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// ruled is a sink that holds what it gets against the rules of batches.
type ruled struct {
	t       *testing.T
	session *store.Session
	batch   model.Batch
}

func (k *ruled) Define(c model.Change) { k.session.Apply(c) }
func (k *ruled) Begin() *model.Batch   { k.batch.Reset(); return &k.batch }
func (k *ruled) Progress(int64, int64) {}

func (k *ruled) Publish(b *model.Batch) bool {
	at := [2]int64{math.MinInt64, math.MinInt64}
	sum := int64(0)
	for i, s := range b.Spans {
		if s.End < s.Begin || s.Begin < at[s.Lane] || i > 0 && s.Begin < b.Spans[i-1].Begin {
			k.t.Fatalf("spans out of order: %+v", b.Spans)
		}
		at[s.Lane] = s.End
		if b.HasFrame && (s.Begin < b.Begin || s.End > b.End) {
			k.t.Fatalf("a span %+v in the frame from %d to %d", s, b.Begin, b.End)
		}
	}
	for i, a := range b.Alone {
		sum += a.Ns
		if a.Ns < 0 || i > 0 && a.Collector <= b.Alone[i-1].Collector {
			k.t.Fatalf("alone: %+v", b.Alone)
		}
	}
	if sum > b.End-b.Begin {
		k.t.Fatalf("%d ns alone in a frame of %d", sum, b.End-b.Begin)
	}
	k.session.Append(b)
	return true
}

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
	for _, c := range cannotBe {
		f.Add(uint8(13), []byte(tableWith(c.row)))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		read := func(step int) string {
			s := store.NewSession()
			st := Source{}.NewStream(&ruled{t: t, session: s}, feed.StreamOptions{Name: "x.csv"})
			for rest := data; len(rest) > 0; {
				n := min(step, len(rest))
				if _, err := st.Write(rest[:n]); err != nil {
					break
				}
				rest = rest[n:]
			}
			st.Close("")
			if n := s.Limits(); len(n) > 0 {
				t.Errorf("limits: %v", n)
			}
			_, lines := s.Losses()
			for _, line := range lines {
				for _, bad := range []string{"spans that", "batch of", "a frame ", "samples "} { // what the store itself refuses
					if strings.HasPrefix(line, bad) && !strings.Contains(line, "too late") {
						t.Errorf("the store says: %s", line)
					}
				}
			}
			return facts(s) + strings.Join(lines, "\n")
		}
		if got, want := read(1+int(step)), read(len(data)+1); got != want {
			t.Fatalf("in pieces of %d:\n%s\nas a whole\n%s", step, got, want)
		}
		Source{}.Sniff(data, "x")
	})
}
