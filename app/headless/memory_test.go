package headless

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/app/memory"
	"framescope/app/soak"
	"framescope/internal/testkit"
)

// liveLimit asks the test program to be a viewer without a window, with so many bytes of memory.
const liveLimit = "FRAMESCOPE_TEST_LIVE_LIMIT"

func TestMain(m *testing.M) {
	if limit, err := strconv.ParseInt(os.Getenv(liveLimit), 10, 64); err == nil {
		if err := serveLive(limit); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveLive receives games, and says where. When it is asked by a byte on standard input it takes
// in all that the games sent, which must have gone, says what came, and then waits for the input's
// end.
func serveLive(limit int64) error {
	keeper := memory.Keep(limit, 0, 0)
	live, err := ListenLive(context.Background(), LiveOptions{Addr: "127.0.0.1:0", Memory: keeper})
	if err != nil {
		return err
	}
	fmt.Println(live.Addr(), keeper.Baseline())
	asked := make(chan struct{})
	go func() {
		os.Stdin.Read(make([]byte, 1))
		close(asked)
	}()
	for over := false; !over || !live.Ended(); {
		select {
		case <-asked:
			asked, over = nil, true
		case <-time.After(pollEvery):
		}
		if err := live.Poll(nil); err != nil {
			return err
		}
	}
	for _, c := range live.Clients() {
		l := c.Session.Ledger()
		fmt.Println(l.Received, l.Evicted, l.Ours, live.store.Memory())
	}
	fmt.Println("over")
	os.Stdin.Read(make([]byte, 1))
	return nil
}

// The resident memory of the program stays within the limit, a fifth of it and what the program
// takes empty, while a game sends as much as it can.
func TestResidentMemoryOfALiveSession(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("this system does not tell the resident memory of another program")
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const limit = 64 << 20
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), liveLimit+"="+strconv.Itoa(limit))
	cmd.Stderr = os.Stderr
	in := testkit.Must(cmd.StdinPipe())(t)
	out := testkit.Must(cmd.StdoutPipe())(t)
	testkit.OK(t, cmd.Start())
	defer cmd.Process.Kill()
	var addr string
	var empty int64
	testkit.Must(fmt.Fscanln(out, &addr, &empty))(t)

	// So much that several times the limit comes, however slow the machine.
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var sent soak.Sent
	go func() {
		for !testkit.WaitFor(func() bool { return ctx.Err() != nil || sent.Frames() >= 3000 }) {
		}
		stop()
	}()
	load := soak.Load{Addr: addr, Name: "fast", Rate: 5000, Threads: 4, Spans: 500}
	testkit.OK(t, load.Run(ctx, &sent))
	in.Write([]byte{'?'})
	rest := bufio.NewScanner(out)
	for rest.Scan() && rest.Text() != "over" {
		t.Log("received, left, dropped, held:", rest.Text())
	}
	peak := highWater(t, cmd.Process.Pid)
	in.Close()
	testkit.OK(t, cmd.Wait())
	bound := empty + limit + limit/memory.Slack
	testkit.That(t, peak <= bound,
		"the peak of the resident memory is %d MiB, at most it may be %d MiB", peak>>20, bound>>20)
	testkit.That(t, sent.Frames() >= 3000, "only %d frames were sent", sent.Frames())
}

// highWater returns the greatest resident memory that a program had, in bytes.
func highWater(t *testing.T, pid int) int64 {
	data := testkit.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))(t)
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "VmHWM:" {
			kB, _ := strconv.ParseInt(f[1], 10, 64)
			return kB << 10
		}
	}
	t.Fatal("no high-water mark")
	return 0
}
