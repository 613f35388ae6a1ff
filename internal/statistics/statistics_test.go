package statistics

import (
	"math"
	"testing"

	"framescope/internal/testkit"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// All is as gonum has it.
func TestAsGonum(t *testing.T) {
	same := func(t *rapid.T, what string, is, want float64) {
		near := math.Abs(is-want) <= 1e-9*max(1, math.Abs(want))
		testkit.That(t, near || math.IsNaN(is) && math.IsNaN(want), "%s: %v, not %v", what, is, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Float64Range(-100, 100), n, n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-100, 100), n, n).Draw(t, "y")
		x[0], x[1] = -101, 101 // never all the same
		mean, squares := Squares(x)
		same(t, "mean", mean, stat.Mean(x, nil))
		same(t, "variance", squares/float64(n-1), stat.Variance(x, nil))
		alpha, beta := Line(x, y)
		a, b := stat.LinearRegression(x, y, nil, false)
		same(t, "alpha", alpha, a)
		same(t, "beta", beta, b)
		df, p := rapid.Float64Range(1, 1e6).Draw(t, "df"), rapid.Float64Range(0.01, 0.99).Draw(t, "p")
		far := rapid.Float64Range(0, 50).Draw(t, "far")
		student := distuv.StudentsT{Sigma: 1, Nu: df}
		same(t, "beyond", StudentBeyond(far, df), 2*student.CDF(-far))
		same(t, "within", StudentWithin(p, df), student.Quantile((1+p)/2))
		same(t, "F", FQuantile(2, df, p), distuv.F{D1: 2, D2: df}.Quantile(p))
	})
}
