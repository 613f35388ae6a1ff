// record sends metrics of the frames of each session to a collector of OpenTelemetry.

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	wire "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
	of "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	"google.golang.org/protobuf/proto"

	"framescope/app/convert"
	"framescope/model"
	"framescope/model/store"
)

// The collector gets the metrics so often, and has so long to take them.
const (
	otlpEvery   = 15 * time.Second
	otlpTimeout = 10 * time.Second
)

// otlpBuckets is how many buckets a histogram has: neighbors differ by some 4 % over a range of a thousand.
const otlpBuckets = 160

// otlpURL checks --otlp, and adds the path that the protocol names where there is none.
func otlpURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("--otlp %s: give the URL of a collector, such as http://localhost:4318", text)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/metrics"
	}
	return u.String(), nil
}

// sessionMetrics are the metrics of a session.
type sessionMetrics struct {
	provider *sdk.MeterProvider
	frames   metric.Float64Histogram
	hitches  metric.Int64Counter
	lost     metric.Int64Counter
	counted  map[string]int64 // lost frames by kind, as the counter has them
}

// newSessionMetrics begins to send the metrics of a session.
func newSessionMetrics(info model.Info, labels []string, to *otlpExporter) (*sessionMetrics, error) {
	of := []attribute.KeyValue{attribute.String("service.name", info.Program), attribute.String("host.name", info.Host)}
	for _, label := range labels {
		key, value, _ := strings.Cut(label, "=")
		if key == "build" {
			key = "service.version"
		}
		of = append(of, attribute.String(key, value))
	}
	reader := sdk.NewPeriodicReader(to, sdk.WithInterval(otlpEvery), sdk.WithTimeout(otlpTimeout))
	m := &sessionMetrics{counted: map[string]int64{}}
	m.provider = sdk.NewMeterProvider(sdk.WithReader(reader), sdk.WithResource(resource.NewSchemaless(of...)))
	meter := m.provider.Meter("framescope")
	var errs [3]error
	m.frames, errs[0] = meter.Float64Histogram("framescope.frame.duration", metric.WithUnit("s"))
	m.hitches, errs[1] = meter.Int64Counter("framescope.hitches", metric.WithUnit("{hitch}"))
	m.lost, errs[2] = meter.Int64Counter("framescope.frames.lost", metric.WithUnit("{frame}"))
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// addPart counts the frames and hitches of a part.
func (m *sessionMetrics) addPart(ctx context.Context, p *convert.Part) error {
	err := convert.Frames.Rows(ctx, p, func(row []convert.Cell) error {
		of := attribute.NewSet(attribute.String("thread", row[1].Text))
		m.frames.Record(ctx, float64(row[4].Int)/1e9, metric.WithAttributeSet(of))
		return nil
	})
	if err != nil {
		return err
	}
	return convert.Hitches.Rows(ctx, p, func(row []convert.Cell) error {
		m.hitches.Add(ctx, 1, metric.WithAttributes(attribute.String("thread", row[1].Text),
			attribute.String("cause", row[8].Text), attribute.String("cause.thread", row[7].Text),
			attribute.String("how", row[9].Text)))
		return nil
	})
}

// addLosses counts the frames lost since the last call.
func (m *sessionMetrics) addLosses(ctx context.Context, s *store.Session) {
	ledger := s.Ledger()
	for _, line := range ledger.Lines(nil) {
		if !line.OfFrames() || !line.Missing() || line.Key == "left_memory" {
			continue
		}
		if more := line.N - m.counted[line.Key]; more > 0 {
			m.lost.Add(ctx, more, metric.WithAttributes(attribute.String("way", line.Key)))
			m.counted[line.Key] = line.N
		}
	}
}

// flush sends the metrics that no post has sent yet, and stops the exporter.
func (m *sessionMetrics) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, otlpTimeout)
	defer cancel()
	return m.provider.Shutdown(ctx)
}

// otlpExporter posts metrics to a collector. They are sums since the session's begin, so what one post does not
// deliver, the next does.
type otlpExporter struct {
	url  string
	fail func(err error) // a post failed
}

// Temporality implements sdk.Exporter.
func (*otlpExporter) Temporality(sdk.InstrumentKind) metricdata.Temporality {
	return metricdata.CumulativeTemporality
}

