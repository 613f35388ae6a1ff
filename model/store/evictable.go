package store

// evictableHeap is a binary heap, the oldest first.
type evictableHeap []evictable

func (h *evictableHeap) push(e evictable) {
	list := append(*h, e)
	for i := len(list) - 1; i > 0; {
		up := (i - 1) / 2
		if list[up].age <= list[i].age {
			break
		}
		list[i], list[up] = list[up], list[i]
		i = up
	}
	*h = list
}

func (h *evictableHeap) pop() evictable {
	list := *h
	top, last := list[0], len(list)-1
	list[0], list[last] = list[last], evictable{}
	*h = list[:last]
	h.sink(0)
	return top
}

// sink moves an entry down to where none below is older.
func (h *evictableHeap) sink(i int) {
	list := *h
	for {
		best := i
		for child := 2*i + 1; child <= min(2*i+2, len(list)-1); child++ {
			if list[child].age < list[best].age {
				best = child
			}
		}
		if best == i {
			return
		}
		list[i], list[best] = list[best], list[i]
		i = best
	}
}

// order makes a heap of entries in any order.
func (h *evictableHeap) order() {
	for i := len(*h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}
