package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

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

// A collector gets all frames, hitches and losses of a session, as the tables have them, and a refusal is told.
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
	testkit.That(t, failed > 0, "a refusal is not told")
	for _, wrong := range []string{"localhost:4317", "ftp://x", "http://"} {
		_, err := otlpURL(wrong)
		testkit.That(t, err != nil, "%s is taken", wrong)
	}
}
