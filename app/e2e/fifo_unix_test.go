//go:build integration && unix

package e2e

import "syscall"

func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }
