package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// FlagError rewrites the error of an invalid flag value: not a number, too large, or given twice. It
// returns other errors unchanged.
func FlagError(err error) error {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := bad.GetFlag()
	if twice, ok := errors.AsType[twiceError](err); ok {
		return fmt.Errorf("--%s: %w", flag.Name, twice)
	}
	want := ""
	switch kind := flag.Value.Type(); {
	case kind == "bool":
		want = "give true or false"
	case kind == "float64":
		want = "give a number"
	case kind == "uint64":
		want = "give a whole number, 0 or more"
	case kind == "int" || kind == "int64":
		want = "give a whole number"
	default:
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		want = "the number is too large"
		if bad.GetValue()[0] == '-' {
			want = "the number is too small"
		}
	}
	return fmt.Errorf("--%s %q: %s", flag.Name, bad.GetValue(), want)
}
