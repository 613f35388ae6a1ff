package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"framescope/app"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/query"
	"framescope/app/settings"
	"framescope/internal/aside"
	"framescope/internal/escape"
)

func sessionsCommand(s *Streams) *cobra.Command {
	var asJSON bool
	list := func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return Usage(meant(cmd, args, &noCommandError{args[0]}))
		}
		return s.listSessions(cmd.Context(), asJSON)
	}
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List, open, rename, export and delete the sessions on disk",
		Long: `Framescope keeps every live session on disk while it runs: what games, pipelines and JVMs send, and
what comes from FIFOs and standard input. Closing the window loses nothing, and neither does a full
memory. A crash of Framescope or of the machine loses the last second at most.

sessions lists them, the newest first. SESSION is the number in the list, the first digits of the
id, the name or a part of it, or last: the newest that has ended. If a newer one is still live, the
command says so. A session that began earlier may end later: last goes by the begin, as the list does.
report, render, open and others take last, too.

The column "all frames" counts the received frames of all threads; report counts them by thread. For
sources other than PStats it is "-": their frames are known only when the session is read.

Sessions are folders in ` + "`$XDG_STATE_HOME/framescope/sessions`" + ` (~/.local/state/framescope/sessions).
Together they take 20 GiB at most. ` + "`sessions limit`" + ` changes the limit, --disk changes it for one
run, and --disk 0 keeps none. When space runs out, Framescope deletes the oldest sessions, then the
oldest part of the live one. It never deletes sessions marked by ` + "`sessions keep`" + `. Sessions that a
crash interrupted stay for a week after you were told of them, as long as all of these fit into the
limit.`,
		Example: `  framescope sessions
  framescope sessions open last
  framescope sessions rename 2 "the hitch near the gate"
  framescope sessions keep 2
  framescope sessions export 2 hitch.pstats
  framescope sessions delete 0a1b2c3d
  framescope sessions limit 50GiB
  framescope report last --stats`,
		RunE: list,
	}
	ls := &cobra.Command{
		Use: "list", Short: "List the sessions on disk", Args: Exactly(0, "takes no arguments"), RunE: list,
	}
	for _, c := range []*cobra.Command{cmd, ls} {
		c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	}
	cmd.AddCommand(ls, openSessions(s), renameSession(s), exportSession(s), deleteSessions(s), keepSessions(s),
		pathOfSession(s), limitSessions(s))
	return cmd
}

// noCommandError is the error of a command of sessions that there is not.
type noCommandError struct{ name string }

// Error implements error.
func (e *noCommandError) Error() string {
	return fmt.Sprintf("sessions: there is no command %q; `framescope sessions --help` lists them", e.name)
}

// Is implements the interface of errors.Is.
func (e *noCommandError) Is(target error) bool { return target == fs.ErrNotExist }

// sessionJSON is a session as machines read it.
type sessionJSON struct {
	Number  int       `json:"number"`
	ID      string    `json:"id"`
	Path    string    `json:"path"`
	Name    string    `json:"name"`
	Program string    `json:"program,omitempty"`
	Host    string    `json:"host,omitempty"`
	Peer    string    `json:"peer,omitempty"`
	Source  string    `json:"source"`
	State   string    `json:"state"` // "live", "ended", "interrupted" or "damaged"
	Reason  string    `json:"reason,omitempty"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`
	Records *int64    `json:"records,omitempty"` // pieces of data, if known
	Frames  *int64    `json:"frames,omitempty"`
	Missing int64     `json:"not_recorded,omitempty"`
	Deleted int64     `json:"deleted_afterwards,omitempty"`
	Trimmed bool      `json:"oldest_part_deleted,omitempty"`
	Kept    bool      `json:"kept,omitempty"`
	Bytes   int64     `json:"bytes"`
	Damage  string    `json:"damage,omitempty"` // unreadable files of its folder, with reasons
	New     bool      `json:"new,omitempty"`    // interrupted, and no viewer has looked at it since
}

