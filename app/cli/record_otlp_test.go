package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	"google.golang.org/protobuf/proto"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model/place"
)

func attributesOf(list []*common.KeyValue) map[string]string {
	out := map[string]string{}
	for _, x := range list {
		out[x.Key] = x.Value.GetStringValue()
	}
	return out
}

// A collector gets all frames, hitches and losses of a session, as the tables have them; record reports what it refuses.
func TestMetricsOfASession(t *testing.T) {
	var got collector.ExportMetricsServiceRequest
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := testkit.Must(io.ReadAll(r.Body))(t)
		testkit.NoErr(t, proto.Unmarshal(body, &got))
		testkit.Equal(t, r.URL.Path+" "+r.Header.Get("Content-Type"), "/v1/metrics application/x-protobuf", "request")
		w.WriteHeader(status)
	}))
	defer server.Close()
	whole := testkit.Must(load.File(t.Context(), keptGame(t), load.Options{}))(t)
	part := testkit.Must(convert.Of(whole.Session, place.TimeRange{}, nil))(t)
	failed := 0
	send := func() {
		to := &otlpExporter{url: testkit.Must(otlpURL(server.URL))(t), fail: func(error) { failed++ }}
		m := testkit.Must(newSessionMetrics(whole.Session.Info(), []string{"build=1.2", "machine=box"}, to))(t)
		testkit.NoErr(t, m.addPart(t.Context(), part))
		m.addLosses(t.Context(), whole.Session)
		m.addLosses(t.Context(), whole.Session) // counts nothing again
		testkit.NoErr(t, m.flush(t.Context()))
	}
	send()
	testkit.Equal(t, failed, 0, "failures")
	of := attributesOf(got.ResourceMetrics[0].Resource.Attributes)
	testkit.Equal(t, of["service.version"]+of["machine"]+of["service.name"], "1.2box"+whole.Session.Info().Program, "attributes")
	frames, hitches, lost := uint64(0), int64(0), int64(0)
	for _, x := range got.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		for _, p := range x.GetExponentialHistogram().GetDataPoints() {
			inside := p.ZeroCount
			for _, n := range p.Positive.BucketCounts {
				inside += n
			}
			testkit.Equal(t, inside, p.Count, "frames in buckets of %v", attributesOf(p.Attributes))
			frames += p.Count
		}
		for _, p := range x.GetSum().GetDataPoints() {
			if x.Name == "framescope.hitches" {
				hitches += p.GetAsInt()
			} else if attributesOf(p.Attributes)["way"] == "held_back" {
				lost += p.GetAsInt()
			}
		}
	}
	count := func(table *convert.Table) (n int64) {
		testkit.NoErr(t, table.Rows(t.Context(), part, func([]convert.Cell) error { n++; return nil }))
		return n
	}
	testkit.Equal(t, int64(frames), count(&convert.Frames), "frames")
	testkit.Equal(t, hitches, count(&convert.Hitches), "hitches")
	testkit.Equal(t, lost, whole.Session.Ledger().HeldBack, "frames held back")
	status = http.StatusServiceUnavailable
	send()
	testkit.That(t, failed > 0, "record reports no refusal")
	for _, wrong := range []string{"localhost:4317", "ftp://x", "http://"} {
		_, err := otlpURL(wrong)
		testkit.That(t, err != nil, "%s is taken", wrong)
	}
}

