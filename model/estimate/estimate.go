// Package estimate is the statistics behind statements on samples: means, variances, a line through points, and two
// distributions that say how far a figure may be off. It computes what gonum's packages stat and stat/distuv do, to
// the last digit, without linear algebra, which would make the program three megabytes larger. It knows nothing else.
package estimate

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// Mean returns the mean of values.
func Mean(x []float64) float64 { return floats.Sum(x) / float64(len(x)) }

// Variance returns the mean of values, and their variance, of which they are all.
func Variance(x []float64) (mean, variance float64) {
	mean, squares := deviations(x)
	return mean, squares / float64(len(x))
}

// SampleVariance returns the variance of what the values are a sample of.
func SampleVariance(x []float64) float64 {
	_, squares := deviations(x)
	return squares / float64(len(x)-1)
}

// deviations returns the mean of values, and the sum of the squares of how far they are from it. The sum of the
// deviations is 0 but for rounding, which it corrects (Chan, Golub and LeVeque).
func deviations(x []float64) (mean, squares float64) {
	mean = Mean(x)
	rounding := 0.0
	for _, v := range x {
		d := v - mean
		squares += d * d
		rounding += d
	}
	return mean, squares - rounding*rounding/float64(len(x))
}

// Line returns the line alpha + beta*x through points, by least squares.
func Line(x, y []float64) (alpha, beta float64) {
	xMean, squares := deviations(x)
	yMean := Mean(y)
	sum, xRounding, yRounding := 0.0, 0.0, 0.0
	for i := range x {
		dx, dy := x[i]-xMean, y[i]-yMean
		sum += dx * dy
		xRounding += dx
		yRounding += dy
	}
	n := float64(len(x))
	covariance := (sum - xRounding*yRounding/n) / (n - 1)
	beta = covariance / (squares / (n - 1))
	return yMean - beta*xMean, beta
}

// StudentBelow returns how probable it is that a value of Student's distribution is t, which is not positive, or
// lower.
func StudentBelow(t, freedom float64) float64 {
	if t == 0 {
		return 0.5
	}
	return 0.5 * mathext.RegIncBeta(freedom/2, 0.5, freedom/(t*t+freedom))
}

// StudentQuantile returns the value that one of Student's distribution is below with probability p, of more than
// one half.
func StudentQuantile(p, freedom float64) float64 {
	t := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return math.Sqrt(freedom * (1 - t) / t)
}

// FisherQuantile returns the value that one of the F distribution is below with probability p.
func FisherQuantile(p, freedom1, freedom2 float64) float64 {
	y := mathext.InvRegIncBeta(0.5*freedom1, 0.5*freedom2, p)
	return freedom2 * y / (freedom1 * (1 - y))
}
