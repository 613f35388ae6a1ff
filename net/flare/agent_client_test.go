package flare

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/flaretest"
	"framescope/internal/testkit/journaltest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/journal"
)

// fakeAgent answers each connection with the next stream and closes it. Connections beyond the
// streams are refused.
func fakeAgent(t *testing.T, streams ...[]byte) func(context.Context, string) (net.Conn, error) {
	return func(context.Context, string) (net.Conn, error) {
		if len(streams) == 0 {
			return nil, errors.New("connection refused")
		}
		data := streams[0]
		streams = streams[1:]
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			r := bufio.NewReader(theirs)
			got := make([]byte, len(Request))
			if _, err := io.ReadFull(r, got); err != nil || string(got) != Request {
				t.Errorf("the request was %q, %v", got, err)
				return
			}
			theirs.Write(data)
		}()
		return ours, nil
	}
}

// runAgent is Run with the first connection that its dial makes.
func runAgent(t *testing.T, c Config) error {
	return Run(t.Context(), testkit.Must(c.dial(t.Context(), c.Addr))(t), c)
}

func at(times ...time.Duration) func() time.Time {
	now := time.Unix(1767260400, 0)
	return func() time.Time {
		if len(times) > 0 {
			now = now.Add(times[0])
			times = times[1:]
		}
		return now
	}
}

func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// describe lists the call trees of a session's threads.
func describe(s *store.Session) string {
	var out strings.Builder
	for _, tr := range feedtest.Tracks(s) {
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{tr.Def.ID}, math.MinInt64/4, math.MaxInt64/4, &tree)
		lines := map[string][3]int64{}
		names := make([]string, len(tree.Nodes))
		for i, n := range tree.Nodes {
			if names[i] = s.Collector(n.Collector).Name; n.Parent >= 0 {
				names[i] = names[n.Parent] + ";" + names[i]
			}
			x := lines[names[i]]
			lines[names[i]] = [3]int64{x[0] + n.Total, x[1] + n.Self, x[2] + n.Count}
		}
		fmt.Fprintln(&out, tr.Title(), tr.Lanes())
		for _, k := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintln(&out, " ", k, lines[k])
		}
	}
	return out.String()
}

