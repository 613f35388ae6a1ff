package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"framescope/app/library"
	"framescope/internal/aside"
	"framescope/net/pstats/gen"
)

// generate is demo's flags for a generated file.
type generate struct {
	file string
	opt  gen.Options
}

// generatorFlags are the flags that only make sense with --spans or -o.
var generatorFlags = [...]string{"spans", "output", "tracks", "depth", "hz", "frame-spans", "hitch-every", "gap-every"}

// given refuses a 0 where the generator would take it for nothing given.
func (g *generate) given(f *pflag.FlagSet) error {
	for _, x := range []struct {
		flag string
		zero bool
		want string
	}{
		{"tracks", g.opt.Tracks == 0, fmt.Sprintf("1 to %d", gen.MaxTracks)},
		{"depth", g.opt.Depth == 0, fmt.Sprintf("1 to %d", gen.MaxDepth)},
		{"hz", g.opt.Hz == 0, "1 to 10,000"},
		{"frame-spans", g.opt.FrameSpans == 0, "1 to a million"},
		{"hitch-every", g.opt.HitchEvery == 0, "a number of frames, or -1 for none"},
		{"gap-every", g.opt.GapEvery == 0, "a number of frames, or -1 for none"},
	} {
		if x.zero && f.Changed(x.flag) {
			return Usage(fmt.Errorf("--%s 0: give %s", x.flag, x.want))
		}
	}
	return nil
}

// write makes the session and puts it into the file, which appears under its name only when it is
// whole. flag is one of those that requested it.
func (g *generate) write(ctx context.Context, s *Streams, flag string, force bool) (err error) {
	if g.file == "" {
		return Usage(fmt.Errorf("--%s describes a generated session: name its file with -o, such "+
			"as -o large.pstats", flag))
	}
	made, err := gen.New(g.opt)
	if err != nil {
		return Usage(err)
	}
	const spanBytes = 12 // of an event for its start and one for its stop, for the bar
	err = s.ToNewFile(g.file, force, func(out io.Writer) error {
		bar := NewProgress(s.Err, "writing "+g.file)
		defer bar.Close()
		return made.Write(ctx, out, func(done, total int64) { bar.Update(done*spanBytes, total*spanBytes) })
	})
	if err != nil || aside.IsOut(g.file) {
		return err
	}
	st, err := os.Stat(g.file)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s: %d spans of %d tracks, %s\n", g.file, made.Spans(), made.Tracks(), library.Bytes(st.Size()))
	return nil
}

// parseCount reads a whole number as people write large ones: 10M, 1e7, 250k, 1.5G, 10_000_000.
func parseCount(text string) (int64, error) {
	number, factor := strings.ReplaceAll(strings.TrimSpace(text), "_", ""), 1.0
	if n := len(number); n > 0 {
		if k := strings.IndexByte("kmg", number[n-1]|0x20); k >= 0 {
			number, factor = number[:n-1], math.Pow(1000, float64(k+1))
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	v *= factor
	if err != nil || !(v >= 1 && v < 1<<53) || v != math.Trunc(v) {
		return 0, fmt.Errorf("%q is not a whole number such as 10M, 1e7 or 250000", text)
	}
	return int64(v), nil
}
