package cli

import (
	"fmt"
	"time"

	"framescope/net/flare"
)

// maxListed bounds the recordings that are listed.
const maxListed = 20

// history returns the recordings in a folder of Flare sample folders, the newest first, each with its
// segments in order of time; nothing for any other path.
func history(path string) [][]string {
	if flare.IsFolder(path) {
		return nil
	}
	return flare.Recordings(path)
}

// begun returns when a recording began, Unix epoch ms.
func begun(segments []string) int64 {
	info, _ := flare.ReadFolderInfo(segments[0])
	return info.RecordStartMs
}

// recordings replaces folders of several recordings by these if all are wanted. Otherwise it reports
// those that are not opened.
func (s *Streams) recordings(names []string, all bool) (out []string) {
	for _, name := range names {
		found := history(name)
		switch {
		case len(found) < 2:
			out = append(out, name)
		case all:
			for _, segments := range found {
				out = append(out, segments...)
			}
		default:
			out = append(out, name)
			fmt.Fprintf(s.Err, "framescope: %s holds %d recordings; the newest opens, --all opens them "+
				"all. The others are\n", name, len(found))
			for i, segments := range found[1:] {
				if i == maxListed {
					fmt.Fprintf(s.Err, "  and %d more\n", len(found)-1-maxListed)
					break
				}
				when := ""
				if ms := begun(segments); ms > 0 {
					when = ", begun " + time.UnixMilli(ms).Format(time.DateTime)
				}
				if len(segments) > 1 {
					when += fmt.Sprintf(", in %d folders", len(segments))
				}
				fmt.Fprintf(s.Err, "  %s%s\n", segments[0], when)
			}
		}
	}
	return out
}
