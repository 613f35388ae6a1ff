package feed_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// The error for a recording of another tool names the tool, and the command that makes it readable if there is one.
func TestForeignRecordingsAreNamed(t *testing.T) {
	for _, row := range testkit.Rows("testdata/foreign.txt") {
		path := filepath.Join(t.TempDir(), row[0])
		content := testkit.Must(strconv.Unquote(row[1]))(t)
		if strings.HasSuffix(row[0], "/") {
			testkit.OK(t, os.Mkdir(path, 0o700))
		} else {
			testkit.OK(t, os.WriteFile(path, []byte(content), 0o600))
		}
		testkit.Refused(feed.Registry{}.Recognise(path))(t, row[2])
	}
}
