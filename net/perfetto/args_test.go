package perfetto

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
)

// argLines writes the arguments of all spans, a line each.
func (k *taken) argLines() (out []string) {
	for _, b := range k.Batches {
		for _, a := range b.Args {
			s := b.Spans[a.Span]
			out = append(out, fmt.Sprintf("%s: %s=%s/%d", k.Name(s.Path), a.Key, a.Value, a.Value.Kind))
		}
	}
	return out
}

// flowLines writes all flow arrows, a line each.
func (k *taken) flowLines() (out []string) {
	lane := func(l uint16) string {
		if l == model.NoLane {
			return "-"
		}
		return strconv.Itoa(int(l))
	}
	for _, b := range k.Batches {
		for _, f := range b.Flows {
			out = append(out, fmt.Sprintf("%q %d: %s %d row %s to %s %d row %s", k.Flows[f.Name].Name, f.Chain,
				k.Tracks[f.FromTrack].Name, f.From, lane(f.FromLane), k.Tracks[b.Track].Name, f.To, lane(f.ToLane)))
		}
	}
	return out
}

// fields calls f with each field of a message, as another decoder of the wire format reads it.
func fields(b []byte, f func(num protowire.Number, v uint64, data []byte)) {
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		b = b[n:]
		var v uint64
		var data []byte
		switch kind {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			data, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, kind, b)
		}
		if n < 0 {
			return
		}
		b = b[n:]
		f(num, v, data)
	}
}

// plainArgs reads the annotations of all begins and ends of spans of a file: those of each key and value
// how often. It knows nothing of order, clocks and tracks.
func plainArgs(data []byte) map[string]int {
	type interned struct{ keys, values map[uint64]string }
	out, sequences := map[string]int{}, map[uint64]*interned{}
	fields(data, func(num protowire.Number, _ uint64, packet []byte) {
		seq, flags, cleared := uint64(0), uint64(0), uint64(0)
		fields(packet, func(num protowire.Number, v uint64, _ []byte) {
			switch num {
			case 10:
				seq = v
			case 13:
				flags = v
			case 41:
				cleared = v
			}
		})
		if sequences[seq] == nil || flags&1 != 0 || cleared != 0 {
			sequences[seq] = &interned{map[uint64]string{}, map[uint64]string{}}
		}
		s := sequences[seq]
		fields(packet, func(num protowire.Number, _ uint64, data []byte) {
			if num != 12 {
				return
			}
			fields(data, func(num protowire.Number, _ uint64, entry []byte) {
				iid, text := uint64(0), ""
				fields(entry, func(num protowire.Number, v uint64, data []byte) {
					if num == 1 {
						iid = v
					} else if num == 2 {
						text = string(data)
					}
				})
				if num == 3 {
					s.keys[iid] = text
				} else if num == 29 {
					s.values[iid] = text
				}
			})
		})
		var walk func(path string, data []byte, named bool)
		walk = func(path string, data []byte, named bool) {
			key, at, deep := "", 0, 0
			fields(data, func(num protowire.Number, v uint64, data []byte) {
				switch num {
				case 1:
					key = s.keys[v]
				case 10:
					key = string(data)
				}
			})
			if named && path != "" {
				path += "."
			}
			path += key
			value := func(num protowire.Number, v uint64, data []byte) string {
				switch num {
				case 2:
					return strconv.FormatBool(v != 0)
				case 3:
					return strconv.FormatUint(v, 10)
				case 4:
					return strconv.FormatInt(int64(v), 10)
				case 5:
					return model.FloatArg(math.Float64frombits(v)).String()
				case 6:
					return strings.ToValidUTF8(string(data), "\uFFFD")
				case 7:
					return fmt.Sprintf("%#x", v)
				case 17:
					return s.values[v]
				}
				return ""
			}
			fields(data, func(num protowire.Number, v uint64, data []byte) {
				switch num {
				case 11:
					walk(path, data, true)
					deep++
				case 12:
					walk(fmt.Sprintf("%s[%d]", path, at), data, false)
					at++
				case 2, 3, 4, 5, 6, 7, 17:
					out[path+"="+value(num, v, data)]++
				}
			})
		}
		fields(packet, func(num protowire.Number, _ uint64, event []byte) {
			if num != 11 {
				return
			}
			kind := uint64(0)
			fields(event, func(num protowire.Number, v uint64, _ []byte) {
				if num == 9 {
					kind = v
				}
			})
			fields(event, func(num protowire.Number, _ uint64, data []byte) {
				if num == 4 && (kind == kindBegin || kind == kindEnd) {
					walk("", data, false)
				}
			})
		})
	})
	return out
}

