package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Once makes single-value flags of a command, and of all commands below it, refuse a second value:
// otherwise the last would win silently. A switch may be repeated.
func Once(cmd *cobra.Command) {
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			_, list := f.Value.(pflag.SliceValue)
			if _, is := f.Value.(*once); !is && !list {
				f.Value = &once{Value: f.Value}
			}
		})
	}
	for _, c := range cmd.Commands() {
		Once(c)
	}
}

// once is the value of a flag that is given once at most.
type once struct {
	pflag.Value
	given *string // nil: it was not
}

// Set implements pflag.Value.
func (o *once) Set(text string) error {
	if o.given != nil && (o.Type() != "bool" || *o.given != text) {
		return twiceError{*o.given, text}
	}
	o.given = &text
	return o.Value.Set(text)
}

// twiceError is the error of a flag that was given two values.
type twiceError [2]string

// Error implements error.
func (e twiceError) Error() string {
	return fmt.Sprintf("it is given twice, as %q and as %q", e[0], e[1])
}
