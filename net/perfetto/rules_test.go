package perfetto

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/net/systrace"
)

// lines writes all of a session, a line each.
func (k *taken) lines() (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	lane := func(l uint16) string { return strings.Replace(fmt.Sprint(l), fmt.Sprint(model.NoLane), "-", 1) }
	open := map[bool]string{true: " open"}
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			add("frame %d %d-%d%s", b.Number, b.Begin, b.End, open[b.Open])
		}
		for _, s := range b.Spans {
			add("%s: %s %d-%d row %d%s", k.Tracks[b.Track].Name, k.Name(s.Path), s.Begin, s.End, s.Lane,
				open[s.Flags&model.SpanOpenEnd != 0])
		}
		for _, m := range b.Messages {
			add("%s: %q at %d", k.Tracks[b.Track].Name, m.Text, m.Time)
		}
		for _, s := range b.Samples {
			d := k.Series[s.Series]
			text := strings.TrimSpace(fmt.Sprint(s.Value, " ", d.Unit))
			if len(d.States) > 0 && !math.IsNaN(s.Value) {
				text = d.States[int(s.Value)]
			}
			add("%s %s = %s at %d", d.Group, d.Name, text, s.Time)
		}
		for _, a := range b.Args {
			value := strings.ReplaceAll(a.Value.String(), "\n", `\n`)
			add("%s has %s=%s/%d", k.Name(b.Spans[a.Span].Path), a.Key, value, a.Value.Kind)
		}
		for _, f := range b.Flows {
			add("flow %q %s %d row %s to %s %d row %s", k.Flows[f.Name].Name, k.Tracks[f.FromTrack].Name, f.From,
				lane(f.FromLane), k.Tracks[b.Track].Name, f.To, lane(f.ToLane))
		}
	}
	for _, l := range k.Losses {
		add("lost %s %d", l.Kind, l.N)
	}
	for _, w := range k.Warnings {
		if _, unshown, ok := strings.Cut(w, "Not shown from the file: "); ok {
			add("not shown: %s", unshown)
		}
	}
	slices.Sort(out)
	return out
}

// decodes reads a trace that a test made.
func decodes(t testing.TB, trace []byte) (*taken, error) {
	t.Helper()
	var k taken
	err := (Source{}).OpenFile(t.Context(), feedtest.File(t, "made.pftrace", trace), &k)
	return &k, err
}

// rule is a trace.
type rule struct {
	name  string
	trace msg
}

// TestRules reads traces of what the format has. What must come of them was worked out by hand.
func TestRules(t *testing.T) {
	var told [][2]string
	for _, r := range rules() {
		k := testkit.Must(decodes(t, r.trace))(t, r.name)
		told = append(told, [2]string{r.name, strings.Join(k.lines(), "\n")})
	}
	testkit.Named(t, "testdata/rules.txt", "What is in the traces that TestRules makes, a line each.", told)
}

// rules are all formats' rules that are not in the captures.
func rules() []rule {
	thread := threadDef(7, 3, 4, "t")
	return slices.Concat(
		stateRules(thread), clockRules(thread), counterRules(thread), legacyRules(thread), argRules(thread),
		flowRules(thread),
		frameRules(thread), kernelRules(thread), gpuRules(),
	)
}

func named(iid uint64, name string) msg { return msg(nil).in(2, msg(nil).num(1, iid).str(2, name)) }

// stateRules are of names that have numbers, come after what uses them, change, and are lost.
func stateRules(thread msg) []rule {
	first := func(time uint64) msg { return on(time, ev(kindBegin, 7).num(10, 1)) }
	trace := traced(
		first(5).num(13, 2), // before any state
		first(10).in(12, named(1, "a")).num(13, 3), on(20, end()).num(13, 2), msg(nil),
		first(30).in(12, named(1, "b")).num(13, 2), on(40, end()).num(13, 2),
		first(41).num(41, 1), on(42, end()), threadDef(7, 3, 4, "late"),
		on(50, mark("gone")).num(42, 1).num(13, 2), on(60, mark("gone, too")).num(13, 2), on(70, mark("here")),
	)
	return []rule{
		{"state", trace},
		{"the last of a field counts", traced(thread, on(5, mark("a")).num(8, 9).in(11, mark("b").str(23, "c")),
			on(10, mark("d")))},
		{"names that are no UTF-8 are not the same",
			traced(thread, on(0, begin("a\xff")), on(5, begin("a\xfe")), on(9, end()))},
		{"ends before their begins in the file", traced(thread, on(20, end()), on(10, begin("a")), on(5, end()))},
	}
}

