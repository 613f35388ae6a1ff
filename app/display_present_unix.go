//go:build (linux && !android) || freebsd || netbsd || openbsd

package app

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// HasDisplay returns nil if an X server can be reached. Ebitengine would panic later without
// one, or take over the console where there is a framebuffer device and no window system.
func HasDisplay() error {
	d := os.Getenv("DISPLAY")
	if d == "" {
		return errors.New("DISPLAY is not set")
	}
	host, number, ok := strings.Cut(d, ":")
	if i := strings.LastIndexByte(d, ':'); ok && i > 0 {
		host, number = d[:i], d[i+1:]
	}
	number, _, _ = strings.Cut(number, ".")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > 59535 {
		return fmt.Errorf("DISPLAY %q is invalid", d)
	}
	const wait = 3 * time.Second
	try := func(network, address string) bool {
		c, err := net.DialTimeout(network, address, wait)
		if err != nil {
			return false
		}
		c.Close()
		return true
	}
	if host == "" || host == "unix" || strings.HasPrefix(host, "/") {
		path := "/tmp/.X11-unix/X" + number
		if strings.HasPrefix(host, "/") {
			path = d // launchd's way: a whole path
		}
		// Linux servers also listen on an abstract socket, the only one if /tmp is not shared.
		if try("unix", path) || try("unix", "@"+path) {
			return nil
		}
	} else if try("tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))) {
		return nil
	}
	return fmt.Errorf("no X server answers at DISPLAY %q", d)
}
