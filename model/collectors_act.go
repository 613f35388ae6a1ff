package model

import "strings"

// Act is the activity of a thread with a method of Java's library innermost. It is derived from
// names, as Waits is: for waits the callers name the reason.
type Act uint8

// The acts.
const (
	ActNone   Act = iota // nothing that is known: it runs, or would like to
	ActIO                // it reads, writes, connects or accepts: a socket or a file
	ActParks             // it parks the thread, or queues for something built on that
	ActLocks             // it takes a lock of java.util.concurrent.locks
	ActConfer            // it waits for a condition
)

// actOf returns the act of a method, by its package and its name: "Unsafe.park(boolean, long)" of
// jdk.internal.misc.
func actOf(pkg, name string) Act {
	name, _, _ = strings.Cut(name, "(")
	class, method, ok := strings.Cut(name, ".")
	if !ok {
		return ActNone
	}
	switch pkg {
	case "jdk.internal.misc", "sun.misc":
		if class == "Unsafe" && method == "park" {
			return ActParks
		}
	case "java.util.concurrent.locks":
		return actOfLocks(class)
	case "java.io":
		return actIf(ioOfFiles(class, method))
	case "java.net":
		return actIf(ioOfSockets(class, method))
	case "sun.nio.ch":
		return actIf(ioOfChannels(class, method))
	case "sun.nio.fs":
		return actIf(strings.HasSuffix(class, "NativeDispatcher"))
	}
	return ActNone
}

func actIf(io bool) Act {
	if io {
		return ActIO
	}
	return ActNone
}

func actOfLocks(class string) Act {
	outer, inner, _ := strings.Cut(class, "$")
	switch outer {
	case "LockSupport":
		return ActParks
	case "AbstractQueuedSynchronizer", "AbstractQueuedLongSynchronizer":
		if strings.HasPrefix(inner, "Condition") {
			return ActConfer
		}
		return ActParks
	case "ReentrantLock", "ReentrantReadWriteLock", "StampedLock":
		return ActLocks
	}
	return ActNone
}

// ioOfFiles reports whether a method of java.io goes into the kernel.
func ioOfFiles(class, method string) bool {
	switch class {
	case "FileInputStream", "FileOutputStream", "RandomAccessFile", "FileDescriptor":
		return startsWith(method, "read", "write", "open", "close0", "skip", "available", "seek", "sync", "length",
			"setLength")
	case "UnixFileSystem", "WinNTFileSystem":
		return true
	}
	return false
}

// ioOfSockets reports whether a method of java.net goes into the kernel, or looks up the address of
// a name.
func ioOfSockets(class, method string) bool {
	switch class {
	case "SocketInputStream", "SocketOutputStream":
		return startsWith(method, "socketRead", "socketWrite")
	case "PlainSocketImpl", "DualStackPlainSocketImpl", "TwoStacksPlainSocketImpl", "PlainDatagramSocketImpl":
		return startsWith(method, "socket", "accept0", "connect0", "waitForConnect", "receive", "send", "peek")
	case "Inet4AddressImpl", "Inet6AddressImpl":
		return true
	}
	return false
}

// ioOfChannels reports whether a method of sun.nio.ch goes into the kernel. Selectors wait for any of
// many channels: they wait (see waitingMethod).
func ioOfChannels(class, method string) bool {
	switch class {
	case "Net":
		return startsWith(method, "poll", "accept", "connect", "shutdown")
	case "DatagramChannelImpl", "IOUtil":
		return strings.HasSuffix(method, "0") || method == "drain"
	}
	dispatcher := strings.HasSuffix(class, "Dispatcher") || strings.HasSuffix(class, "DispatcherImpl")
	return dispatcher && startsWith(method,
		"read", "write", "pread", "pwrite", "send", "recv", "force", "truncate", "transfer", "lock", "size", "close")
}

func startsWith(s string, beginnings ...string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return false
}
