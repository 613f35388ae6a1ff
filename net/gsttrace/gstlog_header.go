package gsttrace

import "bytes"

// timeTail is the length of a time behind its hours: ":MM:SS." and nine digits.
const timeTail = len(":00:00.000000000")

// maxHours keeps times within an int64 of nanoseconds.
const maxHours = 2_500_000

// scanTime reads the time at the beginning of a line. next is the position behind it; 0 means that
// the line does not begin with a time.
func scanTime(line []byte) (timeNs int64, next int) {
	i := 0
	hours := int64(0)
	for i < len(line) && isDigit(line[i]) {
		if hours = hours*10 + int64(line[i]-'0'); hours > maxHours {
			return 0, 0
		}
		i++
	}
	if i == 0 || len(line) < i+timeTail {
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
	return ((hours*60+minutes)*60+seconds)*1_000_000_000 + ns, i + timeTail
}

func isDigit(c byte) bool { return c-'0' < 10 }

// scanHeader reads the columns of a line that begins with a time of the given length, and the message behind them
// (FORMAT.md section 2). It returns the fault, or "".
func scanHeader(line []byte, next int, e *LogEntry) (wrong string) {
	i, ok := blanks(line, next)
	if !ok {
		return "no process number behind the time"
	}
	from := i
	e.PID = 0
	for i < len(line) && isDigit(line[i]) {
		e.PID = e.PID*10 + uint64(line[i]-'0')
		i++
	}
	if i == from || i-from > 19 {
		return "no process number behind the time"
	}
	if i, ok = blanks(line, i); !ok {
		return "no thread behind the process number"
	}
	from = i
	i = scanThread(line, i)
	if i == from {
		return "no thread behind the process number"
	}
	e.Thread = line[from:i]
	if i, ok = blanks(line, i); !ok {
		return "no level behind the thread"
	}
	from = i
	for i < len(line) && line[i] != ' ' {
		i++
	}
	if e.Level = gstlogLevelOf(line[from:i]); e.Level == LevelNone {
		return "no level behind the thread"
	}
	if i, ok = blanks(line, i); !ok {
		return "no category behind the level"
	}
	from = i
	for i < len(line) && line[i] != ' ' {
		i++
	}
	if i == from {
		return "no category behind the level"
	}
	e.Category = line[from:i]
	if i, ok = blanks(line, i); !ok {
		return "no position behind the category"
	}
	return scanPosition(line, i, e)
}

// noTime is the reason of a line with the columns of an entry behind an invalid time.
const noTime = "its time can't be read"

// lostTime reports whether a line that does not begin with a time is an entry all the same: the columns
// behind its first word are those of one, or it has what only records of tracers have.
func (r *LogReader) lostTime(line []byte) bool {
	if bytes.IndexByte(line, 0x1b) >= 0 {
		r.plain = stripColors(r.plain[:0], line)
		line = r.plain
	}
	var e LogEntry
	if next := bytes.IndexByte(line, ' '); next > 0 && scanHeader(line, next, &e) == "" {
		return true
	}
	at := bytes.Index(line, []byte(" GST_TRACER :0:: "))
	return at > 0 && bytes.HasSuffix(bytes.TrimRight(line[:at], " "), []byte(" TRACE"))
}

// blanks skips at least one blank.
func blanks(line []byte, i int) (next int, ok bool) {
	from := i
	for i < len(line) && line[i] == ' ' {
		i++
	}
	return i, i > from && i < len(line)
}

// scanThread skips a thread column: hexadecimal digits with or without 0x, or what the C library
// prints for no pointer.
func scanThread(line []byte, i int) int {
	if bytes.HasPrefix(line[i:], []byte("(nil)")) {
		return i + len("(nil)")
	}
	from := i
	if i+2 < len(line) && line[i] == '0' && (line[i+1] == 'x' || line[i+1] == 'X') {
		i += 2
	}
	digits := i
	for i < len(line) && isHex(line[i]) {
		i++
	}
	if i == digits || i >= len(line) || line[i] != ' ' {
		return from
	}
	return i
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func gstlogLevelOf(text []byte) Level {
	switch string(text) {
	case "TRACE":
		return LevelTrace
	case "LOG":
		return LevelLog
	case "DEBUG":
		return LevelDebug
	case "INFO":
		return LevelInfo
	case "FIXME":
		return LevelFixme
	case "WARN":
		return LevelWarning
	case "ERROR":
		return LevelError
	case "MEMDUMP":
		return LevelMemdump
	}
	return LevelNone
}

// scanPosition reads file:line:function:object and the message.
func scanPosition(line []byte, i int, e *LogEntry) (wrong string) {
	if rest := line[i:]; len(rest) >= 5 && string(rest[:5]) == ":0:: " { // tracer records
		e.File, e.FileLine, e.Function, e.Object, e.HasObject = nil, 0, nil, nil, false
		e.Message = rest[5:]
		return ""
	}
	// The file ends at the first colon with a number and a colon behind it: a file may begin with a
	// drive letter.
	from := i
	for {
		colon := bytes.IndexByte(line[i:], ':')
		if colon < 0 {
			return "no source position behind the category"
		}
		i += colon
		number, j := 0, i+1
		for j < len(line) && isDigit(line[j]) && j-i < 10 {
			number = number*10 + int(line[j]-'0')
			j++
		}
		if j > i+1 && j < len(line) && line[j] == ':' {
			e.File, e.FileLine = line[from:i], number
			i = j + 1
			break
		}
		i++
	}
	// Function names of C++ and Rust hold "::".
	from = i
	for {
		colon := bytes.IndexByte(line[i:], ':')
		if colon < 0 {
			return "no function behind the source position"
		}
		i += colon
		if i+1 < len(line) && line[i+1] == ':' {
			i += 2
			continue
		}
		e.Function = line[from:i]
		i++
		break
	}
	return scanObject(line, i, e)
}

// scanObject reads the object, if any, and the message.
func scanObject(line []byte, i int, e *LogEntry) (wrong string) {
	rest := line[i:]
	e.Object, e.HasObject = nil, false
	switch {
	case len(rest) == 0: // an empty message with its blank trimmed
		e.Message = rest
		return ""
	case rest[0] == ' ':
		e.Message = rest[1:]
		return ""
	case rest[0] == '<':
		e.HasObject = true
		if end := bytes.Index(rest, []byte("> ")); end >= 0 {
			e.Object, e.Message = rest[1:end], rest[end+2:]
			return ""
		}
		if rest[len(rest)-1] == '>' {
			e.Object, e.Message = rest[1:len(rest)-1], rest[len(rest):]
			return ""
		}
	}
	e.HasObject = true // free text, as 1.20 and before write it
	end := bytes.IndexByte(rest, ' ')
	if end < 0 {
		e.Object, e.Message = rest, rest[len(rest):]
		return ""
	}
	e.Object, e.Message = rest[:end], rest[end+1:]
	return ""
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

// SniffLog reports whether the beginning of a stream (some kilobytes, not compressed) looks like a
// GStreamer debug log: one whole line of it does.
func SniffLog(head []byte) bool {
	var plain []byte
	var e LogEntry
	for len(head) > 0 {
		line := head
		end := bytes.IndexByte(head, '\n')
		if end >= 0 {
			line, head = head[:end], head[end+1:]
		} else {
			head = nil
		}
		if _, next := scanTime(line); next > 0 {
			plain = stripColors(plain[:0], line)
			if scanHeader(plain, next, &e) == "" {
				return true
			}
		}
	}
	return false
}
