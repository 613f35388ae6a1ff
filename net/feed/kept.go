package feed

import (
	"fmt"
	"runtime"
	"unsafe"
)

const (
	leastMore = 64        // values by which a list grows at least
	doubled   = 256 << 10 // bytes up to which it grows to twice its length
	large     = 32 << 20  // bytes of a list that is not copied before earlier copies are collected
)

// Grow returns a list with places for n values more, for data that wait until they can be published.
// It grows by a quarter if it is long, or by as much as there is room for. It is copied, so room is
// taken for all of the new list, and that of the old one is given back only then. Where there is no
// room, ok is false and the list unchanged.
func Grow[T any](room *Names, list []T, n int) (_ []T, ok bool) {
	if n <= cap(list)-len(list) {
		return list, true
	}
	var value T
	size := int64(unsafe.Sizeof(value))
	old := int64(cap(list)) * size
	least, more := n-(cap(list)-len(list)), max(leastMore, cap(list))
	if old > doubled {
		more = cap(list) / 4
	}
	if !room.TakeData(old + int64(least)*size) {
		return list, false
	}
	more = max(0, more-least)
	for more > 0 && !room.TakeData(int64(more)*size) {
		more /= 2
	}
	more += least
	if old >= large {
		runtime.GC()
	}
	list = append(make([]T, 0, cap(list)+more), list...)
	room.GiveData(old)
	return list, true
}

// FullOfData returns the text of a loss for which TakeData had no room, after words for the lost
// things.
func (n *Names) FullOfData(words string) string {
	if n == nil || n.data == nil {
		return words
	}
	return fmt.Sprintf("%s (%d MiB hold file contents until they are shown: --memory sets how much)",
		words, n.data.Limit()>>20)
}

// FullOfNames says so of Take and Admit.
func (n *Names) FullOfNames(words string) string {
	if n == nil || n.all == nil {
		return words
	}
	return fmt.Sprintf("%s (%d MiB are for names: --memory sets how much)", words, n.all.Limit()>>20)
}