// TestArgsOfCaptures compares the annotations of traces with what a plain reading of the file finds.
func TestArgsOfCaptures(t *testing.T) {
	least := map[string]int{"sdk-plain": 1300, "sdk-us": 1300, "concatenated": 2600, "py-multi": 300, "rust-layer": 1600, "chromium-page": 1500}
	for name, least := range least {
		data := recordings.Read(t, recordings.Perfetto, name+".pftrace")
		k := open(t, recordings.File(t, recordings.Perfetto, name+".pftrace"))
		got, n := map[string]int{}, 0
		for _, b := range k.Batches {
			for _, a := range b.Args {
				got[a.Key+"="+a.Value.String()]++
				n++
			}
		}
		if want := plainArgs(data); !maps.Equal(got, want) {
			t.Errorf("%s: %s", name, gocmp.Diff(want, got))
		}
		testkit.That(t, n >= least, "%s: %d arguments, want %d or more", name, n, least)
	}
}

// TestArgs reads annotations of every kind.
func TestArgs(t *testing.T) {
	note := func(name string) msg { return msg(nil).str(10, name) }
	begin := func(name string, notes ...msg) msg {
		e := ev(kindBegin, 7).str(23, name)
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
	trace := msg(nil).packet(threadDef(7, 3, 4, "t")).
		packet(at(1, 10).in(Interned, interned).in(TrackEvent, begin("a",
			note("b").num(2, 1), note("u").num(3, 7), note("i").num(4, uint64(1<<64-5)), note("d").double(5, 1.5),
			note("s").str(6, `a\b "c"`), note("p").num(7, 0x7fff), note("big").num(3, 1<<63), msg(nil).num(1, 1).num(17, 4),
			msg(nil).num(1, 9).num(4, 1), note("w").double(5, 2), note("none").str(6, "")))).
		packet(at(1, 20).in(TrackEvent, begin("c",
			msg(nil).in(11, note("n").num(4, 1)).in(11, msg(nil).in(12, msg(nil).num(4, 2)).in(12, msg(nil).str(6, "x")).str(10, "l")).
				str(10, "dict"),
			note("json").str(9, `{"a":{"b":[1,"é\n"]}}`), note("old").in(8, nested), note("own").in(14, []byte("abc")),
			note("deep").in(12, deep)))).
		packet(at(1, 30).in(TrackEvent, ev(kindEnd, 7).in(4, note("result").num(4, 5)))).
		packet(at(1, 31).in(TrackEvent, ev(kindInstant, 7).str(23, "shot").in(4, note("x").num(4, 3)).
			in(4, note("message").str(6, "hit")).in(4, note("severity").str(6, "error")).in(4, note("object").str(6, "tank")))).
		packet(at(1, 32).in(TrackEvent, ev(kindInstant, 7).in(4, note("x").double(5, .25)))).
		packet(at(1, 40).in(TrackEvent, ev(kindEnd, 7)))
	k := expect(t, trace, "they lie too deep", "t: a 0-30 row 0", "t: c 10-20 row 1", `t: "shot: hit x=3" at 21`, `t: "x=0.25" at 22`)
	want := []string{
		"a: b=true/0", "a: u=7/1", "a: i=-5/1", "a: d=1.5/2", `a: s=a\b "c"/0`, "a: p=0x7fff/0", "a: big=9223372036854775808/0",
		`a: key=C:\new/0`, "a: name_iid 9=1/1", "a: w=2/1", "a: none=/0",
		"c: dict.n=1/1", "c: dict.l[0]=2/1", "c: dict.l[1]=x/0", "c: json.a.b[0]=1/1", "c: json.a.b[1]=é\n/0",
		"c: old.x=3/1", "c: old.y[0]=one/0", "c: old.y[1]=true/0", "c: result=5/1",
	}
	if got := k.argLines(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	testkit.That(t, k.warned("value of an annotation in a form") == 1,
		"what only its program can read is not told: %q", k.Warnings)
	m := k.Batches[0].Messages[0]
	testkit.That(t, m.Severity == model.SeverityError && m.Object == "tank", "%+v", m)
}

// TestFlows: arrows go between neighbours in time, of the spans themselves, however they nest.
func TestFlows(t *testing.T) {
	flow := func(e msg, ids ...uint64) msg {
		for _, id := range ids {
			e = e.fixed(47, id)
		}
		return e
	}
	begin := func(track uint64, name string) msg { return ev(kindBegin, track).str(23, name) }
	head := msg(nil).packet(threadDef(7, 3, 4, "t")).packet(threadDef(8, 3, 5, "u"))
	step := func(m msg, time uint64, e msg) msg { return m.packet(at(1, time).in(TrackEvent, e)) }
	old := func(track uint64, phase byte, name string, fields msg) msg {
		return msg(nil).num(11, track).str(23, name).in(6, append(fields, msg(nil).num(2, uint64(phase))...))
	}
	for _, x := range []struct {
		name  string
		trace func(m msg) msg
		want  []string
	}{
		{"outer and inner begin together", func(m msg) msg {
			m = step(m, 0, flow(begin(7, "outer"), 5))
			m = step(m, 0, begin(7, "inner"))
			m = step(m, 10, begin(8, "outer"))
			m = step(m, 10, flow(begin(8, "middle"), 5, 6))
			m = step(m, 10, begin(8, "inner"))
			m = step(m, 20, ev(kindEnd, 8))
			m = step(m, 20, ev(kindEnd, 8).fixed(48, 6))
			return step(m, 20, begin(8, "next"))
		}, []string{`"outer" 1: t 0 row 0 to u 10 row 1`, `"middle" 2: u 10 row 1 to u 19 row 1`}},
		{"an id again, and in order of time", func(m msg) msg {
			m = step(m, 30, begin(8, "b").fixed(48, 5))
			m = step(m, 0, flow(begin(7, "a"), 5))
			m = step(m, 40, flow(begin(8, "c"), 5))
			return step(m, 50, ev(kindInstant, 7).str(23, "mark").fixed(48, 5))
		}, []string{`"c" 2: u 40 row 1 to t 50 row -`, `"a" 1: t 0 row 0 to u 30 row 0`}},
		{"twice in one event", func(m msg) msg {
			m = step(m, 0, flow(begin(7, "a"), 5, 5).num(36, 5))
			return step(m, 1, begin(8, "b").fixed(48, 5).num(42, 5))
		}, []string{`"a" 1: t 0 row 0 to u 1 row 0`}},
		{"old events with a direction", func(m msg) msg {
			m = step(m, 0, old(7, 'B', "a", msg(nil).num(8, 9).num(13, 2)))
			m = step(m, 3, old(8, 'X', "b", msg(nil).num(3, 1).num(8, 9).num(13, 3)))
			return step(m, 5, old(7, 'B', "c", msg(nil).num(8, 9).num(13, 1)))
		}, []string{`"a" 1: u 3 row 0 to t 5 row 1`, `"a" 1: t 0 row 0 to u 3 row 0`}},
		{"old events of flows alone", func(m msg) msg {
			m = step(step(m, 0, begin(7, "a")), 0, begin(8, "b"))
			m = step(m, 3, old(7, 's', "job", msg(nil).num(6, 1)))
			m = step(m, 5, old(8, 'f', "job", msg(nil).num(6, 1)))
			return step(m, 9, old(8, 'i', "mark", nil))
		}, []string{`"job" 1: t 3 row - to u 5 row -`}},
	} {
		k := testkit.Must(decodes(t, x.trace(head[:len(head):len(head)])))(t)
		if diff := gocmp.Diff(x.want, k.flowLines()); diff != "" {
			t.Errorf("%s: %s", x.name, diff)
		}
		if n := k.Lost("go through one event alone"); n != 0 && x.name != "twice in one event" {
			t.Errorf("%s: %d are told to be alone", x.name, n)
		}
	}
	alone := step(step(head, 0, flow(begin(7, "a"), 5)), 1, begin(7, "b").fixed(48, 6))
	if k, err := decodes(t, alone); err != nil || k.Lost("go through one event alone") != 2 {
		t.Error(err, k.Losses)
	}
	tracks := step(step(head, 0, flow(begin(9, "load"), 5)), 1, begin(7, "b").fixed(48, 5))
	tracks = step(step(tracks, 0, begin(10, "load")), 5, ev(kindEnd, 9))
	for _, id := range []uint64{9, 10} { // two of one name: the second one's span is in the second row
		tracks = tracks.packet(msg(nil).in(Track, msg(nil).num(1, id).str(2, "loads")))
	}
	k, err := decodes(t, tracks)
	if want := []string{`"load" 1: loads 0 row 0 to t 1 row 0`}; err != nil || !slices.Equal(k.flowLines(), want) {
		t.Error(err, k.flowLines())
	}
}