// What an agent sends is the same as a session, as a folder that is recorded, as a journal and as a
// folder that is made of it, and the same as the original recorded of it.
func TestAgentIsItsFolder(t *testing.T) {
	dir := find(t, minutes[1])
	want := readDir(t, dir)
	root := journal.OpenRoot("/j", journal.RootOptions{FS: journaltest.NewMemory()})
	defer root.Close()
	meta := journal.Meta{Source: JournalSource, Program: "App", Peer: "127.0.0.1:13334", PID: 7}
	w := root.Create(meta, journal.Options{SegmentBytes: 100_000})
	e, live := NewEncoder(w, nil), newSink()
	recorded := NewFolderWriter(t.TempDir(), meta.Peer, at())
	var lines []string
	var sent []Event
	testkit.OK(t, runAgent(t, Config{
		Addr: meta.Peer, Program: "App", PID: 7, Sink: live,
		dial: fakeAgent(t, flaretest.Stream(t)), Wait: noWait, now: at(),
		Log:   func(l string) { lines = append(lines, l) },
		Taken: func(x Event) { testkit.OK(t, WriteEvent(recorded, x)) },
		Event: func(x Event) {
			if x.Sample != nil {
				sent = append(sent, x)
			}
			testkit.That(t, e.Event(x), "refused")
		},
	}))
	testkit.OK(t, recorded.Close())
	dirs := recorded.Dirs()
	reason, ended := live.s.Ended()
	testkit.That(t, ended && strings.Contains(reason, "closed"), "ended %v %q", ended, reason)
	testkit.MustThat(t, len(lines) != 0 && strings.Contains(lines[0], "connected") && len(dirs) == 1,
		"log %q, recorded into %v", lines, dirs)
	// Threads come in another order: compare them by name.
	if a, b := byThread(describe(live.s)), byThread(describe(openDir(t, dir))); !maps.Equal(a, b) {
		t.Errorf("live\n%s\nfolder\n%s", a, b)
	}
	sameRecording(t, readDir(t, dirs[0]), want)

	w.Close("bye")
	e.Forget()
	testkit.OK(t, w.Wait(time.Minute))
	r := testkit.Must(root.Open(w.Path()))(t)
	defer r.Close()
	again := newSink()
	replay := NewJournalStream(again, r.Meta())
	var events EventReader
	for { // what is told besides samples is told anew when a segment begins
		rec := testkit.Must(r.Next())(t)
		if rec.Kind == journal.KindEnd {
			break
		}
		if got := testkit.Must(events.Event(&rec))(t); got.Sample != nil {
			testkit.MustThat(t, len(sent) != 0 && gocmp.Equal(got, sent[0], cmpopts.EquateEmpty()),
				"%+v came back, %d are left", got, len(sent))
			sent = sent[1:]
		}
		testkit.OK(t, replay.Take(&rec))
	}
	testkit.That(t, len(sent) == 0, "%d samples did not come back", len(sent))
	replay.Close("bye")
	a, linesA := live.s.Losses()
	b, linesB := again.s.Losses()
	testkit.That(t, describe(live.s) == describe(again.s) && a == b && slices.Equal(linesA, linesB),
		"live\n%s%v\nfrom disk\n%s%v", describe(live.s), a, describe(again.s), b)
	info := again.s.Info()
	told := journal.Meta{Source: info.Source, Program: info.Program, Peer: info.Peer, PID: info.PID}
	testkit.That(t, told == meta && info.File, "%+v", info)
	reason, ended = again.s.Ended()
	testkit.That(t, ended && reason == "bye", "ended %v %q", ended, reason)
	exported := testkit.Must(ExportJournal(t.Context(), testkit.Must(root.Open(w.Path()))(t), t.TempDir()))(t)
	sameRecording(t, readDir(t, exported[0]), want)
}

// sameRecording compares two recordings but for how often a sample was seen.
func sameRecording(t *testing.T, got, want *Recording) {
	t.Helper()
	testkit.That(t, got.IntervalMs == want.IntervalMs && got.AgentAddr == want.AgentAddr && len(got.Problems) == 0,
		"info %+v, want %+v; %v", got.Info, want.Info, got.Problems)
	testkit.That(t, maps.Equal(got.Methods, want.Methods), "%d names, want %d", len(got.Methods), len(want.Methods))
	for _, a := range want.Threads {
		if len(a.Records) == 0 {
			continue
		}
		b := got.Thread(a.ID)
		testkit.MustThat(t, b != nil && fmt.Sprint(a.Records) == fmt.Sprint(b.Records),
			"thread %d is not the same", a.ID)
		testkit.That(t, slices.Equal(a.CPU.Values, b.CPU.Values) && a.CPU.BeginMs == b.CPU.BeginMs,
			"the series of thread %d differs", a.ID)
	}
}

// Every event comes back from its message.
func TestMessages(t *testing.T) {
	for _, x := range []Event{
		{Info: &InfoEvent{1000, 20, 5000}},
		{Method: &MethodEvent{-7, "a.B.m\r\n"}},
		{Sample: &SampleEvent{Thread: 9, Record: Record{TimeMs: 12000}}},
		{Sample: &SampleEvent{Thread: -2, Name: "main", Record: Record{1, 2e6, 3e6, 0, []MethodID{-50, 7}}}},
	} {
		var b []byte
		switch {
		case x.Info != nil:
			b = appendInfo(nil, x.Info)
		case x.Method != nil:
			b = appendMethod(nil, x.Method)
		default:
			b = appendSample(nil, x.Sample)
		}
		var events EventReader
		got := testkit.Must(events.Event(&journal.Record{Payload: b}))(t)
		testkit.That(t, gocmp.Equal(got, x, cmpopts.EquateEmpty()), "%+v came back as %+v", x, got)
	}
}

func byThread(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for _, l := range strings.Split(text, "\n") {
		if !strings.HasPrefix(l, "  ") {
			name = l
			continue
		}
		out[name] += l + "\n"
	}
	return out
}

