package load

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/flare/flaretest"
)

// place finds where in a file something is wrong, as errors and losses name it.
var place = regexp.MustCompile(`(bytes?|lines?|offset|segment) \d+|after \d+ bytes`)

// Power that fails leaves NULs in files: 4 KB of them, or all of the second half. Where less of such a recording is
// shown than of the whole one, an error or Recording.Cut says so, which make the exit status 1, and names the place
// unless nothing at all could be read. Compressed recordings are damaged before compression, and the first three of
// each source after it, too.
func TestNULsAreReported(t *testing.T) {
	if testing.Short() {
		t.Skip("every recording in pieces")
	}
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
	list := append(recordings.All(t, reg), recordings.Shared(t, reg)...)
	tried := 0
	packed := map[string]int{}
	try := func(open, file string, data []byte) {
		whole := reportOf(t, open, file, data)
		packed[whole.source]++
		for what, damaged := range zeroed(t, data, packed[whole.source] <= 3) {
			tried++
			got := reportOf(t, open, file, damaged)
			switch {
			case got.text == whole.text:
			case got.told == "" || got.told == whole.told:
				t.Errorf("%s: %s: nothing is reported beside %q", file, what, whole.told)
			case got.some && !place.MatchString(got.told):
				t.Errorf("%s: %s: no place is named: %s", file, what, got.told)
			}
		}
	}
	into := t.TempDir()
	seen := map[string]bool{}
	for _, path := range list {
		name := filepath.Base(path)
		st, err := os.Stat(path)
		if err != nil || st.IsDir() || st.Size() > 256<<10 || seen[name] {
			continue
		}
		seen[name] = true
		data, err := os.ReadFile(path)
		testkit.NoErr(t, err)
		try(filepath.Join(into, name), filepath.Join(into, name), data)
	}
	folder := flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*")
	files, err := os.ReadDir(folder)
	testkit.NoErr(t, err)
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		data, err := os.ReadFile(path)
		testkit.NoErr(t, err)
		try(folder, path, data)
		os.WriteFile(path, data, 0o600)
	}
	t.Logf("%d files", tried)
	testkit.That(t, tried >= 400, "only %d files were tried", tried)
}

// zeroed returns a file with NULs in several places, by what was done to it.
func zeroed(t *testing.T, data []byte, packed bool) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	add := func(what string, data []byte, keep func([]byte) []byte) {
		half := len(data) / 2
		places := map[string][2]int{ // where NULs begin and how many there are
			"4 KB of the second block" + what: {4096, 4096}, // definitions, which stand first, and what uses them later
			"4 KB in the middle" + what:       {half, 4096},
			"4 KB at 25 %" + what:             {len(data) / 4, 4096},
			"4 KB at 75 %" + what:             {len(data) * 3 / 4, 4096},
			"the second half" + what:          {half, len(data)},
		}
		if line := bytes.IndexByte(data[half:], '\n'); line >= 0 {
			places["all behind a line"+what] = [2]int{half + line + 1, len(data)}
		}
		for what, at := range places {
			hole := bytes.Clone(data)
			clear(hole[min(len(hole), at[0]):min(len(hole), at[0]+at[1])])
			out[what] = keep(hole)
		}
	}
	same := func(b []byte) []byte { return b }
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		add("", data, same)
		return out
	}
	text, _ := io.ReadAll(z) // of a file that is cut off as much as there is
	if packed {
		add(" of the compressed bytes", data, same)
	}
	add("", text, func(b []byte) []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.NoCompression)
		w.Write(b)
		w.Close()
		return out.Bytes()
	})
	return out
}

// reported is what a command has of a recording: some of it, and what is wrong with it.
type reported struct {
	text, told, source string
	some               bool
}

// reportOf reads a recording, of which a file holds these bytes, as a command does.
func reportOf(t *testing.T, open, file string, data []byte) (r reported) {
	t.Helper()
	testkit.NoErr(t, os.WriteFile(file, data, 0o600))
	rec, err := File(t.Context(), open, Options{})
	if err != nil {
		r.told = err.Error()
	}
	if rec != nil {
		if r.told == "" {
			r.told = rec.Cut
		}
		var text strings.Builder
		s := rec.Session
		report.Write(&text, s, report.Options{Stats: true})
		fmt.Fprintln(&text, s.Series().Stored(), s.Flows().Stored())
		for id := range model.TrackID(s.NumTracks()) {
			tr := s.Track(id)
			fmt.Fprintln(&text, tr.Title(), tr.NumFrames(), tr.NumSpans(), tr.NumMessages())
		}
		r.text, r.some, r.source = text.String(), s.NumTracks() > 0, s.Info().Source
	}
	return r
}
