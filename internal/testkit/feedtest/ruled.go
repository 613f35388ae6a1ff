package feedtest

import (
	"math"
	"strings"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// Ruled is a sink that checks its input against the rules of model.Batch before it passes it to a
// session.
type Ruled struct {
	Into
	T     testing.TB
	Spans int                // how many came
	Also  func(*model.Batch) // further rules, or nil

	last map[model.SeriesID]int64
}

// NewRuled returns one with a session of its own.
func NewRuled(t testing.TB) *Ruled {
	return &Ruled{Into: Into{Session: store.NewSession()}, T: t, last: map[model.SeriesID]int64{}}
}

// Publish implements feed.Sink.
func (k *Ruled) Publish(b *model.Batch) bool {
	k.Spans += len(b.Spans)
	for i, s := range b.Spans {
		if s.End < s.Begin {
			k.T.Fatalf("a span from %d to %d, flags %b, on track %d", s.Begin, s.End, s.Flags, b.Track)
		}
		if i > 0 {
			if p := b.Spans[i-1]; s.Begin < p.Begin || s.Begin == p.Begin && s.Lane < p.Lane {
				k.T.Fatalf("spans out of order: %+v, %+v", p, s)
			}
		}
		if b.HasFrame && (s.Begin < b.Begin || s.Begin > b.End) {
			k.T.Fatalf("a span at %d in the frame from %d to %d", s.Begin, b.Begin, b.End)
		}
	}
	sum := int64(0)
	for i, a := range b.Self {
		if sum += a.Ns; a.Ns < 0 || i > 0 && a.Collector <= b.Self[i-1].Collector {
			k.T.Fatalf("alone: %+v", b.Self)
		}
	}
	if sum > b.End-b.Begin {
		k.T.Fatalf("%d ns alone in a frame of %d", sum, b.End-b.Begin)
	}
	for _, x := range b.Samples {
		if math.IsInf(x.Value, 0) {
			k.T.Fatalf("a value of %g", x.Value)
		}
	}
	if k.Also != nil {
		k.Also(b)
	}
	return k.Into.Publish(b)
}

// Ascending is a further rule: the samples of a series are in order of time.
func (k *Ruled) Ascending(b *model.Batch) {
	for _, x := range b.Samples {
		if last, ok := k.last[x.Series]; ok && x.Time < last {
			k.T.Fatalf("series %d goes back from %d to %d", x.Series, last, x.Time)
		}
		k.last[x.Series] = x.Time
	}
}

// Unrefused demands that a session took all its input: a store refuses data that break its rules.
func Unrefused(t testing.TB, s *store.Session) {
	t.Helper()
	_, lines := s.Losses()
	for _, line := range lines {
		for _, bad := range []string{"spans that", "batch of", "a frame "} {
			if strings.HasPrefix(line, bad) {
				t.Errorf("the store says: %s", line)
			}
		}
	}
}
