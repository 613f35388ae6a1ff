package why_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

// BenchmarkWhyTenMillion explains hitches of a session of ten million spans, one an iteration, once all
// are known: the goal is a millisecond. It reports the longest answer, too, and the longest piece of
// making ready.
func BenchmarkWhyTenMillion(b *testing.B) {
	made, err := gen.New(gen.Options{Seed: 5, Spans: 10_000_000})
	testkit.NoErr(b, err)
	var file bytes.Buffer
	testkit.NoErr(b, made.Write(context.Background(), &file, nil))
	sink := &pstatstest.Sink{Session: store.NewSession()}
	_, err = sessionfile.Read(&file, "generated", 0, decode.New(sink, decode.Options{File: true}), nil)
	testkit.NoErr(b, err)
	s := sink.Session
	track := s.MainTrack()
	e := why.NewEngine(s)
	longest := func(worst *time.Duration, f func()) {
		begin := time.Now()
		f()
		*worst = max(*worst, time.Since(begin))
	}
	var piece, answer, again time.Duration
	pieces := 0
	for more := true; more; pieces++ {
		longest(&piece, func() { more = e.Prepare(track, 1) })
	}
	hitches := e.Hitches(track)
	testkit.MustThat(b, len(hitches) != 0, "no hitches")
	longest(&again, func() { e.Prepare(track, 1) })
	var a why.Answer
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		if i, ok := s.Track(track).FrameByNumber(hitches[k%len(hitches)].Number); ok {
			longest(&answer, func() { e.Frame(track, i, &a) })
		}
		k++
	}
	b.ReportMetric(float64(len(hitches)), "hitches")
	b.ReportMetric(float64(pieces), "pieces")
	b.ReportMetric(float64(piece.Microseconds()), "µs/longest-piece")
	b.ReportMetric(float64(answer.Microseconds()), "µs/longest-answer")
	b.ReportMetric(float64(again.Microseconds()), "µs/nothing-new")
}
