// Package truth tests every number that a panel, a tooltip, the status line or a report shows of a
// range against its definition (docs/measures.md), computed span by span, frame by frame and sample by
// sample, to the last written digit. It walks over the registry, so it covers a new panel, a new column
// and a new line of a tooltip automatically: each fails until it has a rule, or an exception with a
// reason.
//
// It consists of tests. With -tags soak they read every recording, including those beside the
// repository, in more ranges and on more threads.
package truth
