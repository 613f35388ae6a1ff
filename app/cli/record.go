package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"framescope/app"
	limits "framescope/model/budget"
)

// streams are the common parts of the commands.
type streams struct{ *Streams }

// record copies the recording flags to a window's options.
func record(r *RecordTo, o *app.Options) {
	o.Record, o.Force, o.RecordNot = r.Path, r.Force, r.Inputs
}

// budgetsFlag adds the flag that names a budget file for a window.
func budgetsFlag(f *pflag.FlagSet, o *string) {
	f.StringVar(o, "budgets", "", "budget file (TOML) for the sessions in the window (default: the one last opened for the program)")
}

// checkBudgets looks whether a budget file can be read.
func checkBudgets(name string) error {
	if name == "" {
		return nil
	}
	if _, err := limits.Read(name); err != nil {
		return Usage(fmt.Errorf("--budgets: %w", err))
	}
	return nil
}
