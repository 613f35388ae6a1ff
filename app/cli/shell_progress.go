package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress is a bar on a terminal for files that take a while to read.
type Progress struct {
	out   io.Writer
	title string
	bar   *progressbar.ProgressBar
}

// leastProgress is the size in bytes from which a file gets a bar; smaller ones are read at once.
const leastProgress = 8 << 20

// NewProgress returns a bar on out, which shows nothing unless out is a terminal.
func NewProgress(out io.Writer, title string) *Progress {
	if f, ok := ChildErr(out).(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		out = nil
	}
	if s, ok := out.(*Shared); ok {
		out = Control{s}
	}
	return &Progress{out: out, title: title}
}

// Update shows how much of a file was read, in bytes.
func (p *Progress) Update(done, total int64) {
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

// Close takes the bar away.
func (p *Progress) Close() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
