//go:build !linux

package columns

func hugePages([]byte) {}
