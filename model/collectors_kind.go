package model

import (
	"slices"
	"strings"
)

// The kind of a collector follows from its name alone: no source sends it. The rules are here and
// nowhere else.

// Voice is what the name of a collector says of its time.
type Voice uint8

// The voices.
const (
	SaysNothing Voice = iota
	// MayWait has a word that names of waits have, and names of work as well: "Lock textures".
	MayWait
	// SaysWait names a wait: it takes time and no processor.
	SaysWait
	// SaysWork is the user's word that it is none.
	SaysWork
)

// voiceOf returns what the name of a collector says. name is its own; group is the full name of its parent,
// empty at the top.
func voiceOf(group, name string) Voice {
	if group == "element-latency" { // of GStreamer: time in a queue is waiting
		return voiceIf(inQueue(name))
	}
	method, isMethod := strings.CutSuffix(name, ")")
	if isMethod { // "Object.wait(long)", "Sleep(16)"
		if open := strings.IndexByte(method, '('); open > 0 {
			method = method[:open]
		}
		if dot := strings.LastIndexByte(method, '.'); dot >= 0 {
			return voiceIf(waitingMethod(method[:dot], method[dot+1:]))
		}
	}
	if top, rest, ok := strings.Cut(name, ":"); ok && strings.EqualFold(top, "wait") && !strings.HasPrefix(rest, ":") {
		return SaysWait
	}
	in, own := cutOwner(method)
	// A whole path of Panda3D begins with its category: "Wait:Custom idle".
	if strings.HasPrefix(name, "Wait:") || in != "" && waitingMethod(in, own) {
		return SaysWait
	}
	var buf [2 * mostWords]string
	words := splitWords(buf[:0], own)
	v := sayWords(splitWords(buf[mostWords:mostWords], in), words)
	if v == SaysWait && (isSymbol(in) || isLibrary(group)) && !slices.Contains(words, "wait") {
		return MayWait
	}
	return v
}

// isSymbol reports whether what a function belongs to is a package or a library, "runtime" or "libc.so.6", and so the
// name one of a stack. Functions of locks and sleeps take a processor's time, too, and in samples of that nothing else.
func isSymbol(in string) bool {
	return in != "" && 'a' <= in[0] && in[0] <= 'z' && !strings.Contains(in, ":") || isLibrary(in)
}

func isLibrary(in string) bool {
	return strings.Contains(in, ".so") || strings.HasPrefix(in, "[kernel")
}

func voiceIf(waits bool) Voice {
	if waits {
		return SaysWait
	}
	return SaysNothing
}

// cutOwner cuts a name behind the last "::", "." or "/" of it, where there is a letter behind.
func cutOwner(name string) (in, own string) {
	at := strings.LastIndexAny(name, ":./")
	if at >= 0 && at+1 < len(name) && isLetter(name[at+1]) && !strings.HasSuffix(name, "I/O") {
		return name[:at], name[at+1:]
	}
	return "", name
}

// waitingMethod reports whether a method of a class waits: those of Java's library in which threads
// are while they are parked, asleep, in a monitor, or until there is something to read.
func waitingMethod(class, method string) bool {
	if i := strings.LastIndexByte(class, '.'); i >= 0 {
		class = class[i+1:]
	}
	switch class {
	case "Object":
		return strings.HasPrefix(method, "wait")
	case "Thread":
		return strings.HasPrefix(method, "sleep") || method == "join" || strings.HasPrefix(method, "yield")
	case "Unsafe", "LockSupport":
		return strings.HasPrefix(method, "park")
	case "EPoll", "WEPoll", "IOCP":
		return strings.HasPrefix(method, "wait") || method == "getQueuedCompletionStatus"
	case "KQueue":
		return method == "poll"
	case "EPollArrayWrapper", "KQueueArrayWrapper":
		return method == "epollWait" || method == "kevent0"
	case "Reference", "ReferenceHandler":
		return strings.HasPrefix(method, "waitFor")
	}
	return false
}

// inQueue reports whether a part of a pipeline is a queue, by the name that GStreamer gives unnamed
// ones ("queue0", "multiqueue1", "queue2-0") or a similar one ("queue_v").
func inQueue(name string) bool {
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 { // the pad
		name = name[:dot]
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 { // its address, or the bin
		name = name[dot+1:]
	}
	rest, ok := strings.CutPrefix(name, "multiqueue")
	if !ok {
		rest, ok = strings.CutPrefix(name, "queue")
	}
	return ok && (rest == "" || rest[0] == '_' || rest[0] == '-' || '0' <= rest[0] && rest[0] <= '9')
}

// ofRuntime reports whether a package belongs to the Java runtime itself: the program calls it, and
// it stands back behind the program's own methods.
func ofRuntime(pkg string) bool {
	for _, root := range [...]string{"java", "javax", "jdk", "sun", "com.sun"} {
		if rest, ok := strings.CutPrefix(pkg, root); ok && (rest == "" || rest[0] == '.') {
			return true
		}
	}
	return false
}