// clockRules are of clocks of every kind, that lead to the primary one over others, or nowhere.
func clockRules(thread msg) []rule {
	by := func(seq, clock, time uint64, name string) msg { return at(seq, time).num(58, clock).in(11, mark(name)) }
	return []rule{
		{"clocks", traced(thread,
			showing(1, clockAt(6, 1000), clockAt(3, 500)), showing(1, clockAt(6, 3000), clockAt(3, 2400)),
			showing(2, clockAt(6, 5000), clockAt(64, 100).num(3, 1), clockAt(65, 2).num(4, 1000)),
			on(1000, mark("boot")), by(1, 3, 400, "before all"), by(1, 3, 600, "mono"), by(1, 3, 2500, "mono later"),
			by(2, 64, 7, "first"), at(2, 20).num(58, 64).in(60, msg(nil).num(1, 99)), // it counts in every packet
			by(2, 65, 3, "µs"), by(2, 64, 1, "second"), by(3, 64, 1, "nobody knows"))},
		{"clocks over others", traced(thread,
			showing(1, clockAt(6, 1000), clockAt(3, 500)), showing(2, clockAt(3, 600), clockAt(128, 50)),
			showing(3, clockAt(128, 70), clockAt(129, 7)),
			by(1, 6, 1100, "boot"), by(1, 128, 60, "over one"), by(1, 129, 7, "over two"))},
		{"units of clocks", traced(thread, showing(1, clockAt(6, 5000), clockAt(128, 5).num(4, 1000)),
			by(1, 6, 5000, "boot"), by(1, 128, 7, "µs"))},
		{"no primary clock", traced(thread, showing(1, clockAt(3, 5000), clockAt(64, 5)), by(1, 64, 7, "private"),
			by(1, 3, 5009, "mono"))},
	}
}

// counterRules are of counters of every kind, and states.
func counterRules(thread msg) []rule {
	def := func(uuid uint64, name string, c msg) msg {
		return msg(nil).in(60, msg(nil).num(1, uuid).str(2, name).num(5, 7).in(8, c))
	}
	value := func(seq, clock, time, v uint64) msg {
		return at(seq, time).num(58, clock).in(11, ev(kindCounter, 9).num(30, v))
	}
	return []rule{
		{"counters", traced(on(0, ev(kindCounter, 11).num(30, 2)), thread, // before anybody describes it
			def(11, "sent", msg(nil).num(3, 3).num(4, 1024).num(5, 1)), def(12, "wait", msg(nil).str(6, "ms")),
			def(13, "extra", nil),
			at(1, 1).num(13, 1).in(59, msg(nil).in(11, msg(nil).num(11, 7).in(31, []byte{13, 11}))),
			on(2, msg(nil).num(9, kindBegin).str(23, "x").in(12, []byte{5, 3})),
			on(3, msg(nil).num(9, kindEnd).num(12, 6).num(12, 1)),
			on(4, ev(kindCounter, 12).double(44, 1.5)), on(5, ev(kindState, 7).str(23, "idle")),
			on(6, ev(kindState, 7).str(23, "busy")),
			on(7, ev(kindState, 7)), on(8, ev(kindCounter, 12).double(44, math.NaN())))},
		{"sums go on over clocks, and begin anew where the sequence is cleared",
			traced(thread, def(9, "n", msg(nil).num(5, 1)),
				showing(1, clockAt(6, 1000), clockAt(3, 500)), value(1, 6, 1000, 1), value(1, 3, 501, 2), value(2, 6, 1002, 10),
				value(1, 6, 1003, 3), value(1, 3, 504, 4).num(41, 1), value(1, 6, 1005, 5), value(2, 6, 1006, 1))},
		{"numbers that a series can't hold", traced(value(1, 6, 4, 1<<60+1), value(1, 6, 5, 1<<60))},
	}
}

