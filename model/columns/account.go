package columns

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// Sum is the sum of all accounts of a store, in bytes.
type Sum = atomic.Int64

// Account is one kind of memory of a session. It is safe for concurrent use. A nil account counts
// nothing.
type Account struct {
	bytes atomic.Int64
	total *Sum // of the store
	pool  *Pool
}

// Init gives the account the pool that its blocks come from, and the sum of all accounts of a store.
func (a *Account) Init(pool *Pool, total *Sum) { a.pool, a.total = pool, total }

// Sum returns the bytes on the account.
func (a *Account) Sum() int64 { return a.bytes.Load() }

// Add records allocated bytes, or negative ones for freed.
func (a *Account) Add(bytes int64) {
	if a != nil && bytes != 0 {
		a.bytes.Add(bytes)
		a.total.Add(bytes)
	}
}

// Booked is the size of something irregular: its owner sets it whenever it may have changed.
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

// Front is the account of a list that loses values at its front without moving the rest each time.
type Front struct {
	lost int // values that the list's memory holds before its first
	Acc  *Account
}

// Keep sets list to made, a result of appending to or deleting from it.
func Keep[T any](f *Front, list *[]T, made []T) {
	if cap(made) != cap(*list) {
		f.Acc.Add(int64(cap(made)-cap(*list)-f.lost) * SizeOf[T]())
		f.lost = 0
	}
	*list = made
}

// DropFront removes the first k values of a list.
func DropFront[T any](f *Front, list *[]T, k int) {
	*list = (*list)[k:]
	f.lost += k
	if f.lost > len(*list)+64 {
		Keep(f, list, append(make([]T, 0, len(*list)+len(*list)/4+1), *list...))
	}
}

// ClearList frees a list.
func ClearList[T any](f *Front, list *[]T) {
	f.Acc.Add(-int64(cap(*list)+f.lost) * SizeOf[T]())
	*list, f.lost = nil, 0
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

// PutBlock frees a block of GetBlock. Nothing may refer to it any more.
func PutBlock[T any](a *Account, block []T) {
	bytes := cap(block) * int(SizeOf[T]())
	a.Add(-int64(bytes))
	if a != nil {
		a.pool.Put(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(block[:1]))), bytes))
	}
}
