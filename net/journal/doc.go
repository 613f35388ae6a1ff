// Package journal writes the data of a live source to disk as it arrives, so that the data survive a
// crash and need not stay in memory.
//
// A session is a folder of segments (or, for a recording, one file), each a run of records. The source
// defines the content of a record: a definition has a key and stays as long as the session; all other
// records are data, and the oldest data leave when the disk space of all sessions is used up.
// FORMAT.md describes the bytes on disk.
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
// A Writer never blocks its caller. Its own goroutine writes to disk; while that fails or is slow,
// records wait in a bounded queue, and the Writer refuses and counts those that do not fit. It tries
// again four times a second. Refused records leave a hole record with their number, time range and reason.
package journal
