// The reader of the Flare JVM profiler's sample folders. Source: FORMAT.md of net/flare, section "Sample folders".
// It never writes to a folder.

package flare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
)

// Limits for reading a folder.
const (
	maxFileBytes     = 1 << 30
	maxSummaryBytes  = 64 << 20
	folderMaxThreads = 1 << 16
	maxProblems      = 1000
)

// SummaryFile is the file by which a folder is recognised.
const SummaryFile = "summary_info.json"

// IsFolder reports whether a folder looks like a recording: it has a summary or the stacks of a thread. It
// may be damaged all the same.
func IsFolder(dir string) bool { return IsFolderFS(os.DirFS(dir)) }

// IsFolderFS is Is of the folder that a file system is the root of.
func IsFolderFS(fsys fs.FS) bool {
	if st, err := fs.Stat(fsys, SummaryFile); err == nil && st.Mode().IsRegular() {
		return true
	}
	list, err := fs.ReadDir(fsys, ".")
	return err == nil && slices.ContainsFunc(list, func(e fs.DirEntry) bool {
		_, part, ok := threadFile(e.Name())
		return ok && part != cpuPart
	})
}

// ReadFolder reads one folder. Damaged or missing parts are listed in the recording's Problems, and the rest is
// read; the error is not nil only if nothing at all could be read, or ctx was done. progress, which may be nil,
// gets the bytes done and the bytes of all files.
func ReadFolder(ctx context.Context, dir string, progress func(done, total int64)) (*Recording, error) {
	return ReadFolderFS(ctx, os.DirFS(dir), dir, progress)
}

// ReadFolderFS is Read of the folder that a file system is the root of; dir is what errors and problems
// call it.
func ReadFolderFS(ctx context.Context, fsys fs.FS, dir string, progress func(done, total int64)) (*Recording, error) {
	r := &reader{
		ctx: ctx, fsys: fsys, dir: dir, progress: progress,
		rec: &Recording{Methods: map[MethodID]string{}},
	}
	list, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, plain(err))
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			r.total += info.Size()
		}
		if id, _, ok := threadFile(e.Name()); ok && !r.thread(id) {
			r.problem(e.Name(), -1, "more threads than can be shown")
			break
		}
	}
	some := len(r.rec.Threads) > 0
	if found := r.summary(); !some && !found {
		return nil, fmt.Errorf("%s: not a recording: the folder has neither %s nor the stacks of a thread", dir, SummaryFile)
	}
	r.methods()
	for _, t := range r.rec.Threads {
		if err := ctx.Err(); err != nil {
			return r.rec, err
		}
		if name := threadName(t.ID, cpuPart); r.has(name) {
			r.series(t, name)
		}
		if r.has(threadName(t.ID, indexPart)) || r.has(threadName(t.ID, dataPart)) {
			r.stacks(t)
		}
		r.checkSeries(t)
	}
	for _, file := range slices.Sorted(maps.Keys(r.problems)) {
		if n := r.problems[file] - eachFault; n > 0 && len(r.rec.Problems) < 2*maxProblems {
			r.rec.Problems = append(r.rec.Problems, Problem{
				File: filepath.Join(dir, file), Offset: -1, Reason: fmt.Sprintf("and %d problems more", n),
			})
		}
	}
	return r.rec, nil
}

// thread makes sure that a thread is in the recording; false where there are too many.
func (r *reader) thread(id int64) bool {
	if r.rec.Thread(id) == nil && len(r.rec.Threads) == folderMaxThreads {
		return false
	}
	r.rec.EnsureThread(id)
	return true
}

// has reports whether the folder has a file.
func (r *reader) has(name string) bool { _, err := fs.Stat(r.fsys, name); return err == nil }

// reader reads one folder.
type reader struct {
	ctx         context.Context
	fsys        fs.FS  // its root is the folder
	dir         string // its name in problems
	rec         *Recording
	progress    func(done, total int64)
	done, total int64
	problems    map[string]int // by file
}

// eachFault is how many problems of one file a recording lists; a file that is cut or lacks entries has a few.
const eachFault = 5

// problem notes what of a file can't be read; of many problems of one file only the first, and how many more there are.
func (r *reader) problem(file string, offset int64, format string, args ...any) {
	n := r.problems[file] + 1
	model.Put(&r.problems, file, n)
	if n <= eachFault && len(r.rec.Problems) < maxProblems {
		r.rec.Problems = append(r.rec.Problems, Problem{
			File: filepath.Join(r.dir, file), Offset: offset, Reason: fmt.Sprintf(format, args...),
		})
	}
}

// load reads a whole file; nil with a problem noted if it can't.
func (r *reader) load(name string, limit int64) []byte {
	// Opening a device or a pipe would wait for ever.
	if st, err := fs.Stat(r.fsys, name); err == nil && !st.Mode().IsRegular() {
		r.problem(name, -1, "is not a regular file")
		return nil
	}
	f, err := r.fsys.Open(name)
	if err != nil {
		r.problem(name, -1, "%v", plain(err))
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		r.problem(name, int64(len(data)), "%v", plain(err))
	}
	if int64(len(data)) > limit {
		r.problem(name, limit, "larger than %d bytes: the rest is not read", limit)
		data = data[:limit]
	}
	r.done += int64(len(data))
	if r.progress != nil {
		r.progress(min(r.done, r.total), r.total)
	}
	return data
}