func toJSON(n int, x *library.Session) sessionJSON {
	j := sessionJSON{
		Number: n, ID: x.ID, Path: x.Path, Name: x.Name, Program: x.Program, Host: x.Host, Peer: x.Peer,
		Source: x.Source, State: x.State.String(), Reason: x.Reason,
		Began: x.Began, Seconds: x.Length.Seconds(), Missing: x.Missing, Deleted: x.Deleted, Trimmed: x.Trimmed,
		Kept: x.Kept, Bytes: x.Bytes, New: x.New,
		Damage: x.Damage,
	}
	if x.Records >= 0 {
		j.Records = &x.Records
	}
	if f := x.Frames(); f >= 0 {
		j.Frames = &f
	}
	return j
}

func (s *Streams) listSessions(ctx context.Context, asJSON bool) error {
	lib := s.Library()
	if _, err := os.ReadDir(lib.Dir()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the sessions on disk cannot be listed: %w", err)
	}
	all := lib.Survey(ctx) // so that sessions of a killed viewer have their numbers
	s.ReportInterrupted(lib, all)
	if asJSON {
		out := struct {
			Dir      string        `json:"dir"`
			Limit    int64         `json:"limit"`
			Bytes    int64         `json:"bytes"`
			Sessions []sessionJSON `json:"sessions"`
		}{lib.Dir(), lib.Limit(), library.Used(all), []sessionJSON{}}
		for i := range all {
			out.Sessions = append(out.Sessions, toJSON(i+1, &all[i]))
		}
		return escape.WriteJSON(s.Out, out)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(s.Out, "No session is on disk. Live sessions are kept in %s.\n", library.Home(lib.Dir()))
		return err
	}
	if err := sessionTable(s.Out, all, terminalWidth(s.Out)); err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(x library.Session) bool { return x.Kept }) {
		fmt.Fprint(s.Out, "\n* is kept until it is deleted\n")
	}
	used, limit, note := library.Used(all), lib.Limit(), ""
	of := " of " + library.Bytes(limit)
	switch {
	case limit <= 0:
		of, note = "", "; live sessions are not kept"
	case used > limit:
		note = "; live, kept, damaged, open and recently interrupted sessions may stay beyond the limit"
	}
	_, err := fmt.Fprintf(s.Out, "\n%s%s in %s%s\n", library.Bytes(used), of, library.Home(lib.Dir()), note)
	return err
}

// terminalWidth returns the number of columns of a terminal, and many for any other output.
func terminalWidth(w io.Writer) int {
	if o, ok := w.(*Output); ok {
		w = o.Raw()
	}
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 1 << 10
}

// sessionTable prints the sessions, each on a line. Names give way where a terminal is narrow.
func sessionTable(w io.Writer, all []library.Session, width int) error {
	type column struct {
		title string
		right bool
		of    func(i int) string
	}
	name := func(i int) string {
		n := all[i].Name
		if all[i].Kept {
			n += " *"
		}
		return n
	}
	cols := []column{
		{"#", true, func(i int) string { return fmt.Sprint(i + 1) }},
		{"id", false, func(i int) string { return all[i].ShortID() }},
		{"name", false, name},
		{"source", false, func(i int) string { return library.SourceName(all[i].Source) }},
		{"began", false, func(i int) string { return all[i].Began.Local().Format(time.DateTime) }},
		{"length", true, func(i int) string { return lengthText(all[i].Length) }},
		{"all frames", true, func(i int) string {
			if f := all[i].Frames(); f >= 0 {
				return library.Count(f)
			}
			return "-"
		}},
		{"size", true, func(i int) string { return library.Bytes(all[i].Bytes) }},
		{"state", false, func(i int) string { return all[i].Words() }},
	}
	const nameColumn, leastName, mostName = 2, 9, 60
	stateColumn, leastState := len(cols)-1, 11
	rows, right := make([][]string, len(all)+1), make([]bool, len(cols))
	for c := range cols {
		rows[0], right[c] = append(rows[0], cols[c].title), cols[c].right
		for i := range all {
			rows[i+1] = append(rows[i+1], escape.Line(cols[c].of(i)))
		}
	}
	widths := query.Widths(rows)
	widths[nameColumn] = min(widths[nameColumn], mostName)
	total := 2 * (len(cols) - 1)
	for _, n := range widths {
		total += n
	}
	if over := total - width; over > 0 {
		n := max(min(widths[nameColumn], leastName), widths[nameColumn]-over)
		over -= widths[nameColumn] - n
		widths[nameColumn] = n
		widths[stateColumn] = max(min(widths[stateColumn], leastState), widths[stateColumn]-max(over, 0))
	}
	return query.WriteColumns(w, rows, widths, right)
}

