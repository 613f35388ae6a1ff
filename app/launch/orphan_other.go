//go:build !linux

package launch

import "syscall"

// endsWithUs would ask the system to end a program that is started when this one is killed, which
// this system does not do.
func endsWithUs() *syscall.SysProcAttr { return nil }
