package compare

import (
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model/estimate"
)

// TestLikeGonum compares with gonum to the last digit.
func TestLikeGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 3, 40).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), len(x), len(x)).Draw(t, "y")
		mean, variance := estimate.Variance(x)
		alpha, beta := estimate.Line(x, y)
		wantMean, wantVariance := stat.PopMeanVariance(x, nil)
		wantAlpha, wantBeta := stat.LinearRegression(x, y, nil, false)
		got := []float64{estimate.Mean(y), mean, variance, estimate.SampleVariance(x), alpha, beta}
		want := []float64{stat.Mean(y, nil), wantMean, wantVariance, stat.Variance(x, nil), wantAlpha, wantBeta}
		testkit.Same(t, got, want, "of samples")
		at := rapid.Float64Range(-50, 0).Draw(t, "at")
		p := rapid.Float64Range(0.51, 0.999).Draw(t, "p")
		free := rapid.Float64Range(1, 1e6).Draw(t, "free")
		student := distuv.StudentsT{Sigma: 1, Nu: free}
		got = []float64{estimate.StudentBelow(at, free), estimate.StudentQuantile(p, free), estimate.FisherQuantile(p, 2, free)}
		want = []float64{student.CDF(at), student.Quantile(p), distuv.F{D1: 2, D2: free}.Quantile(p)}
		testkit.Same(t, got, want, "of distributions")
	})
}
