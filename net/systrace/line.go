package systrace

import (
	"bytes"
	"strconv"

	"framescope/net/ftrace"
	"framescope/net/trace"
)

// line is a line of the kernel's text:
//
//	comm-PID  ( TGID) [CPU] flags timestamp: event: args
//
// The process and the flags may be missing; the name may have blanks and dashes.
type line struct {
	ftrace.Head
	comm  []byte
	group int32 // 0: unknown
	name  string
	args  []byte
}

// read reads a line; false: it is none of an event.
func (l *line) read(text []byte) bool {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '[')
		if i < 0 {
			return false
		}
		at += i + 1
		if l.readThread(text[:at-1]) && l.readEvent(text[at:]) {
			return true
		}
	}
}

// readThread reads what stands before the processor.
func (l *line) readThread(text []byte) bool {
	l.group = 0
	text = bytes.TrimRight(text, " ")
	if inner, ok := bytes.CutSuffix(text, []byte(")")); ok {
		open := bytes.LastIndexByte(inner, '(')
		if open < 0 {
			return false
		}
		group := bytes.TrimSpace(inner[open+1:])
		if len(bytes.Trim(group, "-")) > 0 && !number(group, &l.group) {
			return false
		}
		text = bytes.TrimRight(inner[:open], " ")
	}
	dash := bytes.LastIndexByte(text, '-')
	if dash < 0 || !number(text[dash+1:], &l.Task) {
		return false
	}
	l.comm = bytes.TrimSpace(text[:dash])
	return true
}

// readEvent reads what stands behind the bracket of the processor.
func (l *line) readEvent(text []byte) bool {
	cpu, rest, ok := bytes.Cut(text, []byte("]"))
	if !ok || !number(cpu, &l.CPU) {
		return false
	}
	for range 2 { // flags, time
		var word []byte
		word, rest, _ = bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
		digits, isTime := bytes.CutSuffix(bytes.TrimLeftFunc(word, isNoDigit), []byte(":"))
		if at, ok := trace.ParseTime(digits, 9); isTime && ok && bytes.IndexByte(digits, '.') > 0 {
			l.Time = at.Ns
			name, args, ok := bytes.Cut(rest, []byte(":"))
			l.name, l.args = string(bytes.TrimSpace(name)), bytes.TrimLeft(args, " ")
			return ok && len(l.name) > 0 && l.Time >= 0
		}
	}
	return false
}

func isNoDigit(c rune) bool { return c < '0' || c > '9' } // flags, which may stand right before the time

// number reads a number of a thread or processor.
func number(text []byte, to *int32) bool {
	v, err := strconv.ParseUint(string(text), 10, 31)
	*to = int32(v)
	return err == nil
}

// give hands the event to a kernel.
func (l *line) give(k *ftrace.Kernel) {
	k.Name(l.Task, l.comm)
	k.Group(l.Task, l.group)
	switch l.name {
	case "tracing_mark_write", "0", "print":
		k.Print(l.Head, bytes.TrimPrefix(l.args, []byte("tracing_mark_write: ")))
	case "sched_switch":
		l.giveSwitch(k)
	case "sched_waking", "sched_wakeup", "sched_wakeup_new":
		if id, comm, ok := l.woken(); ok {
			k.Name(id, comm)
			k.Add(l.Head, ftrace.Wakes, id, 0)
		} else {
			k.Bad()
		}
	case "task_newtask":
		flags, _ := strconv.ParseUint(string(l.arg("clone_flags=", " ")), 16, 64)
		k.NewTask(l.Head, int32(l.int("pid=")), l.arg("comm=", " clone_flags="), flags)
	case "task_rename":
		k.Name(int32(l.int("pid=")), l.arg("newcomm=", " oom_score_adj="))
	case "binder_transaction":
		flags, _ := strconv.ParseInt(string(l.arg("flags=0x", " ")), 16, 64)
		k.Transaction(l.Head, l.int("transaction="), l.int("reply=") > 0, flags)
	default:
		l.givePlain(k)
	}
}

// plainEvents are events with a number of what they are of, and a value: the keys of these.
var plainEvents = map[string]struct {
	kind      ftrace.Kind
	of, value string
}{
	"cpu_frequency": {ftrace.Frequency, "cpu_id=", "state="}, "cpu_idle": {ftrace.Idle, "cpu_id=", "state="},
	"gpu_frequency": {ftrace.GPUFrequency, "gpu_id=", "state="}, "sched_process_exit": {ftrace.Exits, "pid=", "pid="},
	"sched_process_free":          {ftrace.Exits, "pid=", "pid="},
	"binder_transaction_received": {ftrace.BinderGets, "transaction=", "transaction="},
}

