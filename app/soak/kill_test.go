package soak

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"framescope/app/load"
	"framescope/internal/testkit"
)

var kills = flag.Int("kills", 2, "how often TestKill kills the viewer")

// lost is how much of a session may be missing after its viewer was killed. The rest of the bound
// is for what lies between the game's hand and the viewer's: on a busy machine a frame waits its
// turn.
const lost = time.Second

// TestKill kills the real program again and again while a game sends, at moments that nobody chose,
// and then looks for every frame that was sent a second before or earlier: in the session on disk,
// and in the file that was recorded. What was there before must be there still.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("opens windows")
	}
	screen, state, files := display(t), t.TempDir(), t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	found := map[string]int{} // frames by path
	for i := range *kills {
		after := time.Duration(random.Int64N(int64(3 * time.Second)))
		record := filepath.Join(files, fmt.Sprintf("run%d.pstats", i))
		args := []string{"--memory", "256MiB"}
		if i%2 == 0 {
			args = append(args, "--record", record)
		}
		p := startProgram(t, screen, state, args...)
		ctx, stop := context.WithCancel(context.Background())
		var sent Sent
		played := make(chan error, 1)
		load := Load{Addr: p.addr, Name: fmt.Sprintf("kill %d", i), Rate: 120, Threads: 4, Spans: 60}
		go func() { played <- load.Run(ctx, &sent) }()
		testkit.WaitUntil(t, "the first frame", func() bool { p.alive(); return sent.Frames() > 0 })
		time.Sleep(after) // nobody chose the moment
		due := sent.Before(time.Now().Add(-lost))
		p.kill()
		stop()
		<-played

		fresh := 0
		for _, s := range sessions(t, state) {
			n := framesOf(t, s)
			old, known := found[s]
			if !known {
				fresh++
				testkit.That(t, n >= due, "kill %d after %v: %d frames on disk, %d were sent a second before", i, after, n, due)
			} else if n < old {
				t.Errorf("kill %d: %s had %d frames and has %d", i, s, old, n)
			}
			found[s] = n
		}
		testkit.That(t, fresh <= 1 && (fresh != 0 || due <= 0),
			"kill %d: %d new sessions on disk, %d frames were due", i, fresh, due)
		if i%2 == 0 && due > 0 {
			if n := framesOf(t, record); n < due {
				t.Errorf("kill %d after %v: %d frames in the recording, %d were sent a second before", i, after, n, due)
			}
		}
	}
	var all int
	for _, n := range found {
		all += n
	}
	t.Logf("%d kills, %d sessions, %d frames", *kills, len(found), all)
}

// sessions lists the sessions on disk as the command line does.
func sessions(t *testing.T, state string) (paths []string) {
	t.Helper()
	path := testkit.Must(binary())(t)
	cmd := exec.Command(path, "sessions", "--json")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+state)
	cmd.Stderr = os.Stderr
	out := testkit.Must(cmd.Output())(t)
	var list struct {
		Sessions []struct{ Path string }
	}
	err := json.Unmarshal(out, &list)
	testkit.MustThat(t, err == nil, "%v in %s", err, out)
	for _, s := range list.Sessions {
		paths = append(paths, s.Path)
	}
	return paths
}

// framesOf opens a recording and returns the number of frames of its main thread.
func framesOf(t *testing.T, path string) int {
	t.Helper()
	rec, err := load.File(context.Background(), path, load.Options{})
	if rec == nil {
		t.Errorf("%s: %v", path, err)
		return 0
	}
	if track := rec.Session.Track(0); track != nil {
		return track.NumFrames()
	}
	return 0
}
