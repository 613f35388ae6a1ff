package gsttrace

import (
	"bytes"

	"framescope/net/trace"
)

// timeTail is the length of a time behind its hours: ":MM:SS." and nine digits.
const timeTail = len(":00:00.000000000")

// maxHours keeps times within an int64 of nanoseconds.
const maxHours = 2_500_000

// scanTime reads the time at the beginning of a line. next is the position behind it; 0 means that
// the line does not begin with a time.
func scanTime(line []byte) (timeNs int64, next int) {
	i, hours := scanUint(line)
	if i == 0 || hours > maxHours || len(line) < i+timeTail {
		return 0, 0
	}
	t := line[i : i+timeTail]
	if t[0] != ':' || t[3] != ':' || t[6] != '.' || !isDigit(t[1]) || !isDigit(t[2]) || !isDigit(t[4]) || !isDigit(t[5]) {
		return 0, 0
	}
	ns := int64(0)
	for _, c := range t[7:] {
		if !isDigit(c) {
			return 0, 0
		}
		ns = ns*10 + int64(c-'0')
	}
	minutes := int64(t[1]-'0')*10 + int64(t[2]-'0')
	seconds := int64(t[4]-'0')*10 + int64(t[5]-'0')
	return ((int64(hours)*60+minutes)*60+seconds)*1_000_000_000 + ns, i + timeTail
}

func isDigit(c byte) bool { return c-'0' < 10 }

// nextWord returns the next word behind at least one blank, and what stands behind it; the word is empty where there is
// none.
func nextWord(line []byte) (word, rest []byte) {
	rest = bytes.TrimLeft(line, " ")
	if len(rest) == len(line) {
		return nil, rest
	}
	if end := bytes.IndexByte(rest, ' '); end >= 0 {
		return rest[:end], rest[end:]
	}
	return rest, nil
}

// scanHeader reads the columns of a line that begins with a time of the given length, and the message behind them
// (FORMAT.md section 2). It reports whether these are those of an entry.
func scanHeader(line []byte, next int, e *LogEntry) bool {
	pid, rest := nextWord(line[next:])
	size, n := scanUint(pid)
	e.PID = n
	e.Thread, rest = nextWord(rest)
	level, rest := nextWord(rest)
	e.Category, rest = nextWord(rest)
	var known bool
	e.Level, known = levels[string(level)]
	if size == 0 || size < len(pid) || !isThread(e.Thread) || !known || len(e.Category) == 0 {
		return false
	}
	return scanPosition(bytes.TrimLeft(rest, " "), e)
}

// hasColumns reports whether a line that does not begin with a time is an entry all the same: the columns
// behind its first word are those of one.
func hasColumns(line []byte) bool {
	var e LogEntry
	at := bytes.IndexByte(line, ' ')
	if at <= 0 || at > longestTime {
		return false
	}
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = stripColors(nil, line)
	}
	return scanHeader(line, at, &e)
}

// longestTime is longer than any time at the beginning of a line.
const longestTime = 40

// isThread reports whether a word is a thread column: hexadecimal digits with or without 0x, or what the C library
// prints for no pointer.
func isThread(word []byte) bool {
	if string(word) == "(nil)" {
		return true
	}
	word = bytes.TrimPrefix(word, hexPrefix(word))
	return len(word) > 0 && len(bytes.TrimLeft(word, hexDigits)) == 0
}

const hexDigits = "0123456789abcdefABCDEF"

// scanPosition reads file:line:function:object and the message.
func scanPosition(rest []byte, e *LogEntry) bool {
	e.File, e.FileLine, e.Function, e.Object = nil, 0, nil, nil
	if bytes.HasPrefix(rest, []byte(":0:: ")) { // tracer records
		e.Message = rest[5:]
		return true
	}
	// The file ends at the first colon with a number and a colon behind it: a file may begin with a
	// drive letter.
	for i := 0; ; i++ {
		colon := bytes.IndexByte(rest[i:], ':')
		if colon < 0 {
			return false
		}
		i += colon
		size, number := scanUint(rest[i+1:])
		if end := i + 1 + size; size > 0 && size < 10 && end < len(rest) && rest[end] == ':' {
			e.File, e.FileLine, rest = rest[:i], int(number), rest[end+1:]
			break
		}
	}
	// Function names of C++ and Rust hold "::".
	for i := 0; ; i += 2 {
		colon := bytes.IndexByte(rest[i:], ':')
		if colon < 0 {
			return false
		}
		if i += colon; i+1 == len(rest) || rest[i+1] != ':' {
			e.Function = rest[:i]
			e.scanObject(rest[i+1:])
			return true
		}
	}
}

// scanObject reads the object, if any, and the message. Objects have angle brackets around them, or are free text, as
// 1.20 and before write it.
func (e *LogEntry) scanObject(rest []byte) {
	if inside, ok := bytes.CutPrefix(rest, []byte("<")); ok {
		if e.Object, e.Message, ok = bytes.Cut(inside, []byte("> ")); ok {
			return
		}
		if e.Object, ok = bytes.CutSuffix(inside, []byte(">")); ok {
			return
		}
	}
	e.Object, e.Message, _ = bytes.Cut(rest, []byte(" "))
}

// stripColors appends line to dst without its ESC [ digits and semicolons m.
func stripColors(dst, line []byte) []byte {
	for {
		esc := bytes.IndexByte(line, 0x1b)
		if esc < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:esc]...)
		line = line[esc:]
		i := 1
		if i < len(line) && line[i] == '[' {
			for i++; i < len(line) && (isDigit(line[i]) || line[i] == ';'); i++ {
			}
			if i < len(line) && line[i] == 'm' {
				line = line[i+1:]
				continue
			}
		}
		dst = append(dst, line[0])
		line = line[1:]
	}
}

// longestPrefix is how far from the beginning of a line an entry may begin.
const longestPrefix = 200

// prefixOf returns the length of what stands before an entry in a line: docker compose, journald and the like write
// such a prefix before each line that a program wrote.
func prefixOf(line []byte) int {
	for i := 1; i < min(len(line), longestPrefix); i++ {
		if line[i-1] != ' ' && line[i-1] != 'm' || !isDigit(line[i]) { // m ends a color
			continue
		}
		var e LogEntry
		if _, next := scanTime(line[i:]); next > 0 && scanHeader(stripColors(nil, line[i:]), next, &e) {
			return i
		}
	}
	return 0
}

// isLike reports whether a line begins with a prefix, in which digits may be others.
func isLike(line, prefix []byte) bool {
	if len(line) < len(prefix) {
		return false
	}
	for i, c := range prefix {
		if line[i] != c && !(isDigit(c) && isDigit(line[i])) {
			return false
		}
	}
	return true
}

// SniffLog reports whether the beginning of a stream (some kilobytes, not compressed) looks like a
// GStreamer debug log: one whole line of it does.
func SniffLog(head []byte) bool {
	found := false
	c := trace.Cutter{Take: func(line []byte) {
		var e LogEntry
		_, next := scanTime(line)
		found = found || next > 0 && scanHeader(stripColors(nil, line), next, &e) || prefixOf(line) > 0
	}}
	c.Write(head)
	c.Close()
	return found
}