// lengthText writes how long a session lasted.
func lengthText(d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return library.Length(d)
}

func openSessions(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "open [SESSION…]",
		Short: "Open sessions in the window (default: the newest)",
		Example: `  framescope sessions open
  framescope sessions open 3 "the hitch near the gate"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{library.Newest}
			}
			_, found, err := s.Find(args)
			if err != nil {
				return err
			}
			var paths []string
			for _, x := range found {
				paths = append(paths, x.Path)
			}
			return s.window(app.Options{}, paths, nil, false, load.Sources{})
		},
	}
}

func renameSession(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "rename SESSION NAME",
		Short:   "Name a session; an empty NAME takes its name away",
		Example: `  framescope sessions rename last "the hitch near the gate"`,
		Args:    Exactly(2, "name a session, and what to call it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib, found, err := s.Find(args[:1])
			if err != nil {
				return err
			}
			return lib.Rename(&found[0], args[1])
		},
	}
}

func exportSession(s *Streams) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "export SESSION [FILE]",
		Short: "Export a session to a file in its native format",
		Long: `export writes a session to a file that other programs open: a PStats session as .pstats, a stream of
profile_lib as .prof, a trace of GStreamer as .log, Java samples as a folder that Flare's own server
opens. A live session is written up to now. SESSION may also be an unfinished file of --record.

Without FILE, the name is made from the name and time of the session. - is standard output. An
existing file is replaced only with --force.`,
		Example: `  framescope sessions export last
  framescope sessions export 2 hitch.pstats`,
		Args: Between(1, 2, "sessions export: name a session, and the file to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := s.exportable(args[0])
			if err != nil {
				return err
			}
			to := x.FileName()
			if len(args) > 1 {
				to = args[1]
			}
			if aside.IsOut(to) {
				return s.exportTo(cmd.Context(), s.Out, &x)
			}
			if err := s.Exported(library.Export(cmd.Context(), &x, to, force)); err != nil {
				return err
			}
			fmt.Fprintln(s.Err, "framescope: wrote", escape.Line(to))
			if ext := filepath.Ext(to); ext != x.Extension() && library.IsExtension(ext) {
				s.Warn("%s is a %s session: files of this format end in %s", to, library.SourceName(x.Source), x.Extension())
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return cmd
}

// exportTo writes a session in its official format to something that is no file.
func (s *Streams) exportTo(ctx context.Context, out io.Writer, x *library.Session) error {
	if x.Extension() == "" {
		return Usage(fmt.Errorf("a %s session is a folder, which - cannot take: name the folder to make",
			library.SourceName(x.Source)))
	}
	return ThroughFile(out, func(path string) error { return s.Exported(library.Export(ctx, x, path, false)) })
}

// exportable returns the session that an argument names, which may also be a journal elsewhere.
func (s *Streams) exportable(name string) (library.Session, error) {
	if x, err := library.FromFile(name); err == nil {
		return x, nil
	}
	_, found, err := s.Find([]string{name})
	if err != nil {
		return library.Session{}, err
	}
	return found[0], nil
}

func deleteSessions(s *Streams) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "delete SESSION…",
		Short:   "Delete sessions from the disk",
		Example: "  framescope sessions delete 4 5",
		Args:    Between(1, Many, "sessions delete: name the sessions to delete"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib, found, err := s.Find(args)
			if err != nil {
				return err
			}
			for i := range found {
				if found[i].IsLive() {
					return found[i].ErrLive()
				}
			}
			if !yes {
				words := (&library.Leaving{Sessions: found}).Words()
				err := s.confirm(cmd.InOrStdin(), "sessions delete", found, words, "Delete from the disk?", "nothing was deleted")
				if err != nil {
					return err
				}
			}
			var errs []error
			for i := range found {
				if err := lib.Delete(&found[i]); err != nil {
					errs = append(errs, err)
					continue
				}
				fmt.Fprintf(s.Err, "framescope: deleted %s, %s\n", escape.Line(found[i].Name), library.Bytes(found[i].Bytes))
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// confirm asks whether a command is to delete sessions; words name these.
func (s *Streams) confirm(in io.Reader, command string, found []library.Session, words, question, no string) error {
	if f, ok := in.(*os.File); ok && !term.IsTerminal(int(f.Fd())) {
		return Usage(fmt.Errorf("%s: this would delete %s; there is no terminal to confirm on: use --yes",
			command, escape.Line(words)))
	}
	for i := range found {
		fmt.Fprintf(s.Err, "%s  %s  %s  %s\n", found[i].ShortID(), found[i].Began.Local().Format("2006-01-02 15:04"),
			library.Bytes(found[i].Bytes), escape.Line(found[i].Name))
	}
	fmt.Fprintf(s.Err, "%s [y/N] ", question)
	line, _ := bufio.NewReader(in).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(line)); a != "y" && a != "yes" {
		return errors.New(no)
	}
	return nil
}

func keepSessions(s *Streams) *cobra.Command {
	var off bool
	cmd := &cobra.Command{
		Use:   "keep SESSION…",
		Short: "Keep sessions when space runs out",
		Example: `  framescope sessions keep 2
  framescope sessions keep --off 2`,
		Args: Between(1, Many, "sessions keep: name the sessions to keep"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib, found, err := s.Find(args)
			if err != nil {
				return err
			}
			var errs []error
			for i := range found {
				errs = append(errs, lib.Keep(&found[i], !off))
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "allow them to be deleted again")
	return cmd
}

func pathOfSession(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "path SESSION",
		Short:   "Print the path of a session",
		Example: `  framescope report "$(framescope sessions path 2)" --stats`,
		Args:    Exactly(1, "name one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, found, err := s.Find(args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(s.Out, filepath.Clean(found[0].Path))
			return err
		},
	}
}

func limitSessions(s *Streams) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "limit [SIZE]",
		Short: "Print or set the disk space for all sessions",
		Long: `limit prints or sets how much disk space all sessions may take together: 0, or 16MiB and more. With
0, Framescope keeps no new sessions; those on disk stay until you delete them.

If a lower limit means that sessions must be deleted, limit names them and asks. They are deleted,
the oldest first, when the next data arrive. Running viewers apply the limit within seconds, unless
they were started with --disk.`,
		Example: `  framescope sessions limit
  framescope sessions limit 50GiB
  framescope sessions limit 0`,
		Args: Between(0, 1, "sessions limit: give one size, such as 20GiB, or 0"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				limit, err := ParseDisk(args[0])
				if err != nil {
					return Usage(err)
				}
				if err := s.confirmLimit(cmd.InOrStdin(), limit, yes); err != nil {
					return err
				}
				err = settings.SetDiskLimit("", limit)
				if unused := (*settings.UnusedError)(nil); errors.As(err, &unused) { // and yet it is set
					fmt.Fprintln(s.Err, "framescope:", unused)
				} else if err != nil {
					return err
				}
			}
			limit := s.DiskLimit()
			text := "none is kept"
			if limit > 0 {
				text = library.Bytes(limit)
			}
			_, err := fmt.Fprintln(s.Out, text)
			return err
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "delete sessions without asking")
	return cmd
}

// confirmLimit lists the sessions that a new limit deletes, and asks for consent.
func (s *Streams) confirmLimit(in io.Reader, limit int64, yes bool) error {
	lib := s.Library()
	if limit <= 0 {
		if slices.ContainsFunc(lib.Sessions(), func(x library.Session) bool { return x.State == library.Live }) {
			fmt.Fprintln(s.Err, "framescope: "+library.KeptOn)
		}
		return nil
	}
	leaving := lib.Leaving(limit)
	words := escape.Line(leaving.Words())
	switch {
	case leaving.None():
		return nil
	case yes:
		fmt.Fprintf(s.Err, "framescope: to leave for it: %s\n", words)
		return nil
	}
	return s.confirm(in, "sessions limit", leaving.Sessions, words, "Leaves for it: "+words+". Set the limit?",
		"the limit stays")
}
