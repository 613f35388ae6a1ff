package load

import (
	"fmt"
	"strings"
)

// FormatsHelp lists the kinds of recordings for the help of commands, two lines each at most.
func FormatsHelp() string {
	reg, err := Sources{}.Registry()
	if err != nil {
		panic(err) // the empty options are valid
	}
	var b strings.Builder
	for _, src := range reg {
		a := src.About()
		fmt.Fprintf(&b, "  %-28s%s\n", src.Name(), strings.ReplaceAll(a.Writers, "`", ""))
		if len(a.Ends) > 0 {
			fmt.Fprintf(&b, "  %-28s%s\n", "", strings.Join(a.Ends, ", "))
		}
	}
	return b.String()
}
