package decode

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/server"
)

// TestTruthOfPanda3D looks at what a real client sends, Panda3D as it comes from PyPI: with threads of
// its own for culling and drawing, and with OpenGL and its timing. The variable FRAMESCOPE_PYTHON
// names a Python that has it.
func TestTruthOfPanda3D(t *testing.T) {
	python, err := exec.LookPath(cmp.Or(os.Getenv("FRAMESCOPE_PYTHON"), "python3"))
	if err == nil {
		err = exec.Command(python, "-c", "import panda3d.core, direct").Run()
	}
	if err != nil {
		t.Skipf("no Python with Panda3D (pip install panda3d): %v", err)
	}
	const steps = 40
	for tracks, prc := range map[int]string{
		3: "threading-model Cull/Draw", 2: "load-display p3headlessgl\npstats-gpu-timing true",
	} {
		s := &pstatstest.Sink{Session: store.NewSession()}
		cfg := server.Config{Addr: "127.0.0.1:0", NewSession: func(server.SessionInfo) pstats.Handler { return New(s, Options{}) }}
		srv := testkit.Must(server.Listen(t.Context(), cfg))(t)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		port := strconv.Itoa(int(srv.Addr().Port()))
		script := "../../../testdata/pstats/panda_wild.py"
		cmd := exec.CommandContext(ctx, python, script, port, strconv.Itoa(steps), "0", prc)
		cmd.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=1")
		out, err := cmd.CombinedOutput()
		cancel()
		testkit.MustThat(t, err == nil, "the client failed: %v\n%s", err, out)
		testkit.WaitUntil(t, "the end", func() bool { return len(srv.Clients()) == 0 })
		srv.Close()
		testkit.MustEqual(t, s.Session.NumTracks(), tracks, "threads")
		testkit.Equal(t, untrue(s.Session), "", "untrue")
		main := s.Session.Track(0)
		testkit.That(t, main.NumFrames() >= steps-5, "%d frames", main.NumFrames())
		if tracks == 2 {
			checkMovedClock(t, s.Session)
		}
	}
}

// checkMovedClock demands that the frames of the GPU lie where those of the main thread with the same
// numbers do, within what is said of the uncertainty.
func checkMovedClock(t *testing.T, s *store.Session) {
	main, gpu := s.Track(0), s.Track(1)
	def := gpu.Def
	testkit.That(t, def.Kind == model.TrackGPU && !def.OwnClock && def.ShiftNs != 0 && def.ShiftSpreadNs > 0 &&
		def.ShiftFrames >= 16, "the GPU's track: %+v", def)
	near, shared := 0, 0
	for i := range gpu.NumFrames() {
		f := gpu.Frame(i)
		if k, ok := main.FrameByNumber(f.Number); ok {
			shared++
			if off := f.Begin - main.Frame(k).Begin; max(off, -off) <= def.ShiftSpreadNs {
				near++
			}
		}
	}
	testkit.That(t, shared >= 30 && near >= shared*3/4,
		"%d of %d frames of the GPU are within %v of the main thread's", near, shared, time.Duration(def.ShiftSpreadNs))
}
