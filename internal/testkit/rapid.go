package testkit

import (
	"flag"
	"strconv"

	_ "pgregory.net/rapid" // it defines the flag
)

// Property tests draw 25 random cases each, 100 in the long form, or what -rapid.checks says.
func init() {
	if err := flag.Set("rapid.checks", strconv.Itoa(Rounds(25, 100))); err != nil {
		panic(err)
	}
}
