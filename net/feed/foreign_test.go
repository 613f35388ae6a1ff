package feed_test

import (
	"os"
	"path/filepath"
	"strings"
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
		{"sample.trace", "SIMPLEPERF\x01\x00", "a report of simpleperf: simpleperf's report_sample.py"},
		{"a.trace", "SLOW\x03\x00", "a method trace of Android (ART), which"},
		{"x.log", "v8-version,11,3,244\n", "a log of V8 (--prof): `node --cpu-prof`"},
		{"x.json", `{"code":[{"name":"a"}],"functions":[]`, "a log of V8, preprocessed: https://www.speedscope.app opens it"},
		{"game.eventlog", "hdrb\x00\x01", "`hs-speedscope game.eventlog`"},
		{"Main.prof", "\tMon Nov 30 18:00 2026 Time and Allocation Profiling Report  (Final)\n", "a profile of GHC as text: run the program with +RTS -pj"},
		{"Main.prof", "{\n\"program\": \"Main\",\n", "a profile of GHC: https://www.speedscope.app opens it"},
		{"a.json", `{"version":1.2,"mode":"wall","interval":1000,`, "Ruby's stackprof: https://www.speedscope.app opens it"},
		{"safari.json", `{"version":1,"recording":{"displayName":"a"`, "a recording of Safari's timeline: https://www.speedscope.app"},
		{"x.heapsnapshot", `{"snapshot":{"meta":{`, "a heap snapshot of V8, which Framescope does not read"},
		{"out.stacks", "CPU     ID                    FUNCTION:NAME\n  0  64091  :tick-60s \n", "`stackcollapse.pl out.stacks > stacks.folded`"},
		{"out.stacks", "\n\n              libc.so.1`read+0x7\n              game`main+0x20\n                12\n", "a file of DTrace stacks: `stackcollapse.pl"},
		{"s.txt", "execve(\"/bin/ls\", [\"ls\"], 0x7ffd /* 20 vars */) = 0\n", "a log of strace, which Framescope does not read"},
		{"s.txt", "[pid 7] 12:00:01.123456 execve(\"/bin/ls\", [\"ls\"]) = 0\n", "a log of strace, which"},
		{"callgrind.out.7", "version: 1\r\ncreator: xdebug 2.9.8 (PHP 7.4)\r\n", "a profile of Callgrind: https://www.speedscope.app opens it"},
		{"callgrind.out.7", "# callgrind format\n", "a profile of Callgrind: "},
		{"tree.txt", "Weight\tSelf Weight\t\tSymbol Name\n2.00 s  100.0%\t0 s\t \tgame (7)\n", "a call tree of Instruments: https://www.speedscope.app"},
		{"run.trace/", "", "is a folder, not a recording: it is a recording of Instruments: paste"},
		{"run/", "", "is a folder, not a recording: name a file in it"},
		{"unknown.bin", "\x00\x01\x02", "; it opens: "},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if strings.HasSuffix(c.name, "/") {
			testkit.OK(t, os.Mkdir(path, 0o700))
		} else {
			testkit.OK(t, os.WriteFile(path, []byte(c.content), 0o600))
		}
		testkit.Refused(feed.Registry{}.Recognise(path))(t, c.want)
	}
}
