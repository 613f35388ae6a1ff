//go:build !linux

package pages

func hugePages([]byte) {}
