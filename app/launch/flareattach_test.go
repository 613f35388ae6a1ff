package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/flare"
)

// loader stands in for the attach protocol: it starts a fake agent where the options say.
type loader struct {
	t       *testing.T
	fails   error // of the first load
	running bool  // an agent that was loaded before, and takes no notice of being started again
	agent   *fakeAgent
	asked   []string
}

func (l *loader) load(_ context.Context, pid int, library, options string) error {
	l.asked = append(l.asked, options)
	if pid != 77 || !filepath.IsAbs(library) {
		l.t.Errorf("loads %q into %d", library, pid)
	}
	if err := l.fails; err != nil {
		l.fails = nil
		return err
	}
	switch _, addr, _ := strings.Cut(options, "address="); {
	case options == "trace=off":
		l.running = false
		if l.agent != nil {
			l.agent.stop()
			l.agent = nil
		}
	case l.running:
	default:
		l.running = true
		l.agent = newFakeAgent(l.t, addr)
	}
	return nil
}

func noPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func newAttach(t *testing.T) (*Attach, *loader, *[]string) {
	t.Helper()
	library := filepath.Join(t.TempDir(), "libflareagent.so")
	write(t, library, "")
	l, said := &loader{t: t}, &[]string{}
	return &Attach{PID: 77, Name: "com.acme.Main", Library: library, IntervalMs: 20, load: l.load, wait: noPause, Log: func(s string) { *said = append(*said, s) }}, l, said
}

func TestAttach(t *testing.T) {
	t.Parallel()
	a, l, said := newAttach(t)
	v := view(t, a)
	v.until(t, "all samples", func() bool { _, s := v.entry(0); return samplesOf(s) == recordedSamples })
	r, session := v.entry(0)
	if info := session.Info(); r.Name != "com.acme.Main (JVM 77)" || info.Program != r.Name || info.PID != 77 {
		t.Errorf("called %q, %+v", r.Name, info)
	}
	r.Stop()
	testkit.NoErr(t, v.result(t))
	v.over(t, 0)
	if len(l.asked) != 2 || !strings.HasPrefix(l.asked[0], "trace=on,interval=20,address=127.0.0.1:") || l.asked[1] != "trace=off" {
		t.Errorf("asked for %q", l.asked)
	}
	if s := strings.Join(*said, "\n"); !strings.Contains(s, "the agent was loaded into com.acme.Main (JVM 77) and listens on 127.0.0.1:") || !strings.Contains(s, "was stopped") {
		t.Errorf("said %s", s)
	}
}

// After its time the agent is stopped.
func TestAttachForAWhile(t *testing.T) {
	t.Parallel()
	a, l, _ := newAttach(t)
	a.Duration = time.Second
	c, err := Collect(t.Context(), a, nil)
	testkit.That(t, err == nil && len(c.Sessions) == 1 && samplesOf(c.Sessions[0]) == recordedSamples,
		"%d sessions, %v", len(c.Sessions), err)
	testkit.That(t, slices.Contains(l.asked, "trace=off") && l.agent == nil, "asked for %q", l.asked)
}

// An agent that was loaded before is stopped and started again.
func TestAttachToAnAgentThatRuns(t *testing.T) {
	t.Parallel()
	a, l, said := newAttach(t)
	l.running = true
	testkit.NoErr(t, a.Connect(t.Context()))
	testkit.That(t, len(l.asked) == 3 && l.asked[1] == "trace=off" && l.asked[0] == l.asked[2], "asked for %q", l.asked)
	s := strings.Join(*said, "\n")
	testkit.That(t, strings.Contains(s, "stopped and started again"), "said %s", s)
	a.Close()
	testkit.That(t, l.agent == nil, "an Attach that is closed leaves its agent running")
}

func TestAttachThatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{flare.ErrNoProcess, "`framescope attach` lists"},
		{flare.ErrOtherUser, "as the user that the JVM runs as"},
		{flare.ErrNotJVM, "`framescope attach` lists"},
		{flare.ErrNoListener, "jcmd"},
		{&flare.RefusedError{Status: -1, Answer: "wrong ELF class"}, "wrong ELF class. Is "},
		{flare.ErrUnsupported, "not supported on this system"},
	} {
		a, l, _ := newAttach(t)
		l.fails = c.err
		collected, err := Collect(t.Context(), a, nil)
		testkit.That(t, errors.Is(err, c.err) && strings.Contains(err.Error(), c.want) && len(collected.Sessions) == 0,
			"%v: %v", c.err, err)
		testkit.Equal(t, len(l.asked), 1, "%v: asked for %q", c.err, l.asked)
	}
	a, _, _ := newAttach(t)
	a.Library += ".not"
	err := a.Connect(t.Context())
	testkit.That(t, err != nil && strings.Contains(err.Error(), "there is no agent library"), "%v", err)
	_, err = CheckAgentLibrary(os.TempDir())
	testkit.That(t, err != nil && strings.Contains(err.Error(), "is no file"), "%v", err)
	// A library that is no agent is told to stop, in vain or not.
	a, l, _ := newAttach(t)
	a.load = func(_ context.Context, _ int, _, options string) error {
		l.asked = append(l.asked, options)
		return nil
	}
	if err := a.Connect(t.Context()); err == nil || !strings.Contains(err.Error(), "does not listen on") || l.asked[len(l.asked)-1] != "trace=off" {
		t.Errorf("%v, asked for %q", err, l.asked)
	}
}