// plain is an error without the path, which the problem names anyway.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// filePart is one of the three files of a thread.
type filePart uint8

const (
	cpuPart filePart = iota
	indexPart
	dataPart
)

var partNames = [...]string{cpuPart: "_cpu_time.fts", indexPart: "_stack.fidx", dataPart: "_stack.fdata"}

// threadFile returns the thread and part of a file name.
func threadFile(name string) (id int64, part filePart, ok bool) {
	rest, ok := strings.CutPrefix(name, "thread_")
	if !ok {
		return 0, 0, false
	}
	for p, suffix := range partNames {
		if number, ok := strings.CutSuffix(rest, suffix); ok {
			id, err := strconv.ParseInt(number, 10, 64)
			return id, filePart(p), err == nil
		}
	}
	return 0, 0, false
}

func threadName(id int64, part filePart) string {
	return "thread_" + strconv.FormatInt(id, 10) + partNames[part]
}

// Recordings returns the recordings in a folder of sample folders, the newest first.
func Recordings(path string) [][]string {
	list, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, e := range list {
		if dir := filepath.Join(path, e.Name()); e.IsDir() && IsFolder(dir) {
			dirs = append(dirs, dir)
		}
	}
	return Segments(dirs)
}

// Segments groups folders of one parent into recordings, the newest first: those of one agent and one start of
// sampling belong together, in order of time. dirs are paths of folders; unreadable ones stand alone.
func Segments(dirs []string) (out [][]string) {
	type key struct {
		addr  string
		start int64
	}
	at := map[key]int{}
	begin := map[string]int64{}
	for _, dir := range dirs {
		info, _ := ReadFolderInfo(dir)
		begin[dir] = info.RecordStartMs
		k := key{info.AgentAddr, info.SampleStartMs}
		i, known := at[k]
		if !known || info.SampleStartMs == 0 {
			i, out = len(out), append(out, nil)
			at[k] = i
		}
		out[i] = append(out[i], dir)
	}
	for _, group := range out {
		slices.SortStableFunc(group, func(a, b string) int { return cmp.Compare(begin[a], begin[b]) })
	}
	slices.SortStableFunc(out, func(a, b []string) int { return cmp.Compare(begin[b[0]], begin[a[0]]) })
	return out
}

// Join puts the segments of one recording, in order of time, into one. Names that are missing in
// one segment are taken from the others. It has no series of CPU time.
func Join(parts []*Recording) *Recording {
	if len(parts) == 1 {
		return parts[0]
	}
	out := &Recording{Methods: map[MethodID]string{}}
	for i, p := range parts {
		if i == 0 {
			out.Info = p.Info
		}
		out.LastRecordMs = max(out.LastRecordMs, p.LastRecordMs)
		out.Problems = append(out.Problems, p.Problems...)
		maps.Copy(out.Methods, p.Methods)
		for _, t := range p.Threads {
			to := out.EnsureThread(t.ID)
			if to.Name == "" || t.Name != "" && len(t.Records) > 0 {
				to.Name = t.Name
			}
			for _, n := range t.Renamed {
				if k := len(to.Renamed); k == 0 || to.Renamed[k-1].Name != n.Name {
					to.Renamed = append(to.Renamed, n)
				}
			}
			to.Records = append(to.Records, t.Records...)
		}
	}
	for _, t := range out.Threads {
		slices.SortStableFunc(t.Records, func(a, b Record) int { return cmp.Compare(a.TimeMs, b.TimeMs) })
	}
	return out
}

// NameFromNeighbours looks for the names of methods that rec uses but does not know in the other
// segments of the same recording, which lie in parent beside its own, name. Numbers of methods are valid in all of
// them: it is the same JVM.
func NameFromNeighbours(ctx context.Context, rec *Recording, parent fs.FS, name string) {
	if rec.SampleStartMs == 0 {
		return
	}
	missing := folderUnnamed(rec)
	if len(missing) == 0 {
		return
	}
	list, err := fs.ReadDir(parent, ".")
	if err != nil {
		return
	}
	for _, e := range list {
		if len(missing) == 0 || ctx.Err() != nil {
			return
		}
		if !e.IsDir() || e.Name() == name {
			continue
		}
		other, err := fs.Sub(parent, e.Name())
		if err != nil {
			continue
		}
		s, err := ReadSummary(other)
		if err != nil || s.Info.SampleStartMs != rec.SampleStartMs || s.Info.AgentAddr != rec.AgentAddr {
			continue
		}
		r := &reader{ctx: ctx, fsys: other, dir: e.Name(), rec: &Recording{Methods: map[MethodID]string{}}}
		r.methods()
		for id := range missing {
			if name, ok := r.rec.Methods[id]; ok {
				rec.Methods[id] = name
				delete(missing, id)
			}
		}
	}
}

// folderUnnamed returns the methods of a recording's stacks that have no name.
func folderUnnamed(rec *Recording) map[MethodID]bool {
	missing := map[MethodID]bool{}
	for _, t := range rec.Threads {
		for i, x := range t.Records {
			if i > 0 && slices.Equal(x.Stack, t.Records[i-1].Stack) {
				continue
			}
			for _, id := range x.Stack {
				if _, ok := rec.Methods[id]; !ok {
					missing[id] = true
				}
			}
		}
	}
	return missing
}
