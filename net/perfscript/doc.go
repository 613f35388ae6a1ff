// Package perfscript reads what perf script prints: samples of stacks of the threads of a Linux
// machine, as text, from a file or while it is printed. It owns the grammar, which no two versions
// and choices of fields share, and the order of samples. It knows model,
// feed, names, stackruns and weighed.
package perfscript
