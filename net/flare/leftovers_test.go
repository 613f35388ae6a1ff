package flare

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// TestFoldersWithLeftovers: samples from before the agent's start are left out, and counted.
func TestFoldersWithLeftovers(t *testing.T) {
	rec := &Recording{Info: Info{SampleStartMs: 60_000}, Methods: map[MethodID]string{7: "a.B.c()"}}
	for _, ms := range []int64{1000, 1020, 60_000, 60_020, 61_000} {
		rec.EnsureThread(1).Add(Record{TimeMs: ms, Stack: []MethodID{7}}, "main")
	}
	rec.DropLeftovers()
	s := store.NewSession()
	Play(rec, "a folder", &sink{s: s})
	begin, end, _ := s.Bounds()
	if n, lines := s.Losses(); end-begin != 1e9 || n[model.LossLeftover] != 2 || len(lines) != 1 {
		t.Errorf("%d ns, %d left out, %q", end-begin, n[model.LossLeftover], lines)
	}
	rec.SampleStartMs = 90_000 // its clock was set back
	if rec.DropLeftovers(); rec.NumRecords() != 3 {
		t.Errorf("%d samples stay", rec.NumRecords())
	}
}

// So are those in a folder that is opened: here the agent began ten seconds after its first samples.
func TestOpenedFoldersWithLeftovers(t *testing.T) {
	dir := find(t, "recorded-60s/127*")
	whole := openDir(t, dir)
	info := filepath.Join(dir, "summary_info.json")
	text := testkit.Must(os.ReadFile(info))(t)
	var start int64
	field := regexp.MustCompile(`("sample_start_time": *)(\d+)`)
	text = field.ReplaceAllFunc(text, func(b []byte) []byte {
		m := field.FindSubmatch(b)
		start, _ = strconv.ParseInt(string(m[2]), 10, 64)
		return fmt.Appendf(nil, "%s%d", m[1], start+10_000)
	})
	testkit.OK(t, os.WriteFile(info, text, 0o600))
	s, rec := openDir(t, dir), readDir(t, dir)
	left := int64(0)
	for _, th := range rec.Threads {
		for _, x := range th.Records {
			if x.TimeMs < start+10_000 {
				left++
			}
		}
	}
	_, all, _ := whole.Bounds()
	_, end, _ := s.Bounds()
	if n, _ := s.Losses(); left == 0 || n[model.LossLeftover] != left || end < all-10_200e6 || end > all-9_800e6 {
		t.Errorf("%d left out of %d, %d ns of %d", n[model.LossLeftover], left, end, all)
	}
}

// A sample whose time is damaged is left out, and told, wherever it comes; a program that stood still
// goes on.
func TestSamplesThatLeap(t *testing.T) {
	const day = 86_400_000
	for name, x := range map[string]struct {
		times [2][]int64 // of the threads
		from  int64
		ms    int64 // length of the session
		left  int
	}{
		"none":              {[2][]int64{{1000, 1020, 1040}, {1000, 1040}}, 1000, 40, 0},
		"ahead":             {[2][]int64{{1000, 1020, 300 * day}, {1000, 1040}}, 1000, 40, 1},
		"back":              {[2][]int64{{1000, 50 * day, 50*day + 20}, {50 * day}}, 50 * day, 20, 1},
		"two":               {[2][]int64{{1000, 1020, 300 * day}, {1000, 1030, 7 * day}}, 1000, 30, 2},
		"both ends":         {[2][]int64{{1000, 50 * day, 50*day + 20}, {50 * day, 90 * day}}, 50 * day, 20, 2},
		"stood still":       {[2][]int64{{1000, 1020, day}, {1000, 1030, day}}, 1000, day - 1000, 0},
		"one thread":        {[2][]int64{{1000, 1020, day, day + 20}, nil}, 1000, day - 980, 0},
		"two far in a pair": {[2][]int64{{1000, day}, nil}, 1000, day - 1000, 0},
	} {
		rec := &Recording{Methods: map[MethodID]string{7: "a.B.c()"}}
		for id, times := range x.times {
			for _, ms := range times {
				rec.EnsureThread(int64(id)).Add(Record{TimeMs: ms, Stack: []MethodID{7}}, "main")
			}
		}
		rec.DropLeaps()
		s := store.NewSession()
		Play(rec, "a folder", &sink{s: s})
		begin, end, _ := s.Bounds()
		first, _, _ := rec.Bounds()
		if n, _ := s.Losses(); end-begin != x.ms*1e6 || first != x.from || int(n[model.LossMalformed]) != x.left || len(rec.Problems) != x.left {
			t.Errorf("%s: %d ms from %d on, %d left out, %v", name, (end-begin)/1e6, first, n[model.LossMalformed], rec.Problems)
		}
	}
}
