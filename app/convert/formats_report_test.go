package convert_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/store"
)

// reported returns what a report says, but for its first line, which has the name of the format.
func reported(t *testing.T, s *store.Session, o report.Options) string {
	t.Helper()
	var out bytes.Buffer
	testkit.OK(t, report.Write(&out, s, o))
	_, rest, _ := bytes.Cut(out.Bytes(), []byte("\n"))
	return string(rest)
}

// A report on a pipeline is the same when it was given back and opened again.
func TestReportsOnPipelines(t *testing.T) {
	for _, name := range []string{"all-audio-chain.log.gz", "latency-tee-queues.log.gz", "stats-mux.log.gz", "two-instances.log.gz"} {
		s := converttest.Open(t, filepath.Join(string(recordings.GStreamer), name))
		want := reported(t, s, report.Options{Stats: true})
		for _, f := range []convert.Format{convert.ChromeFormat, convert.PerfettoFormat} {
			again, _ := converttest.Again(t, &f, converttest.Part(t, s, ""))
			if got := reported(t, again, report.Options{Stats: true}); got != want {
				t.Errorf("%s as %s: %s", name, f.Name, firstDifference([]string{want}, []string{got}))
			}
		}
	}
}
