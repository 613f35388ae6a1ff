package flare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"framescope/internal/testkit"
)

// events reads a whole stream.
func events(r io.Reader) (out []Event, d *Decoder, err error) {
	d = NewDecoder(r)
	for {
		e, err := d.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return out, d, err
		}
		out = append(out, e)
	}
}

func TestIrregularStream(t *testing.T) {
	data := capture(t, "agent-wire/irregular.agent-to-client.resp")
	type thread struct {
		Time, ID int64
		Name     string
		CPU      int64    `json:"cpu_time"`
		Delta    int64    `json:"cpu_time_delta"`
		Stack    []string `json:"stack_root_first"`
	}
	var want struct {
		Total   int64 `json:"events_total"`
		Ignored []string
		Info    []struct {
			StartMs      int64 `json:"start_time"`
			IntervalMs   int64 `json:"sample_interval"`
			LastSampleMs int64 `json:"last_sample_time"`
		} `json:"sample_info"`
		Methods map[string]string
		Threads []thread
	}
	testkit.OK(t, json.Unmarshal(capture(t, "agent-wire/irregular.expected.json"), &want))
	for name, r := range map[string]io.Reader{"at once": bytes.NewReader(data), "byte by byte": iotest.OneByteReader(bytes.NewReader(data))} {
		got, d, err := events(r)
		testkit.OK(t, err)
		if d.values != want.Total || d.ignored != int64(len(want.Ignored)) || d.offset != int64(len(data)) {
			t.Errorf("%s: %v, %d values, %d ignored, %d bytes", name, err, d.values, d.ignored, d.offset)
		}
		names := map[MethodID]string{}
		for _, e := range got {
			if e.Method != nil {
				names[e.Method.ID] = e.Method.Name
			}
		}
		info, threads := 0, []thread(nil)
		for _, e := range got {
			if e.Info != nil {
				if info >= len(want.Info) || *e.Info != InfoEvent(want.Info[info]) {
					t.Errorf("%s: %+v, want %+v", name, *e.Info, want.Info)
				}
				info++
			}
			if s := e.Sample; s != nil {
				x := thread{s.Record.TimeMs, s.Thread, s.Name, s.Record.CPUNs, s.Record.CPUDeltaNs, nil}
				for _, id := range slices.Backward(s.Record.Stack) {
					x.Stack = append(x.Stack, cmp.Or(names[id], strconv.FormatInt(int64(id), 10)))
				}
				threads = append(threads, x)
			}
		}
		diff := gocmp.Diff(want.Threads, threads, cmpopts.EquateEmpty())
		if diff != "" || info != len(want.Info) || len(names) != len(want.Methods) {
			t.Errorf("%s: %d infos, %d names, samples:\n%s", name, info, len(names), diff)
		}
	}
}

func TestHostileStreams(t *testing.T) {
	for name, c := range map[string]struct {
		data, says string
		events     int
	}{
		"a bulk string of a gigabyte":     {"*5\r\n+method\r\n+id\r\n:1\r\n+name\r\n$1073741824\r\nabc", "1073741824 bytes", 0},
		"stops inside a bulk string":      {"*5\r\n+method\r\n+id\r\n:1\r\n+name\r\n$10\r\nabc", "unexpected EOF", 0},
		"an array of a thousand million":  {"*1000000000\r\n", "1000000000 values", 0},
		"nesting without end":             {strings.Repeat("*1\r\n", 100000), "deeper", 0},
		"no value":                        {"HTTP/1.1 200 OK\r\n\r\n", "no value", 0},
		"a negative length":               {"*-7\r\n", "length", 0},
		"a line without end":              {"+" + strings.Repeat("x", 1<<20), "65536", 0},
		"a number that is none":           {"*5\r\n+method\r\n+id\r\n:seven\r\n", "no number", 0},
		"a key without a value":           {"*2\r\n+method\r\n+id\r\n", "", 1},
		"a lone line feed in a name":      {"*5\r\n+method\r\n+id\r\n:1\r\n+name\r\n+a\nb\r\n", "", 1},
		"a text where a number should be": {"*3\r\n+method\r\n+id\r\n+x\r\n", "", 1},
		"an array for a key":              {"*3\r\n+method\r\n*1\r\n:1\r\n:2\r\n", "", 1},
		"wide and nested values":          {strings.Repeat("*16384\r\n"+strings.Repeat("*-1\r\n", 16383), 1) + "*0\r\n", "", 0},
	} {
		got, _, err := events(strings.NewReader(c.data))
		if len(got) != c.events || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d events, %v", name, len(got), err)
		}
	}
}

func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"agent-wire/irregular.agent-to-client.resp", "agent-wire/recorded-60s.agent-to-client.resp"} {
		data := capture(f, name)
		f.Add(data[:min(len(data), 8000)])
	}
	f.Add([]byte("*5\r\n+method\r\n+id\r\n:1\r\n+name\r\n$3\r\nabc\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, d, err := events(bytes.NewReader(data))
		b, e, err2 := events(iotest.HalfReader(bytes.NewReader(data)))
		if len(a) != len(b) || d.ignored != e.ignored || (err == nil) != (err2 == nil) {
			t.Fatalf("%d events, %v; in pieces %d, %v", len(a), err, len(b), err2)
		}
		if int(d.offset) > len(data) {
			t.Fatal("more was read than there is")
		}
	})
}

// What an agent is asked is what the original asks.
func TestRequestIsTheOriginals(t *testing.T) {
	if want := capture(t, "agent-wire/recorded-60s.client-to-agent.resp"); string(want) != Request {
		t.Errorf("asked is %q, the original asks %q", Request, want)
	}
}
