package messages

import (
	"unsafe"

	"framescope/model/columns"
)

// textStore keeps the texts of messages one behind the other in chunks that never change, so that a
// million of them are a few objects to the garbage collector, and none is a piece of a decoder's
// buffer that would stay with it. A chunk leaves when the last text in it was given up.
type textStore struct {
	chunks []textChunk
	first  int64 // number of chunks[0]
	gone   int   // chunks at the front that have left
	acc    *columns.Account
}

type textChunk struct {
	data []byte
	live int32 // texts
}

const (
	textChunkShift = 16 // chunks are as long as the longest text
	textChunkMask  = 1<<textChunkShift - 1
)

// add stores a text of at most 64 KiB and returns where it is.
func (x *textStore) add(text string) (at int64) {
	if text == "" {
		return 0
	}
	k := len(x.chunks) - 1
	switch {
	case k < 0:
		x.open(max(1<<10, len(text)))
		k++
	case len(x.chunks[k].data)+len(text) > 1<<textChunkShift:
		if x.open(1 << textChunkShift); x.chunks[k].live == 0 {
			x.free(int64(k) + x.first)
		}
		k = len(x.chunks) - 1
	case len(x.chunks[k].data)+len(text) > cap(x.chunks[k].data): // only a small last chunk
		// texts that were handed out keep the old one
		c := &x.chunks[k]
		grown := make([]byte, len(c.data), min(max(4*cap(c.data), len(c.data)+len(text)), 1<<textChunkShift))
		copy(grown, c.data)
		x.acc.Add(int64(cap(grown) - cap(c.data)))
		c.data = grown
	}
	c := &x.chunks[k]
	at = (x.first+int64(k))<<textChunkShift + int64(len(c.data))
	c.data = append(c.data, text...)
	c.live++
	return at
}

func (x *textStore) open(size int) {
	data := make([]byte, 0, size)
	x.chunks = columns.Push(x.acc, x.chunks, textChunk{data: data})
	x.acc.Add(int64(cap(data)))
}

// drop gives up a text.
func (x *textStore) drop(at int64, n int32) {
	if n == 0 {
		return
	}
	number := at >> textChunkShift
	c := &x.chunks[number-x.first]
	if c.live--; c.live == 0 && number-x.first < int64(len(x.chunks)-1) {
		x.free(number)
	}
}

func (x *textStore) free(number int64) {
	c := &x.chunks[number-x.first]
	columns.LetGo(x.acc, c.data)
	c.data = nil
	for x.gone < len(x.chunks)-1 && x.chunks[x.gone].data == nil {
		x.gone++
	}
	if x.gone > len(x.chunks)/2 {
		x.chunks = columns.CutFront(x.acc, x.chunks, x.gone)
		x.first += int64(x.gone)
		x.gone = 0
	}
}

// text returns a stored text. It is valid for ever.
func (x *textStore) text(at int64, n int32) string {
	if n == 0 {
		return ""
	}
	data := x.chunks[at>>textChunkShift-x.first].data
	from := at & textChunkMask
	return unsafe.String(unsafe.SliceData(data[from:from+int64(n)]), n)
}

// clear frees everything.
func (x *textStore) clear() {
	for _, c := range x.chunks {
		columns.LetGo(x.acc, c.data)
	}
	columns.LetGo(x.acc, x.chunks)
	x.chunks, x.gone = nil, 0
}
