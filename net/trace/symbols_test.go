package trace

import (
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// The begin of a long text counts, with a mark, and each such text is counted once, however it is written.
func TestLongTextsAreCounted(t *testing.T) {
	sink := &feedtest.Kept{}
	var bad Diagnostics
	s := newSymbols(sink, feed.NamesOf(sink), &bad, "x")
	long := strings.Repeat("k", MaxText+1)
	a, b := s.Symbol([]byte(long)), s.JSONSymbol([]byte(long))
	short := s.Symbol([]byte(long[:MaxText]))
	testkit.That(t, a == b && a != short && s.Words(short) == long[:MaxText], "symbols %d, %d, %d", a, b, short)
	testkit.That(t, len(s.Words(a)) <= MaxText+len("…") && strings.HasSuffix(s.Words(a), "k…"), "%q", s.Words(a)[MaxText-5:])
	testkit.Equal(t, bad.Count(LongText), 1, "long texts")
}
