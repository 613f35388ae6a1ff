// Package gotrace reads execution traces of Go programs: files of runtime/trace.Start, of `go test -trace`, of a
// flight recorder, and the answers of net/http/pprof. It translates the states of goroutines, regions, tasks,
// ranges, metrics and logs to the model, and chooses frames among them. It depends on model and feed;
// golang.org/x/exp/trace reads the bytes, and only events.go uses it as a reader.
//
// Names of goroutines, their importance and the choice of frames are known late, so events are gathered before
// they are published: a file's worth, or a million.
package gotrace
