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
		digits, isTime := bytes.CutSuffix(word, []byte(":"))
		if at, ok := trace.ParseTime(digits, 9); isTime && ok && bytes.IndexByte(digits, '.') > 0 {
			l.Time = at.Ns
			name, args, ok := bytes.Cut(rest, []byte(":"))
			l.name, l.args = string(bytes.TrimSpace(name)), bytes.TrimLeft(args, " ")
			return ok && len(l.name) > 0 && l.Time >= 0
		}
	}
	return false
}

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
		id, comm, ok := l.woken()
		l.when(k, ok, func() { k.Wake(l.Head, id, comm) })
	case "cpu_frequency", "cpu_idle", "gpu_frequency":
		l.giveState(k)
	case "sched_process_exit", "sched_process_free":
		id, ok := l.int("pid=")
		l.when(k, ok, func() { k.Exit(l.Head, int32(id)) })
	case "task_newtask":
		id, ok := l.int("pid=")
		flags, _ := strconv.ParseUint(string(l.arg("clone_flags=", " ")), 16, 64)
		l.when(k, ok, func() { k.NewTask(l.Head, int32(id), l.arg("comm=", " clone_flags="), flags) })
	case "task_rename":
		id, ok := l.int("pid=")
		l.when(k, ok, func() { k.Name(int32(id), l.arg("newcomm=", " oom_score_adj=")) })
	case "binder_transaction":
		id, ok := l.int("transaction=")
		isReply, _ := l.int("reply=")
		flags, _ := strconv.ParseInt(string(l.arg("flags=0x", " ")), 16, 64)
		l.when(k, ok, func() { k.Transaction(l.Head, id, isReply != 0, flags) })
	case "binder_transaction_received":
		id, ok := l.int("transaction=")
		l.when(k, ok, func() { k.Received(l.Head, id) })
	default:
		k.Others++
	}
}

// when does something where the event has all that it needs.
func (l *line) when(k *ftrace.Kernel, ok bool, do func()) {
	if !ok {
		k.Bad()
		return
	}
	do()
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

func (l *line) int(key string) (v int64, ok bool) {
	v, err := strconv.ParseInt(string(l.arg(key, " ")), 10, 64)
	return v, err == nil
}

// giveSwitch takes a switch, as the kernel prints it or as trace-cmd does: comm:pid [prio] state ==> comm:pid [prio].
func (l *line) giveSwitch(k *ftrace.Kernel) {
	prev, isPrev := l.int("prev_pid=")
	next, isNext := l.int("next_pid=")
	if isPrev && isNext {
		k.Switch(l.Head, int32(prev), int32(next), l.arg("prev_comm=", " prev_pid="), l.arg("next_comm=", " next_pid="))
		return
	}
	from, to, ok := bytes.Cut(l.args, []byte(" ==> "))
	before, prevComm, isPrev := short(from)
	after, nextComm, isNext := short(to)
	l.when(k, ok && isPrev && isNext, func() { k.Switch(l.Head, before, after, prevComm, nextComm) })
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
	if v, ok := l.int("pid="); ok {
		return int32(v), l.arg("comm=", " pid="), true
	}
	return short(l.args)
}

// giveState takes a frequency, or how a processor rests.
func (l *line) giveState(k *ftrace.Kernel) {
	state, ok := l.int("state=")
	of, has := l.int("cpu_id=")
	if l.name == "gpu_frequency" {
		of, has = l.int("gpu_id=")
	}
	l.when(k, ok && has, func() {
		switch l.name {
		case "cpu_frequency":
			k.Frequency(l.Head, int32(of), state)
		case "cpu_idle":
			k.Idle(l.Head, int32(of), state)
		default:
			k.GPUFrequency(l.Head, int32(of), state)
		}
	})
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
