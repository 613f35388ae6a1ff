package load

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf16"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
)

// TestTextInAnyEncoding opens texts as shells write them that redirect in UTF-16, or with a mark: each
// is the same session as before.
func TestTextInAnyEncoding(t *testing.T) {
	for kind, name := range map[recordings.Kind]string{
		recordings.FrameTimes: "byhand-mangohud-0.8-ms.csv", recordings.PerfScript: "game-flat.txt.gz", recordings.Folded: "recursion.txt",
	} {
		text := string(recordings.Read(t, kind, name))
		var want []any
		for _, data := range [][]byte{
			[]byte(text), []byte("\ufeff" + text),
			utf16s(binary.LittleEndian.AppendUint16, "\ufeff"+text), utf16s(binary.BigEndian.AppendUint16, "\ufeff"+text),
		} {
			path := filepath.Join(t.TempDir(), "x"+filepath.Ext(name))
			if filepath.Ext(path) == ".gz" {
				path = path[:len(path)-3] + ".txt"
			}
			testkit.NoErr(t, os.WriteFile(path, data, 0o600))
			rec, err := File(t.Context(), path, Options{})
			testkit.NoErr(t, err, name)
			s := rec.Session
			got := []any{s.Info().Source, s.NumTracks()}
			for id := range model.TrackID(s.NumTracks()) {
				tr := s.Track(id)
				got = append(got, tr.Title(), tr.NumSpans(), tr.NumFrames())
			}
			if want == nil {
				want = got
			}
			testkit.That(t, reflect.DeepEqual(got, want), "%s, beginning with %x: %v, want %v", name, data[:4], got, want)
		}
	}
}

func utf16s(add func([]byte, uint16) []byte, text string) (out []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		out = add(out, u)
	}
	return out
}
