package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"framescope/app/demo"
	"framescope/internal/aside"
)

// playClips records a game that is played to it, and interrupts the recording when that is over:
// playclips DIR [flags of record]. The clip of the shader is clip.pstats then.
func playClips() {
	dir := os.Args[1]
	args := append([]string{"record", "--listen", "127.0.0.1:0", "--clips", dir}, os.Args[2:]...)
	code := Execute(args, os.Stdout, &playing{Writer: os.Stderr})
	all, _ := filepath.Glob(filepath.Join(dir, "*.pstats"))
	fmt.Fprintf(os.Stderr, "there are %d clips\n", len(all))
	for _, path := range all {
		if strings.Contains(path, "Compile-shader") {
			aside.Copy(path, "clip.pstats")
		}
	}
	os.Exit(code)
}

// playing plays the game as soon as it reads where somebody listens, and interrupts this program when it
// reads that all of the game has come.
type playing struct {
	io.Writer
	seen       []byte
	begin, end sync.Once
}

// Write implements io.Writer.
func (p *playing) Write(text []byte) (int, error) {
	p.seen = append(p.seen, text...)
	if _, addr, ok := bytes.Cut(p.seen, []byte("Listening for connections on ")); ok && bytes.Contains(addr, []byte(".\n")) {
		addr, _, _ := bytes.Cut(addr, []byte(".\n"))
		p.begin.Do(func() { go play(string(addr)) })
	}
	if bytes.Contains(p.seen, []byte("Lost connection to ")) {
		p.end.Do(interrupt)
	}
	return p.Writer.Write(text)
}

func play(addr string) {
	if err := demo.Run(context.Background(), addr, demo.Options{Frames: 700, Fast: true, Seed: 1}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		interrupt()
	}
}

func interrupt() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Signal(os.Interrupt)
	}
}