func TestAgentThatIsTakenAgainAndAgain(t *testing.T) {
	one := []byte("*15\r\n+thread\r\n+time\r\n:1000\r\n+id\r\n:7\r\n+name\r\n+w\r\n+cpu_time\r\n:1\r\n+cpu_time_delta\r\n:0\r\n+state\r\n+\r\n+stacktrace\r\n*0\r\n")
	s := store.NewSession()
	err := runAgent(t, Config{Addr: "a:1", Sink: &sink{s: s}, dial: fakeAgent(t, one, one, one, one), Wait: noWait, now: at()})
	testkit.That(t, errors.Is(err, ErrStolen), "error %v", err)
	reason, ended := s.Ended()
	testkit.That(t, ended && strings.Contains(reason, "another client"), "ended %v %q", ended, reason)
}

func TestDamagedStreamKeepsWhatCame(t *testing.T) {
	data := flaretest.Stream(t)
	cut := append(append([]byte{}, data[:len(data)/2]...), "\r\n\r\n$99999999999\r\n"...)
	s := store.NewSession()
	err := runAgent(t, Config{Addr: "a:1", Sink: &sink{s: s}, dial: fakeAgent(t, cut), Wait: noWait, now: at()})
	testkit.That(t, err != nil && Damaged(err), "error %v", err)
	testkit.That(t, s.NumTracks() >= 5 && s.Track(0).NumSpans() != 0, "%d threads", s.NumTracks())
}

// serveAgent runs a connection to an agent that answers with what write writes.
func serveAgent(t *testing.T, sink feed.Sink, write func(w io.Writer)) {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		_, err := io.ReadFull(theirs, make([]byte, len(Request)))
		testkit.That(t, err == nil, "%v", err)
		w := bufio.NewWriterSize(theirs, 64<<10)
		defer w.Flush()
		write(w)
	}()
	gone := func(context.Context, string) (net.Conn, error) { return nil, errors.New("gone") }
	never := make(chan time.Time) // a busy machine takes longer for all this than names are waited for
	err := Run(t.Context(), ours, Config{Addr: "x", Sink: sink, dial: gone, Wait: noWait, ask: never})
	testkit.That(t, err == nil, "%v", err)
}

// stacks writes so many samples with stacks of so many frames. next gives the methods.
func stacks(w io.Writer, samples, deep int, next func() MethodID) {
	x := &SampleEvent{Thread: 7, Name: "main"}
	for i := range samples {
		x.Record = Record{TimeMs: 1e6 + int64(i)*20, Stack: x.Record.Stack[:0]}
		for range deep {
			x.Record.Stack = append(x.Record.Stack, next())
		}
		w.Write(appendSample(nil, x))
	}
}

// TestNamesThatNeverRepeat plays agents that name 100,000 methods, use them, and use ones that
// nobody ever named: that must not cost more memory than is allowed. What is used of two methods is
// all there.
func TestNamesThatNeverRepeat(t *testing.T) {
	testkit.OneGoroutine(t)
	const methods = 100_000
	name := func(w io.Writer, n int) {
		for i := range n {
			w.Write(appendMethod(nil, &MethodEvent{MethodID(i), fmt.Sprintf("com.acme.shop%d.Checkout.run%d()", i, i)}))
		}
	}
	for _, c := range []struct {
		what  string
		more  bool
		write func(w io.Writer)
	}{
		{"two methods", false, func(w io.Writer) {
			name(w, 2)
			n := 0
			stacks(w, 5000, 60, func() MethodID { n++; return MethodID(n / 100 % 2) })
		}},
		{"named, then used", true, func(w io.Writer) {
			name(w, methods)
			n := 0
			stacks(w, methods/60, 60, func() MethodID { n++; return MethodID(n) })
		}},
		{"never named", true, func(w io.Writer) {
			n := 0
			stacks(w, 50, 2000, func() MethodID { n++; return MethodID(n * 7919) })
		}},
	} {
		v := feedtest.New(t, 16<<20)
		s := v.Run(func(sink feed.Sink) { serveAgent(t, sink, c.write) })
		v.Check(t)
		lost, lines := s.Losses()
		testkit.That(t, c.more || lost[model.LossLimit] == 0, "%d beyond a limit: %q", lost[model.LossLimit], lines)
		if c.more {
			v.CheckMore(t, s)
		}
		testkit.That(t, s.NumTracks() == 1, "%s: %d threads", c.what, s.NumTracks())
	}
}

