package cli

import (
	"testing"

	"github.com/spf13/pflag"
)

// What is wrong with a number is said in words, of each kind of number that flags take.
func TestFlagError(t *testing.T) {
	for arg, want := range map[string]string{
		"--int=99999999999999999999":   `--int "99999999999999999999": the number is too large`,
		"--long=-99999999999999999999": `--long "-99999999999999999999": the number is too small`,
		"--int=":                       `--int "": give a whole number`,
		"--long=1.5":                   `--long "1.5": give a whole number`,
		"--uint=-1":                    `--uint "-1": give a whole number, 0 or more`,
		"--float=x":                    `--float "x": give a number`,
		"--float=1e999":                `--float "1e999": the number is too large`,
		"--bool=x":                     `--bool "x": give true or false`,
		"--none":                       "unknown flag: --none",
	} {
		fl := pflag.NewFlagSet("test", pflag.ContinueOnError)
		fl.Int("int", 0, "")
		fl.Int64("long", 0, "")
		fl.Uint64("uint", 0, "")
		fl.Float64("float", 0, "")
		fl.Bool("bool", false, "")
		err := fl.Parse([]string{arg})
		if err == nil {
			t.Errorf("%s is taken", arg)
		} else if got := FlagError(err).Error(); got != want {
			t.Errorf("%s: %s, want %s", arg, got, want)
		}
	}
}
