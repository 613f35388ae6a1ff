package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/trace"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/framescope"
	"framescope/net/pstats/gen"
)

// passing is a sink that looks at nothing but how many spans come.
type passing struct {
	now   model.Batch
	spans int64
}

func (p *passing) Define(model.Change)   {}
func (p *passing) Begin() *model.Batch   { p.now.Reset(); return &p.now }
func (p *passing) Progress(int64, int64) {}
func (p *passing) Publish(b *model.Batch) bool {
	p.spans += int64(len(b.Spans))
	return true
}

// BenchmarkFormats reads files of formats whose packages have no benchmark of their own: recordings of
// real programs that go on and on, from the disk up to the last batch.
func BenchmarkFormats(b *testing.B) {
	for _, x := range []struct {
		name string
		file func(b *testing.B) []byte
	}{
		{"firefox", longFirefox}, {"speedscope", longSpeedscope}, {"cpuprofile", longCPUProfile}, {"perfscript", longPerfScript},
		{"gotrace", longGoTrace}, {"folded", longFolded}, {"framescope", longSession},
	} {
		b.Run(x.name, func(b *testing.B) {
			data := x.file(b)
			path := filepath.Join(b.TempDir(), x.name)
			testkit.NoErr(b, os.WriteFile(path, data, 0o600))
			all := testkit.Must(Sources{}.Registry())(b)
			source := testkit.Must(all.Recognise(path))(b)
			b.SetBytes(int64(len(data)))
			spans := int64(0)
			for b.Loop() {
				var k passing
				testkit.NoErr(b, source.OpenFile(b.Context(), path, &k))
				spans += k.spans
			}
			if spans > 0 { // stacks without times have none
				b.ReportMetric(float64(spans)/b.Elapsed().Seconds(), "spans/s")
			}
		})
	}
}

// parsed reads a recording as JSON.
func parsed(b *testing.B, kind recordings.Kind, name string) map[string]any {
	var v map[string]any
	testkit.NoErr(b, json.Unmarshal(recordings.Read(b, kind, name), &v))
	return v
}

func written(b *testing.B, v any) []byte {
	text := testkit.Must(json.Marshal(v))(b)
	return text
}

// again repeats a list so many times; step is added to its numbers each time.
func again(list any, times int, step float64) (out []any) {
	for i := range times {
		for _, v := range list.([]any) {
			if n, ok := v.(float64); ok {
				v = n + float64(i)*step
			}
			out = append(out, v)
		}
	}
	return out
}

func longFirefox(b *testing.B) []byte {
	const times = 400
	v := parsed(b, recordings.Firefox, "game.json")
	for _, th := range v["threads"].([]any) {
		s := th.(map[string]any)["samples"].(map[string]any)
		s["length"] = s["length"].(float64) * times
		for key, list := range s {
			if _, ok := list.([]any); ok {
				step := 0.0
				if key == "time" {
					step = 1000
				}
				s[key] = again(list, times, step)
			}
		}
	}
	return written(b, v)
}

func longSpeedscope(b *testing.B) []byte {
	v := parsed(b, recordings.Speedscope, "game-threads.speedscope.json")
	for _, p := range v["profiles"].([]any) {
		p := p.(map[string]any)
		p["samples"], p["weights"] = again(p["samples"], 10_000, 0), again(p["weights"], 10_000, 0)
		p["endValue"] = p["endValue"].(float64) * 10_000
	}
	return written(b, v)
}

func longCPUProfile(b *testing.B) []byte {
	v := parsed(b, recordings.CPUProfile, "main.cpuprofile")
	v["samples"], v["timeDeltas"] = again(v["samples"], 2000, 0), again(v["timeDeltas"], 2000, 0)
	return written(b, v)
}

// longPerfScript repeats a text with later times.
func longPerfScript(b *testing.B) []byte {
	lines := strings.SplitAfter(string(recordings.Read(b, recordings.PerfScript, "game-events.txt")), "\n")
	var out bytes.Buffer
	for i := range 1000 {
		for _, line := range lines {
			at := strings.Index(line, ": ")
			from := strings.LastIndexByte(line[:max(at, 0)], ' ') + 1
			if at > 0 && line[0] != '\t' && line[0] != '#' {
				if t, err := strconv.ParseFloat(line[from:at], 64); err == nil {
					out.WriteString(line[:from])
					fmt.Fprintf(&out, "%.6f", t+float64(i)*100)
					line = line[at:]
				}
			}
			out.WriteString(line)
		}
	}
	return out.Bytes()
}

// longFolded is the stacks of a recording below a thousand functions.
func longFolded(b *testing.B) []byte {
	lines := strings.SplitAfter(string(recordings.Read(b, recordings.Folded, "game-threads.folded")), "\n")
	var out bytes.Buffer
	for i := range 4000 {
		for _, line := range lines {
			if line != "" {
				fmt.Fprintf(&out, "job%d;%s", i%1000, line)
			}
		}
	}
	return out.Bytes()
}

// longSession is a session file of a game.
func longSession(b *testing.B) []byte {
	made := testkit.Must(gen.New(gen.Options{Spans: 2_000_000, Tracks: 4, Depth: 10, Seed: 1}))(b)
	var out bytes.Buffer
	w := framescope.NewWriter(&out, framescope.Options{})
	testkit.NoErr(b, made.Feed(b.Context(), w))
	testkit.NoErr(b, w.Close())
	return out.Bytes()
}

// longGoTrace is a trace of this process: regions in regions, and goroutines that wake each other.
func longGoTrace(b *testing.B) []byte {
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		b.Skip(err)
	}
	ctx := context.Background()
	ask, answer := make(chan int), make(chan int)
	go func() {
		for n := range ask {
			trace.WithRegion(ctx, "answer", func() { answer <- n })
		}
		close(answer)
	}()
	for i := range 200_000 {
		trace.WithRegion(ctx, "update", func() {
			trace.WithRegion(ctx, "think", func() {})
			if i%4 == 0 {
				ask <- i
				<-answer
			}
		})
	}
	close(ask)
	<-answer
	trace.Stop()
	return out.Bytes()
}
