package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"framescope/app"
	"framescope/app/load"
	"framescope/model/place"
)

func openCommand(s *streams) *cobra.Command {
	var o app.Options
	var following, all bool
	var sources load.Sources
	var to RecordTo
	cmd := &cobra.Command{
		Use:   "open FILE…",
		Short: "Open recordings, whole ones or while they are being written",
		Long: `open shows recordings. Files are recognized by content, not by name, also gzipped or
compressed by Zstandard:

` + load.FormatsHelp() + `
Of a folder of sample folders of Flare the newest recording is opened, all its segments as one; --all
opens every one.

With --follow a file is shown while it is being written: what is there, and then what comes. A file
that is not there yet is waited for. One that is cut off, written anew or replaced begins another
session. A folder is watched for new recordings; each becomes a session.

FIFOs and - for standard input are followed in any case. Instead of a file, last is the newest session
that was live and has ended, as it is kept on disk (` + "`" + `framescope sessions` + "`" + ` lists them); not the file
that was opened last. A file of that name comes first.

` + place.Help + `

What can't be opened is told, and does not keep the rest from being opened.`,
		Example: `  framescope open trace.log.gz session.pstats
  framescope open last
  framescope open flare-samples
  framescope open before.pstats after.pstats --compare
  framescope open 'session.pstats#frame=5431&thread=Draw'
  framescope open trace.log --follow
  framescope open /tmp/traces --follow
  mkfifo trace && framescope open trace
  ssh box cat trace.log | framescope open -
  framescope open stream.bin --layout v3-72-be`,
		Args: Between(1, Many, "open: name a recording, last for the newest session that was live, a FIFO, - for standard input, or a folder with --follow"),
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
			if !following {
				args = s.recordings(args, all)
			}
			record(&to, &o)
			return s.window(o, args, at, following, sources)
		},
	}
	cmd.Flags().BoolVar(&o.Compare, "compare", false, "compare two recordings, the first as A, the second as B")
	cmd.Flags().BoolVar(&all, "all", false, "of a folder of Flare sample folders open all recordings, each segment as a session")
	cmd.Flags().BoolVarP(&following, "follow", "f", false, "go on reading files as they grow, and watch folders for new ones")
	cmd.Flags().StringVar(&o.Listen, "listen", "", "HOST:PORT to listen on for PStats clients as well (default: none)")
	to.Flags(cmd.Flags())
	budgetsFlag(cmd.Flags(), &o.Budgets)
	SourceFlags(cmd.Flags(), &sources)
	return cmd
}

// window opens the viewer on the named inputs, at places of some of them.
func (s *streams) window(o app.Options, names []string, at map[string]place.Place, following bool, sources load.Sources) error {
	reg, err := sources.Registry()
	if err != nil {
		return Usage(err)
	}
	if err := checkBudgets(o.Budgets); err != nil {
		return err
	}
	for i, name := range names {
		if names[i], err = s.SessionOr(name); err != nil {
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
		return Usage(errors.New("a place in a recording can be opened when that is whole: leave --follow out, and name a file"))
	}
	withPlace(a.files, at)
	for _, u := range a.unopened {
		fmt.Fprintln(s.Err, "framescope:", u.Err)
	}
	o.Files, o.Unopened, o.Inputs, o.Sources = a.files, a.unopened, append(o.Inputs, a.inputs...), sources
	return s.Profiled(func() error {
		var err error
		if o.MemoryLimit, err = s.MemoryLimit(); err != nil {
			return err
		}
		if o.DiskLimit, err = s.DiskFlag(); err != nil {
			return err
		}
		return app.Run(o)
	})
}
