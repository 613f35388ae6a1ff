package profilelib

import (
	"bytes"
	"cmp"
)

// FirstBlock is the least id that a block can have: the counter starts at 128 and is raised before
// use.
const FirstBlock = 129

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. From EndOfStream to SignalMore they have the ids of V2 and later.
const (
	EndOfStream Kind = iota
	SysInfo
	Log
	LogMore
	Frame
	TryLock
	TryLockMore
	Lock
	LockMore
	Unlock
	UnlockMore
	Wait
	Signal // also the id of the rest of a wait's name, see Layout.Kind
	SignalMore
	WaitMore
	Block
	Unknown
)

// begins are the kinds of messages that continuations go on.
var begins = [Unknown + 1]Kind{
	LogMore: Log, TryLockMore: TryLock, LockMore: Lock, UnlockMore: Unlock, SignalMore: Signal, WaitMore: Wait,
}

// More reports whether the kind is the continuation of a message.
func (k Kind) More() bool { return begins[k] != 0 }

// Base returns the kind of message that a continuation continues, and other kinds as they are.
func (k Kind) Base() Kind { return cmp.Or(begins[k], k) }

// Kind returns the kind of a record by its id and parent. Id 12 is a signal, or with a parent the rest
// of a wait's name: the library left no room for that (FORMAT.md section 3.1). Block numbers have 32
// bits; the upper half is negative in the program, but unsigned here.
func (l Layout) Kind(id, parent uint32) Kind {
	if id >= FirstBlock {
		return Block
	}
	if l == V1 {
		if id > 9 {
			if id == 10 {
				return UnlockMore
			}
			return Unknown
		}
		return Kind(id) + SysInfo
	}
	if id > uint32(SignalMore) {
		return Unknown
	}
	if id == uint32(Signal) && parent != 0 {
		return WaitMore
	}
	return Kind(id)
}

// cutNUL returns b up to its first NUL.
func cutNUL(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}