// old is an event of the legacy form.
func old(time, track uint64, phase byte, name string, fields msg) msg {
	return on(time, msg(nil).num(11, track).str(23, name).in(6, append(msg(nil).num(2, uint64(phase)), fields...)))
}

// whole are the fields of an event of the legacy form that lasts so many µs, id those of one with a number.
func whole(us uint64) msg { return msg(nil).num(3, us) }
func id(n uint64) msg     { return msg(nil).num(10, n) }

// legacyRules are of events of the old kind.
func legacyRules(thread msg) []rule {
	return []rule{
		{"old events", traced(thread,
			old(1000, 7, 'X', "inner", whole(2)), // written at its end, begins with the outer one
			old(1000, 7, 'X', "outer", whole(5)), old(7000, 7, 'B', "b", nil), old(7500, 7, 'R', "mark", nil),
			old(8000, 7, 'E', "", nil), old(2000, 7, 'b', "load", id(1)), old(2500, 7, 'b', "load", id(2)),
			old(4000, 7, 'e', "load", id(1)), old(4500, 7, 'e', "load", id(2)), old(4600, 7, 'P', "sample", nil))},
		{"whole spans beside begins and ends",
			traced(thread, old(5000, 7, 'X', "x", whole(5)), old(10_000, 7, 'B', "b", nil),
				old(12_000, 7, 'E', "", nil), old(12_000, 7, 'X', "y", whole(9)), old(13_000, 7, 'B', "open", nil),
				old(14_000, 7, 'X', "z", whole(1)))},
		{"whole spans around them", traced(thread, old(5000, 7, 'X', "long", whole(7)), old(5000, 7, 'B', "b", nil),
			old(10_000, 7, 'E', "", nil))},
		{"events on the thread that they name", traced(thread, threadDef(8, 3, 5, "u"), threadDef(9, 6, 5, "v"),
			old(0, 7, 'X', "a", whole(9)), old(1000, 7, 'X', "b", whole(9).num(19, 5)),
			old(2000, 7, 'X', "c", whole(9).num(18, 6).num(19, 5)))},
	}
}

// argRules are of annotations of every kind.
func argRules(thread msg) []rule {
	note := func(name string) msg { return msg(nil).str(10, name) }
	noted := func(e msg, notes ...msg) msg {
		for _, n := range notes {
			e = e.in(4, n)
		}
		return e
	}
	deep := msg(nil).num(4, 1)
	for range 40 {
		deep = msg(nil).in(12, deep)
	}
	nested := msg(nil).str(2, "x").str(2, "y").in(3, msg(nil).num(5, 3)).
		in(3, msg(nil).in(4, msg(nil).str(8, "one")).in(4, msg(nil).num(7, 1)))
	interned := msg(nil).in(3, msg(nil).num(1, 1).str(2, "key")).in(29, msg(nil).num(1, 4).str(2, `C:\new`))
	dict := msg(nil).in(11, note("n").num(4, 1)).
		in(11, msg(nil).in(12, msg(nil).num(4, 2)).in(12, msg(nil).str(6, "x")).str(10, "l")).str(10, "dict")
	return []rule{{"annotations", traced(thread,
		on(10, noted(begin("a"), note("b").num(2, 1), note("u").num(3, 7), note("i").num(4, uint64(1<<64-5)),
			note("d").double(5, 1.5), note("s").str(6, `a\b "c"`), note("p").num(7, 0x7fff), note("big").num(3, 1<<63),
			msg(nil).num(1, 1).num(17, 4), msg(nil).num(1, 9).num(4, 1), note("w").double(5, 2), note("none").str(6, ""))).
			in(12, interned),
		on(20, noted(begin("c"), dict, note("json").str(9, `{"a":{"b":[1,"é\n"]}}`), note("old").in(8, nested),
			note("own").in(14, []byte("abc")), note("deep").in(12, deep))),
		on(30, noted(end(), note("result").num(4, 5))),
		on(31, noted(mark("shot"), note("x").num(4, 3), note("message").str(6, "hit"), note("severity").str(6, "error"))),
		on(32, noted(ev(kindInstant, 7), note("x").double(5, .25))), on(40, end()))}}
}

