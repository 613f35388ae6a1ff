//go:build unix

package columns

import "syscall"

const supported = true

func mapPages(length int) []byte {
	mem, err := syscall.Mmap(-1, 0, length, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic("pages: out of memory: " + err.Error())
	}
	return mem
}

func unmapPages(mem []byte) {
	if err := syscall.Munmap(mem); err != nil {
		panic("pages: " + err.Error())
	}
}
