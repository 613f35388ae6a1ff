// Package truth tests that there is one truth: whatever number a panel, a tooltip, the status line
// or a report states of a range is that which its definition (docs/measures.md) gives when it is
// worked out span by span, frame by frame and sample by sample, to the last digit that is written.
// It walks over the registry, so a new panel, a new column and a new line of a tooltip are in it by
// themselves: what has no rule fails until it has one, or is named with the reason why it has none.
//
// There is nothing here but tests. With -tags soak they read every recording, also those beside the
// repository, in more ranges and on more threads.
package truth
