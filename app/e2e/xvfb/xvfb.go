// Package xvfb starts X servers without a screen, for tests that need a window.
package xvfb

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"framescope/internal/testkit"
)

// Start starts a separate X server, so that pictures do not depend on the user's screen, and returns
// the name of its display; why is the reason for a failure. stop is never nil.
func Start() (stop func(), display, why string) {
	if runtime.GOOS != "linux" {
		return func() {}, "", "windows without a screen are opened on Linux only"
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return func() {}, "", "no Xvfb here (Debian: apt-get install xvfb libgl1-mesa-dri)"
	}
	for range 5 {
		if stop, display, why = start(path); why == "" {
			return stop, display, ""
		}
	}
	return func() {}, "", why
}

// start starts one X server and waits until it answers.
func start(path string) (stop func(), display, why string) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, "", err.Error()
	}
	defer r.Close()
	// Without -noreset the server would reset itself when its last client leaves, and turn the
	// next one away.
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "2560x1440x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, "", "Xvfb does not start: " + err.Error()
	}
	w.Close()
	stop = func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	r.SetReadDeadline(time.Now().Add(20 * time.Second))
	number, err := bufio.NewReader(r).ReadString('\n')
	number = strings.TrimSpace(number)
	if err != nil || number == "" {
		stop()
		return nil, "", fmt.Sprintf("Xvfb does not come up: %v %s", err, complaints.String())
	}
	answers := func() bool {
		c, err := net.Dial("unix", "/tmp/.X11-unix/X"+number)
		if err == nil {
			c.Close()
		}
		return err == nil
	}
	if testkit.WaitFor(answers) {
		return stop, ":" + number, ""
	}
	stop()
	return nil, "", "Xvfb :" + number + " does not answer: " + complaints.String()
}
