package chrometrace

import (
	"fmt"
	"strings"
	"testing"

	"framescope/model"
)

// damaged are traces that have events behind what can't be read.
var damaged = []struct {
	what, text string
	spans      int
	told       string // the place and why, without the rest of the words
	bytes      int
	stretches  int64
}{
	{"bytes between events", `[` + ev("a") + ",#!\x80" + ev("b") + `]`, 2, "byte 46: '#' where an event should be", 3, 1},
	{"a value between events", `[` + ev("a") + `,"x",` + ev("b") + `]`, 2, `byte 46: '"' where an event should be`, 4, 1},
	{"two places", `[` + ev("a") + `,?` + ev("b") + `,??` + ev("c") + `]`, 3, "byte 46: '?' where an event should be", 3, 2},
	{"a quote is gone", `[{"ph":"X","ts":5,"name":"x,"pid":1},` + ev("b") + `]`, 1, "byte 29: 'p' does not belong into an event", 36, 1},
	{"a quote of the last value is gone", `[{"ph":"X","ts":5,"name":"x},` + ev("b") + `,` + ev("c") + `]`, 2,
		"byte 31: 'p' does not belong into an event", 28, 1},
	{"a bracket of arguments is gone", `[{"ph":"X","ts":5,"args":{"x":1},` + ev("b") + `]`, 1, "byte 33: '{' does not belong into an event", 32, 1},
	{"arguments end with the wrong bracket", `[{"ph":"X","ts":5,"args":{"x":1]},` + ev("b") + `]`, 1,
		"byte 31: ']' does not belong into an event", 33, 1},
	{"a quote in arguments is gone, to the end", `[{"ph":"X","ts":5,"args":{"x:1}},` + ev("b") + `,` + ev("c"), 2, "byte 1: an event has no end", 32, 1},
	{"a bracket opens that none closes", `[{"ph":"X","ts":5,"args":{"x":[{}}},` + ev("b") + `,` + ev("c") + "]", 2,
		"byte 36: '{' does not belong into an event", 35, 1},
	{"the bracket of an event is gone", `[` + ev("a") + `,"ph":"X","ts":9},` + ev("b") + `]`, 2, `byte 46: '"' where an event should be`, 17, 1},
	{"the end of the array is none", `[` + ev("a") + `],` + ev("b") + `]`, 2, "byte 46: events stand behind the end of the trace", 1, 1},
	{"keys beside the events", `{"x":1,#,"traceEvents":[` + ev("a") + `,` + ev("b") + `]}`, 2, "byte 7: '#' where a key should be", 17, 1},
	{"a key has no value", `{"x" 1,"traceEvents":[` + ev("a") + `]}`, 1, "byte 1: no value follows a key", 21, 1},
	{"nothing behind it", `[` + ev("a") + `,#` + strings.Repeat("{", 20), 1, "byte 46: '#' where an event should be", 21, 1},
	{"objects that are no events", `[` + ev("a") + `,#{"x":1},{"ph":"X"},{"ts":1},` + ev("b") + `]`, 2, "byte 46: '#' where an event should be", 29, 1},
}

func ev(name string) string {
	return fmt.Sprintf(`{"ph":"X","ts":5,"dur":1,"name":"%s","pid":1}`, name)
}

// TestDamage reads on behind what can't be read, and says what is lost and where.
func TestDamage(t *testing.T) {
	for _, c := range damaged {
		for _, piece := range []int{1 << 20, 13, 1} {
			k, err := read(c.text, func() int { return piece })
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
				continue
			}
			want := model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: c.stretches, Detail: fmt.Sprintf(
				"%s; what can't be read is left out, %d bytes in all", c.told, c.bytes)}
			want.Detail = strings.Replace(want.Detail, " 1 bytes", " 1 byte", 1)
			if len(k.lines()) != c.spans || len(k.losses) != 1 || k.losses[0] != want {
				t.Errorf("%s: %d spans, lost %+v, want %d, %+v", c.what, len(k.lines()), k.losses, c.spans, want)
			}
		}
	}
}

// An event that the end of the file cuts off is no damage, and what is cut off behind damage is told, too.
func TestCutBehindDamage(t *testing.T) {
	k := must(t, `[`+ev("a")+`,{"ph":"X","args":{"x":1,`+ev("b")+`,{"ph":"X","args":{"y":{"z":"`)
	if len(k.lines()) != 2 || len(k.losses) != 2 || !strings.HasPrefix(k.losses[0].Detail, "byte 46: an event has no end") ||
		k.losses[1].Detail != "the file ends inside the event at byte 115" {
		t.Errorf("%d spans, %+v", len(k.lines()), k.losses)
	}
}

// A quote or bracket that is gone does not take more with it than its event, however long the file goes on.
func TestDamageFarFromEnd(t *testing.T) {
	text := `[` + ev("a") + `,{"ph":"X","args":{"x:1}},` + strings.Repeat(ev("b")+",\n", mostEvent/47+9)
	events := 0
	s := scanner{take: func(*event, int64) { events++ }}
	s.write([]byte(text))
	if cut := s.close(); events != mostEvent/47+10 || s.lost.N != 1 || s.tooBig.N > 0 || cut != "" || !strings.HasPrefix(s.lost.Words(), "byte 46: an event has no end") {
		t.Errorf("%d events, lost %s, %s", events, s.lost.Words(), cut)
	}
}

// TestResumeIsLinear reads what looks like the begin of an event again and again, and bounds what is read in vain.
func TestResumeIsLinear(t *testing.T) {
	const n = 1 << 18
	for what, c := range map[string]struct {
		text  string
		found bool // what stands behind is
	}{
		"brackets":       {strings.Repeat("{", n), true},
		"keys":           {strings.Repeat(`{"`, n), true},
		"values":         {strings.Repeat(`{"ph":`, n), true},
		"objects":        {strings.Repeat(`{"a":1},`, n), true},
		"nested objects": {strings.Repeat(`{"ph":{`, n), false},
		"nested lists":   {strings.Repeat(`{"ph":"X","ts":1,"args":[[`, n), false},
		"events between": {strings.Repeat(ev("x")+`{"ph":"X","ts":1,"args":{`, n/8), false},
		"wrong ends":     {strings.Repeat(strings.Repeat(`{"ph":[`, 999)+strings.Repeat(`}`, 999), n/4000), true},
	} {
		text := `[#` + c.text
		spans := 0
		s := scanner{take: func(ev *event, _ int64) {
			if string(ev.name) == "last" {
				spans++
			}
		}}
		for rest := text + strings.Repeat(",", mostFound) + ev("last") + "]"; len(rest) > 0; {
			n := min(len(rest), 256<<10)
			s.write([]byte(rest[:n]))
			rest = rest[n:]
		}
		s.close()
		if most := freeLosses + lossEach*int64(len(text)) + mostEvent; s.lost.wasted > most {
			t.Errorf("%s: %d bytes read in vain of %d, more than %d", what, s.lost.wasted, len(text), most)
		}
		if c.found && spans != 1 {
			t.Errorf("%s: what is behind was not found", what)
		}
	}
}

// Traces whose first bytes are damaged are recognised by the events behind these.
func TestSniffDamaged(t *testing.T) {
	for text, want := range map[string]bool{
		"[#" + ev("a"): true, `[{"ph":"X",,!},` + ev("a"): true, "[1,2,3]": false, `[{"a":1},#{"ph":"X"}]`: false,
	} {
		if got := (Source{}).Sniff([]byte(text), ""); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
