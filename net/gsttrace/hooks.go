// Hooks are the log tracer's lines: lines of TRACE level before and after a call. This file parses them; states.go
// maps them.

package gsttrace

import (
	"bytes"
	"strings"
)

// Of takes apart the function of a line of the log tracer. Such lines have no file, level TRACE,
// and a function do_HOOK_pre, do_HOOK_post or do_HOOK.
func Of(e *LogEntry) (hook []byte, phase int8, ok bool) {
	if e.Level != LevelTrace || len(e.File) != 0 || !bytes.HasPrefix(e.Function, []byte("do_")) {
		return nil, 0, false
	}
	hook = e.Function[len("do_"):]
	if h, found := bytes.CutSuffix(hook, []byte("_pre")); found {
		return h, -1, len(h) > 0
	}
	if h, found := bytes.CutSuffix(hook, []byte("_post")); found {
		return h, 1, len(h) > 0
	}
	return hook, 0, len(hook) > 0
}

// ClockTime reads the time that begins a line of the log tracer, "0:00:00.015866222, ", and returns the rest of
// the line.
func ClockTime(text []byte) (ns int64, rest []byte, ok bool) {
	head, _, found := bytes.Cut(text[:min(len(text), 32)], []byte(", "))
	if !found {
		return 0, text, false
	}
	rest = text[len(head)+2:]
	var part [3]int64
	k, digits := 0, 0
	for i, b := range head {
		switch {
		case b >= '0' && b <= '9':
			if part[k] > 1e7 {
				return 0, text, false
			}
			part[k] = part[k]*10 + int64(b-'0')
			digits++
		case b == ':' && k < 2 && digits > 0:
			k, digits = k+1, 0
		case b == '.' && k == 2 && len(head)-i-1 == 9:
			for _, d := range head[i+1:] {
				if d < '0' || d > '9' {
					return 0, text, false
				}
				ns = ns*10 + int64(d-'0')
			}
			if part[0] == 99 && part[1] == 99 {
				return 0, text, false // 99:99:99.999999999 is no time
			}
			seconds := part[0]*3600 + part[1]*60 + part[2]
			if seconds >= MaxTime/1_000_000_000 {
				return 0, text, false
			}
			return ns + seconds*1e9, rest, true
		default:
			return 0, text, false
		}
	}
	return 0, text, false
}

// Argument returns the text behind ", key=" up to the next comma.
func Argument(text []byte, key string) []byte {
	for rest := text; ; {
		i := bytes.Index(rest, []byte(key))
		if i < 0 {
			return nil
		}
		v := rest[i+len(key):]
		if i >= 2 && rest[i-1] == ' ' && rest[i-2] == ',' && len(v) > 0 && v[0] == '=' {
			v = v[1:]
			if k := bytes.IndexByte(v, ','); k >= 0 {
				v = v[:k]
			}
			return v
		}
		rest = v
	}
}

// TypedArgument is argument without the type in parentheses before it and the semicolon behind it.
func TypedArgument(text []byte, key string) []byte {
	v := Argument(text, key)
	if k := bytes.IndexByte(v, ')'); k > 0 && v[0] == '(' {
		v = v[k+1:]
	}
	return bytes.TrimSuffix(v, []byte(";"))
}

// Bracketed is what stands behind ", key=<" up to the closing bracket of the argument. Names may
// hold anything, so the last bracket before the next argument counts.
func Bracketed(text []byte, key string) []byte {
	i := bytes.Index(text, []byte(", "+key+"=<"))
	if i < 0 {
		return nil
	}
	v := text[i+len(key)+4:]
	if k := bytes.Index(v, []byte(">, ")); k >= 0 {
		return v[:k]
	}
	if k := bytes.LastIndexByte(v, '>'); k >= 0 {
		return v[:k]
	}
	return nil
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
	n := 0
	for _, d := range text {
		if d < '0' || d > '9' || n > 100 {
			return -1, -1
		}
		n = n*10 + int(d-'0')
	}
	from, to = n/8-1, n%8-1
	if len(text) == 0 || from < 0 || to < 0 || from > 3 || to > 3 {
		return -1, -1
	}
	return from, to
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
