package journal

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"framescope/net/journal/disk"
)

// segmentFile is a file of a session's folder.
type segmentFile struct {
	name    string
	number  uint64 // 0: the base
	size    int64
	written time.Time
}

// segmentName returns the name of a segment's file.
func segmentName(number uint64) string {
	if number == 0 {
		return baseFile
	}
	return fmt.Sprintf("%08d%s", number, segmentExt)
}

// segmentNumber reads the name of a segment's file.
func segmentNumber(name string) (number uint64, ok bool) {
	if name == baseFile {
		return 0, true
	}
	digits, ok := strings.CutSuffix(name, segmentExt)
	if !ok {
		return 0, false
	}
	number, err := strconv.ParseUint(digits, 10, 63)
	return number, err == nil && number > 0 && segmentName(number) == name
}

// listSegments returns the segments in a folder in their order, the base first.
func listSegments(fsys disk.FS, dir string) ([]segmentFile, error) {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []segmentFile
	for _, e := range entries {
		number, ok := segmentNumber(e.Name())
		if !ok || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it has just left
		}
		list = append(list, segmentFile{e.Name(), number, info.Size(), info.ModTime()})
	}
	slices.SortFunc(list, func(a, b segmentFile) int { return cmp.Compare(a.number, b.number) })
	return list, nil
}

// path returns the file of a segment in a folder.
func (s segmentFile) path(dir string) string { return filepath.Join(dir, s.name) }
