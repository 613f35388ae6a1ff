package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/app/query"
	"framescope/model/place"
)

// sqlFlags are the flags of sql.
type sqlFlags struct {
	output            string
	threads           []string
	csv, json, tables bool
	limits            query.Limits
	sources           load.Sources
	r                 place.TimeRange
}

// Limits of queries that the user does not change.
const (
	sqlTime = 30 * time.Second
	sqlRows = 10_000
)

func sqlCommand(s *Streams) *cobra.Command {
	var f sqlFlags
	cmd := &cobra.Command{
		Use:   "sql FILE… QUERY",
		Short: "Ask questions about recordings in SQL",
		Long: `sql answers a query in SQL, in the dialect of SQLite, about recordings. The tables are those of
` + "`framescope export --to parquet`" + `, so that a query also runs elsewhere: --tables lists them and their
columns. With several recordings each table has the columns session (a number) and recording too.

A query only reads: it changes nothing, and opens no other file. It ends with an error when it takes
longer than --timeout, or needs too much memory. Conditions on begin_ns, thread, thread_id and name
of spans are fast: only such spans are read.

FILE may also be last (the newest session on disk that has ended), a FIFO, or - for standard input.

` + place.RangeHelp,
		Example: `  framescope sql session.pstats "select name, count(*) n, sum(self_ns) / 1e6 ms from spans group by name order by ms desc"
  framescope sql session.pstats "select * from frames where thread = 'Main' order by duration_ns desc limit 5"
  framescope sql session.pstats --range 120:180 "select thread, sum(self_ns) from spans group by thread"
  framescope sql before.pstats after.pstats "select recording, avg(duration_ns) from frames group by recording" --csv
  framescope sql --tables`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.tables {
				if len(args) > 0 {
					return Usage(errors.New("--tables lists the tables: leave out recordings and the query"))
				}
				return s.ToFile(f.output, listTables)
			}
			if err := f.check(args); err != nil {
				return err
			}
			files, text := args[:len(args)-1], args[len(args)-1]
			if files, err = cutRanges(files, &f.r, &f.threads, cmd.Flags().Changed); err != nil {
				return err
			}
			if err := s.Distinct(f.output, files); err != nil {
				return err
			}
			return s.Profiled(func() error { return s.sql(cmd.Context(), files, text, &f) })
		},
	}
	l := cmd.Flags()
	l.BoolVar(&f.csv, "csv", false, "print CSV")
	l.BoolVar(&f.json, "json", false, "print JSON: an array with an object for each row")
	l.BoolVar(&f.tables, "tables", false, "list the tables and their columns")
	l.IntVar(&f.limits.Rows, "limit", sqlRows, "maximum number of rows of the result")
	l.DurationVar(&f.limits.Time, "timeout", sqlTime, "maximum time of the query")
	rangeVar(l, &f.r, "range", "A:B, range that the tables cover (default: everything)")
	l.StringArrayVar(&f.threads, "thread", nil,
		"thread that the tables cover: (part of) its name, a glob, or its number; "+
			"repeatable (default: all)")
	l.StringVarP(&f.output, "output", "o", "", "output file (default: standard output)")
	SourceFlags(l, &f.sources)
	return cmd
}

// check parses the flags.
func (f *sqlFlags) check(args []string) (err error) {
	if len(args) > 0 {
		if _, err := os.Stat(args[len(args)-1]); err == nil {
			return Usage(fmt.Errorf("sql: the query is missing: %s is a recording", args[len(args)-1]))
		}
	}
	switch {
	case len(args) < 2:
		return Usage(errors.New("sql: name a recording and a query, such as `framescope sql FILE \"select * from frames\"`"))
	case f.csv && f.json:
		return Usage(errors.New("give one of --csv and --json"))
	case f.limits.Rows < 1:
		return Usage(fmt.Errorf("--limit %d: give 1 or more", f.limits.Rows))
	case f.limits.Time <= 0:
		return Usage(fmt.Errorf("--timeout %v: give more than 0, such as 30s", f.limits.Time))
	}
	return nil
}

// sql asks recordings.
func (s *Streams) sql(ctx context.Context, paths []string, text string, f *sqlFlags) error {
	var sources []query.Source
	for _, path := range paths {
		rec, err := s.Load(ctx, path, load.Options{Sources: f.sources})
		if err != nil {
			return err
		}
		part, err := convert.Of(rec.Session, f.r, f.threads)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		sources = append(sources, query.Source{Name: path, Part: part})
	}
	db, err := query.Open(sources...)
	if err != nil {
		return err
	}
	defer db.Close()
	result, err := db.Query(ctx, text, f.limits)
	if err != nil {
		return fmt.Errorf("sql: %w", err)
	}
	write := result.WriteText
	switch {
	case f.csv:
		write = result.WriteCSV
	case f.json:
		write = result.WriteJSON
	}
	if err := s.ToFile(f.output, write); err != nil {
		return err
	}
	if result.Cut {
		s.Warn("there are more rows than these %d: --limit prints more", len(result.Rows))
	}
	return nil
}

// listTables prints the tables and their columns.
func listTables(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, t := range convert.AllTables {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s: %s\n", t.ID, t.Help)
		for _, c := range t.Columns {
			fmt.Fprintf(out, "  %-16s %s\n", c.Name, c.Help)
		}
	}
	return out.Flush()
}
