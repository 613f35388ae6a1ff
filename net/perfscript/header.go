package perfscript

import "bytes"

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

func digit(c byte) bool { return c-'0' <= 9 }

func blank(c byte) bool { return c == ' ' || c == '\t' }

// unindented returns a line without the blanks before it.
func unindented(b []byte) []byte {
	i := 0
	for i < len(b) && blank(b[i]) {
		i++
	}
	return b[i:]
}

// numberBefore returns the begin of the digits that end at b[i], i itself where there are none.
func numberBefore(b []byte, i int) int {
	for i > 0 && digit(b[i-1]) {
		i--
	}
	return i
}

func blanksBefore(b []byte, i int) int {
	for i > 0 && blank(b[i-1]) {
		i--
	}
	return i
}

// number reads digits, as far as they fit.
func number(b []byte) (v int64) {
	for _, c := range b {
		if v > 1<<58 {
			return v
		}
		v = v*10 + int64(c-'0')
	}
	return v
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
	dot := numberBefore(b, len(b))
	frac := b[dot:]
	if len(frac) < 6 || len(frac) > 9 || dot == 0 || b[dot-1] != '.' {
		return false
	}
	from := numberBefore(b, dot-1)
	sec := b[from : dot-1]
	if len(sec) == 0 || len(sec) > 10 || number(sec) > mostSeconds || from == 0 || !blank(b[from-1]) {
		return false
	}
	if !h.who(b[:blanksBefore(b, from)]) {
		return false
	}
	h.ns = number(frac)
	for range 9 - len(frac) {
		h.ns *= 10
	}
	h.ns += number(sec) * 1e9
	return true
}

// who reads the name of a thread and its numbers: COMM PID/TID [CPU].
func (h *header) who(b []byte) bool {
	h.cpu, h.pid = -1, -1
	if n := len(b); n > 2 && b[n-1] == ']' {
		from := numberBefore(b, n-1)
		if from == n-1 || from == 0 || b[from-1] != '[' {
			return false
		}
		h.cpu = number(b[from : n-1])
		b = b[:blanksBefore(b, from-1)]
	}
	from := numberBefore(b, len(b))
	if from == len(b) || len(b)-from > 10 {
		return false
	}
	h.tid = number(b[from:])
	negative := from > 0 && b[from-1] == '-' // perf says -1 of what it knows nothing of
	if negative {
		from--
		h.tid = 0
	}
	if from > 0 && b[from-1] == '/' {
		pid := numberBefore(b, from-1)
		if none := pid > 0 && b[pid-1] == '-'; pid < from-1 && none && (pid == 1 || blank(b[pid-2])) {
			h.pid, from = 0, pid-1
		} else if pid < from-1 && (pid == 0 || blank(b[pid-1])) {
			h.pid, from = number(b[pid:from-1]), pid
		}
	}
	if from > 0 && !blank(b[from-1]) {
		return false
	}
	h.comm = bytes.Trim(b[:from], " \t")
	return true
}

// timeless reads a line as a header without a time: COMM TID, and perhaps a period and an event. It
// is one only if frames follow.
func (h *header) timeless(line []byte) bool {
	if len(line) == 0 || line[0] == '\t' {
		return false
	}
	for i := 1; i <= len(line); i++ {
		if digit(line[i-1]) && (i == len(line) || blank(line[i]) || line[i] == ':') && h.who(line[:i]) && (len(h.comm) > 0 || h.pid >= 0) {
			h.ns = -1
			rest := line[i:]
			if cpu := unindented(rest); len(cpu) > 0 && cpu[0] == '[' {
				if to := bytes.IndexByte(cpu, ']'); to > 1 {
					h.cpu = number(bytes.Trim(cpu[1:to], " "))
					rest = cpu[to+1:]
				}
			}
			h.after(bytes.TrimPrefix(rest, []byte{':'}))
			return true
		}
	}
	return false
}

// after parses the part behind the time: PERIOD EVENT: and the rest.
func (h *header) after(b []byte) {
	h.period, h.event = 0, nil
	b = bytes.Trim(b, " \t")
	word, rest := cutWord(b)
	if len(word) > 0 && len(word) < 20 && numberBefore(word, len(word)) == 0 && isBehindPeriod(rest) {
		h.period = number(word)
		b = rest
		word, rest = cutWord(b)
	}
	if len(word) > 1 && word[len(word)-1] == ':' {
		h.event = word[:len(word)-1]
		b = rest
	}
	h.rest = b
}

// isBehindPeriod reports whether what stands behind a number shows that this is a period: an event, an address with
// its symbol, or nothing.
func isBehindPeriod(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	const fewDigits = 6 // of an address that no name looks like
	word, rest := cutWord(b)
	if word[len(word)-1] == ':' {
		return true
	}
	for _, c := range word {
		if !hexDigit(c) {
			return false
		}
	}
	return len(word) >= fewDigits && len(rest) > 0
}

// cutWord cuts off the first word.
func cutWord(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && !blank(b[i]) {
		i++
	}
	word = b[:i]
	for i < len(b) && blank(b[i]) {
		i++
	}
	return word, b[i:]
}

// modifiers are what perf appends to the name of an event: for user or kernel, how precise.
const modifiers = "ukhGHpPSDIeWbR"

// base is the name of an event without modifiers.
func base(event []byte) []byte {
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
