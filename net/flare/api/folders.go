package api

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"framescope/net/flare"
)

// prefix is how clients call the samples folder.
const prefix = "flare-samples/"

// errNoFolder is the answer for any sample folder that does not open, wherever it would be: clients learn nothing
// about other folders.
const errNoFolder = failure("sample data dir not found")

// maxHistory bounds how many folders are listed.
const maxHistory = 10_000

// history lists the sample folders, the newest first. In compat mode it lists every folder there
// is, sample folder or not.
func (s *Server) history(ctx context.Context, _ *request, out *reply) error {
	list := []fields{}
	for _, name := range s.folders(ctx) {
		list = append(list, fields{"path": prefix + name, "type": "file"})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return out.success(fields{"history_samples": list})
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
			if err != nil || !flare.IsFolderFS(sub) {
				continue
			}
		}
		out = append(out, e.Name())
	}
	return out
}

// madeAt returns the part of a folder's name with its time of creation.
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
	x, err := s.openSession(ctx, id, func(ctx context.Context, x *apiSession) (err error) {
		x.file, err = s.opt.read(ctx, s.opt.Samples, name)
		return err
	})
	if err != nil {
		return err
	}
	return out.success(x.fields())
}

// folderName is the folder right below the samples folder that a client means.
func folderName(id string) (name string, ok bool) {
	clean := path.Clean(id)
	name = strings.TrimPrefix(clean, prefix)
	return name, name != "." && name != strings.TrimSuffix(prefix, "/") && fs.ValidPath(name) && !strings.ContainsAny(name, "/\\\x00")
}

// readFolder returns the function that reads a sample folder. Links that lead out of the samples
// folder are not followed.
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
		rec, err := flare.ReadFolderFS(ctx, dir.FS(), prefix+name, nil)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, errNoFolder
		}
		out := &recording{rec: rec, name: prefix + name}
		if compat {
			out.summary, _ = flare.ReadSummary(dir.FS()) // without one the samples themselves are looked at
		} else {
			flare.NameFromNeighbours(ctx, rec, root.FS(), name)
			rec.DropLeaps()
			rec.DropLeftovers()
		}
		return out, nil
	}
}
