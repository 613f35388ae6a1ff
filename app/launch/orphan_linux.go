package launch

import "syscall"

// endsWithUs makes the system end a started program when this one is killed: otherwise it would go on
// unnoticed, without a reader of its trace.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
