package gsttrace

import (
	"fmt"
	"testing"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// TestNamesThatNeverRepeat reads 300,000 latencies, once of two elements, once each of another:
// that must not cost more memory than is allowed, and every latency is there.
func TestNamesThatNeverRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("a million lines, one after another")
	}
	const records = 300_000
	for _, names := range []int{2, records} {
		for _, key := range []string{"src-element-id", "src-elem1ent-id"} {
			v := feedtest.New(t, 32<<20)
			s := v.Run(func(sink feed.Sink) {
				d := NewDecoder(sink, Options{})
				for i := range records {
					d.Write([]byte(record(int64(1000*i), fmt.Sprintf("latency, %s=(string)0x%x, src-element=(string)elem%d, "+
						"src=(string)src, sink-element-id=(string)0x2, sink-element=(string)b, sink=(string)sink, "+
						"time=(guint64)10, ts=(guint64)%d", key, i%names+3, i%names, 1000*i+100))))
				}
				d.Close("")
			})
			t.Logf("%d names, %s: accounts %d KiB, heap %d KiB", names, key, v.Account>>10, v.Heap>>10)
			v.Check(t)
			lost, lines := s.Losses()
			if names == 2 {
				if lost[model.LossLimit] != 0 {
					t.Errorf("%d beyond a limit: %q", lost[model.LossLimit], lines)
				}
				continue
			}
			v.CheckMore(t, s)
			if lost[model.LossLimit] < records/2 {
				t.Errorf("only %d of %d are counted as beyond a limit", lost[model.LossLimit], records)
			}
		}
	}
}
