// Package compare holds the panels of a comparison of two ranges of sessions: the table, the flame graph, the
// lines over time and the distribution of lengths. They show the results of model/compare and do not know each
// other.
package compare
