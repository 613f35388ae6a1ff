package feed

// queue is a first-in, first-out list that uses its memory again. The zero value is empty and takes
// no memory.
type queue[T any] struct {
	buf  []T // its length is a power of two, or 0
	head int
	n    int
}

// The least and, while it is empty, the greatest room of a queue.
const (
	leastQueue = 8
	emptyQueue = 1 << 12
)

func (q *queue[T]) len() int { return q.n }

// at returns the i-th, counted from the front.
func (q *queue[T]) at(i int) *T { return &q.buf[(q.head+i)&(len(q.buf)-1)] }

func (q *queue[T]) push(v T) {
	if q.n == len(q.buf) {
		bigger := make([]T, max(leastQueue, 2*len(q.buf)))
		for i := range q.n {
			bigger[i] = *q.at(i)
		}
		q.buf, q.head = bigger, 0
	}
	q.n++
	*q.at(q.n - 1) = v
}

func (q *queue[T]) pop() T {
	var none T
	p := q.at(0)
	v := *p
	*p = none
	q.head = (q.head + 1) & (len(q.buf) - 1)
	if q.n--; q.n == 0 && len(q.buf) > emptyQueue {
		*q = queue[T]{} // a burst is over
	}
	return v
}
