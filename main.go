// Framescope is a profiler viewer for games. See README.md, or run it with --help.
package main

import (
	"os"

	"framescope/app/cli"
)

func main() { os.Exit(cli.Execute(os.Args[1:], os.Stdout, os.Stderr)) }