// Methods that come without names are asked for by one more connection, and no further one.
func TestNamesAreAskedForAgain(t *testing.T) {
	ask := make(chan time.Time, 2)
	dialled := 0
	dial := func(context.Context, string) (net.Conn, error) {
		if dialled++; dialled > 2 {
			return nil, errors.New("gone")
		}
		first := dialled == 1
		ours, theirs := net.Pipe()
		go func() {
			io.ReadFull(theirs, make([]byte, len(Request)))
			if first {
				theirs.Write(appendInfo(nil, &InfoEvent{StartMs: 1e6 - 100, IntervalMs: 20, LastSampleMs: 1e6}))
				stacks(theirs, 2, 1, func() MethodID { return 5 })
				io.Copy(io.Discard, theirs) // until the client hangs up
			} else {
				theirs.Write(appendMethod(nil, &MethodEvent{5, "com.acme.Shop.run()"}))
			}
			theirs.Close()
		}()
		return ours, nil
	}
	s := store.NewSession()
	samples := 0
	taken := func(e Event) {
		if e.Sample != nil {
			samples++
		}
		if samples == 2 {
			ask <- time.Time{}
		}
	}
	c := Config{Addr: "x", Sink: &sink{s: s}, dial: dial, Wait: noWait, ask: ask, Taken: taken}
	err := runAgent(t, c)
	testkit.That(t, err == nil, "%v", err)
	if got := describe(s); dialled < 3 || !strings.Contains(got, "Shop") || strings.Contains(got, "5?") {
		t.Errorf("after %d connections: %s", dialled, got)
	}
}

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
		testkit.That(t, d.total == want.Total && d.ignored == int64(len(want.Ignored)) && d.offset == int64(len(data)),
			"%s: %v, %d values, %d ignored, %d bytes", name, err, d.total, d.ignored, d.offset)
		names := map[MethodID]string{}
		for _, e := range got {
			if e.Method != nil {
				names[e.Method.ID] = e.Method.Name
			}
		}
		info, threads := 0, []thread(nil)
		for _, e := range got {
			if e.Info != nil {
				testkit.That(t, info < len(want.Info) && *e.Info == InfoEvent(want.Info[info]),
					"%s: %+v, want %+v", name, *e.Info, want.Info)
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
		testkit.That(t, diff == "" && info == len(want.Info) && len(names) == len(want.Methods),
			"%s: %d infos, %d names, samples:\n%s", name, info, len(names), diff)
	}
}

func TestHostileStreams(t *testing.T) {
	say := func(_, text string) string {
		got, _, err := events(strings.NewReader(text))
		return fmt.Sprint(len(got), " events, ", err)
	}
	testkit.Blocks(t, "testdata/streams.txt", say)
	for text, want := range map[string]string{
		strings.Repeat("*1\r\n", 100000):                           "deeper",
		strings.Repeat("*1\r\n", maxNesting) + "*0\r\n":            "deeper",
		strings.Repeat("*1\r\n", maxNesting-1) + "*0\r\n":          "0 events, <nil>",
		"+" + strings.Repeat("x", 1<<20):                           "65536",
		"*16384\r\n" + strings.Repeat("*-1\r\n", 16383) + "*0\r\n": "0 events, <nil>",
	} {
		testkit.Contains(t, say("", text), want)
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
		testkit.MustThat(t, len(a) == len(b) && d.ignored == e.ignored && (err == nil) == (err2 == nil),
			"%d events, %v; in pieces %d, %v", len(a), err, len(b), err2)
		testkit.MustThat(t, int(d.offset) <= len(data), "more was read than there is")
	})
}