// Aggregation implements sdk.Exporter.
func (*otlpExporter) Aggregation(kind sdk.InstrumentKind) sdk.Aggregation {
	if kind == sdk.InstrumentKindHistogram {
		return sdk.AggregationBase2ExponentialHistogram{MaxSize: otlpBuckets, MaxScale: 20}
	}
	return sdk.DefaultAggregationSelector(kind)
}

// ForceFlush implements sdk.Exporter.
func (*otlpExporter) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdk.Exporter.
func (*otlpExporter) Shutdown(context.Context) error { return nil }

// Export implements sdk.Exporter.
func (x *otlpExporter) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	err := x.post(ctx, m)
	if err != nil {
		x.fail(err)
	}
	return nil // a warning was printed
}

func (x *otlpExporter) post(ctx context.Context, m *metricdata.ResourceMetrics) error {
	body, err := proto.Marshal(otlpRequest(m))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection is used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s: %s", x.url, answer.Status)
	}
	return nil
}

// otlpRequest returns metrics as the protocol sends them.
func otlpRequest(m *metricdata.ResourceMetrics) *collector.ExportMetricsServiceRequest {
	all := &wire.ResourceMetrics{Resource: &of.Resource{Attributes: otlpAttributes(*m.Resource.Set())}}
	for _, scope := range m.ScopeMetrics {
		to := &wire.ScopeMetrics{Scope: &common.InstrumentationScope{Name: scope.Scope.Name}}
		for _, x := range scope.Metrics {
			one := &wire.Metric{Name: x.Name, Unit: x.Unit}
			switch data := x.Data.(type) {
			case metricdata.Sum[int64]:
				one.Data = otlpSum(data)
			case metricdata.ExponentialHistogram[float64]:
				one.Data = otlpHistogram(data)
			}
			to.Metrics = append(to.Metrics, one)
		}
		all.ScopeMetrics = append(all.ScopeMetrics, to)
	}
	return &collector.ExportMetricsServiceRequest{ResourceMetrics: []*wire.ResourceMetrics{all}}
}

func otlpSum(data metricdata.Sum[int64]) *wire.Metric_Sum {
	sum := &wire.Sum{AggregationTemporality: wire.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
		IsMonotonic: true}
	for i := range data.DataPoints {
		p := &data.DataPoints[i]
		sum.DataPoints = append(sum.DataPoints, &wire.NumberDataPoint{
			Attributes: otlpAttributes(p.Attributes), StartTimeUnixNano: uint64(p.StartTime.UnixNano()),
			TimeUnixNano: uint64(p.Time.UnixNano()), Value: &wire.NumberDataPoint_AsInt{AsInt: p.Value},
		})
	}
	return &wire.Metric_Sum{Sum: sum}
}

func otlpHistogram(data metricdata.ExponentialHistogram[float64]) *wire.Metric_ExponentialHistogram {
	all := &wire.ExponentialHistogram{AggregationTemporality: wire.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE}
	for i := range data.DataPoints {
		p := &data.DataPoints[i]
		one := &wire.ExponentialHistogramDataPoint{
			Attributes: otlpAttributes(p.Attributes), StartTimeUnixNano: uint64(p.StartTime.UnixNano()),
			TimeUnixNano: uint64(p.Time.UnixNano()), Count: p.Count, Sum: &p.Sum, Scale: p.Scale, ZeroCount: p.ZeroCount,
			Positive: &wire.ExponentialHistogramDataPoint_Buckets{Offset: p.PositiveBucket.Offset,
				BucketCounts: p.PositiveBucket.Counts},
		}
		if least, ok := p.Min.Value(); ok {
			one.Min = &least
		}
		if most, ok := p.Max.Value(); ok {
			one.Max = &most
		}
		all.DataPoints = append(all.DataPoints, one)
	}
	return &wire.Metric_ExponentialHistogram{ExponentialHistogram: all}
}

// otlpAttributes returns attributes, which are texts.
func otlpAttributes(set attribute.Set) (out []*common.KeyValue) {
	for _, x := range set.ToSlice() {
		value := &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: strings.ToValidUTF8(x.Value.Emit(), "�")}}
		out = append(out, &common.KeyValue{Key: string(x.Key), Value: value})
	}
	return out
}
