package feed

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// FarSize is the most bytes of a file that Sniff gets, where HeadSize of them are not enough and a
// source wants to see more.
const FarSize = 16 << 20

// Patient is a source of recordings that may begin with a value too long for Sniff.
type Patient interface {
	Source
	// Undecided reports whether the source might recognise a longer head, given HeadSize bytes that no
	// source recognises.
	Undecided(head []byte) bool
}

// Whole reports whether head is a whole file, as far as that is known.
func Whole(head []byte) bool {
	return len(head) < HeadSize || len(head) > HeadSize && len(head) < FarSize
}

// undecided reports whether it may be of use to look at more than a head.
func (r Registry) undecided(head []byte) bool {
	return len(head) >= HeadSize && slices.ContainsFunc(r, func(s Source) bool {
		p, ok := s.(Patient)
		return ok && p.Undecided(head[:HeadSize])
	})
}

// find returns the first source that recognises a recording, nil if none does, and its beginning as read gives it:
// HeadSize bytes, or FarSize where these do not identify the format.
func (r Registry) find(name string, read func(size int) ([]byte, error)) (Source, []byte, error) {
	head, err := read(HeadSize)
	if err != nil || len(head) == 0 {
		return nil, head, err
	}
	if s := r.first(head, name); s != nil || !r.undecided(head) {
		return s, head, nil
	}
	if head, err = read(FarSize); err != nil {
		return nil, head, err
	}
	return r.first(head, name), head, nil
}

// sniff is find in bytes that have come.
func (r Registry) sniff(begin []byte, name string) Source {
	s, _, _ := r.find(name, func(size int) ([]byte, error) { return begin[:min(len(begin), size)], nil })
	return s
}

// RecogniseHead returns the source for data that begin with head. Compressed data are recognised by
// their content, as far as head holds it. If it returns neither a source nor an error, try with more
// bytes, up to FarSize.
func (r Registry) RecogniseHead(head []byte, name string) (Source, error) {
	s, content, err := r.find(name, func(size int) ([]byte, error) {
		plain, err := Uncompressed(bytes.NewReader(head))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		begin, _ := readUpTo(plain, size) // an error is due to the cut, or will recur with the whole
		return begin, nil
	})
	if s != nil || err != nil || len(head) < FarSize && r.undecided(content) {
		return s, err
	}
	return nil, r.stranger(content, name, false)
}

// readUpTo reads so many bytes, or all there are, into room that grows with what comes.
func readUpTo(r io.Reader, size int) (begin []byte, err error) {
	for room := HeadSize; err == nil && len(begin) < size; room *= 4 {
		to := min(size, room)
		begin = slices.Grow(begin, to-len(begin))
		var n int
		n, err = io.ReadFull(r, begin[len(begin):to])
		begin = begin[:len(begin)+n]
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF { // those of ReadFull; that of a cut file is wrapped
		err = nil
	}
	return begin, err
}
