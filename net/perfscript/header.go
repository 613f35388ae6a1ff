package perfscript

import (
	"bytes"
	"strconv"
)

// header is the first line of a sample.
type header struct {
	comm     []byte
	pid, tid int64 // pid is -1 if not given
	cpu      int64 // -1: not given
	ns       int64 // of the machine's clock; -1: not given
	period   int64 // 0: not given
	event    []byte
	rest     []byte // what follows: a frame, or what a tracepoint says
}

// mostSeconds bounds times; those since 1970 are among them, until 2096.
const mostSeconds = 4_000_000_000

const blanks = " \t"

func digit(c byte) bool { return c-'0' <= 9 }

func blank(c byte) bool { return c == ' ' || c == '\t' }

// pastBlanks returns a text without the blanks at its begin.
func pastBlanks(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	return b
}

// number reads a text of so many digits at most.
func number(b []byte, most int) (v int64, ok bool) {
	if len(b) == 0 || len(b) > most {
		return 0, false
	}
	for _, c := range b {
		if !digit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

// cutWord cuts off the first word.
func cutWord(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && !blank(b[i]) {
		i++
	}
	return b[:i], pastBlanks(b[i:])
}

// cutLast cuts off the last word.
func cutLast(b []byte) (rest, word []byte) {
	i := len(b)
	for i > 0 && !blank(b[i-1]) {
		i--
	}
	return bytes.TrimRight(b[:i], blanks), b[i:]
}

// parse reads a line as a header with a time: comm, thread, perhaps processor, and seconds with their
// fraction before a colon. The name of a thread can look like anything, so the first colon counts
// before which all of that stands.
func (h *header) parse(line []byte) bool {
	for at := 0; ; at++ {
		k := bytes.IndexByte(line[at:], ':')
		if k < 0 {
			return false
		}
		at += k
		if at > 0 && digit(line[at-1]) && h.before(line[:at]) {
			h.after(line[at+1:])
			return true
		}
	}
}

// before parses the part before the colon after the time.
func (h *header) before(b []byte) bool {
	who, word := cutLast(b)
	whole, fraction, _ := bytes.Cut(word, []byte("."))
	sec, ok := number(whole, 10)
	ns, ok2 := number(fraction, 9)
	if !ok || !ok2 || sec > mostSeconds || !h.who(who) {
		return false
	}
	digits := len(fraction)
	if digits < 6 {
		if bytes.IndexByte(who, '\t') < 0 {
			return false
		}
		digits = 6 // simpleperf writes a tab behind the name, and µs without zeros before them
	}
	for range 9 - digits {
		ns *= 10
	}
	h.ns = sec*1e9 + ns
	return true
}

// who reads the name of a thread and its numbers: COMM PID/TID [CPU].
func (h *header) who(b []byte) (ok bool) {
	h.cpu, h.pid = -1, -1
	rest, word := cutLast(b)
	if n := len(word); n > 2 && word[0] == '[' && word[n-1] == ']' {
		if h.cpu, ok = number(word[1:n-1], 10); !ok {
			return false
		}
		rest, word = cutLast(rest)
	}
	pid, tid, both := bytes.Cut(word, []byte("/"))
	if !both {
		tid = pid
	} else if h.pid, ok = id(pid); !ok {
		return false
	}
	h.tid, ok = id(tid)
	h.comm = pastBlanks(rest)
	return ok
}

// id reads the number of a thread; perf says -1 of what it knows nothing of.
func id(b []byte) (int64, bool) {
	if string(b) == "-1" {
		return 0, true
	}
	return number(b, 10)
}

// timeless reads a line as a header without a time: COMM TID, and perhaps a period and an event. It
// is one only if frames follow.
func (h *header) timeless(line []byte) bool {
	if line[0] == '\t' {
		return false
	}
	for i := 1; i <= len(line); i++ {
		ends := digit(line[i-1]) && (i == len(line) || blank(line[i]) || line[i] == ':')
		if !ends || !h.who(line[:i]) || len(h.comm) == 0 && h.pid < 0 {
			continue
		}
		h.ns = -1
		rest := line[i:]
		if word, more := cutWord(pastBlanks(rest)); len(word) > 2 && word[0] == '[' && word[len(word)-1] == ']' {
			h.cpu, _ = number(word[1:len(word)-1], 10)
			rest = more
		}
		h.after(bytes.TrimPrefix(rest, []byte{':'}))
		return true
	}
	return false
}

// after parses the part behind the time: PERIOD EVENT: and the rest.
func (h *header) after(b []byte) {
	h.period, h.event = 0, nil
	b = bytes.Trim(b, blanks)
	word, rest := cutWord(b)
	if n, ok := number(word, 18); ok && isBehindPeriod(rest) {
		h.period, b = n, rest
		word, rest = cutWord(b)
	}
	if len(word) > 1 && word[len(word)-1] == ':' {
		h.event, b = word[:len(word)-1], rest
	}
	h.rest = b
}

// fewDigits are those of an address that no name and no count looks like.
const fewDigits = 6

// isBehindPeriod reports whether what stands behind a number shows that this is a period: an event, an address with
// its symbol, or nothing.
func isBehindPeriod(b []byte) bool {
	word, rest := cutWord(b)
	if len(word) == 0 || word[len(word)-1] == ':' {
		return true
	}
	_, err := strconv.ParseUint(string(word), 16, 64)
	return err == nil && len(word) >= fewDigits && len(rest) > 0
}

// base is the name of an event without modifiers, which perf appends: for user or kernel, how precise.
func base(event []byte) []byte {
	const modifiers = "ukhGHpPSDIeWbR"
	if at := bytes.LastIndexByte(event, ':'); at > 0 && len(bytes.Trim(event[at+1:], modifiers)) == 0 {
		return event[:at]
	}
	return event
}

// points are events that happen now and then: their samples say nothing of time.
var points = map[string]bool{
	"page-faults": true, "faults": true, "minor-faults": true, "major-faults": true, "context-switches": true, "cs": true,
	"cpu-migrations": true, "migrations": true, "alignment-faults": true, "emulation-faults": true, "bpf-output": true,
	"cgroup-switches": true, "dummy": true,
}

// isPoint reports whether an event is one of these, or a tracepoint.
func isPoint(event []byte) bool {
	name := base(event)
	return points[string(name)] || bytes.IndexByte(name, ':') >= 0
}

// isClock reports whether the periods of an event are ns.
func isClock(event []byte) bool { return bytes.HasSuffix(base(event), []byte("-clock")) }
