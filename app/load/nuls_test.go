package load

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/internal/recordings"
)

// place finds where in a file something is wrong, as errors and losses name it.
var place = regexp.MustCompile(`(bytes?|lines?|offset|segment) \d+|after \d+ bytes`)

// Power that fails leaves NULs in files: 4 KB of them, or all of the second half. Where the report of such a
// recording is another than that of the whole one, an error or Recording.Cut says so, which make the exit
// status 1, and names the place unless nothing at all could be read. Compressed recordings are damaged before and after compression.
func TestNULsAreReported(t *testing.T) {
	reg, err := Sources{}.Registry()
	if err != nil {
		t.Fatal(err)
	}
	list := recordings.All(t, reg)
	if !testing.Short() {
		list = append(list, recordings.Shared(t, reg)...)
	}
	tried := 0
	seen := map[string]bool{}
	for _, path := range list {
		st, err := os.Stat(path)
		if err != nil || st.IsDir() || st.Size() > 1<<20 || seen[filepath.Base(path)] {
			continue
		}
		seen[filepath.Base(path)] = true
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		into := filepath.Join(t.TempDir(), name)
		whole := reportOf(t, into, data).text
		for what, damaged := range zeroed(t, data) {
			tried++
			got := reportOf(t, into, damaged)
			switch {
			case got.text == whole:
			case got.told == "":
				t.Errorf("%s: %s: nothing is reported", name, what)
			case got.some && !place.MatchString(got.told):
				t.Errorf("%s: %s: no place is named: %s", name, what, got.told)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d files were tried", tried)
	}
}

// zeroed returns a file with NULs in several places, by what was done to it.
func zeroed(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	add := func(what string, data []byte, keep func([]byte) []byte) {
		for where, at := range map[string]int{"at 25 %": len(data) / 4, "in the middle": len(data) / 2, "at 75 %": len(data) * 3 / 4} {
			hole := bytes.Clone(data)
			clear(hole[at:min(len(hole), at+4096)])
			out["4 KB "+where+what] = keep(hole)
		}
		half := bytes.Clone(data)
		clear(half[len(half)/2:])
		out["the second half"+what] = keep(half)
	}
	same := func(b []byte) []byte { return b }
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		add("", data, same)
		return out
	}
	text, _ := io.ReadAll(z) // of a file that is cut off as much as there is
	add(" of the compressed bytes", data, same)
	add("", text, func(b []byte) []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
		w.Write(b)
		w.Close()
		return out.Bytes()
	})
	return out
}

// reported is what a command has of a recording: some of it, and what is wrong with it.
type reported struct {
	text, told string
	some       bool
}

// reportOf reads a recording as a command does.
func reportOf(t *testing.T, path string, data []byte) (r reported) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	rec, err := File(t.Context(), path, Options{})
	if err != nil {
		r.told = err.Error()
	}
	if rec != nil {
		if r.told == "" {
			r.told = rec.Cut
		}
		var text strings.Builder
		report.Write(&text, rec.Session, report.Options{Stats: true})
		r.text, r.some = text.String(), rec.Session.NumTracks() > 0
	}
	return r
}
