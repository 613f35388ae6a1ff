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

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
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
			return mark("frame").in(4,
				msg(nil).str(10, "n").str(6, fmt.Sprint(7+i)))
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
