package feed

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func zipped(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	io.WriteString(z, text)
	z.Close()
	return out.Bytes()
}

// What follows compressed data is read if it is more of them, left alone if it is zero, and told with its
// place if it is something else; and so is that they are cut.
func TestGunzip(t *testing.T) {
	a, b := zipped("first "), zipped(strings.Repeat("second ", 20_000))
	damaged := slices.Clone(b)
	damaged[len(b)/2] ^= 0xff
	all := "first " + strings.Repeat("second ", 20_000)
	for name, c := range map[string]struct {
		data []byte
		want string
		err  string
	}{
		"two":            {slices.Concat(a, b), all, ""},
		"an empty one":   {slices.Concat(zipped(""), a, zipped("")), "first ", ""},
		"zeros":          {slices.Concat(a, make([]byte, 70_000)), "first ", ""},
		"zeros and more": {slices.Concat(a, make([]byte, 512), b), all, ""},
		"garbage":        {slices.Concat(a, b, []byte("x")), all, "other data follow the compressed data at byte "},
		"cut":            {slices.Concat(a, b[:len(b)-9]), "first ", "are cut off at byte 273: unexpected EOF"},
		"damaged":        {slices.Concat(a, damaged), "first ", "the compressed data are damaged before byte "},
		"cut head":       {slices.Concat(a, b[:4]), "first ", "the compressed data are damaged from byte 30 on"},
	} {
		r := testkit.Must(Uncompressed(bytes.NewReader(c.data)))(t)
		got, err := io.ReadAll(r)
		if !strings.HasPrefix(string(got), c.want) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %.20q… of %d bytes, %v", name, got, len(got), err)
		}
	}
}

// A compressed file that is damaged and then recognised by no source is named as damaged, where.
func TestDamagedAndUnknown(t *testing.T) {
	data := zipped(strings.Repeat("nothing known ", 300))
	data[len(data)-5] ^= 0xff
	path := filepath.Join(t.TempDir(), "damaged.gz")
	testkit.OK(t, os.WriteFile(path, data, 0o666))
	want := path + ": the compressed data are damaged before byte "
	_, err := (Registry{}).Recognise(path)
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), want), "%v, want %s", err, want)
}
