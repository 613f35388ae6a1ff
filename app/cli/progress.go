package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a bar on a terminal for files that take a while to read.
type progress struct {
	out   io.Writer
	title string
	bar   *progressbar.ProgressBar
}

// leastProgress is how large a file must be for a bar, in bytes: smaller ones are read in an
// instant.
const leastProgress = 8 << 20

// newProgress returns a bar on out, which shows nothing unless out is a terminal.
func newProgress(out io.Writer, title string) *progress {
	if f, ok := childErr(out).(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		out = nil
	}
	if s, ok := out.(*shared); ok {
		out = control{s}
	}
	return &progress{out: out, title: title}
}

func (p *progress) update(done, total int64) {
	if p.out == nil || total < leastProgress {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.out), progressbar.OptionShowBytes(true),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetDescription(p.title), progressbar.OptionFullWidth())
	}
	p.bar.Set64(min(done, total))
}

// close takes the bar away.
func (p *progress) close() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
