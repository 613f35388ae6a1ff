package model

import (
	"slices"
	"strings"
)

// mostWords bounds the words of a name that are looked at.
const mostWords = 12

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }

// splitWords appends the words of a name in small letters: of "vkWaitForFences", "vk_wait_for_fences" and
// "vk: wait for fences" the same. A word in capitals ends before its last letter if small ones follow: "GLSwap".
func splitWords(dst []string, name string) []string {
	for i := 0; i < len(name) && len(dst) < mostWords; {
		if !isLetter(name[i]) {
			i++
			continue
		}
		from := i
		for i++; i < len(name) && isLetter(name[i]); i++ {
			upper, after := isUpper(name[i]), isUpper(name[i-1])
			if upper && (!after || i+1 < len(name) && isLetter(name[i+1]) && !isUpper(name[i+1])) {
				break
			}
		}
		dst = append(dst, strings.ToLower(name[from:i]))
	}
	return dst
}

// Words of waits. These say it by themselves, wherever they are in a name,
var waitWords = set("wait timedwait await semacquire futex nanosleep usleep vsync vblank gopark")

// these if nothing else is in the name, or it ends with them,
var (
	aloneWords = set("lock join fence barrier stall mutex semaphore idle sleep sleeping yield park parked blocked " +
		"present " +
		"select selectgo ppoll pselect epoll recv chanrecv waiting waits swapbuffers safepoint")
	lastWords = set("sleep sleeping recv waiting waits swapbuffers nanosleep")
)

// these if the name begins with them and goes on with one of the others.
var pairs = map[string]map[string]bool{
	"swap":      set("buffers window buffer"),
	"gl":        set("swap finish"),
	"frame":     set("sync cap limit limiter pacing"),
	"fps":       set("limit limiter cap"),
	"limit":     set("fps frame"),
	"sched":     set("yield"),
	"condition": set("variable"),
	"blocked":   set("on by in"),
	"rate":      set("limit limiter"),
	"thread":    set("sync block idle join"),
	"threads":   set("sync idle join"),
	"gpu":       set("sync"),
	"render":    set("sync"),
	"v":         set("sync blank"),
	"mutex":     set("lock block acquire"),
	"enter":     set("critical"),
	"sleep":     set("until for ex ms us condition"),
	"delay":     set("usec ms us"),
	"sdl":       set("delay"),
	"idle":      set("time thread threads loop"),
	"worker":    set("idle"),
	"block":     set("on"),
	"stalled":   set("by on in for"),
	"stall":     set("on for"),
	"park":      set("timeout nanos until"),
	"recv":      set("timeout deadline"),
	"queued":    set("completion"),
	"acquire":   set("frame image next swapchain backbuffer back mutex lock srw semaphore drawable"),
	"join":      set("threads thread workers worker jobs tasks"),
	"sync":      set("threads thread with"),
	"lock":      set("mutex"),
}

// lockWords and their like are the words of what has a method that waits.
var ownersOf = map[string]map[string]bool{
	"lock":     set("mutex lock rwlock spinlock critical section semaphore monitor"),
	"acquire":  set("mutex lock rwlock spinlock semaphore"),
	"enter":    set("mutex monitor critical"),
	"take":     set("blocking"),
	"get":      set("future"),
	"complete": set("job"),
	"poll":     set("mio epoll kqueue"),
	"finish":   set("gl"),
}

// mayWords are words of waits and of work.
var mayWords = set("lock sync acquire join fence barrier idle park present swap flip limiter limit block stall " +
	"semaphore mutex " +
	"yield poll select delay flush dequeue take receive event pace throttle")

// notWaits are words behind wait that make of it the name of a thing.
var notWaits = set("list lists queue queues set count counts staff handle handles object objects timer animation " +
	"menu screen room")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// sayWords returns what the words of a name say, and those of what it belongs to.
func sayWords(in, own []string) Voice {
	n := len(own)
	switch {
	case n == 0:
		return SaysNothing
	case own[0] == "wait", own[0] == "waiting", own[0] == "waits":
		return SaysWait
	case n == 1 && aloneWords[own[0]], lastWords[own[n-1]]:
		return SaysWait
	case slices.ContainsFunc(in, func(w string) bool { return ownersOf[own[0]][w] }):
		return SaysWait
	}
	for i, w := range own {
		next := ""
		if i+1 < n {
			next = own[i+1]
		}
		if pairs[w][next] || waitWords[w] && !notWaits[next] {
			return SaysWait
		}
	}
	if last := own[n-1]; last == "idle" || last == "join" || last == "present" {
		return sayLast(in, own)
	}
	if slices.ContainsFunc(own, func(w string) bool { return mayWords[w] }) {
		return MayWait
	}
	return SaysNothing
}

// ofThreads are words of what idles, is joined or presents.
var ofThreads = set("thread threads worker workers task tasks job jobs pool executor scope game main render rhi " +
	"gfx dxgi queue pthread")

// sayLast returns what a name says that ends with idle, join or present: with a word of threads it is a wait.
func sayLast(in, own []string) Voice {
	isThread := func(w string) bool { return ofThreads[w] }
	if slices.ContainsFunc(in, isThread) || slices.ContainsFunc(own, isThread) {
		return SaysWait
	}
	return MayWait
}