// flowRules are of arrows: they go between neighbours in time, of the spans themselves, however they nest.
func flowRules(thread msg) []rule {
	flow := func(e msg, ids ...uint64) msg {
		for _, id := range ids {
			e = e.fixed(47, id)
		}
		return e
	}
	to := func(track uint64, name string) msg { return ev(kindBegin, track).str(23, name) }
	bind := func(direction uint64) msg { return msg(nil).num(8, 9).num(13, direction) }
	other := threadDef(8, 3, 5, "u")
	return []rule{
		{"outer and inner begin together", traced(thread, other, on(0, flow(to(7, "outer"), 5)), on(0, to(7, "inner")),
			on(10, to(8, "outer")), on(10, flow(to(8, "middle"), 5, 6)), on(10, to(8, "inner")), on(20, ev(kindEnd, 8)),
			on(20, ev(kindEnd, 8).fixed(48, 6)), on(20, to(8, "next")))},
		{"a flow's number again, and in order of time", traced(thread, other, on(30, to(8, "b").fixed(48, 5)),
			on(0, flow(to(7, "a"), 5)), on(40, flow(to(8, "c"), 5)), on(50, mark("mark").fixed(48, 5)))},
		{"a flow twice in one event", traced(thread, other, on(0, flow(to(7, "a"), 5, 5).num(36, 5)),
			on(1, to(8, "b").fixed(48, 5).num(42, 5)))},
		{"old events with a direction", traced(thread, other, old(0, 7, 'B', "a", bind(2)),
			old(3, 8, 'X', "b", bind(3).num(3, 1)), old(5, 7, 'B', "c", bind(1)))},
		{"old events of flows alone", traced(thread, other, on(0, to(7, "a")), on(0, to(8, "b")),
			old(3, 7, 's', "job", msg(nil).num(6, 1)), old(5, 8, 'f', "job", msg(nil).num(6, 1)),
			old(9, 8, 'i', "mark", nil))},
	}
}

// frameRules are of the frame timeline and of instants that begin frames: their number is in their name, else in their
// annotation n, and nowhere else.
func frameRules(thread msg) []rule {
	timeline := func(time uint64, kind int, fields msg) msg { return at(1, time).in(76, msg(nil).in(kind, fields)) }
	start := func(cookie, token uint64) msg { return msg(nil).num(1, cookie).num(2, token).num(4, 900) }
	done := func(time, cookie uint64) msg { return timeline(time, frameEnd, msg(nil).num(1, cookie)) }
	ticks := func(e func(i int) msg) msg { return traced(thread, on(0, e(0)), on(10, e(1)), on(20, e(2))) }
	return []rule{
		{"frame timeline", traced(msg(nil).in(60, msg(nil).num(1, 1).in(3, msg(nil).num(1, 900).str(6, "game"))),
			timeline(0, expectedSurface, start(1, 40)), timeline(0, actualSurface, start(2, 40).num(6, 1).num(9, 1)),
			timeline(10, expectedSurface, start(3, 41)), timeline(10, actualSurface, start(4, 41).num(6, 2).num(9, 64)),
			done(12, 1), done(13, 2), done(20, 3), timeline(22, actualSurface, start(6, 42)), done(1_000_020, 4),
			done(1_000_021, 99))},
		{"numbers of annotations", ticks(func(i int) msg {
			return mark("frame").in(4, msg(nil).str(10, "fps").num(4, 60)).in(4, msg(nil).str(10, "n").num(4, uint64(40+i)))
		})},
		{"numbers in texts", ticks(func(i int) msg {
			return mark("frame").in(4, msg(nil).str(10, "n").str(6, fmt.Sprint(7+i)))
		})},
		{"numbers in names", ticks(func(i int) msg {
			return mark(fmt.Sprint("frame ", 5+i)).in(4, msg(nil).str(10, "n").num(4, 1))
		})},
		{"messages are no numbers", ticks(func(i int) msg {
			return mark("frame").in(4, msg(nil).str(10, "message").str(6, fmt.Sprintf("took %d ms", 12+i)))
		})},
	}
}

