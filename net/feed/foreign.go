package feed

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// foreign is a kind of recording that no source reads.
type foreign struct {
	what   string
	begins []string // the first bytes of such files
	line   string   // else a regular expression of their first line that is not empty
	ends   []string // else how their names end, of folders with a slash
	remedy string   // what makes such a file readable; empty: nothing that is known
}

// BySpeedscope says how to open what speedscope reads and Framescope does not.
const BySpeedscope = "https://www.speedscope.app opens it, and its Export button writes a file that Framescope opens"

// foreigners are kinds of recordings that people have beside a game and that no source reads.
var foreigners = []foreign{
	{
		what: "a capture of Tracy's own viewer", begins: []string{"tlZ\x04", "tZst", "tracy", "tr\xfdP"},
		ends: []string{".tracy"},
		remedy: "`framescope connect tracy --record game.tracystream` takes the game's data in place of that viewer, and " +
			"keeps a file that Framescope opens",
	},
	{
		what: "a recording of perf or simpleperf", begins: []string{"PERFILE2", "2ELIFREP"}, ends: []string{"perf.data"},
		remedy: "`perf script -i FILE > perf.txt`, or simpleperf's report_sample.py, writes a text that Framescope opens",
	},
	{
		what: "a report of simpleperf", begins: []string{"SIMPLEPERF"},
		remedy: "simpleperf's report_sample.py writes a text that Framescope opens from the perf.data behind it",
	},
	{what: "a trace of Unreal Insights", begins: []string{"ECRT", "2CRT", "TRCE", "TRC2"}, ends: []string{".utrace"}},
	{
		what: "a trace of Event Tracing for Windows", ends: []string{".etl"},
		remedy: "`PresentMon --etl_file FILE --output_file frames.csv` writes frame times that Framescope opens",
	},
	{what: "a capture of Optick", ends: []string{".opt"}},
	{what: "a capture of RenderDoc", begins: []string{"RDOC"}, ends: []string{".rdc"}},
	{what: "a report of Nsight Systems", ends: []string{".nsys-rep", ".qdrep"}},
	{what: "a capture of PIX", ends: []string{".wpix"}},
	{what: "a method trace of Android (ART)", begins: []string{"SLOW", "*version\n"}},
	{
		what: "a profile of macOS's sample", begins: []string{"Analysis of sampling "},
		remedy: "`stackcollapse-sample.awk FILE > stacks.folded`, of FlameGraph, writes folded stacks that Framescope opens",
	},
	{
		what: "an event log of a Haskell program", begins: []string{"hdrb"}, ends: []string{".eventlog"},
		remedy: "`hs-speedscope FILE` writes a profile that Framescope opens",
	},
	{
		what: "a profile of Ruby's stackprof", begins: []string{"\x04\x08{"},
		remedy: "`stackprof --stackcollapse FILE > stacks.folded` writes folded stacks that Framescope opens",
	},
	{
		what: "a log of V8 (--prof)", begins: []string{"v8-version,"},
		remedy: "`node --cpu-prof` writes profiles that Framescope opens",
	},
	{
		what: "a file of DTrace stacks", line: "^CPU +ID +FUNCTION:NAME|^ +[^ ]+`[^ ]+\\+0x",
		remedy: "`stackcollapse.pl FILE > stacks.folded`, of FlameGraph, writes folded stacks that Framescope opens",
	},
	{what: "a log of strace", line: `^([\d:.]+ +|\[pid +\d+\] )*execve\(`},
	{
		what: "a profile of GHC as text", line: "Time and Allocation Profiling Report",
		remedy: "run the program with +RTS -pj: " + BySpeedscope,
	},
	{what: "a profile of GHC", begins: []string{"{\n\"program\":", "{\"program\":"}, remedy: BySpeedscope},
	{what: "a profile of Ruby's stackprof", line: `^\{"version":[\d.]+,"mode":`, remedy: BySpeedscope},
	{what: "a log of V8, preprocessed", begins: []string{`{"code":[`}, remedy: BySpeedscope},
	{what: "a recording of Safari's timeline", begins: []string{`{"version":1,"recording":{`}, remedy: BySpeedscope},
	{what: "a heap snapshot of V8", begins: []string{`{"snapshot":`}},
	{what: "a call tree of Instruments", line: "\tSymbol Name", remedy: BySpeedscope},
	{what: "a profile of Callgrind", line: "^(# callgrind format|version: 1$|creator: |events: )", remedy: BySpeedscope},
	{
		what: "a recording of Instruments", ends: []string{".trace/"},
		remedy: "paste the call tree's Deep Copy into a file: " + BySpeedscope,
	},
}

// foreignHint names a recording that no source reads, and says what makes it readable; empty if it is unknown.
func foreignHint(head []byte, name string) string {
	head = head[:min(len(head), firstLook)]
	base := strings.ToLower(filepath.Base(name))
	if strings.HasSuffix(name, "/") {
		base += "/"
	}
	for _, f := range foreigners {
		if !f.is(head, base) {
			continue
		}
		if f.remedy != "" {
			file := filepath.Base(name)
			if strings.ContainsAny(file, " \t'\"`$&;|<>()*?\\") {
				file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
			}
			return "it is " + f.what + ": " + strings.ReplaceAll(f.remedy, "FILE", file)
		}
		return "it is " + f.what + ", which Framescope does not read"
	}
	return ""
}

func (f *foreign) is(head []byte, base string) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	return slices.ContainsFunc(f.begins, func(b string) bool { return bytes.HasPrefix(head, []byte(b)) }) ||
		f.line != "" && regexp.MustCompile(f.line).Match(bytes.TrimRight(line, "\r")) ||
		slices.ContainsFunc(f.ends, func(e string) bool { return strings.HasSuffix(base, e) })
}
