// Package compare holds the panels of a comparison of two ranges of sessions: the table, with the distribution of
// frame times above it, the flame graph and the lines over time. They show the results of model/compare and do not
// know each other.
package compare
