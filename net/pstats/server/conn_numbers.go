package server

import (
	"cmp"
	"slices"
)

// A thread's numbers are remembered in pages, so that those of a thread that sends one frame in
// hundred by TCP reach as far as what its datagrams may be late by. A client that floods its threads
// with numbers takes no more than so many pages for all of them, and two for each.
const (
	pageNumbers = 256
	mostPages   = 512  // of a thread
	sharedPages = 8192 // of the threads of a client, at 40 bytes
)

// numberPage is the set of received numbers in a page of pageNumbers.
type numberPage struct {
	index int64 // the first number is so many pages from 0
	bits  [pageNumbers / 64]uint64
}

// numberSet is the set of the newest numbers of a thread that came by TCP, or in datagrams. Its zero
// value is empty.
type numberSet struct {
	any      bool
	greatest int64        // the greatest
	pages    []numberPage // in order
	forgot   bool         // some before the first page came
}

// pagesPerThread returns how many pages each of n threads may have.
func pagesPerThread(threads int) int { return min(max(sharedPages/max(threads, 1), 2), mostPages) }

func (s *numberSet) find(n int64) (i int, found bool) {
	at := n / pageNumbers
	if last := len(s.pages) - 1; last >= 0 && s.pages[last].index <= at {
		if s.pages[last].index == at {
			return last, true
		}
		return last + 1, false
	}
	return slices.BinarySearchFunc(s.pages, at, func(p numberPage, at int64) int { return cmp.Compare(p.index, at) })
}

func numberBit(n int64) (word int, mask uint64) { return int(n%pageNumbers) / 64, 1 << (n % 64) }

// remembers reports whether the set still knows about a number.
func (s *numberSet) remembers(n int64) bool {
	return s.any && (!s.forgot || n/pageNumbers >= s.pages[0].index)
}

func (s *numberSet) has(n int64) bool {
	i, ok := s.find(n)
	word, mask := numberBit(n)
	return ok && s.pages[i].bits[word]&mask != 0
}

// add notes a number, which is not below 0, and forgets the least if there are more pages than so
// many.
func (s *numberSet) add(n int64, most int) {
	i, ok := s.find(n)
	if !ok {
		if over := len(s.pages) + 1 - most; over > 0 {
			s.forgot = true
			if i < over {
				return
			}
			s.pages, i = slices.Delete(s.pages, 0, over), i-over
		}
		s.pages = slices.Insert(s.pages, i, numberPage{index: n / pageNumbers})
	}
	word, mask := numberBit(n)
	s.pages[i].bits[word] |= mask
	if !s.any || n > s.greatest {
		s.any, s.greatest = true, n
	}
}

func (s *numberSet) remove(n int64) {
	if i, ok := s.find(n); ok {
		word, mask := numberBit(n)
		s.pages[i].bits[word] &^= mask
	}
}
