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

// partition reads --partition and --table.
func (f *exportFlags) partition(to *convert.Format) (*partition, error) {
	p := &partition{labels: f.labels}
	if len(to.Tables) == 0 {
		return nil, fmt.Errorf("--partition: %s has no tables; use --to parquet", to.Name)
	}
	for _, l := range f.labels {
		if !label.MatchString(l) {
			return nil, fmt.Errorf("--partition %s: give it as KEY=VALUE of letters, digits and ._+-, such as build=1.2.3", l)
		}
	}
	if f.table != "" {
		p.tables = strings.Split(f.table, ",")
	}
	for _, id := range p.tables {
		if !slices.Contains(to.Tables, id) {
			return nil, fmt.Errorf("--table %s: unknown table; choose of %s", id, strings.Join(to.Tables, ", "))
		}
	}
	return p, nil
}

// write writes the tables of a part below a folder, and returns their number. A recording that is written again
// replaces what it wrote before.
func (x *partition) write(ctx context.Context, to *convert.Format, part *convert.Part, dir, recording string) (n int, err error) {
	abs, err := filepath.Abs(recording)
	if err != nil {
		return 0, err
	}
	name := fmt.Sprintf("%s-%x%s", feed.Stem(recording, filepath.Ext(recording)), sha256.Sum256([]byte(abs)), to.Ext)
	name = name[:len(name)-len(to.Ext)-48] + to.Ext // 16 digits tell files of one name apart
	day := "unknown"
	if begin, _, ok := part.Session.Bounds(); ok {
		if at, known := part.Session.Info().ZeroAt.At(begin); known {
			day = at.Format("2006-01-02")
		}
	}
	for _, t := range convert.AllTables {
		if len(x.tables) > 0 && !slices.Contains(x.tables, t.ID) || !t.Has(part) {
			continue
		}
		part.Table = t.ID
		in := filepath.Join(append([]string{dir, t.ID, "day=" + day}, x.labels...)...)
		if err := os.MkdirAll(in, 0o755); err != nil {
			return n, err
		}
		write := func(w io.Writer) error { return to.Give(ctx, part, w) }
		if err := aside.Put(filepath.Join(in, name), true, write); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
