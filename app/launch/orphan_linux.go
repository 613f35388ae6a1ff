package launch

import "syscall"

// endsWithUs asks the system to end a program that is started when this one is killed: nobody would
// read its trace any more, and nobody would know of it.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