// The tools of an assistant answer as the commands do, read only, and bounded.
func TestAssistant(t *testing.T) {
	here, there := mcp.NewInMemoryTransports()
	testkit.Must(assistantServer().Connect(t.Context(), there, nil))(t)
	client := testkit.Must(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil))(t)
	defer client.Close()
	for _, tool := range testkit.Must(client.ListTools(t.Context(), nil))(t).Tools {
		testkit.That(t, tool.Annotations.ReadOnlyHint, "%s writes", tool.Name)
	}
	const nested = "../../testdata/pstats/nested.pstats"
	ask := func(tool string, args map[string]any) (string, []byte, bool) {
		res := testkit.Must(client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args}))(t)
		switch c := res.Content[0].(type) {
		case *mcp.ImageContent:
			return "", c.Data, res.IsError
		case *mcp.TextContent:
			return c.Text, nil, res.IsError
		}
		t.Fatalf("%s: %+v", tool, res.Content)
		return "", nil, false
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		as   []string
	}{
		{"report", map[string]any{"file": nested}, []string{"report", "--stats", nested}},
		{"report", map[string]any{"file": nested, "range": "10:20", "thread": "Main"},
			[]string{"report", "--stats", "--range", "10:20", "--thread", "Main", nested}},
		{"why", map[string]any{"file": nested, "frame": 50}, []string{"why", "--frame", "50", nested}},
		{"sql", map[string]any{"file": nested, "range": "10:20", "query": "select count(*) from frames"},
			[]string{"sql", "--range", "10:20", nested, "select count(*) from frames"}},
		{"diff", map[string]any{"a": nested, "b": nested}, []string{"diff", nested, nested}},
	} {
		var out, said bytes.Buffer
		Execute(c.as, &out, &said)
		got, _, failed := ask(c.tool, c.args)
		testkit.That(t, !failed && got == cutAnswer(out.String()+said.String()), "%s %v: %.300s", c.tool, c.args, got)
	}
	_, picture, failed := ask("render", map[string]any{"file": nested, "panel": "flame", "frame": 50})
	testkit.That(t, !failed && bytes.HasPrefix(picture, []byte("\x89PNG")), "picture of %d bytes", len(picture))
	for _, file := range []string{"--output=x", "-", "nowhere"} {
		text, _, failed := ask("report", map[string]any{"file": file})
		testkit.That(t, failed && strings.Contains(text, file), "%s: %s", file, text)
	}
	text, _, failed := ask("together", map[string]any{"files": []string{nested, nested}})
	testkit.That(t, !failed && strings.Contains(text, "ruler"), "%s", text)
	for _, file := range []string{os.DevNull, os.DevNull + "#frame=3"} {
		text, _, failed := ask("report", map[string]any{"file": file})
		testkit.That(t, failed && strings.Contains(text, "is no file"), "a device is read: %s", text)
	}
	long := cutAnswer(strings.Repeat("Größe\n", mostAnswer))
	testkit.That(t, len(long) < mostAnswer+200 && strings.Contains(long, "bytes more"), "%d bytes", len(long))
}

// mcp answers lines that are no messages, however long, with errors, and reads the others. Its input ends when all
// is answered.
func TestRequests(t *testing.T) {
	const good, other = `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	in := "garbage\n42\n{}\n[]\n" + good + "\n" + strings.Repeat("x", 2*mostRequest) + "\n" +
		`{"jsonrpc":"1.0","id":1}` + "\n" + `{"jsonrpc":"2.0","id":{}}` + "\n" + `{"jsonrpc":"2.0","id":1e999,"method":"a"}` + "\n" +
		`{"jsonrpc":"2.0","id":"b","method":5}` + "\n\n" + other + "\n" + good
	var out bytes.Buffer
	r := &requests{in: bufio.NewReader(strings.NewReader(in)), out: NewOutput(&out)}
	got := make([]byte, 3*len(good)+3)
	testkit.Must(io.ReadFull(iotest.OneByteReader(r), got))(t)
	testkit.Equal(t, string(got), good+"\n"+other+"\n"+good+"\n", "messages")
	var codes []string
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID    any
			Error struct{ Code int }
		}
		testkit.OK(t, json.Unmarshal([]byte(line), &m))
		codes = append(codes, fmt.Sprintf("%v %d", m.ID, m.Error.Code))
	}
	testkit.Equal(t, strings.Join(codes, ", "), "<nil> -32700, <nil> -32600, <nil> -32600, <nil> -32600, <nil> -32700, "+
		"1 -32600, <nil> -32600, <nil> -32600, b -32600", "answers")
	ended := make(chan error)
	go func() { _, err := r.Read(got); ended <- err }()
	for _, id := range []int{9, 1, 2} { // who asks twice gets one answer
		select {
		case err := <-ended:
			t.Fatal("the input ends before all is answered", err)
		default:
		}
		testkit.Must(fmt.Fprintf(answers{r}, `{"jsonrpc":"2.0","id":%d,"result":{}}`, id))(t)
	}
	testkit.Equal(t, <-ended, io.EOF, "the end")
}
