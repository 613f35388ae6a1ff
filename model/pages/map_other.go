//go:build !unix && !windows

package pages

const supported = false

func mapPages(int) []byte { return nil }

func unmapPages([]byte) {}
