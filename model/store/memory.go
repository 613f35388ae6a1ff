package store

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"framescope/model/pages"
)

// Memory is resident memory in bytes by kind.
type Memory struct{ Spans, Pyramids, Frames, Totals, Levels, Series, Other int64 }

// Total is the sum of all kinds.
func (m Memory) Total() int64 {
	return m.Spans + m.Pyramids + m.Frames + m.Totals + m.Levels + m.Series + m.Other
}

// The kinds of Memory.
const (
	kindSpans = iota
	kindPyramids
	kindFrames
	kindTotals
	kindLevels
	kindSeries
	kindOther
	numKinds
)

// memory is where the data of a session lie, and the account of it: whatever a session allocates
// that grows with what it was sent, or with what it was asked, is written down where it is
// allocated and where it is let go. So the account is always complete, and reading it costs
// nothing. Only what is bounded by a small number for each session is left out.
type memory struct {
	kinds [numKinds]account
	pool  *pages.Pool
}

// account is one kind of memory of a session. Questions add to it side by side. A nil account
// counts nothing.
type account struct {
	bytes atomic.Int64
	total *atomic.Int64 // of the store
	pool  *pages.Pool
}

func (m *memory) init(pool *pages.Pool, total *atomic.Int64) {
	m.pool = pool
	for k := range m.kinds {
		m.kinds[k].pool, m.kinds[k].total = pool, total
	}
}

// of returns the account of a kind.
func (m *memory) of(kind int) *account { return &m.kinds[kind] }

func (m *memory) sum() Memory {
	n := func(kind int) int64 { return m.kinds[kind].bytes.Load() }
	return Memory{n(kindSpans), n(kindPyramids), n(kindFrames), n(kindTotals), n(kindLevels), n(kindSeries), n(kindOther)}
}

func (a *account) add(bytes int64) {
	if a != nil && bytes != 0 {
		a.bytes.Add(bytes)
		a.total.Add(bytes)
	}
}

// booked is what something irregular takes: its owner tells anew whenever it may have changed.
type booked struct{ bytes int64 }

func (b *booked) set(a *account, bytes int64) {
	a.add(bytes - b.bytes)
	b.bytes = bytes
}

func sizeOf[T any]() int64 {
	var zero T
	return int64(unsafe.Sizeof(zero))
}

// push appends a value to a list that is accounted for.
func push[T any](a *account, list []T, v T) []T {
	if len(list) == cap(list) {
		n := cap(list)
		list = slices.Grow(list, 1)
		a.add(int64(cap(list)-n) * sizeOf[T]())
	}
	return append(list, v)
}

// cutFront removes the first k values of a list that is accounted for. It is lazy: it may leave
// some or all of them as long as they are no more than the rest.
func cutFront[T any](a *account, list []T, k int) []T {
	if k <= len(list)/2 {
		return list
	}
	n := copy(list, list[k:])
	clear(list[n:])
	list = list[:n]
	if cap(list) > 64 && n < cap(list)/4 {
		smaller := append(make([]T, 0, 2*n), list...)
		a.add(int64(cap(smaller)-cap(list)) * sizeOf[T]())
		return smaller
	}
	return list
}

// frontList is a list that is accounted for, and loses values at its front without moving the rest
// each time.
type frontList[T any] struct {
	list []T
	lost int // values that the list's memory holds before its first
	acc  *account
}

// keep makes list, which was made of x.list by appending or deleting, the list.
func (x *frontList[T]) keep(list []T) {
	if cap(list) != cap(x.list) {
		x.acc.add(int64(cap(list)-cap(x.list)-x.lost) * sizeOf[T]())
		x.lost = 0
	}
	x.list = list
}

func (x *frontList[T]) push(v T) { x.keep(append(x.list, v)) }

// drop removes the first k values.
func (x *frontList[T]) drop(k int) {
	x.list = x.list[k:]
	x.lost += k
	if x.lost > len(x.list)+64 {
		x.keep(append(make([]T, 0, len(x.list)+len(x.list)/4+1), x.list...))
	}
}

func (x *frontList[T]) clear() {
	x.acc.add(-int64(cap(x.list)+x.lost) * sizeOf[T]())
	x.list, x.lost = nil, 0
}

// letGo takes a list off the account.
func letGo[T any](a *account, list []T) { a.add(-int64(cap(list)) * sizeOf[T]()) }

// getBlock returns an empty list of n values without pointers, from the pool of an account.
func getBlock[T any](a *account, n int) []T {
	bytes := n * int(sizeOf[T]())
	a.add(int64(bytes))
	if a == nil {
		return make([]T, 0, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(a.pool.Get(bytes)))), n)[:0]
}

// putBlock gives back what getBlock returned. Nothing may refer to it any more.
func putBlock[T any](a *account, block []T) {
	bytes := cap(block) * int(sizeOf[T]())
	a.add(-int64(bytes))
	if a != nil {
		a.pool.Put(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(block[:1]))), bytes))
	}
}
