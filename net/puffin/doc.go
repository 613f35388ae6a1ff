// Package puffin reads recordings of Rust programs by the profiler puffin: files (.puffin), and the stream of
// puffin_http. Both are frame records one after the other, each with the scopes that the program's threads closed
// in a frame.
//
// It cuts, unpacks and walks the records of the format, names scopes, finds the program's main thread and counts
// losses. It knows nothing of connections.
package puffin
