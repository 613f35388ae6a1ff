package trace

import (
	"math/big"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// TestTimes reads numbers as exact decimals, whatever they look like.
func TestTimes(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "1849.364", "1795299712238323.068", "2603.4430000000002", "2.2e+01", "2.2E1", "1e-3", "5e-4",
		"4.9999e-4", "-1.5", "-0.0005", "-0.00051", "0.0005", "0.00049999", "123456789012345.6785", "1e15", "0.0e5",
		"000012.5", "100000e-2", "0.00012e4",
		"12345678901234567e-3", "1234567890.1234567890123456789", "2305843009213693",
	} {
		got, ok := ParseTime([]byte(text), 3)
		want, _ := new(big.Rat).SetString(text)
		want.Mul(want, big.NewRat(1000, 1)).Add(want, big.NewRat(1, 2))
		floor := new(big.Int).Div(want.Num(), want.Denom())
		if !ok || got.Round() != floor.Int64() {
			t.Errorf("%s µs are %d ns, %v; want %s", text, got.Round(), ok, floor)
		}
	}
	for _, text := range []string{
		"", "-", ".5", "1.2.3", "1e", "1e+", "abc", "12x", "1e400", "99999999999999999", "2305843009213694", "NaN", "--1",
		"1 2", "0x10",
	} {
		got, ok := ParseTime([]byte(text), 3)
		testkit.That(t, !ok, "%q is %v", text, got)
	}
	// Both are rounded together, so that children end with their parents.
	a, _ := ParseTime([]byte("0.0004"), 3)
	b, _ := ParseTime([]byte("0.0004"), 3)
	got := a.Plus(b).Round()
	testkit.That(t, got == 1, "0.4 ns and 0.4 ns are %d ns", got)
}

// TestJSONText undoes escapes, and marks what it cuts.
func TestJSONText(t *testing.T) {
	for raw, want := range map[string]string{
		`plain`: "plain", `a\"b\\c\/d\n\t`: "a\"b\\c/d\n\t", `\u00fc\ud83c\udfae!`: "ü🎮!", `\ud83c x`: "� x",
		`\udfae`: "�", `\uZZ`: `\uZZ`, "bad \xff\xfe": "bad �", `end\`: `end\`, `\u12`: `\u12`,
	} {
		testkit.Equal(t, JSONText([]byte(raw)), want, "%q", raw)
	}
	long := JSONText([]byte(strings.Repeat("ü", MaxText)))
	if len(long) > MaxText+3 || !strings.HasSuffix(long, "ü…") {
		t.Errorf("a long text ends in %q and has %d bytes", long[len(long)-8:], len(long))
	}
}

// TestFrameNames tells which names are those of frames, with their numbers.
func TestFrameNames(t *testing.T) {
	for name, want := range map[string]string{
		"frame": "", "Frame 12 of 30": "12", "FRAME_7": "7", "frame #0": "0", "frame: x": "",
	} {
		got, ok := Frame([]byte(name))
		testkit.That(t, ok && string(got) == want, "%q: %q %v", name, got, ok)
	}
	for _, name := range []string{"", "fram", "frames", "FrameLoader:created", "framé", "my frame"} {
		_, ok := Frame([]byte(name))
		testkit.That(t, !ok, "%q is a frame", name)
	}
}
