package feed_test

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// The error for a recording of another tool names the tool, and the command that makes it readable if there is one.
func TestForeignRecordingsAreNamed(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"game.tracy", "anything", "a capture of Tracy's own viewer: `framescope connect tracy --record game.tracystream` takes"},
		{"renamed.bin", "tlZ\x04\x00\x00", "a capture of Tracy's own viewer: "},
		{"perf.data", "PERFILE2\x68\x00", "`perf script -i perf.data > perf.txt`"},
		{"my run.data", "PERFILE2\x68\x00", "`perf script -i 'my run.data' > perf.txt`"},
		{"game.utrace", "2CRT\x00", "a trace of Unreal Insights, which"},
		{"game.etl", "\x00\x01\x02", "`PresentMon --etl_file game.etl --output_file frames.csv`"},
		{"game.txt", "Analysis of sampling game (pid 7) every 1 millisecond\n", "`stackcollapse-sample.awk game.txt > stacks.folded`"},
		{"a.dump", "\x04\x08{\x0d", "`stackprof --stackcollapse a.dump > stacks.folded`"},
		{"unknown.bin", "\x00\x01\x02", "; it opens: "},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		testkit.OK(t, os.WriteFile(path, []byte(c.content), 0o600))
		testkit.Refused(feed.Registry{}.Recognise(path))(t, c.want)
	}
}
