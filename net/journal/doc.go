// Package journal writes the data of a live source to disk as it arrives, so that the data survive a
// crash and need not stay in memory.
//
// A session is a folder of segments (or, for a recording, one file), each a run of records. What a
// record holds is the source's business: a definition has a key and stays for as long as the
// session, anything else is data, of which the oldest leaves when the disk space given to all
// sessions is used up. The bytes on disk are described in FORMAT.md.
//
//	root := journal.OpenRoot(dir, journal.RootOptions{Limit: 20 << 30})
//	w := root.Create(journal.Meta{Source: "pstats", Program: "game"}, journal.Options{})
//	w.Define("hello", message)  // nothing is on disk yet
//	w.Data(frame)               // now it is, a tenth of a second later
//	w.Close("the program hung up")
//
//	r, err := journal.Open(w.Path())
//	for rec, err := r.Next(); err == nil; rec, err = r.Next() { … }
//
// A Writer never makes its caller wait. A goroutine of its own brings to disk what was taken; while
// that fails or is slow, a bounded queue takes more, and what does not fit is refused and counted.
// Writing is tried again every second; what was refused leaves a hole in the records that says how
// much, from when to when, and why.
package journal
