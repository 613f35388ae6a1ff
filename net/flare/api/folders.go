package api

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"framescope/net/flare/folder"
	"framescope/net/flare/sample"
)

// prefix is how clients call the samples folder.
const prefix = "flare-samples/"

// errNoFolder is the answer to any sample folder that can't be opened, wherever it would be: clients learn nothing about other folders.
const errNoFolder = failure("sample data dir not found")

// maxHistory bounds how many folders are listed.
const maxHistory = 10_000

// history lists the sample folders, the newest first. In compat mode it lists every folder there is, sample folder or not.
func (s *Server) history(ctx context.Context, out *reply) error {
	var list array
	for _, name := range s.folders(ctx) {
		var o object
		o.text("path", prefix+name)
		o.text("type", "file")
		list.add(&o)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var o object
	o.raw("history_samples", list.end())
	return out.success(&o)
}

func (s *Server) folders(ctx context.Context) (out []string) {
	root, err := os.OpenRoot(s.opt.Samples)
	if err != nil {
		return nil // nothing was recorded yet
	}
	defer root.Close()
	list, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	// Names end with the time at which they were made.
	slices.SortStableFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(madeAt(b.Name()), madeAt(a.Name())) })
	for _, e := range list {
		if len(out) == maxHistory || ctx.Err() != nil {
			return out
		}
		if !e.IsDir() {
			continue
		}
		if !s.opt.Compat {
			sub, err := fs.Sub(root.FS(), e.Name())
			if err != nil || !folder.IsFS(sub) {
				continue
			}
		}
		out = append(out, e.Name())
	}
	return out
}

// madeAt is the part of a folder's name that tells when it was made.
func madeAt(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }

// openSample opens a sample folder.
func (s *Server) openSample(ctx context.Context, req *request, out *reply) error {
	id, err := req.text("sample_data_dir", true)
	if err != nil {
		return err
	}
	name, ok := folderName(id)
	if !ok {
		return errNoFolder
	}
	x, err := s.sessions.open(ctx, id, nil, func(x *session) (err error) {
		x.file, err = s.opt.read(ctx, s.opt.Samples, name)
		return err
	})
	if err != nil {
		return err
	}
	return opened(x, out)
}

// folderName is the folder right below the samples folder that a client means.
func folderName(id string) (name string, ok bool) {
	clean := path.Clean(id)
	name = strings.TrimPrefix(clean, prefix)
	return name, name != "." && name != strings.TrimSuffix(prefix, "/") && fs.ValidPath(name) && !strings.ContainsAny(name, "/\\\x00")
}

// readFolder returns the function that reads a sample folder. Links that lead out of the samples folder are not followed.
func readFolder(compat bool) func(ctx context.Context, samples, name string) (*recording, error) {
	return func(ctx context.Context, samples, name string) (*recording, error) {
		root, err := os.OpenRoot(samples)
		if err != nil {
			return nil, errNoFolder
		}
		defer root.Close()
		dir, err := root.OpenRoot(name)
		if err != nil {
			return nil, errNoFolder
		}
		defer dir.Close()
		rec, err := folder.ReadFS(ctx, dir.FS(), prefix+name, nil)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, errNoFolder
		}
		out := &recording{rec: rec, name: prefix + name}
		if compat {
			out.summary = readSummary(dir.FS())
		} else {
			folder.NameFromNeighboursFS(ctx, rec, root.FS(), name)
		}
		return out, nil
	}
}

// threadRecord is a thread as the dashboard shows it, and as it lies in a folder (FORMAT.md, "Stack record").
type threadRecord struct {
	ID        int64             `json:"id"`
	Name      string            `json:"name"`
	Priority  int64             `json:"priority"`
	Daemon    bool              `json:"daemon"`
	State     string            `json:"state"`
	CPU       int64             `json:"cpu_time"`
	Delta     int64             `json:"cpu_time_delta"`
	Time      int64             `json:"sample_time"`
	Count     int64             `json:"sample_count"`
	Stack     []sample.MethodID `json:"stacktrace"`
	Duration  int64             `json:"duration"`
	SelfTime  int64             `json:"self_duration"`
	SelfTimeC int64             `json:"self_cpu_time"`
}

// sampleInfo is what the dashboard says of a recording.
type sampleInfo struct {
	Interval    int64  `json:"sample_interval"`
	SampleStart int64  `json:"sample_start_time"`
	RecordStart int64  `json:"record_start_time"`
	LastRecord  int64  `json:"last_record_time"`
	Addr        string `json:"agent_addr"`
	Dir         string `json:"sample_data_dir"`
}

// summary is the summary of a sample folder.
type summary struct {
	Info    sampleInfo     `json:"sample_info"`
	Threads []threadRecord `json:"threads"`
}

func readSummary(fsys fs.FS) *summary {
	data, err := folder.SummaryText(fsys)
	if err != nil {
		return nil
	}
	s := &summary{}
	if json.Unmarshal(data, s) != nil {
		return nil
	}
	return s
}
