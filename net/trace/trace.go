// Package trace holds what readers of recordings share: the builder of a session from events (Builder), profiles of
// stacks (Profile, StackWriter, Stacks), faults of a recording by kind (Diagnostics), symbol tables (Table,
// Symbols), records (Records), lines (Cutter), JSON (Reader, Members), arguments of spans (Gathered), and self times
// (SelfTimes). It knows the model and feed, and no format.
package trace
