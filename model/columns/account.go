package columns

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"framescope/model/pages"
)

// Sum is the sum of all accounts of a store, in bytes.
type Sum = atomic.Int64

// Account is one kind of memory of a session. It is safe for concurrent use. A nil account counts
// nothing.
type Account struct {
	bytes atomic.Int64
	total *Sum // of the store
	pool  *pages.Pool
}

// Init gives the account the pool that its blocks come from, and the sum of all accounts of a store.
func (a *Account) Init(pool *pages.Pool, total *Sum) { a.pool, a.total = pool, total }

// Sum returns the bytes on the account.
func (a *Account) Sum() int64 { return a.bytes.Load() }

// Add writes bytes down that were taken, or with a sign let go.
func (a *Account) Add(bytes int64) {
	if a != nil && bytes != 0 {
		a.bytes.Add(bytes)
		a.total.Add(bytes)
	}
}

// Booked is what something irregular takes: its owner tells anew whenever it may have changed.
type Booked struct{ bytes int64 }

func (b *Booked) Set(a *Account, bytes int64) {
	a.Add(bytes - b.bytes)
	b.bytes = bytes
}

func SizeOf[T any]() int64 {
	var zero T
	return int64(unsafe.Sizeof(zero))
}

// Push appends a value to a list that is accounted for.
func Push[T any](a *Account, list []T, v T) []T {
	if len(list) == cap(list) {
		n := cap(list)
		list = slices.Grow(list, 1)
		a.Add(int64(cap(list)-n) * SizeOf[T]())
	}
	return append(list, v)
}

// CutFront removes the first k values of a list that is accounted for. It is lazy: it may leave
// some or all of them as long as they are no more than the rest.
func CutFront[T any](a *Account, list []T, k int) []T {
	if k <= len(list)/2 {
		return list
	}
	n := copy(list, list[k:])
	clear(list[n:])
	list = list[:n]
	if cap(list) > 64 && n < cap(list)/4 {
		smaller := append(make([]T, 0, 2*n), list...)
		a.Add(int64(cap(smaller)-cap(list)) * SizeOf[T]())
		return smaller
	}
	return list
}

// FrontList is a list that is accounted for, and loses values at its front without moving the rest
// each time.
type FrontList[T any] struct {
	List []T
	lost int // values that the list's memory holds before its first
	Acc  *Account
}

// Keep makes list, which was made of x.list by appending or deleting, the list.
func (x *FrontList[T]) Keep(list []T) {
	if cap(list) != cap(x.List) {
		x.Acc.Add(int64(cap(list)-cap(x.List)-x.lost) * SizeOf[T]())
		x.lost = 0
	}
	x.List = list
}

func (x *FrontList[T]) Push(v T) { x.Keep(append(x.List, v)) }

// Drop removes the first k values.
func (x *FrontList[T]) Drop(k int) {
	x.List = x.List[k:]
	x.lost += k
	if x.lost > len(x.List)+64 {
		x.Keep(append(make([]T, 0, len(x.List)+len(x.List)/4+1), x.List...))
	}
}

func (x *FrontList[T]) Clear() {
	x.Acc.Add(-int64(cap(x.List)+x.lost) * SizeOf[T]())
	x.List, x.lost = nil, 0
}

// LetGo takes a list off the account.
func LetGo[T any](a *Account, list []T) { a.Add(-int64(cap(list)) * SizeOf[T]()) }

// GetBlock returns an empty list of n values without pointers, from the pool of an account.
func GetBlock[T any](a *Account, n int) []T {
	bytes := n * int(SizeOf[T]())
	a.Add(int64(bytes))
	if a == nil {
		return make([]T, 0, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(a.pool.Get(bytes)))), n)[:0]
}

// PutBlock gives back what GetBlock returned. Nothing may refer to it any more.
func PutBlock[T any](a *Account, block []T) {
	bytes := cap(block) * int(SizeOf[T]())
	a.Add(-int64(bytes))
	if a != nil {
		a.pool.Put(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(block[:1]))), bytes))
	}
}
