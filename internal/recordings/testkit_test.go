package recordings

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"framescope/internal/testkit"
)

// failing notes how a test fails, and ends its goroutine as a test does.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Errorf(format string, args ...any) { f.said = fmt.Sprintf(format, args...) }

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// fails returns what a test says that does something, and whether it went on afterwards.
func fails(t *testing.T, do func(f *failing)) (said string, on bool) {
	f, ended := &failing{TB: t}, make(chan struct{})
	go func() {
		defer close(ended)
		do(f)
		on = true
	}()
	<-ended
	return f.said, on
}

func TestUntilWaitsForOthers(t *testing.T) {
	var n atomic.Int64
	go func() {
		for range 1000 {
			runtime.Gosched()
			n.Add(1)
		}
	}()
	testkit.WaitUntil(t, "a thousand", func() bool { return n.Load() == 1000 })
}

func TestUntilFailsWithWhatIsThereInstead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		said, _ := fails(t, func(f *failing) {
			no := func() bool { looks++; return false }
			testkit.WaitUntil(f, "a wonder", no, func() any { return "nothing" })
		})
		testkit.That(t, said == "waited in vain for a wonder; there is [nothing]" && looks >= 2,
			"%q after %d looks", said, looks)
	})
}

// What differs is told, and ends the test where the rest of it stands on that; what is as wanted is not told.
func TestEqual(t *testing.T) {
	for want, do := range map[string]func(f *failing, as int){
		"b 3: got 1, want 2":             func(f *failing, as int) { testkit.Equal(f, 1, as, "b %d", 3) },
		`c: got "1", want "2"`:           func(f *failing, as int) { testkit.MustEqual(f, "1", strconv.Itoa(as), "c") },
		"d: got [1], want [2]":           func(f *failing, as int) { testkit.EqualSlices(f, []int{1}, []int{as}, "d") },
		"e: got [1], want [2]":           func(f *failing, as int) { testkit.MustEqualSlices(f, []int{1}, []int{as}, "e") },
		"f: got map[1:1], want map[2:1]": func(f *failing, as int) { testkit.Same(f, map[int]int{1: 1}, map[int]int{as: 1}, "f") },
		"g: got map[1:1], want map[2:1]": func(f *failing, as int) {
			testkit.MustSame(f, map[int]int{1: 1}, map[int]int{as: 1}, "g")
		},
		"h 4\nfailed": func(f *failing, as int) {
			if err := errors.New("failed"); as == 2 {
				testkit.NoErr(f, err, "h", 4)
			}
		},
	} {
		said, on := fails(t, func(f *failing) { do(f, 2) })
		must := want[0] == 'c' || want[0] == 'e' || want[0] >= 'g'
		testkit.That(t, said == want && on != must, "%q, went on: %v; want %q", said, on, want)
		said, on = fails(t, func(f *failing) { do(f, 1) })
		testkit.That(t, said == "" && on, "%q of what is as wanted", said)
	}
}
