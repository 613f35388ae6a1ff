package perfetto

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/net/feed/feedtest"
	"framescope/net/systrace"
)

// kernelEvent is an event of the kernel: a message with a number, on a thread.
func kernelEvent(time, task uint64, num int, content msg) msg {
	return msg(nil).num(1, time).num(2, task).in(num, content)
}

func printed(time, task uint64, text string) msg {
	return kernelEvent(time, task, 3, msg(nil).str(2, text+"\n"))
}

func switched(time, prev, next uint64) msg {
	return kernelEvent(time, prev, 4, msg(nil).num(2, prev).str(5, fmt.Sprint("task ", next)).num(6, next))
}

// bundle is a packet with events of a processor.
func bundle(cpu uint64, head msg, events ...msg) msg {
	m := msg(nil).num(1, cpu)
	m = append(m, head...)
	for _, e := range events {
		m = m.in(2, e)
	}
	return msg(nil).num(10, 1).in(1, m)
}

// packedNumbers are numbers of a field behind each other.
func packedNumbers(list ...uint64) (b msg) {
	for _, v := range list {
		b = append(b, msg(nil).num(0, v)[1:]...)
	}
	return b
}

// kernelRules are of what kernels say.
func kernelRules(thread msg) []rule {
	tree := msg(nil).in(2, msg(nil).in(1, msg(nil).num(1, 3).str(3, "/bin/game")).in(2, msg(nil).num(1, 4).num(3, 3)))
	compact := msg(nil).str(5, "task 4").str(5, "task 9").in(1, packedNumbers(10, 5, 5)).in(2, packedNumbers(0, 1, 2)).
		in(3, packedNumbers(4, 9, 0)).
		in(6, packedNumbers(0, 1, 1)).in(7, packedNumbers(12)).in(8, packedNumbers(4)).in(11, packedNumbers(0))
	return []rule{
		{"spans, tasks, counters and messages of a thread that also has events of its own", traced(
			thread, on(100, begin("own")), on(200, end()), tree,
			bundle(1, nil, printed(120, 4, "B|3|outer"), printed(130, 4, "B|3|"), printed(140, 4, "E|3"), printed(150, 4, "E"),
				printed(160, 4, "E|3"), printed(161, 4, "C|3|fps|60"), printed(162, 4, "I|3|now"), printed(163, 4, "N|3|line|x"),
				printed(164, 4, "G|3|line|load|7"), printed(165, 4, "H|3|line|7"), printed(166, 4, "S|3|a|1"),
				printed(167, 4, "S|3|a|1"), printed(168, 4, "F|3|a|1|more"), printed(169, 4, "F|3|a|1"), printed(170, 4, "S|3|b|2"),
				printed(171, 4, "B|x|y"), printed(172, 4, "any text"), printed(190, 4, "C|3|fps|much"), printed(195, 4, "")))},
		{"processors, and who woke whom", traced(tree,
			bundle(0, nil, printed(100, 4, "B|3|game"), switched(110, 4, 9), kernelEvent(115, 9, 20, msg(nil).num(2, 4)),
				switched(120, 9, 0), printed(190, 4, "E")),
			bundle(1, nil, printed(90, 9, "B|9|helper"), switched(130, 0, 4), switched(150, 4, 0),
				kernelEvent(160, 0, 11, msg(nil).num(1, 1800000).num(2, 1)), kernelEvent(170, 0, 13, msg(nil).num(1, 2).num(2, 1)),
				kernelEvent(180, 0, 13, msg(nil).num(1, 0xffffffff).num(2, 1)), kernelEvent(185, 9, 238, msg(nil).num(2, 9)),
				kernelEvent(186, 0, 36, nil)))},
		{"switches and wake-ups in columns, events that are lost", traced(
			bundle(2, msg(nil).in(4, compact), printed(11, 4, "B|4|a"), printed(16, 9, "B|9|b"), printed(21, 4, "E"),
				printed(22, 9, "E")),
			bundle(2, nil, switched(30, 0, 4), printed(33, 4, "B|4|c")),
			bundle(2, msg(nil).num(3, 1), printed(50, 4, "E"), switched(60, 4, 0)))},
		{"the kernel's clock is another one", traced(thread, on(1000, begin("own")), on(1100, end()),
			bundle(0, msg(nil).num(5, 2).num(6, 20).num(7, 1010), printed(30, 4, "B|3|a"), printed(40, 4, "E|3")),
			bundle(0, nil, printed(1<<62, 4, "B|3|a")), bundle(0, nil, msg{0}))},
	}
}

