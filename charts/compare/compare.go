// Package compare holds the panels of a comparison of two stretches of sessions: the table, the flame graph, the
// lines over time and the distribution of lengths. They show what model/compare found and know none of each other.
package compare
