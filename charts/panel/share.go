package panel

// Share returns where t is between a and b, 0…1.
func Share(t, a, b int64) float32 {
	if b <= a {
		return 0
	}
	return float32(min(max(float64(t-a)/float64(b-a), 0), 1))
}
