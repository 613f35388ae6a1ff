package model

import "strings"

// The kind of a collector follows from its name alone: no source sends it. The rules are here and
// nowhere else.

// waiting reports whether a collector waits, idles or is parked: it takes time and no processor.
// name is the collector's own; group is the full name of its parent, empty at the top.
func waiting(group, name string) bool {
	if group == "element-latency" { // of GStreamer: time in a queue is waiting
		return inQueue(name)
	}
	method, isMethod := strings.CutSuffix(name, ")")
	if isMethod { // "Object.wait(long)", "Sleep(16)"
		if open := strings.IndexByte(method, '('); open > 0 {
			method = method[:open]
		}
	}
	if dot := strings.LastIndexByte(method, '.'); dot >= 0 {
		if !isMethod && strings.HasPrefix(method[dot+1:], "WaitFor") { // "Gfx.WaitForPresent"
			return true
		}
		return waitingMethod(method[:dot], method[dot+1:])
	}
	switch strings.ToLower(strings.Trim(method, "()[]<> ")) {
	case "idle", "sleep", "sleeping", "parked", "yield", "mutex block", "thread block", "thread sync", "vsync", "v-sync":
		return true
	}
	switch firstWord(method) {
	case "wait", "waiting", "waits", "await":
		return true
	}
	// "GPU wait", "Lock wait": the first word names the reason.
	last := strings.ToLower(method[strings.LastIndexAny(method, " _")+1:])
	return !isMethod && (last == "wait" || last == "waiting")
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

// firstWord returns the first word of a name in small letters: "WaitForGPU", "wait_for_gpu" and
// "Wait: GPU" begin with wait.
func firstWord(name string) string {
	const longest = 16
	var buf [longest]byte
	n := 0
	for i := 0; i < len(name) && n < longest; i++ {
		c := name[i]
		upper := 'A' <= c && c <= 'Z'
		if upper {
			// A capital after a small letter begins the next word.
			if n > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
				break
			}
			c += 'a' - 'A'
		}
		if c < 'a' || c > 'z' {
			if n > 0 {
				break
			}
			continue
		}
		buf[n] = c
		n++
	}
	return string(buf[:n])
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
