package feed

import (
	"fmt"
	"unsafe"
)

const (
	leastMore = 64        // values by which a list grows at least
	doubled   = 256 << 10 // bytes up to which it grows to twice its length
)

// Grow returns a list with places for n values more, for what a reader keeps until it can be published. It
// takes room for what the list grows by, a quarter of it if it is long, or as much as there is; what it leaves
// behind is garbage. ok is false, and the list as it was, where there is no room.
func Grow[T any](room *Names, list []T, n int) (_ []T, ok bool) {
	if n <= cap(list)-len(list) {
		return list, true
	}
	var value T
	size := int64(unsafe.Sizeof(value))
	least, more := n-(cap(list)-len(list)), cap(list)
	if int64(more)*size > doubled {
		more /= 4
	}
	for more = max(least, leastMore, more); ; more = max(least, more/2) {
		if room.TakeData(int64(more) * size) {
			return append(make([]T, 0, cap(list)+more), list...), true
		}
		if more == least {
			return list, false
		}
	}
}

// Full says in words why something is left out for which TakeData had no room, after words that say what.
func (n *Names) Full(words string) string {
	if n == nil || n.data == nil {
		return words
	}
	return fmt.Sprintf("%s (%d MiB are for what is gathered of files until it is shown: --memory sets how much)", words, n.data.Limit()>>20)
}
