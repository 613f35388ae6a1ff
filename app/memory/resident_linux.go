package memory

import (
	"bytes"
	"os"
	"strconv"
)

// resident returns the resident memory of this process, in bytes; 0 when it is not known.
func resident() int64 {
	f, err := os.Open("/proc/self/statm")
	if err != nil {
		return 0
	}
	defer f.Close()
	var room [128]byte
	n, _ := f.Read(room[:])
	return parseStatm(room[:n], int64(os.Getpagesize()))
}

// parseStatm reads the second number of /proc/self/statm, which is in pages.
func parseStatm(text []byte, page int64) int64 {
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * page
}
