package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"framescope/app/convert"
	"framescope/internal/aside"
	"framescope/model/store"
	"framescope/net/feed"
)

// partition is a folder of tables that many recordings share: TABLE/day=…/KEY=VALUE/…/RECORDING.parquet, as readers of
// Parquet partition by the names of folders (Hive).
type partition struct {
	labels []string // KEY=VALUE, in the order of the folders
	tables []string // that are written; empty: all
}

// label is a key and a value that are names of a folder on every system.
var label = regexp.MustCompile(`^[a-z][a-z0-9_]*=[A-Za-z0-9._+-]+$`)

// newPartition checks --partition and --table.
func newPartition(to *convert.Format, labels []string, tables string) (*partition, error) {
	p := &partition{labels: labels}
	if len(to.Tables) == 0 {
		return nil, fmt.Errorf("--partition: %s has no tables; use --to parquet", to.Name)
	}
	for _, l := range labels {
		if !label.MatchString(l) {
			return nil, fmt.Errorf("--partition %s: give it as KEY=VALUE of letters, digits and ._+-, such as build=1.2.3", l)
		}
	}
	if tables != "" {
		p.tables = strings.Split(tables, ",")
	}
	for _, id := range p.tables {
		if !slices.Contains(to.Tables, id) {
			return nil, fmt.Errorf("--table %s: unknown table; choose of %s", id, strings.Join(to.Tables, ", "))
		}
	}
	return p, nil
}

// path returns where a table of a session goes.
func (x *partition) path(dir, table, day, name string) string {
	return filepath.Join(append(append([]string{dir, table, "day=" + day}, x.labels...), name)...)
}

// dayAt returns the day of a time of a session, for names of folders.
func dayAt(s *store.Session, ns int64) string {
	if at, known := s.Info().ZeroAt.At(ns); known {
		return at.Format("2006-01-02")
	}
	return "unknown"
}

// write writes the tables of a part below a folder, and returns their number. A recording that is written again
// replaces what it wrote before.
func (x *partition) write(ctx context.Context, to *convert.Format, part *convert.Part, dir, recording string) (n int, err error) {
	abs, err := filepath.Abs(recording)
	if err != nil {
		return 0, err
	}
	name := fmt.Sprintf("%s-%x%s", feed.Stem(recording, filepath.Ext(recording)), sha256.Sum256([]byte(abs)), to.Ext)
	name = name[:len(name)-len(to.Ext)-48] + to.Ext // 16 digits distinguish files of one name
	day := "unknown"
	if begin, _, ok := part.Session.Bounds(); ok {
		day = dayAt(part.Session, begin)
	}
	for _, t := range convert.AllTables {
		if len(x.tables) > 0 && !slices.Contains(x.tables, t.ID) || !t.Has(part) {
			continue
		}
		part.Table = t.ID
		write := func(w io.Writer) error { return to.Give(ctx, part, w) }
		if err := putInFolder(x.path(dir, t.ID, day, name), write); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// putInFolder writes a file, and makes its folder if there is none.
func putInFolder(path string, write func(w io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return aside.Put(path, true, write)
}
