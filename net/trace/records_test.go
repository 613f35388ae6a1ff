package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/trace"
)

// cutWords cuts words that begin with <, a digit of their length and >, in pieces, and lists the words and the lost places.
func cutWords(data string, step int) string {
	var said []string
	r := trace.Records{Mark: []byte("<")}
	r.Cut = func(b []byte, _ bool) (int, bool, error) {
		switch {
		case len(b) < 3:
			return 0, false, nil
		case b[0] != '<' || b[1] < '1' || b[1] > '9' || b[2] != '>':
			return 0, false, errors.New("no word")
		}
		return 3 + int(b[1]-'0'), true, nil
	}
	r.Sure = func(b []byte, _ bool) (sure, short bool) {
		return len(b) > 2 && b[1] > '0' && b[1] <= '9' && b[2] == '>', len(b) < 3
	}
	r.Take = func(b []byte, at int64) error { said = append(said, fmt.Sprintf("%d %s", at, b[3:])); return nil }
	r.Lost = func(at int64, why error) { said = append(said, fmt.Sprintf("%d lost: %v", at, why)) }
	for len(data) > 0 {
		n := min(step, len(data))
		r.Write([]byte(data[:n])) //nolint:errcheck // Take has none
		data = data[n:]
	}
	r.End() //nolint:errcheck // likewise
	return strings.Join(said, "; ")
}

// TestRecords cuts words with damage in any pieces: all whole words are taken, and each lost place is reported once.
func TestRecords(t *testing.T) {
	for data, want := range map[string]string{
		"":                           "",
		"<3>abc<1>d":                 "0 abc; 6 d",
		"<3>abc--<<1><1>d<":          "0 abc; 6 lost: no word; 9 <; 13 lost: no word",
		"<3>abc<9>d<2>ef":            "0 abc; 6 lost: " + trace.ErrLong.Error() + "; 10 ef",
		"<3>abc\x00\x00\x00\x00\x00": "0 abc; 6 lost: no word",
		"<3>abc<5>de":                "0 abc; 6 lost: " + trace.ErrCut.Error(),
	} {
		for step := 1; step <= max(len(data), 1); step++ {
			testkit.Equal(t, cutWords(data, step), want, "%q in pieces of %d", data, step)
		}
	}
}

// TestRecordsForget looks for a record in bytes without end, and keeps none of them.
func TestRecordsForget(t *testing.T) {
	seen := 0
	r := trace.Records{
		Mark: []byte("ab"), Take: func([]byte, int64) error { return nil }, Lost: func(int64, error) {},
		Cut:  func([]byte, bool) (int, bool, error) { return 0, false, errors.New("none") },
		Sure: func(b []byte, _ bool) (bool, bool) { seen = max(seen, len(b)); return false, len(b) < 5 },
	}
	for range 1 << 10 {
		r.Write(bytes.Repeat([]byte("ab"), 50)) //nolint:errcheck // Take has none
	}
	testkit.That(t, seen <= 110 && r.Place() > 1<<16, "%d bytes are kept, %d read", seen, r.Place())
}