// What an agent is asked is what the original asks.
func TestRequestIsTheOriginals(t *testing.T) {
	want := capture(t, "agent-wire/recorded-60s.client-to-agent.resp")
	testkit.That(t, string(want) == Request, "asked is %q, the original asks %q", Request, want)
}

// taken returns the session of events that come by one connection, or by a new one where an event
// is empty.
func taken(t *testing.T, events ...Event) *store.Session {
	t.Helper()
	k := &sink{s: store.NewSession()}
	c := Config{Sink: k, Addr: "localhost:3333"}
	s := newSession(c, c.info())
	for _, e := range events {
		if e == (Event{}) {
			s.intake.connected()
			s.round++
			continue
		}
		s.handleEvent(e)
	}
	s.intake.end()
	s.mapper.Close("over")
	return k.s
}

func sampleAt(ms, cpuMs, deltaMs int64) Event {
	return Event{Sample: &SampleEvent{Thread: 1, Name: "main", Record: Record{TimeMs: ms, CPUNs: cpuMs * 1e6, CPUDeltaNs: deltaMs * 1e6, Stack: []MethodID{7}}}}
}

func lost(s *store.Session, reason model.LossReason) int64 {
	n, _ := s.Losses()
	return n[reason]
}

// TestLeftoversAreLeftOut: an agent that was started anew still has samples of before, and a
// session of a second must not become one of a minute.
func TestLeftoversAreLeftOut(t *testing.T) {
	info := Event{Info: &InfoEvent{StartMs: 60_000, IntervalMs: 5, LastSampleMs: 60_100}}
	old := []Event{sampleAt(1000, 1, 1), sampleAt(1005, 2, 1), sampleAt(1010, 3, 1)}
	now := []Event{sampleAt(60_000, 10, 7), sampleAt(60_500, 11, 1), sampleAt(61_000, 12, 1)}
	for name, events := range map[string][]Event{
		"it says so first": slices.Concat([]Event{info}, old, now),
		"it says so late":  slices.Concat(old, now[:1], []Event{info}, now[1:]),
		"a second client":  slices.Concat([]Event{info}, now[:2], []Event{{}}, old, []Event{info}, now[2:]),
	} {
		s := taken(t, events...)
		begin, end, _ := s.Bounds()
		n := lost(s, model.LossLeftover)
		testkit.That(t, end-begin == 1e9 && n == 3, "%s: %d ns, %d left out", name, end-begin, n)
		ledger := s.Ledger()
		for _, l := range ledger.Lines(nil) {
			testkit.That(t, l.Key != "leftovers" || l.N == 3, "%s: the account says %+v", name, l)
		}
	}
	// What is said of a later time than every sample has is of a clock that was set back: an agent's
	// queue does not hold so much.
	var many []Event
	for i := range int64(queueEvents + 100) {
		many = append(many, sampleAt(1000+i, i, 1))
	}
	if s := taken(t, slices.Concat([]Event{info}, many)...); s.Contents().Spans == false || lost(s, model.LossLeftover) != queueEvents {
		t.Errorf("a clock that was set back: %d left out", lost(s, model.LossLeftover))
	}
	// An agent that says nothing: nothing is held back for ever.
	testkit.That(t, taken(t, now...).Contents().Spans, "nothing came")
}

// TestWhoseLossItIs: what another client took is not what we dropped.
func TestWhoseLossItIs(t *testing.T) {
	s := taken(t, sampleAt(1000, 10, 10), sampleAt(1100, 20, 10), sampleAt(1300, 90, 10))
	testkit.That(t, lost(s, model.LossSource) == 1 && lost(s, model.LossTaken) == 0 && lost(s, model.LossRing) == 0,
		"a queue that overflowed: %+v", s.Ledger())
	s = taken(t, Event{}, sampleAt(1000, 10, 10), sampleAt(1100, 20, 10), Event{}, sampleAt(1300, 90, 10))
	testkit.That(t, lost(s, model.LossSource) == 0 && lost(s, model.LossTaken) == 1 && lost(s, model.LossRing) == 0,
		"another client: %+v", s.Ledger())
	ledger := s.Ledger()
	for _, l := range ledger.Lines(nil) {
		testkit.That(t, (l.Key != "dropped_by_viewer" || l.N == 0) && (l.Key != "taken_by_others" || l.N == 1),
			"the account says %+v", l)
	}
}

