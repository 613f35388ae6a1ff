package library

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"framescope/net/framescope"
	"framescope/net/together"
)

// KeepTogether writes a plan to where it is found again, named by its programs, and returns its path.
func KeepTogether(plan *together.Plan) (path string, err error) {
	dir := filepath.Join(StateDir(), "together")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	var programs []string
	for _, m := range plan.Members {
		programs = append(programs, m.Name)
	}
	text, err := plan.Encode("")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, FileName(strings.Join(programs, "+"), time.Now(), framescope.Extension))
	return path, os.WriteFile(path, text, 0o600)
}
