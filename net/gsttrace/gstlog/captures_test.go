package gstlog_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// capture reads a log from testdata, else from the recordings beside the repository; tests of larger ones are skipped where those are absent.
func capture(t testing.TB, name string) []byte {
	t.Helper()
	var data []byte
	var err error
	for _, folder := range []string{"../../../testdata/gsttrace", "../../../../shared/captures/gstreamer"} {
		if data, err = os.ReadFile(filepath.Join(folder, name)); err == nil {
			break
		}
	}
	if err != nil {
		t.Skipf("%s is not here: the recordings are kept beside the repository", name)
	}
	if filepath.Ext(name) != ".gz" {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}
