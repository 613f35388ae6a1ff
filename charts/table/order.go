package table

import (
	"framescope/charts/format"
	"slices"
)

// ArrangeRows fills rows with those of n rows whose names contain filter, in any case; sorted by compare, where down the greatest first. Rows that compare equal stay in their order.
func ArrangeRows(rows []int32, n int, filter string, down bool, name func(i int32) string, compare func(i, j int32) int) []int32 {
	rows = rows[:0]
	for i := range int32(n) {
		if filter == "" || format.ContainsFold(name(i), filter) {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(i, j int32) int {
		if down {
			i, j = j, i
		}
		return compare(i, j)
	})
	return rows
}
