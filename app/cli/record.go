package cli

import (
	"framescope/app"
	"framescope/app/cli/shell"
)

// streams are what the commands have in common.
type streams struct{ *shell.Streams }

// record says in a window's options what is to be recorded.
func record(r *shell.RecordTo, o *app.Options) {
	o.Record, o.Force, o.RecordNot = r.Path, r.Force, r.Inputs
}
