package feed

import (
	"bytes"
	"fmt"
	"io"
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
	if len(head) < HeadSize {
		return false
	}
	for _, s := range r {
		if p, ok := s.(Patient); ok && p.Undecided(head[:HeadSize]) {
			return true
		}
	}
	return false
}

// sniff returns the first source that recognises the beginning of a file, nil if none does. Of more
// than HeadSize bytes the rest is looked at where these leave it open.
func (r Registry) sniff(begin []byte, name string) Source {
	head := begin[:min(len(begin), HeadSize)]
	if len(head) == 0 {
		return nil
	}
	if s := r.first(head, name); s != nil || len(begin) == len(head) || !r.undecided(head) {
		return s
	}
	return r.first(begin[:min(len(begin), FarSize)], name)
}

// RecogniseHead returns the source for data that begin with head. Compressed data are recognised by
// their content, as far as head holds it. If it returns neither a source nor an error, try with more
// bytes, up to FarSize.
func (r Registry) RecogniseHead(head []byte, name string) (Source, error) {
	content, err := r.begin(name, func(size int) ([]byte, error) {
		plain, err := Uncompressed(bytes.NewReader(head))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		begin, _ := readUpTo(plain, size) // an error is due to the cut, or will recur with the whole
		return begin, nil
	})
	if err != nil {
		return nil, err
	}
	s, err := r.recogniseContent(content, name)
	if s == nil && len(head) < FarSize && r.undecided(content) {
		return nil, nil
	}
	return s, err
}

// begin reads the beginning of a recording: HeadSize bytes, or FarSize where these do not identify the
// format.
func (r Registry) begin(name string, read func(size int) ([]byte, error)) ([]byte, error) {
	head, err := read(HeadSize)
	if err != nil || len(head) < HeadSize || r.first(head, name) != nil || !r.undecided(head) {
		return head, err
	}
	return read(FarSize)
}

// readUpTo reads so many bytes, or all there are.
func readUpTo(r io.Reader, size int) ([]byte, error) {
	begin := make([]byte, size)
	n, err := io.ReadFull(r, begin)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // those of ReadFull; that of a cut file is wrapped
		err = nil
	}
	return begin[:n], err
}
