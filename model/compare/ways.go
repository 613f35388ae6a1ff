package compare

// SeveralWays returns the call paths of collectors that a thread has several of: for the others the row
// of the collector has the same values.
func SeveralWays(rows []Row) (out []Row) {
	type key struct {
		thread int
		name   string
	}
	ways := map[key]int{}
	for i := range rows {
		ways[key{rows[i].Thread, rows[i].Name()}]++
	}
	for i := range rows {
		if ways[key{rows[i].Thread, rows[i].Name()}] > 1 {
			out = append(out, rows[i])
		}
	}
	return out
}
