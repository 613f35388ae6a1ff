package flare

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
)

// ThreadRecord is a sample of a thread as it lies in a folder (FORMAT.md, "Stack record"); in a
// summary it is the thread's newest.
type ThreadRecord struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	Priority  int64      `json:"priority"`
	Daemon    bool       `json:"daemon"`
	State     string     `json:"state"`
	CPU       int64      `json:"cpu_time"`       // ns
	Delta     int64      `json:"cpu_time_delta"` // ns
	Time      int64      `json:"sample_time"`    // ms since 1970
	Count     int64      `json:"sample_count"`
	Stack     []MethodID `json:"stacktrace"`
	Duration  int64      `json:"duration"`
	SelfTime  int64      `json:"self_duration"`
	SelfTimeC int64      `json:"self_cpu_time"`
}

// RecordOf returns a sample of a thread as it lies in a folder.
func RecordOf(id int64, name string, x Record) ThreadRecord {
	return ThreadRecord{
		ID: id, Name: name, CPU: x.CPUNs, Delta: x.CPUDeltaNs, Time: x.TimeMs, Count: x.Count, Stack: ListOf(x.Stack),
	}
}

// Summary is the summary of a sample folder.
type Summary struct {
	Info    Info           `json:"sample_info"`
	Threads []ThreadRecord `json:"threads"`
}

// ReadSummary reads the summary of the folder that a file system is the root of.
func ReadSummary(fsys fs.FS) (*Summary, error) {
	r := &reader{fsys: fsys, rec: &Recording{}}
	data := r.load(SummaryFile, maxSummaryBytes)
	if len(r.rec.Problems) > 0 {
		return nil, r.rec.Problems[0]
	}
	return parseSummary(data)
}

func parseSummary(data []byte) (*Summary, error) {
	s := &Summary{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("is not a summary: %w", err)
	}
	return s, nil
}

// ReadFolderInfo reads only the summary of a folder; ok is false if it is unreadable.
func ReadFolderInfo(dir string) (info Info, ok bool) {
	s, err := ReadSummary(os.DirFS(dir))
	if err != nil {
		return info, false
	}
	return s.Info, true
}
