package ftrace

import "framescope/model"

// State is what a thread does.
type State uint8

// The states. A thread that left its processor without any other reason is runnable: another one took its place.
const (
	Running State = iota
	Runnable
	Waiting
	Uninterruptible
	Stopped
	Ended
)

// StateOf returns the state in which a thread leaves its processor, from the kernel's bits (prev_state of
// sched_switch).
func StateOf(bits uint64) State {
	for _, x := range [...]struct {
		bits uint64
		is   State
	}{{0x1 | 0x80, Waiting}, {0x2, Uninterruptible}, {0x4 | 0x8, Stopped}, {0x10 | 0x20 | 0x40, Ended}} {
		if bits&x.bits != 0 {
			return x.is
		}
	}
	return Runnable
}

// StateOfLetter is StateOf from the letter that the kernel writes for it.
func StateOfLetter(letter byte) State {
	switch letter {
	case 'S', 'I':
		return Waiting
	case 'D':
		return Uninterruptible
	case 'T', 't':
		return Stopped
	case 'X', 'Z', 'P':
		return Ended
	}
	return Runnable
}

// The series of a thread that is scheduled.
const (
	Processor = iota // on which it runs
	Load             // 100 while it runs, else 0
	Doing            // its State
	NumSeries
)

// Series returns the definitions of the series of a thread, without the thread.
func Series() [NumSeries]model.SeriesDef {
	return [...]model.SeriesDef{
		Processor: {
			Group: "processor", Kind: model.SeriesState, Role: model.RoleProcessor,
			Description: "the processor on which the thread runs",
		},
		Load: {
			Group: "CPU load", Kind: model.SeriesValue, Role: model.RoleCPULoad, Unit: "%", Max: 100, HasRange: true,
			Description: "100 % while the thread runs, 0 while it does not",
		},
		Doing: {
			Group: "thread state", Kind: model.SeriesState, Description: "whether the thread runs, or why it does not",
			States: []string{"running", "runnable", "waiting", "waiting, uninterruptible", "stopped", "ended"},
		},
	}
}
