package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/model/place"
)

func openCommand(s *Streams) *cobra.Command {
	var o app.Options
	var following, all, together bool
	var clocks togetherFlags
	var sources load.Sources
	var to RecordTo
	cmd := &cobra.Command{
		Use:   "open FILE…",
		Short: "Open recordings, also while they are being written",
		Long: `open shows recordings. It recognizes files by their content, not their name, also if they are
compressed with gzip or Zstandard:

` + load.FormatsHelp() + `
In a folder of Flare sample folders, open takes the newest recording and joins its segments; --all opens
all recordings, each segment on its own.

--follow shows a file while it is being written. If the file does not exist yet, Framescope waits
for it. If it is truncated, rewritten or replaced, another session begins. In a folder, each new
recording becomes a session.

FILE may also be a FIFO or - for standard input, which are always followed, or last: the session that
was on screen when the last window was closed, as it was left; if it is gone, the newest session on
disk that has ended (` + "`framescope sessions`" + ` lists them). If a file named last exists, it is opened.

` + place.Help + `

If a file cannot be opened, Framescope says so and opens the others.`,
		Example: `  framescope open trace.log.gz session.pstats
  framescope open last
  framescope open flare-samples
  framescope open before.pstats after.pstats --compare
  framescope open client.framescope server.trace --together
  framescope open 'session.pstats#frame=5431&thread=Draw'
  framescope open trace.log --follow
  framescope open /tmp/traces --follow
  mkfifo trace && framescope open trace
  ssh box cat trace.log | framescope open -
  framescope open stream.bin --layout v3-72`,
		Args: Between(1, Many, "open: name a recording, last for the session used last, a FIFO, - for standard input, "+
			"or a folder with --follow"),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, at, err := cutLinks(args)
			if err != nil {
				return err
			}
			to.Inputs = s.InputsOf(args)
			if err := to.Check(); err != nil {
				return err
			}
			if o.Compare && (len(args) != 2 || following || all) {
				return Usage(errors.New("--compare: name two recordings, A and B, without --follow and --all"))
			}
			if together {
				if len(args) < 2 || len(at) > 0 || o.Compare || all {
					return Usage(errors.New("--together: name two recordings or more, without places, --compare and --all"))
				}
				clocks.sources = sources
				path, err := s.keepTogether(cmd.Context(), args, &clocks)
				if err != nil {
					return err
				}
				args = []string{path}
			}
			if !following {
				args = s.recordings(args, all)
			}
			record(&to, &o)
			return s.window(o, args, at, following, sources)
		},
	}
	cmd.Flags().BoolVar(&o.Compare, "compare", false, "compare two recordings: the first is A, the second B")
	cmd.Flags().BoolVar(&all, "all", false,
		"in a folder of Flare sample folders: open all recordings, each segment as a session")
	cmd.Flags().BoolVar(&together, "together", false, "open the recordings on one ruler: framescope together --help")
	clocks.add(cmd)
	cmd.Flags().BoolVarP(&following, "follow", "f", false,
		"keep reading files as they grow, and watch folders for new files")
	addrVar(cmd.Flags(), &o.Listen, "listen", "", "also listen for PStats clients on HOST:PORT (default: no)")
	to.Flags(cmd.Flags())
	budgetsFlag(cmd.Flags(), &o.Budgets)
	SourceFlags(cmd.Flags(), &sources)
	return cmd
}

// usedOr is SessionOr that prefers the session used last, and adds its place.
func (s *Streams) usedOr(name, settingsPath string, at map[string]place.Place) (string, error) {
	if _, err := os.Lstat(name); name == library.Newest && errors.Is(err, fs.ErrNotExist) {
		if set, err := settings.Open(settingsPath); err == nil {
			if link, ok := set.Used.Link(); ok {
				path, p, err := sessions.CutPlace(link)
				if _, named := at[name]; err == nil && p.Kind != place.None && !named {
					at[path] = p
				}
				return path, nil
			}
		}
	}
	return s.SessionOr(name)
}

// window opens the viewer on the named inputs, at places of some of them.
func (s *Streams) window(
	o app.Options, names []string, at map[string]place.Place, following bool, sources load.Sources,
) error {
	reg, err := sources.Registry()
	if err != nil {
		return Usage(err)
	}
	if err := checkBudgets(o.Budgets); err != nil {
		return err
	}
	for i, name := range names {
		if names[i], err = s.usedOr(name, o.SettingsPath, at); err != nil {
			return err
		}
		if p, ok := at[name]; ok {
			at[names[i]] = p
		}
	}
	a, err := sortArguments(names, following, reg)
	if err != nil {
		return err
	}
	if len(a.inputs) > 0 && len(at) > 0 {
		return Usage(errors.New("a link to a place needs a complete file: leave out --follow"))
	}
	withPlace(a.files, at)
	for _, u := range a.unopened {
		s.Partly("%v", u.Err)
	}
	o.Files, o.Unopened, o.Inputs, o.Sources = a.files, a.unopened, append(o.Inputs, a.inputs...), sources
	return s.Profiled(func() error {
		o.MemoryLimit, o.DiskLimit = s.MemoryLimit(), s.DiskFlag()
		return app.Run(o)
	})
}
