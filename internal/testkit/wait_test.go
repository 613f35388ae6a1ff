package testkit

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// failing notes how a test fails, and ends its goroutine as a test does.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestUntilWaitsForOthers(t *testing.T) {
	var n atomic.Int64
	go func() {
		for range 1000 {
			runtime.Gosched()
			n.Add(1)
		}
	}()
	WaitUntil(t, "a thousand", func() bool { return n.Load() == 1000 })
}

func TestUntilFailsWithWhatIsThereInstead(t *testing.T) {
	f, ended := &failing{TB: t}, make(chan struct{})
	looks := 0
	go func() {
		defer close(ended)
		no := func() bool { looks++; return false }
		until(f, time.Millisecond, "a wonder", no, []func() any{func() any { return "nothing" }})
	}()
	<-ended
	if f.said != "waited in vain for a wonder; there is [nothing]" || looks < 2 {
		t.Errorf("%q after %d looks", f.said, looks)
	}
}
