// Package puffin reads what the profiler puffin records of Rust programs: files (.puffin), and the
// bytes that puffin_http sends to whoever connects. Both are frame records one after the other, each
// with the scopes that the program's threads closed in a frame.
//
// It owns the format: how records are cut from bytes, unpacked and walked, which names scopes have,
// which thread's frames are the program's, and what is lost. It knows nothing of connections.
package puffin
