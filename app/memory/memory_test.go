package memory

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"framescope/internal/testkit"
)

const mib = 1 << 20

// program is a process of which the keeper sees only figures.
type program struct {
	k        *Keeper
	base     int64
	sessions int64 // as accounted
	hidden   int64 // taken in truth for each 100 bytes that are accounted
	other    int64 // taken by something else
	garbage  int64
	frees    int
}

func (p *program) look() Usage {
	taken := p.sessions*p.hidden/100 + p.other
	return Usage{Resident: p.base + taken + p.garbage, Go: 20*mib + p.garbage, Live: 20 * mib}
}

func keeperOf(p *program, limit int64) {
	p.k = newKeeper(limit)
	p.k.look = p.look
	p.k.free = func() { p.garbage = 0; p.frees++ }
	p.k.report = func(int64) {}
	p.k.begin()
}

// second lets the program take in what comes, up to what is allowed, and the keeper look.
func (p *program) second(coming int64) {
	const looks = int64(time.Second / every)
	for range looks {
		p.sessions = min(p.sessions+coming/looks, p.k.Sessions())
		p.k.Held(p.sessions, 0)
		p.k.check()
	}
}

// Whatever takes the memory, a wrong account or something that nobody accounts for, resident memory
// stays within the limit and a fifth.
func TestResidentMemoryIsBounded(t *testing.T) {
	const limit = 256 * mib
	for _, hidden := range []int64{90, 100, 120, 200, 400} {
		p := &program{base: 90 * mib, hidden: hidden}
		keeperOf(p, limit)
		testkit.MustThat(t, p.k.Baseline() == 90*mib, "baseline %d MiB", p.k.Baseline()/mib)
		rng := rand.New(rand.NewPCG(1, uint64(hidden)))
		for s := range 600 {
			p.garbage = rng.Int64N(limit / 10)
			if s == 200 {
				p.other = 60 * mib
			}
			p.second(4 * mib)
			// What came in this second may be too much until the next look.
			bound := int64(limit + limit/Slack + 4*mib*hidden/100*int64(patience*every/time.Second))
			if used := p.look().Resident - p.base; used > bound && s != 200 && s != 201 && s != 202 {
				t.Fatalf("accounted %d%%, second %d: %d MiB used, %d MiB of sessions, %d MiB allowed",
					10000/hidden, s, used/mib, p.sessions/mib, p.k.Sessions()/mib)
			}
		}
		used := p.look().Resident - p.base
		testkit.That(t, used >= limit/2, "accounted %d%%: only %d MiB are used at the end", 10000/hidden, used/mib)
	}
}

// What was taken from the sessions comes back when the cause is gone.
func TestAllowanceComesBack(t *testing.T) {
	const limit = 256 * mib
	p := &program{base: 50 * mib, hidden: 100}
	keeperOf(p, limit)
	p.other = 150 * mib
	for range 120 {
		p.second(8 * mib)
	}
	low := p.k.Sessions()
	p.other = 0
	for range 120 {
		p.second(8 * mib)
	}
	testkit.That(t, low <= 150*mib && p.k.Sessions() == Sessions(limit),
		"%d MiB allowed while something else took 150 MiB, %d MiB after", low/mib, p.k.Sessions()/mib)
}

// The collector is not made to work without an end, however much it holds.
func TestCollectorHasRoom(t *testing.T) {
	p := &program{base: 50 * mib}
	keeperOf(p, 64*mib)
	var told int64
	p.k.report = func(bytes int64) { told = bytes }
	for live := int64(mib); live < 1000*mib; live *= 2 {
		p.k.collector(&Usage{Resident: 50*mib + live, Go: live, Live: live}, 64*mib)
		testkit.That(t, told >= live+live/16+6*mib, "%d MiB in use, and %d MiB allowed", live/mib, told/mib)
	}
}

// The figures of this very process make sense.
func TestLook(t *testing.T) {
	before := Look()
	testkit.MustThat(t, before.Resident >= mib && before.Go >= mib && before.Go <= 1<<40, "%+v", before)
	block := make([]byte, 64*mib)
	for i := 0; i < len(block); i += 512 {
		block[i] = 1
	}
	after := Look()
	runtime.KeepAlive(block)
	testkit.That(t, after.Go-before.Go >= 48*mib && after.Resident-before.Resident >= 48*mib,
		"64 MiB more are seen as %d MiB of %d MiB", (after.Go-before.Go)/mib, (after.Resident-before.Resident)/mib)
}
