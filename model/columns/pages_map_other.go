//go:build !unix && !windows

package columns

const supported = false

func mapPages(int) []byte { return nil }

func unmapPages([]byte) {}
