package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/internal/aside"
	"framescope/internal/escape"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/feed"
)

// exportFlags are the flags of export.
type exportFlags struct {
	to, measure, table, output string
	threads, labels            []string
	force                      bool
	sources                    load.Sources
	r                          place.TimeRange
	fleet                      *partition // nil: no --partition
}

func exportCommand(s *Streams) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export FILE --to FORMAT -o FILE",
		Short: "Convert a recording, or a part of it, for other programs",
		Long: `export writes a recording, or a part of it, in a format that other programs read. From threads with
frames it takes the frames that begin in the range, whole; from other threads, everything in the
range, cut at its ends. It prints what it left out because the format has no place for it.
To get the same session back, save a session file (framescope save FILE -o session.framescope).

The formats:
` + convert.FormatHelp() + `
Without --to, the ending of the output file selects the format. A further .gz or .zst compresses it.

csv and parquet write one table to a file: the one of --table, or the first that has rows. The tables:
  ` + strings.Join(convert.TableIDs(), ", ") + `
If the name of -o has no such ending, they write all tables to a new folder. With --partition they add to a folder that
many recordings share: -o fleet --partition build=1.2 --partition machine=box7 writes
fleet/frames/day=2026-11-29/build=1.2/machine=box7/RECORDING.parquet, and so on; --table frames,hitches only these.

FILE may also be last (the newest session on disk that has ended), a FIFO, or - for standard input.
The window exports the contents of a panel from the menu of the panel.

` + place.RangeHelp,
		Example: `  framescope export session.pstats --to ` + convert.AllFormats[0].ID + ` -o session` + convert.AllFormats[0].Ext + `
  framescope export session.pstats --to csv --table frames -o - --thread Main
  framescope export trace.json --to parquet -o tables
  framescope export last --to parquet -o fleet --table frames,hitches,losses --partition build=1.2 --partition machine=box7
  framescope export trace.json --to folded --range 120:180 --thread Main -o - | flamegraph.pl > flame.svg`,
		Args: Exactly(1, "name one recording"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			thread := ""
			if args[0], thread, err = cutRange(args[0], &f.r, cmd.Flags().Changed, "range"); err != nil {
				return err
			}
			if thread != "" {
				f.threads = []string{thread}
			}
			if f.output == "" {
				return Usage(errors.New("export: name the file to write with -o, - for standard output"))
			}
			to, err := convert.FindFormat(f.to, f.output)
			if err != nil {
				return Usage(err)
			}
			if len(f.labels) > 0 {
				if f.fleet, err = newPartition(to, f.labels, f.table); err != nil {
					return Usage(err)
				}
			}
			switch folder := to.InFolder(f.output); {
			case f.fleet != nil && (!folder || aside.IsOut(f.output)):
				return Usage(errors.New("--partition: -o must name a folder"))
			case f.fleet != nil:
			case f.table != "" && !slices.Contains(to.Tables, f.table):
				if len(to.Tables) == 0 {
					return Usage(fmt.Errorf("--table: %s has no tables", to.Name))
				}
				return Usage(fmt.Errorf("--table %s: unknown table; choose one of %s", f.table, strings.Join(to.Tables, ", ")))
			case f.table != "" && folder:
				return Usage(fmt.Errorf("--table %s: -o must name a file (such as %s%s); a folder takes all tables", f.table,
					f.table, to.Ext))
			}
			if err := s.Distinct(f.output, args); err != nil {
				return err
			}
			return s.Profiled(func() error { return s.export(cmd.Context(), args[0], to, &f) })
		},
	}
	l := cmd.Flags()
	l.StringVar(&f.to, "to", "", "output format, see above (default: by the ending of the output file)")
	rangeVar(l, &f.r, "range", "A:B, range to write (default: everything)")
	l.StringArrayVar(&f.threads, "thread", nil,
		"thread to write: (part of) its name, a glob, or its number; repeatable (default: all)")
	l.StringVar(&f.measure, "measure", "",
		"measure of sums by call path, as the flame graph names it: Duration, Samples, … (default: samples if there are any)")
	l.StringVar(&f.table, "table", "", "with csv or parquet: table to write")
	l.StringVarP(&f.output, "output", "o", "", "output file, - for standard output; for tables also a new folder")
	l.StringArrayVar(&f.labels, "partition", nil,
		"with csv or parquet: KEY=VALUE, a folder that tables of many recordings "+
			"are partitioned by; repeatable")
	l.BoolVar(&f.force, "force", false, "replace an existing file")
	SourceFlags(l, &f.sources)
	return cmd
}

// export writes a part of a recording in a format.
func (s *Streams) export(ctx context.Context, path string, to *convert.Format, f *exportFlags) error {
	folder := to.InFolder(f.output) && !Special(f.output)
	if !aside.IsOut(f.output) && !Special(f.output) && !folder {
		if err := aside.Free(f.output, f.force); err != nil {
			return err
		}
	}
	reg, err := f.sources.Registry()
	if err != nil {
		return err
	}
	in, err := s.Whole(ctx, path, reg)
	if err != nil {
		return err
	}
	defer in.Remove()
	rec, err := s.LoadWhole(ctx, in, load.Options{Sources: f.sources})
	if err != nil {
		return err
	}
	part, err := convert.Of(rec.Session, f.r, f.threads)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	part.Weigh = f.measure
	if f.fleet == nil {
		part.Table = f.table
	}
	if err := to.Check(part); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if f.fleet != nil {
		n, err := f.fleet.write(ctx, to, part, f.output, in.Path)
		if err == nil {
			fmt.Fprintf(s.Err, "framescope: wrote %s: %d tables of %s\n", escape.Line(f.output), n, escape.Line(in.Name))
		}
		return err
	}
	bar := NewProgress(s.Err, "writing "+f.output)
	part.OnProgress(bar.Update)
	write := func(w io.Writer) error {
		return to.Pack(w, f.output, func(w io.Writer) error { return to.Give(ctx, part, w) })
	}
	switch {
	case folder:
		err = aside.Folder(f.output, func(dir string) (string, error) { return dir, to.Folder(ctx, part, dir) })
	default:
		err = s.ToNewFile(f.output, f.force, write)
	}
	bar.Close()
	switch {
	case ctx.Err() != nil:
		return interrupted(in.Name)
	case err != nil:
		return err
	}
	for _, left := range part.Left() {
		fmt.Fprintf(s.Err, "framescope: left out: %s\n", left)
	}
	if !aside.IsOut(f.output) {
		fmt.Fprintf(s.Err, "framescope: wrote %s: %s\n", escape.Line(f.output), to.Name)
	}
	return nil
}

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
func (x *partition) write(
	ctx context.Context, to *convert.Format, part *convert.Part, dir, recording string,
) (n int, err error) {
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
