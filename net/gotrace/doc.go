// Package gotrace reads execution traces of Go programs: files of runtime/trace.Start, of
// `go test -trace`, of a flight recorder, and what net/http/pprof answers while a program runs. It
// owns how the states of goroutines, regions, tasks, ranges, metrics and logs are told in the words
// of the model, and the choice of frames among them. It knows model and feed; the bytes are read by
// golang.org/x/exp/trace, which only events.go uses as a reader.
//
// Names of goroutines, which of them matter and what a frame is are known late, so what comes is
// gathered for a while before it is published: a file's worth, or a million things.
package gotrace