// plain is a field of a message, as another decoder of the wire format reads it.
type plain struct {
	num  protowire.Number
	v    uint64
	data []byte
}

func fieldsOf(b []byte) (list []plain) {
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		size := protowire.ConsumeFieldValue(num, kind, b[max(n, 0):])
		if n < 0 || size < 0 {
			break
		}
		f := plain{num: num}
		switch b = b[n:]; kind {
		case protowire.VarintType:
			f.v, _ = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			f.v, _ = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			f.data, _ = protowire.ConsumeBytes(b)
		}
		list, b = append(list, f), b[size:]
	}
	return list
}

// first returns the first of some fields of a message.
func first(b []byte, nums ...protowire.Number) (f plain) {
	for _, x := range fieldsOf(b) {
		for _, num := range nums {
			if x.num == num {
				return x
			}
		}
	}
	return f
}

// plainArgs reads the annotations of all begins and ends of spans of a file: those of each key and value
// how often. It knows nothing of order, clocks and tracks.
func plainArgs(data []byte) map[string]int {
	type names map[protowire.Number]map[uint64]string
	out, sequences := map[string]int{}, map[uint64]names{}
	for _, packet := range fieldsOf(data) {
		seq := first(packet.data, 10).v
		if sequences[seq] == nil || first(packet.data, 13).v&1 != 0 || first(packet.data, 41).v != 0 {
			sequences[seq] = names{3: {}, 29: {}}
		}
		s := sequences[seq]
		inside := func(num protowire.Number, take func(message []byte, x plain)) {
			for _, f := range fieldsOf(packet.data) {
				for _, x := range fieldsOf(f.data) {
					if f.num == num {
						take(f.data, x)
					}
				}
			}
		}
		inside(12, func(_ []byte, x plain) {
			if s[x.num] != nil {
				s[x.num][first(x.data, 1).v] = string(first(x.data, 2).data)
			}
		})
		inside(11, func(event []byte, x plain) {
			if kind := first(event, 9).v; x.num == 4 && (kind == kindBegin || kind == kindEnd) {
				plainNote("", x.data, s[3], s[29], func(arg string) { out[arg]++ })
			}
		})
	}
	return out
}

// plainNote hands over the values of an annotation.
func plainNote(path string, data []byte, keys, values map[uint64]string, take func(arg string)) {
	key := first(data, 1, 10)
	path += keys[key.v] + string(key.data)
	at := 0
	for _, f := range fieldsOf(data) {
		switch f.num {
		case 11:
			plainNote(path+".", f.data, keys, values, take)
		case 12:
			plainNote(fmt.Sprintf("%s[%d]", path, at), f.data, keys, values, take)
			at++
		case 2:
			take(path + "=" + strconv.FormatBool(f.v != 0))
		case 3:
			take(path + "=" + strconv.FormatUint(f.v, 10))
		case 4:
			take(path + "=" + strconv.FormatInt(int64(f.v), 10))
		case 5:
			take(path + "=" + model.FloatArg(math.Float64frombits(f.v)).String())
		case 6:
			take(path + "=" + strings.ToValidUTF8(string(f.data), "\uFFFD"))
		case 7:
			take(path + "=" + fmt.Sprintf("%#x", f.v))
		case 17:
			take(path + "=" + values[f.v])
		}
	}
}

// TestArgsOfCaptures compares the annotations of traces with what a plain reading of the file finds.
func TestArgsOfCaptures(t *testing.T) {
	least := map[string]int{
		"sdk-plain": 1300, "sdk-us": 1300, "concatenated": 2600, "py-multi": 300, "rust-layer": 1600, "chromium-page": 1500,
	}
	for name, least := range least {
		t.Run(name, func(t *testing.T) {
			got, n := map[string]int{}, 0
			for _, b := range open(t, name).Batches {
				for _, a := range b.Args {
					got[a.Key+"="+a.Value.String()]++
					n++
				}
			}
			want := plainArgs(recordings.Read(t, recordings.Perfetto, name+".pftrace"))
			testkit.That(t, maps.Equal(got, want), "%s", testkit.Diff(want, got))
			testkit.That(t, n >= least, "%d arguments, want %d or more", n, least)
		})
	}
}

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