// TestFoldersTellIntervalAndStart, also where the agent tells them late or not at all.
func TestFoldersTellIntervalAndStart(t *testing.T) {
	info := Event{Info: &InfoEvent{StartMs: 900, IntervalMs: 5, LastSampleMs: 1000}}
	var samples []Event
	for i := range int64(40) { // every 4 ms; the clock grows by 2 ms a sample
		samples = append(samples, sampleAt(1000+4*i, 100+2*i, min(i, 1)*2))
	}
	for name, c := range map[string]struct {
		events          []Event
		interval, start int64
	}{
		"first": {slices.Concat([]Event{info}, samples), 5, 900},
		"late":  {slices.Concat(samples[:30], []Event{info}, samples[30:]), 5, 900},
		"never": {samples, defaultStepMs, 1000},
	} {
		w := NewFolderWriter(t.TempDir(), "localhost:3333", nil)
		for _, e := range c.events {
			testkit.OK(t, WriteEvent(w, e))
		}
		testkit.OK(t, w.Close())
		rec := testkit.Must(ReadFolder(t.Context(), w.Dirs()[0], nil))(t)
		th := rec.Threads[0]
		testkit.That(t, rec.IntervalMs == c.interval && rec.SampleStartMs == c.start && total(&th.CPU) == 78_000,
			"%s: interval %d, start %d, CPU time %d µs", name, rec.IntervalMs, rec.SampleStartMs, total(&th.CPU))
		testkit.That(t, len(th.Records) == 40 && th.Records[len(th.Records)-1].CPUNs-th.Records[0].CPUNs == 78e6,
			"%s: %d records", name, len(th.Records))
	}
}

// A live sample whose time is damaged is left out, and told, wherever it comes; a program that stood
// still, or whose clock was set, goes on.
func TestLiveSamplesThatLeap(t *testing.T) {
	const day = 86_400_000
	for name, x := range map[string]struct {
		times []int64
		ms    int64 // length of the session
		left  int64
	}{
		"none":                {[]int64{1000, 1020, 1040}, 40, 0},
		"one sample":          {[]int64{1000}, 0, 0},
		"ahead":               {[]int64{1000, 1020, 300 * day, 1040}, 40, 1},
		"ahead, at the end":   {[]int64{1000, 1020, 300 * day}, 20, 1},
		"back":                {[]int64{50 * day, 50*day + 20, 1000, 50*day + 40}, 40, 1},
		"the first, back":     {[]int64{1000, 50 * day, 50*day + 20}, 20, 1},
		"the first, ahead":    {[]int64{50 * day, 1000, 1020}, 20, 1},
		"two":                 {[]int64{1000, 1020, 300 * day, 7 * day, 1040}, 40, 2},
		"two apart":           {[]int64{1000, 1020, 300 * day, 1040, 7 * day, 1060}, 60, 2},
		"stood still":         {[]int64{1000, 1020, day, day + 20}, day - 980, 0},
		"stood, then damaged": {[]int64{1000, 1020, 300 * day, day, day + 20}, day - 980, 1},
	} {
		var events []Event
		for i, ms := range x.times {
			events = append(events, sampleAt(ms, int64(i), 1))
		}
		s := taken(t, events...)
		begin, end, _ := s.Bounds()
		if n := lost(s, model.LossMalformed); end-begin != x.ms*1e6 || n != x.left {
			t.Errorf("%s: %d ms, want %d; %d left out, want %d", name, (end-begin)/1e6, x.ms, n, x.left)
		}
	}
	// What the agent says of itself tells at once which the first one is.
	s := taken(t, Event{Info: &InfoEvent{StartMs: 40 * day, IntervalMs: 20}}, sampleAt(300*day, 1, 1), sampleAt(40*day, 2, 1))
	if begin, end, _ := s.Bounds(); begin != end || lost(s, model.LossMalformed) != 1 {
		t.Errorf("from %d to %d, %d left out", begin, end, lost(s, model.LossMalformed))
	}
}

