package gsttrace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/net/gsttrace"
)

// The particular traps of FORMAT.md section 9, each by name.

func TestTrapOddNames(t *testing.T) {
	s, c := table(string(capture(t, "odd-names.log")))
	var names, pipelines []string
	for _, r := range s.all {
		switch r[""] {
		case "new-element":
			names = append(names, r["name"]+" "+r["type"]+" "+r["is-bin"])
		case "latency":
			pipelines = append(pipelines, r["src-element"]+r["src"]+r["sink-element"]+r["sink"])
		case "element-latency":
			if r["element"] != `"convert;=(int)5"` || r["src"] != `"src"` || r["time"] == "0" {
				t.Errorf("%v", r)
			}
		}
	}
	slices.Sort(names)
	want := []string{`"Ausgang-süd" "GstFakeSink" false`, `"convert;=(int)5" "GstAudioConvert" false`, `"my source, \"main\"" "GstAudioTestSrc" false`, `"pipeline0" "GstPipeline" true`}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if pipelines = slices.Compact(pipelines); len(pipelines) != 1 || pipelines[0] != `"my source, \"main\"""src""Ausgang-süd""sink"` {
		t.Errorf("pipelines %q", pipelines)
	}
	if s.kinds["latency"]+s.kinds["element-latency"] != 20 || c.Unreadable != 0 {
		t.Errorf("%v, %d unreadable", s.kinds, c.Unreadable)
	}
}

func TestTrapLeaksWithTraces(t *testing.T) {
	s, c := table(string(capture(t, "leaks-refs-traces.log.gz")))
	plain, _ := table(string(capture(t, "leaks-refs.log")))
	if c.Lines != 3318 || s.kinds["object-alive"] != 8 || s.kinds["object-refings"] != 187 || c.Foreign != 0 {
		t.Fatalf("%+v, %v", c, s.kinds)
	}
	types := func(s *rows) (all []string) {
		for _, r := range s.all {
			if r[""] == "object-alive" {
				all = append(all, r["type-name"])
			}
		}
		slices.Sort(all)
		return all
	}
	if diff := cmp.Diff(types(plain), types(s)); diff != "" {
		t.Error(diff)
	}
	for _, r := range s.all {
		trace := r["trace"]
		if strings.Count(trace, `\n`) < 3 || !strings.HasSuffix(trace, `)\n"`) || strings.Contains(trace, "TRACE") {
			t.Fatalf("trace of %s: %s", r["description"], trace)
		}
	}
}

func TestTrapColorsChangeNothing(t *testing.T) {
	log := string(capture(t, "color-all.log.gz"))
	got, counts := read(log)
	want, wantCounts := read(stripAll(log))
	strip := func(text string) (lines []string) {
		for line := range strings.Lines(text) { // offsets differ
			_, rest, _ := strings.Cut(line, " line ")
			lines = append(lines, rest)
		}
		return lines
	}
	if diff := cmp.Diff(strip(want), strip(got)); diff != "" {
		t.Errorf("(-plain +colored):\n%.2000s", diff)
	}
	if counts.Records != wantCounts.Records || counts.Records != 2205 {
		t.Errorf("%d and %d records", counts.Records, wantCounts.Records)
	}
}

// stripAll removes all escape sequences.
func stripAll(log string) string {
	var out strings.Builder
	for i, part := range strings.Split(log, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		out.WriteString(part)
	}
	return out.String()
}

func TestTrapForeignLines(t *testing.T) {
	s, c := table(string(capture(t, "stderr-and-stdout.log")))
	want := []string{"Setting pipeline to PAUSED ...", "Pipeline is PREROLLING ...", "Pipeline is PREROLLED ...", "Setting pipeline to PLAYING ...", "Redistribute latency...", "New clock: GstSystemClock",
		`Got EOS from element "pipeline0".`, "Execution ended after 0:00:00.000955446", "Setting pipeline to NULL ...", "Freeing pipeline ..."}
	if diff := cmp.Diff(want, s.foreign); diff != "" || c.Untimed != 10 {
		t.Errorf("%d untimed lines\n%s", c.Untimed, diff)
	}
}

func TestTrapMixedDebug(t *testing.T) {
	s, c := table(string(capture(t, "mixed-debug.log.gz")))
	if s.kinds["buffer"] != 30 || c.Messages != 1249-c.Records || c.Unreadable != 0 {
		t.Errorf("%v %+v", s.kinds, c)
	}
}

func TestTrapTruncated(t *testing.T) {
	s, c := table(string(capture(t, "truncated.log.gz")))
	if !c.CutLast || c.Unreadable != 1 || !strings.HasPrefix(s.unreadable[0], "the log ends in the middle of this line: 0:00:00.035657270") {
		t.Errorf("%+v %q", c, s.unreadable)
	}
}

func TestTrapTwoInstances(t *testing.T) {
	s, c := table(string(capture(t, "two-instances.log.gz")))
	if s.kinds["buffer"] != 40 || s.kinds["event"] != 128 || len(s.classes) != 10 || c.Announcements != 10 {
		t.Errorf("%v, %d classes, %+v", s.kinds, len(s.classes), c)
	}
}

// The constructed logs are one log as three systems write it.
func TestTrapColumnsOfOtherSystems(t *testing.T) {
	plain, _ := table(string(capture(t, "latency-two-sources.log.gz")))
	for _, name := range []string{"constructed-1.28-columns.log.gz", "constructed-windows.log.gz"} {
		other, c := table(string(capture(t, name)))
		if diff := cmp.Diff(plain.all, other.all); diff != "" || c.Unreadable != 0 || c.Untimed != 0 {
			t.Errorf("%s: %+v\n%.1000s", name, c, diff)
		}
	}
}

// A log whose beginning is lost: the stock layouts read it, and the odd names of it.
func TestTrapLogWithoutBeginning(t *testing.T) {
	for _, name := range []string{"all-audio-chain.log.gz", "odd-names.log", "leaks-refs-traces.log.gz", "leaks-signals.log", "rusage-threads.log.gz", "factories.log", "latency-tee-queues.log.gz"} {
		log := string(capture(t, name))
		whole, _ := table(log)
		var rest strings.Builder
		for line := range strings.Lines(log) {
			if !strings.Contains(line, "build_format") {
				rest.WriteString(line)
			}
		}
		late, c := table(rest.String())
		if diff := cmp.Diff(whole.all, late.all); diff != "" || c.Generic != 0 || c.Unreadable != 0 {
			t.Errorf("%s: %+v\n%.1000s", name, c, diff)
		}
		for class, known := range late.classes {
			want := whole.classes[class]
			if known.Origin != gsttrace.OriginBuiltin {
				t.Errorf("%s: %v", class, known.Origin)
			}
			for i := range want.Fields { // the stock layouts know all but descriptions and idle ranges
				w := want.Fields[i]
				w.Description = ""
				if w != known.Fields[i] {
					t.Errorf("%s: built in %+v, announced %+v", class, known.Fields[i], w)
				}
			}
		}
	}
}