// givePlain takes one of these, or counts another event.
func (l *line) givePlain(k *ftrace.Kernel) {
	x, known := plainEvents[l.name]
	of, value := l.int(x.of), l.int(x.value)
	switch {
	case !known:
		k.Others++
	case of < 0 || value < 0:
		k.Bad()
	default:
		k.Add(l.Head, x.kind, int32(of), value)
	}
}

// arg returns an argument by its key, up to what follows it; nil: there is none.
func (l *line) arg(key, end string) []byte {
	for at := 0; ; {
		i := bytes.Index(l.args[at:], []byte(key))
		if i < 0 {
			return nil
		}
		if at += i; at == 0 || l.args[at-1] == ' ' {
			value, _, _ := bytes.Cut(l.args[at+len(key):], []byte(end))
			return value
		}
		at += len(key)
	}
}

// int returns the number of an argument, less than 0 where there is none.
func (l *line) int(key string) int64 {
	v, err := strconv.ParseUint(string(l.arg(key, " ")), 10, 32)
	if err != nil {
		return -1
	}
	return int64(v)
}

// giveSwitch takes a switch, as the kernel prints it or as trace-cmd does: comm:pid [prio] state ==> comm:pid [prio].
func (l *line) giveSwitch(k *ftrace.Kernel) {
	if prev, next := l.int("prev_pid="), l.int("next_pid="); prev >= 0 && next >= 0 {
		k.Name(int32(prev), l.arg("prev_comm=", " prev_pid="))
		k.Switch(l.Head, stateOf(l.arg("prev_state=", " ")), int32(next), l.arg("next_comm=", " next_pid="))
		return
	}
	from, to, _ := bytes.Cut(l.args, []byte(" ==> "))
	prev, prevComm, isPrev := short(from)
	next, nextComm, isNext := short(to)
	if !isPrev || !isNext {
		k.Bad()
		return
	}
	k.Name(prev, prevComm)
	k.Switch(l.Head, stateOf(from[bytes.LastIndexByte(from, ' ')+1:]), next, nextComm)
}

// stateOf reads the state of a thread, such as S or R+.
func stateOf(text []byte) ftrace.State {
	if len(text) == 0 {
		return ftrace.Runnable
	}
	return ftrace.StateOfLetter(text[0])
}

// short reads comm:pid [prio], as trace-cmd writes a thread.
func short(text []byte) (id int32, comm []byte, ok bool) {
	if end := bytes.LastIndex(text, []byte(" [")); end >= 0 {
		text = text[:end]
	}
	colon := bytes.LastIndexByte(text, ':')
	if colon < 0 || !number(text[colon+1:], &id) {
		return 0, nil, false
	}
	return id, text[:colon], true
}

// woken reads the thread that is woken.
func (l *line) woken() (id int32, comm []byte, ok bool) {
	if v := l.int("pid="); v >= 0 {
		return int32(v), l.arg("comm=", " pid="), true
	}
	return short(l.args)
}

// dump is a list of processes or threads that systrace adds: the columns of what it is read for; -1: there is none.
type dump struct{ pid, tid, name int }

// newDump reads the head of the list: USER PID TID CMD, or USER PID PPID … NAME.
func newDump(head []byte) *dump {
	x := &dump{-1, -1, -1}
	for i, word := range bytes.Fields(head) {
		switch string(word) {
		case "PID":
			x.pid = i
		case "TID":
			x.tid = i
		case "NAME", "CMD":
			x.name = max(x.name, i)
		}
	}
	return x
}

// take takes a line of the list.
func (x *dump) take(k *ftrace.Kernel, text []byte) {
	words := bytes.Fields(text)
	var pid, tid int32
	if x.pid < 0 || x.pid >= len(words) || !number(words[x.pid], &pid) {
		return
	}
	tid = pid
	if x.tid >= 0 && (x.tid >= len(words) || !number(words[x.tid], &tid)) {
		return
	}
	k.Group(tid, pid)
	if x.name >= 0 && x.name < len(words) && tid == pid {
		k.Name(tid, words[x.name])
	}
}
