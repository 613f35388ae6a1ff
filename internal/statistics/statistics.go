// Package statistics holds the few distributions and moments that comparisons need. Those of gonum bring a library of
// linear algebra along, which would be a quarter of the page for browsers.
package statistics

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// Mean returns the mean of values.
func Mean(x []float64) float64 { return floats.Sum(x) / float64(len(x)) }

// Squares returns the mean of values, and the sum of the squares of their distances from it: the corrected two-pass
// algorithm of Chan, Golub and LeVeque.
func Squares(x []float64) (mean, squares float64) {
	mean = Mean(x)
	rest := 0.0
	for _, v := range x {
		d := v - mean
		squares += d * d
		rest += d
	}
	return mean, squares - rest*rest/float64(len(x))
}

// Line returns the line of least squares: y = alpha + beta x.
func Line(x, y []float64) (alpha, beta float64) {
	meanX, squares := Squares(x)
	meanY, both := Mean(y), 0.0
	for i := range x {
		both += (x[i] - meanX) * (y[i] - meanY)
	}
	beta = both / squares
	return meanY - beta*meanX, beta
}

// StudentBeyond returns how probable it is that a value of Student's distribution with df degrees of freedom is at
// least that far from 0.
func StudentBeyond(t, df float64) float64 {
	if t == 0 {
		return 1
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(t*t+df))
}

// StudentWithin returns how far from 0 the values of Student's distribution are at most, with probability p.
func StudentWithin(p, df float64) float64 {
	x := mathext.InvRegIncBeta(df/2, 0.5, 1-p)
	return math.Sqrt(df * (1 - x) / x)
}

// FQuantile returns what values of the F distribution stay below, with probability p.
func FQuantile(d1, d2, p float64) float64 {
	x := mathext.InvRegIncBeta(d1/2, d2/2, p)
	return d2 * x / (d1 * (1 - x))
}
