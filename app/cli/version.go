package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  framescope version",
		Args:    Exactly(0, "takes no arguments"),
		RunE:    func(*cobra.Command, []string) error { return s.version() },
	}
}

// version prints the version, for the command and the flag.
func (s *Streams) version() error {
	_, err := fmt.Fprint(s.Out, versionText())
	return err
}

// versionText is the output of the command version and the flag --version.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return fmt.Sprintf("framescope %s\n%s %s/%s\n", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionOf is the module's version, or the commit that was built.
func versionOf(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version != "" && version != "(devel)" {
		return version
	}
	version = "development version"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version += ", commit " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.time":
			version += " of " + strings.ReplaceAll(strings.TrimSuffix(s.Value, "Z"), "T", " ") + " UTC"
		case s.Key == "vcs.modified" && s.Value == "true":
			version += " with changes"
		}
	}
	return version
}
