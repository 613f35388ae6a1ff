package sessions

import (
	"os"
	"slices"

	"framescope/app/launch"
	"framescope/net/feed"
	"framescope/widgets"
)

// recentLook is a snapshot of the recently opened recordings.
type recentLook struct {
	rows     []widgets.FileRow
	of       []string // the paths that rows were made of
	revision uint64
	looking  bool
	nextNs   int64
}

// lookAtRecent brings the list of recordings that were opened last up to date, in a moment: those
// that are gone are left out. Looking at files may take long, so that others do it.
func (ss *Sessions) lookAtRecent() {
	r := &ss.recent
	if now := ss.ask.Env.NowNs; r.looking || slices.Equal(r.of, ss.settings.Recent) && now < r.nextNs {
		return
	}
	paths := slices.Clone(ss.settings.Recent)
	r.looking = true
	ss.do(func() func() {
		var rows []widgets.FileRow
		for _, path := range paths {
			if row, ok := lookAtFile(ss.sources.registry, path); ok && len(rows) < widgets.MaxFiles {
				rows = append(rows, row)
			}
		}
		return func() {
			r.looking, r.of, r.nextNs = false, paths, ss.ask.Env.NowNs+diskEvery
			if !slices.Equal(r.rows, rows) {
				r.rows = rows
				r.revision++
			}
		}
	})
}

// lookAtFile describes a recording; false: there is none at this path. It does not read FIFOs.
func lookAtFile(known feed.Registry, path string) (row widgets.FileRow, ok bool) {
	st, err := os.Stat(path)
	if err != nil {
		return row, false
	}
	row = widgets.FileRow{Path: path, Kind: "FIFO", Bytes: -1, Changed: st.ModTime()}
	if launch.IsStream(path) {
		return row, true
	}
	src, err := known.Recognise(path)
	if err != nil {
		return row, false
	}
	row.Kind, row.Bytes = src.Name(), st.Size()
	if st.IsDir() {
		row.Bytes = folderSize(path)
	}
	return row, true
}

// folderSize is how large the files of a folder are together, -1 where there are too many to look at.
func folderSize(path string) (sum int64) {
	f, err := os.Open(path)
	if err != nil {
		return -1
	}
	defer f.Close()
	const most = 4096
	entries, _ := f.ReadDir(most)
	if len(entries) == most {
		return -1
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
	}
	return sum
}
