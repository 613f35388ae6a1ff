// Hooks are the log tracer's lines: lines of TRACE level before and after a call. This file parses them; states.go
// maps them.

package gsttrace

import (
	"bytes"
	"strings"

	"framescope/model"
)

// Of takes apart the function of a line of the log tracer. Such lines have no file, level TRACE,
// and a function do_HOOK_pre, do_HOOK_post or do_HOOK.
func Of(e *LogEntry) (hook []byte, phase int8, ok bool) {
	hook, ok = bytes.CutPrefix(e.Function, []byte("do_"))
	if !ok || e.Level != model.SeverityTrace || len(e.File) != 0 {
		return nil, 0, false
	}
	if h, found := bytes.CutSuffix(hook, []byte("_pre")); found {
		hook, phase = h, -1
	} else if h, found := bytes.CutSuffix(hook, []byte("_post")); found {
		hook, phase = h, 1
	}
	return hook, phase, len(hook) > 0
}

// ClockTime reads the time that begins a line of the log tracer, "0:00:00.015866222, ", and returns the rest of
// the line.
func ClockTime(text []byte) (ns int64, rest []byte, ok bool) {
	ns, next := scanTime(text)
	rest, ok = bytes.CutPrefix(text[next:], []byte(", "))
	if next == 0 || !ok || ns >= MaxTime || bytes.HasPrefix(text, []byte("99:99:99")) { // which is no time
		return 0, text, false
	}
	return ns, rest, true
}

// Argument returns the text behind ", key=" up to the next comma.
func Argument(text []byte, key string) []byte {
	_, v, _ := bytes.Cut(text, []byte(", "+key+"="))
	v, _, _ = bytes.Cut(v, []byte(","))
	return v
}

// Bracketed is what stands behind ", key=<" up to the closing bracket of the argument. Names may
// hold anything, so the last bracket before the next argument counts.
func Bracketed(text []byte, key string) []byte {
	_, v, _ := bytes.Cut(text, []byte(", "+key+"=<"))
	v, _, more := bytes.Cut(v, []byte(">, "))
	if k := bytes.LastIndexByte(v, '>'); k >= 0 && !more {
		v = v[:k]
	}
	return v
}

// Worked reports whether the result of a call is one of two words.
func Worked(text []byte, number, word string) bool {
	i := bytes.LastIndex(text, []byte(", res="))
	if i < 0 {
		return true
	}
	res := text[i+len(", res="):]
	return string(res) == number || bytes.EqualFold(res, []byte(word))
}

// ChangeOf reads a state change: old × 8 + new, or "NULL->READY".
func ChangeOf(text []byte) (from, to int) {
	if a, b, ok := bytes.Cut(text, []byte("->")); ok {
		return State(string(a)), State(string(b))
	}
	size, n := scanUint(text)
	if size == 0 || size < len(text) || n > 4*8+4 || n < 8 || n%8 < 1 || n%8 > 4 {
		return -1, -1
	}
	return int(n/8) - 1, int(n%8) - 1
}

// States are the states of an element; RoleState series have their index as value.
var States = [...]string{"null", "ready", "paused", "playing"}

// State reads a state: a nick, an upper-case symbol, or a number; -1 for none.
func State(text string) int {
	text = strings.ToLower(text)
	text = strings.TrimPrefix(text, "gst_state_")
	for i, s := range States {
		if text == s || len(text) == 1 && text[0] == byte('1'+i) {
			return i
		}
	}
	return -1
}
