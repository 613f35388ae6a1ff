package store

import "framescope/internal/heap"

// evictableHeap is a heap of parts, the oldest first.
type evictableHeap []evictable

func older(a, b *evictable) bool { return a.age < b.age }

func (h *evictableHeap) push(e evictable) { *h = heap.Push(*h, e, older) }

func (h *evictableHeap) pop() (oldest evictable) {
	oldest, *h = heap.Pop(*h, older)
	return oldest
}

// order makes a heap of entries in any order.
func (h *evictableHeap) order() { heap.Init(*h, older) }
