package journal

import (
	"sync"
	"testing"
	"time"

	"framescope/net/journal/journaltest"
)

// TestLastRecordBeforeClose closes sessions at every moment of a writing, many at once, so that
// writers are put aside anywhere: the record before the end is kept.
func TestLastRecordBeforeClose(t *testing.T) {
	var all sync.WaitGroup
	for lane := range 16 {
		all.Go(func() {
			root := OpenRoot("/j", RootOptions{FS: journaltest.NewMemory()})
			for n := range 200 {
				w := root.Create(Meta{Source: "test"}, Options{Flush: time.Nanosecond})
				w.Data([]byte("first"))
				w.Flush()
				for range (n + lane) % 97 {
					w.Stats() // a moment later
				}
				w.Data([]byte("last"))
				w.Close("done")
				if err := w.Wait(20 * time.Second); err != nil {
					t.Error(err)
				}
				if s := w.Stats(); s.Records != 2 {
					t.Errorf("session %d kept %d records of 2", n, s.Records)
				}
			}
		})
	}
	all.Wait()
}
