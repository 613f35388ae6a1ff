package pprof_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"framescope/net/feed/feedtest"
	"framescope/net/pprof"
)

// gperf is a CPU profile of gperftools: three samples of two stacks, and where the program is in memory.
func gperf(order binary.AppendByteOrder, wide bool) []byte {
	var out []byte
	for _, w := range []uint64{0, 3, 0, 10_000, 0, 2, 2, 0x401000, 0x402001, 1, 1, 0x403000, 0, 1, 0} {
		if wide {
			out = order.AppendUint64(out, w)
		} else {
			out = order.AppendUint32(out, uint32(w))
		}
	}
	return append(out, "00400000-00500000 r-xp 00000000 08:02 1 /usr/bin/game\n"...)
}

// TestLegacy opens profiles of gperftools, in words of either size and order: samples and time by address.
func TestLegacy(t *testing.T) {
	for name, data := range map[string][]byte{
		"little": gperf(binary.LittleEndian, true), "big": gperf(binary.BigEndian, true),
		"little, 32": gperf(binary.LittleEndian, false), "big, 32": gperf(binary.BigEndian, false),
	} {
		if !(pprof.Source{}).Sniff(data, "x") || (pprof.Source{}).Sniff(bytes.Replace(data, []byte{3}, []byte{4}, 1), "x") {
			t.Errorf("%s: not recognised, or what is no profile", name)
		}
		s, err := open(t, feedtest.File(t, "x.prof", data), "")
		if err != nil {
			t.Fatal(name, err)
		}
		for kind, total := range map[string]int64{"samples": 3, "cpu": 30_000_000} {
			m, _ := measureOf(t, s, kind)
			tree := feedtest.Tree(s, m)
			got := ""
			for _, x := range tree.Inside(nil) {
				got += fmt.Sprint(s.Collector(x.Collector).Name, " ", x.Total*3/total, " ")
			}
			if tree.Total != total || !strings.Contains(got, "0x401000 2 ") || !strings.Contains(got, "0x402000 2 ") || !strings.Contains(got, "0x403000 1 ") {
				t.Errorf("%s, %s: %d, %s", name, kind, tree.Total, got)
			}
		}
		if _, lines := s.Losses(); len(lines) > 0 || s.Info().Program != "game" {
			t.Errorf("%s: %q of %q", name, lines, s.Info().Program)
		}
		for at := range data {
			_, _ = open(t, feedtest.File(t, "x.prof", data[:at]), "")
		}
	}
}
