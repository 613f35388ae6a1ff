package compare

import "math"

// Surplus returns the probability that so many samples of a range have something by chance, given its
// frequency in another range (Fisher's exact test, one-sided). Both are in order of time, 1 if a
// sample has it and 0 if not. As neighbouring samples resemble each other, only independent ones
// count: as many in a row as have the information of one (see sequenceOf) count once.
func Surplus(there, elsewhere []float64) (p float64) {
	a, b := sequenceOf(there), sequenceOf(elsewhere)
	alone := max(a.tau, b.tau)
	count := func(s *sequence) (has, of float64) {
		n := float64(len(s.x)) / alone
		return s.mean * n, n
	}
	hasA, ofA := count(&a)
	hasB, ofB := count(&b)
	return fisher(int(hasA), int(math.Ceil(ofA)), int(math.Ceil(hasB)), int(math.Ceil(ofB)))
}

// AutocorrelationTime returns how many samples in a row have the information of one independent sample, at least
// 1.
func AutocorrelationTime(x []float64) float64 {
	s := sequenceOf(x)
	return s.tau
}

// fisher returns the probability that of as many as there are in both stretches hasA or more are among
// the ofA of the first, when they lie anywhere.
func fisher(hasA, ofA, hasB, ofB int) (p float64) {
	has, of := hasA+hasB, ofA+ofB
	all := choose(of, ofA)
	for k := hasA; k <= min(has, ofA); k++ {
		p += math.Exp(choose(has, k) + choose(of-has, ofA-k) - all)
	}
	return min(p, 1)
}

// choose returns the logarithm of how many ways there are to take k of n.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(k) + 1)
	c, _ := math.Lgamma(float64(n-k) + 1)
	return a - b - c
}

// Correct corrects the probabilities of many tests for their number, in place: see holm.
func Correct(p []float64) { holm(p) }
