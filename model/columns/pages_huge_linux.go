package columns

import "syscall"

const adviseHuge = 14 // MADV_HUGEPAGE

// hugePages wishes for pages of 2 MiB where a slab has room for one: the system then works once
// when memory is first touched, where it would 512 times.
func hugePages(mem []byte) {
	if len(mem) >= 2<<20 {
		_ = syscall.Madvise(mem, adviseHuge)
	}
}