// TestSpacingOfTheRecording: asked for every 20 ms, a real agent took samples every 32.
func TestSpacingOfTheRecording(t *testing.T) {
	got := openDir(t, find(t, "recorded-60s/127*")).Info().Sampling
	if got.AskedNs != 20e6 || got.MedianNs != 32e6 || got.P5Ns < 20e6 || got.P95Ns <= got.MedianNs || got.LongestNs != 177e6 || got.Gaps != 0 {
		t.Errorf("%+v", got)
	}
}

// TestStatesOfThreads: what a thread did is told by what is innermost, of what is parked by what
// parked it, and of code by the clock.
func TestStatesOfThreads(t *testing.T) {
	const park, lockPark = "jdk.internal.misc.Unsafe.park(boolean, long)", "java.util.concurrent.locks.LockSupport.park(Object)"
	const sync = "java.util.concurrent.locks.AbstractQueuedSynchronizer"
	stacks := []struct {
		want  spans.State
		stack []string // the innermost first
	}{
		{spans.StateReady, []string{"shop.Order.price()", "java.lang.Thread.run()"}},
		{spans.StateBlocked, []string{park, lockPark, sync + ".acquire(int)", "java.util.concurrent.locks.ReentrantLock$Sync.lock()", "shop.Stock.take()"}},
		{spans.StateWaiting, []string{park, lockPark, sync + "$ConditionObject.await()", "java.util.concurrent.ArrayBlockingQueue.take()"}},
		{spans.StateWaiting, []string{park, lockPark, sync + ".acquire(int)", "java.util.concurrent.CountDownLatch.await()"}},
		{spans.StateIO, []string{"sun.nio.ch.SocketDispatcher.read0(FileDescriptor, long, int)", "sun.nio.ch.NioSocketImpl.read()"}},
		{spans.StateIO, []string{"java.io.FileInputStream.readBytes(byte[], int, int)"}},
		{spans.StateWaiting, []string{"sun.nio.ch.EPoll.wait(int, long, int, int)"}},
		{spans.StateWaiting, []string{park}},
		{spans.StateUnknown, nil},
	}
	const each = 1000 // ms
	s := store.NewSession()
	m := NewMapper(&sink{s: s}, model.Info{}, 0)
	ids := map[string]MethodID{}
	for i, x := range stacks {
		r := Record{TimeMs: 1000 + int64(i)*each, CPUNs: min(int64(i), 1) * 400e6}
		for _, name := range x.stack {
			if ids[name] == 0 {
				ids[name] = MethodID(len(ids) + 1)
				m.Method(ids[name], name)
			}
			r.Stack = append(r.Stack, ids[name])
		}
		m.Sample(7, "worker", r)
	}
	m.Sample(7, "", Record{TimeMs: 1000 + int64(len(stacks))*each, CPUNs: 400e6})
	m.Close("over")
	a, ok := s.Spans().Activity(0, 0, model.MaxTime)
	testkit.MustThat(t, ok, "nothing is known of the thread")
	var want [spans.NumStates]int64
	for _, x := range stacks {
		want[x.want] += each * 1e6
	}
	want[spans.StateRunning], want[spans.StateReady] = 400e6, want[spans.StateReady]-400e6
	testkit.That(t, a.Ns == want && a.HasCPU && a.LivedNs == int64(len(stacks))*each*1e6,
		"states %v of %d ns, want %v", a.Ns, a.LivedNs, want)
	testkit.That(t, a.Samples == int64(len(stacks))+1 && a.Able == 1, "%d samples, %d of code", a.Samples, a.Able)
	h, ok := s.Spans().Hottest(spans.MeasureSamples, []model.TrackID{0}, model.NoCollector, 0, model.MaxTime, nil)
	testkit.That(t, ok && s.Collector(h.Collector).Title() == "shop:Order.price()" && h.Own == 1 && h.Of == 1 &&
		len(h.Way) == 2, "%+v burns most", h)
	testkit.That(t, h.Within() >= 0.5, "one sample of one is known to ± %v", h.Within())
}
