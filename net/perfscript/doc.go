// Package perfscript reads the output of perf script: samples of stacks of the threads of a Linux
// machine, as text, from a file or while it is printed. It owns the grammar, which differs between
// versions and choices of fields, and the order of samples.
package perfscript