// gpuRules are of GPUs: names of both forms, counters whose values are of the time before or after them.
func gpuRules() []rule {
	specs := msg(nil).in(2, msg(nil).str(1, "compute")).in(3, msg(nil).str(1, "blur"))
	stage := func(time uint64, m msg) msg { return at(1, time).in(53, m) }
	counters := func(time uint64, m msg) msg { return at(1, time).in(52, m) }
	value := func(id, v uint64) msg { return msg(nil).in(2, msg(nil).num(1, id).num(2, v)) }
	described := msg(nil).in(1, msg(nil).in(1, msg(nil).num(1, 5).str(2, "busy")).
		in(1, msg(nil).num(1, 6).str(2, "heat").num(11, 2)))
	return []rule{
		{"stages of a GPU", traced(stage(0, msg(nil).in(7, specs)), stage(100, msg(nil).num(2, 10).num(3, 0).num(4, 0)),
			stage(200, msg(nil).num(2, 10).num(3, 0).num(4, 9).num(11, 1)),
			stage(300, msg(nil).num(2, 5).num(13, 7).num(14, 8)).in(12, msg(nil).in(24, msg(nil).num(1, 7).str(2, "vertex"))),
			stage(400, msg(nil).num(2, 1<<63).num(13, 7).num(14, 7)))},
		{"counters of a GPU", traced(counters(100, described), counters(110, append(value(5, 1), value(6, 40)...)),
			counters(120, append(value(5, 2), value(6, 41)...)), counters(130, value(7, 1)))},
	}
}

// states are what the kernel writes for the bits of a state, the lowest of which counts.
var states = [...]string{"R+", "S", "D", "S|D", "T", "S|T", "D|T"}

// drawEvents draws events of two processors in order of time, and writes them as text and as packets.
func drawEvents(t *rapid.T) (text string, trace msg) {
	var lines strings.Builder
	var events [2][]msg
	running := [2]uint64{}
	lines.WriteString("# tracer: nop\n")
	group := func(task uint64) uint64 { return (task + 1) / 2 * 10 }
	name := func(task uint64) string { return fmt.Sprint("task ", task) }
	say := func(us, cpu, task uint64, event, args string) {
		fmt.Fprintf(&lines, "%s-%d (%d) [%03d] d..2 %d.%06d: %s: %s\n", name(task), task, group(task), cpu, us/1e6, us%1e6, event,
			args)
	}
	for i := range rapid.Uint64Range(1, 60).Draw(t, "events") {
		us, cpu := 1000+7*i, rapid.Uint64Range(0, 1).Draw(t, "cpu")
		task := rapid.Uint64Range(1, 4).Draw(t, "task")
		add := func(num int, content msg) {
			events[cpu] = append(events[cpu], kernelEvent(us*1000, task, num, content))
		}
		switch rapid.SampledFrom([]string{"print", "print", "switch", "wake", "frequency", "exit"}).Draw(t, "kind") {
		case "print":
			form := rapid.SampledFrom([]string{
				"B|%d|a b", "B|%d|c", "E|%d", "C|%d|n|5", "S|%d|s|1", "F|%d|s|1", "I|%d|i", "N|%d|t|i", "G|%d|t|g|2", "H|%d|t|2",
			}).Draw(t, "form")
			said := fmt.Sprintf(form, group(task))
			say(us, cpu, task, "tracing_mark_write", said)
			add(3, msg(nil).str(2, said))
		case "switch":
			prev := running[cpu]
			running[cpu] = rapid.Uint64Range(0, 4).Draw(t, "next")
			state := rapid.Uint64Range(0, 6).Draw(t, "state")
			say(us, cpu, task, "sched_switch", fmt.Sprintf("prev_comm=%s prev_pid=%d prev_prio=1 prev_state=%s ==> next_comm=%s "+
				"next_pid=%d next_prio=1", name(prev), prev, states[state], name(running[cpu]), running[cpu]))
			add(4, msg(nil).str(1, name(prev)).num(2, prev).num(4, state).str(5, name(running[cpu])).num(6, running[cpu]))
		case "wake":
			to := rapid.Uint64Range(1, 4).Draw(t, "to")
			say(us, cpu, task, "sched_waking", fmt.Sprintf("comm=%s pid=%d prio=1 target_cpu=000", name(to), to))
			add(20, msg(nil).str(1, name(to)).num(2, to))
		case "frequency":
			say(us, cpu, task, "cpu_frequency", fmt.Sprintf("state=1000 cpu_id=%d", cpu))
			add(11, msg(nil).num(1, 1000).num(2, cpu))
		case "exit":
			say(us, cpu, task, "sched_process_exit", fmt.Sprintf("comm=%s pid=%d prio=1", name(task), task))
			add(238, msg(nil).str(1, name(task)).num(2, task))
		}
	}
	tree := msg(nil)
	for task := range uint64(4) {
		tree = tree.in(2, msg(nil).num(1, task+1).str(2, name(task+1)).num(3, group(task+1)))
	}
	return lines.String(), traced(msg(nil).in(2, tree), bundle(1, nil, events[1]...), bundle(0, nil, events[0]...))
}

// TestTextAndPackets: the same events are the same session, as text and as packets.
func TestTextAndPackets(t *testing.T) {
	rapid.Check(t, func(x *rapid.T) {
		text, trace := drawEvents(x)
		asText, err := feedtest.Load(t, systrace.Source{}, feedtest.File(t, "x.systrace", text))
		asTrace, traceErr := feedtest.Load(t, Source{}, feedtest.File(t, "x.pftrace", []byte(trace)))
		testkit.MustThat(x, (err == nil) == (traceErr == nil), "%v, but %v", err, traceErr)
		if err != nil {
			return
		}
		_, want, _ := strings.Cut(feedtest.Outline(asText), "\n")
		_, got, _ := strings.Cut(feedtest.Outline(asTrace), "\n")
		if got != want {
			x.Fatalf("%s%s", testkit.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")), text)
		}
	})
}
