package trace_test

import (
	"fmt"
	"testing"

	"framescope/net/trace"
)

type frame = trace.ToldframesFrame

// What is told of threads is what they have, by whatever runs and frames of their own.
func TestOf(t *testing.T) {
	of := []frame{{-2, 0, 5, 0, false}, {-1, 5, 9, 0, false}, {3, 9, 20, 0, false}, {4, 18, 30, 0, false}, {9, 40, 50, 0, false}}
	for _, c := range []struct {
		note string
		own  []frame
		want []frame
	}{
		{"main -2:9", nil, of},
		{"", []frame{{7, 1, 2, 0, false}}, []frame{{7, 1, 2, 0, false}}},
		{"-1:3 5:100", nil, []frame{of[1], of[2], of[4]}},
		{"-1:-1 9:9", []frame{{-5, 1, 2, 0, false}, {4, 18, 29, 0, false}, {9, 41, 42, 0, false}, {10, 50, 51, 0, false}}, []frame{{-5, 1, 2, 0, false}, of[1], {4, 18, 29, 0, false}, {9, 41, 42, 0, false}, {10, 50, 51, 0, false}}},
		{"3:4 4:9 3:3 9:1 x:4 5 :", nil, of[2:4]}, // runs that do not ascend, and what is none
	} {
		th := trace.Thread{Own: c.own}
		th.TakeNote([]byte(c.note))
		if got := th.Of(of); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q and %v: %v, want %v", c.note, c.own, got, c.want)
		}
		if th.Main != (c.note != "" && c.note[0] == 'm') || th.Some() != (len(c.want) > 0) {
			t.Errorf("%q: main %t, some %t", c.note, th.Main, th.Some())
		}
	}
	note := trace.AppendNote(nil, true, []trace.Run{{-2, -1}, {3, 3}})
	if string(note) != "main -2:-1 3:3" {
		t.Errorf("%q", note)
	}
}

func TestNumber(t *testing.T) {
	for name, want := range map[string]string{
		"frame 12": "12 true true", "frame -3": "-3 true true", "thread frame 7": "7 false true", "frame": "0 false false",
		"Frame 12": "0 false false", "frame 12 of": "0 true false", "thread frame": "0 false false", "": "0 false false",
		"frame 2305843009213693953": "2305843009213693953 true false",
	} {
		if n, hosts, ok := trace.Number([]byte(name)); fmt.Sprint(n, hosts, ok) != want {
			t.Errorf("%q: %d %t %t, want %s", name, n, hosts, ok, want)
		}
	}
}

func TestSorted(t *testing.T) {
	list := []frame{{5, 9, 10, 0, false}, {-1, 4, 5, 0, false}, {2, 7, 8, 0, false}}
	if !trace.Sorted(list) || list[0].Number != -1 || list[2].Number != 5 {
		t.Errorf("%v", list)
	}
	if list[1].Number = 5; trace.Sorted(list) || fmt.Sprint(list) != "[{0 4 5 0 false} {1 7 8 0 false} {2 9 10 0 false}]" {
		t.Errorf("%v", list)
	}
}

// Figures are read as they were written; what can't be read is left out, and told.
func TestFigures(t *testing.T) {
	var f trace.Figures
	net := trace.AppendShare(trace.AppendShare(nil, trace.Share{Collector: 3, Ns: -1500, Starts: 2}), trace.Share{Collector: 7})
	levels := trace.AppendLevel(nil, trace.ToldframesLevel{Collector: 1, After: 20, Value: .25})
	for _, c := range []struct {
		net, levels []byte
		whole       bool
		want        string
	}{
		{net, levels, true, "[{3 -1500 2} {7 0 0}] [{1 20 0.25}] true"},
		{nil, levels, true, "[] [{1 20 0.25}] false"},
		{[]byte(" "), nil, true, "[] [] true"},
		{[]byte("1:2:3 -1:2:3 x 4:5 6:7:8.5 9:9223372036854775807:1"), []byte("1:0:NaN 2:0:1"), false, "[{1 2 3}] [{2 0 1}] true"},
	} {
		n, whole := f.Add(c.net, c.levels)
		shares, values, told := f.Of(n)
		if got := fmt.Sprint(shares, values, told); whole != c.whole || got != c.want {
			t.Errorf("%q, %q: %s, whole %t, not %s", c.net, c.levels, got, whole, c.want)
		}
	}
	if shares, values, told := f.Of(99); len(shares)+len(values) > 0 || told {
		t.Error("figures from nowhere")
	}
}
