package gsttrace

import (
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		function, file string
		level          Level
		hook           string
		phase          int8
	}{
		{"do_push_buffer_pre", "", LevelTrace, "push_buffer", -1},
		{"do_push_buffer_post", "", LevelTrace, "push_buffer", 1},
		{"do_element_new", "", LevelTrace, "element_new", 0},
		{"do_push_buffer_pre", "gst.c", LevelTrace, "", 0}, // somebody's own function
		{"do_push_buffer_pre", "", LevelDebug, "", 0},
		{"do__pre", "", LevelTrace, "", 0},
		{"push_buffer_pre", "", LevelTrace, "", 0},
	} {
		e := LogEntry{Level: c.level, File: []byte(c.file), Function: []byte(c.function)}
		hook, phase, ok := Of(&e)
		if ok != (c.hook != "") || ok && (string(hook) != c.hook || phase != c.phase) {
			t.Errorf("%+v: %q, %d, %v", c, hook, phase, ok)
		}
	}
}

func TestClockTime(t *testing.T) {
	for text, want := range map[string]int64{
		"0:00:00.015866222, pad=<a:src>": 15866222,
		"1:02:03.000000004, x":           3723000000004,
		"99:99:99.999999999, x":          -1, // no time
		"0:00:00.01, x":                  -1,
		"0:00:00.01586622x, x":           -1,
		"99999999:00:00.000000000, x":    -1,
		", x":                            -1,
		"":                               -1,
	} {
		ns, rest, ok := ClockTime([]byte(text))
		if ok != (want >= 0) || ok && ns != want || !ok && string(rest) != text {
			t.Errorf("%q: %d, %q, %v", text, ns, rest, ok)
		}
	}
}

func TestArguments(t *testing.T) {
	text := []byte("0:00:00.1, src=<a, b:src>, sink=<c>d:sink>, change=10, old-state=(GstState)paused;, res=ok")
	if got := Argument(text, "change"); string(got) != "10" {
		t.Errorf("change %q", got)
	}
	if got := Argument(text, "chang"); got != nil {
		t.Errorf("chang %q", got)
	}
	if got := TypedArgument(text, "old-state"); string(got) != "paused" {
		t.Errorf("old-state %q", got)
	}
	if src, sink := Bracketed(text, "src"), Bracketed(text, "sink"); string(src) != "a, b:src" || string(sink) != "c>d:sink" {
		t.Errorf("src %q, sink %q", src, sink)
	}
	if !Worked(text, "0", "OK") || Worked(text, "0", "true") || !Worked([]byte("no result"), "0", "ok") {
		t.Error("results are read wrong")
	}
}

func TestChanges(t *testing.T) {
	for text, want := range map[string][2]int{
		"NULL->READY": {0, 1}, "19": {1, 2}, "10": {0, 1}, "": {-1, -1}, "9999999": {-1, -1}, "7": {-1, -1},
		"GST_STATE_PAUSED->playing": {2, 3}, "a->b": {-1, -1},
	} {
		if from, to := ChangeOf([]byte(text)); [2]int{from, to} != want {
			t.Errorf("%q: %d to %d, want %v", text, from, to, want)
		}
	}
}
