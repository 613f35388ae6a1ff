package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/net/follow"
)

// Of what does not come it is said that it is waited for, ever more seldom.
func TestNothingComes(t *testing.T) {
	reg, err := load.Sources{}.Registry()
	if err != nil {
		t.Fatal(err)
	}
	spool, err := launch.NewSpool(reg, "pipe")
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Remove()
	var out strings.Builder
	c := &copier{Spool: spool, out: &out, name: "pipe", patience: firstPatience}
	said := func(idles, lines int, want string) {
		t.Helper()
		for range idles {
			c.Idle()
		}
		if strings.Count(out.String(), "\n") != lines || !strings.Contains(out.String(), want) {
			t.Errorf("%q, want %d lines and %q", out.String(), lines, want)
		}
	}
	said(firstPatience-1, 0, "")
	said(1, 1, "framescope: pipe: nothing has come yet: waiting for whoever writes it")
	said(firstPatience-1, 1, "")
	said(1, 2, "")
	if _, err := c.Write(make([]byte, 2048)); err != nil {
		t.Fatal(err)
	}
	said(4*firstPatience-1, 2, "")
	said(1, 3, "nothing more comes since 2 KiB")
}

// A FIFO to which nobody writes ends with an interrupt, and that is said.
func TestInterruptedBeforeAnythingCame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := follow.MakeFIFO(path); err != nil {
		t.Skip(err)
	}
	reg, err := load.Sources{}.Registry()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	if _, err := (&Streams{Err: &out}).Whole(ctx, path, reg); err == nil || err.Error() != path+": interrupted before anything came" || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}
