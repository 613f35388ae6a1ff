package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// firefoxFile is a profile in which b is in a library, and c in a file.
const firefoxFile = `{"meta":{"interval":1,"startTime":1,"preprocessedProfileVersion":49,"product":"x"},"libs":[{"name":"lib"}],
	"threads":[{"name":"T","pid":"7","tid":8,"samples":{"stack":[1,1],"time":[0,1]},"markers":{"name":[]},
	"stackTable":{"prefix":[null,0],"frame":[0,1]},"frameTable":{"func":[0,1]},"resourceTable":{"lib":[0]},
	"funcTable":{"name":[0,1],"resource":[0,-1],"fileName":[3,2],"lineNumber":[null,31]},
	"stringArray":["b","c","file:///x/y.js","hg:src/b.cpp"]}]}`

// chromeFile has a span whose arguments say where it is, one that is in two files, one whose file is hostile, and
// samples of V8.
const chromeFile = `[{"name":"a","ph":"X","ts":0,"dur":1,"pid":1,"tid":1,"args":{"src_file":"x/a.cc","src_line":5}},
	{"name":"b","ph":"X","ts":2,"dur":1,"pid":1,"tid":1,".file":"b.rs",".line":6},
	{"name":"b","ph":"X","ts":4,"dur":1,"pid":1,"tid":1,".file":"c.rs",".line":6},
	{"name":"d","ph":"X","ts":6,"dur":1,"pid":1,"tid":1,".file":"--\u001b[31m\n\"d","line":7},
	{"name":"d","ph":"X","ts":8,"dur":1,"pid":1,"tid":1,".file":"--\u001b[31m\n\"d",".line":-7},
	{"name":"Profile","ph":"P","id":"1","ts":9,"pid":1,"tid":1,"args":{"data":{"startTime":9}}},
	{"name":"ProfileChunk","ph":"P","id":"1","ts":10,"pid":1,"tid":1,"args":{"data":{"timeDeltas":[1,1],"cpuProfile":{
		"samples":[1,1],"nodes":[{"id":1,"callFrame":{"functionName":"f","url":"http://x/f.js","lineNumber":0}}]}}}}]`

// perfFile has the lines that perf script -F +srcline adds; perf does not know one of them.
const perfFile = "game 1 10.000001:     100 cpu-clock: \n\t  3f b+0x1 (/x/game)\n  render/b.c:7\n" +
	"\t  4f c+0x1 (/x/game)\n  game[4f]\n\t  2f main+0x1 (/x/game)\n  main.c:99\n\n"

// TestPlaces: collectors have the file and the line that each source says. Those of recorded games are lines of their
// own source; names are not in question here.
func TestPlaces(t *testing.T) {
	const game = "game.cpp:"
	for _, c := range []struct{ file, text, want string }{
		{"../../testdata/chrometrace/bevy-async.json.gz", "", "par_for_each=src/bin/bevy_like.rs:15, frame=src/bin/bevy_like.rs:20"},
		{"args.json", chromeFile, "a=x/a.cc:5, b=, d=--�[31m�\"d, f=http://x/f.js:1"},
		{"../../testdata/cpuprofile/main.cpuprofile", "", "node:fs:realpathSync=node:fs:2664"},
		{"firefox.json", firefoxFile, "lib:b=hg:src/b.cpp, y.js:c=file:///x/y.js:31"},
		{"../../testdata/gotrace/game-122.trace.gz", "", "main.audio=example.test/game/main.go:163"},
		{"../../testdata/jfr/game.jfr.gz", "", "Demo.physics=line 5"},
		{"../../testdata/perfetto/rust-layer.pftrace.gz", "", "par_for_each=src/bin/bevy_like.rs:15"},
		{"perf.txt", strings.Repeat(perfFile, 3), "game:b=render/b.c:7, game:c=, game:main=main.c:99"},
		{"../../testdata/pprof/game-cpu.pprof", "", "main.(*world).render=example.test/game/main.go:146"},
		{"../../testdata/puffin/pfd1.puffin", "", "ai=main.rs"},
		{"../../testdata/puffin/http_join_late.puffinstream", "", "think=src/bin/puffin_game.rs:39"},
		{"../../testdata/speedscope/game-evented.speedscope.json", "", "loop.py:main=/home/dev/game/loop.py:45"},
		{"../../testdata/tracy/game-0.14.tracystream", "", "Update=" + game + "80, Shadows=render.script:17"},
		{"../../testdata/tracy/game-0.10.tracystream", "", "Physics=" + game + "25, scene=" + game + "22"},
	} {
		if c.text != "" {
			c.file = filepath.Join(t.TempDir(), c.file)
			testkit.NoErr(t, os.WriteFile(c.file, []byte(c.text), 0o600))
		}
		rec, err := File(t.Context(), c.file, Options{})
		testkit.OK(t, err, c.file)
		places := map[string]model.Place{}
		for _, x := range rec.Session.Collectors().Tree().All {
			places[x.Title()] = x.Place
		}
		for want := range strings.SplitSeq(c.want, ", ") {
			name, where, _ := strings.Cut(want, "=")
			place, there := places[name]
			testkit.That(t, there && place.Where() == where, "%s: the place of %s is %q, not %q", c.file, name, place.Where(), where)
		}
	}
}
