// Package trace holds what readers of recordings share: symbol tables (Table), lines and what of them is
// damaged (Lines, Tally, NULs), rows of spans that overlap (FreeRows, EvenRows), spans cut at frames (Frames),
// arguments of spans (Gathered), self times (SelfTimes), and stacks of samples that become spans or sums (StackWriter,
// Stacks, Profile). It knows the model and feed, and no format.
package trace
