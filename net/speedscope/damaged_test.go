package speedscope

import (
	"strings"
	"testing"
)

// TestCommas tells of entries of lists that are not there, with the byte: of samples, of events, and of
// frames, which only the first reading reads.
func TestCommas(t *testing.T) {
	good := file(sampled("none", "[0,1],[0]", "1,2"))
	for _, c := range [][2]string{{"[0,1]", "[0,,1]"}, {"[0,1]", "[,0,1]"}, {"[0,1]", "[0 1]"}, {`,{"name":"b"`, `,,{"name":"b"`}} {
		text := strings.Replace(good, c[0], c[1], 1)
		k, err := opened(t, text)
		if err != nil || k.Lost("the text is no JSON: commas, or the values between them, are missing; the first is at byte ") != 1 {
			t.Errorf("%s: %v, %v", c[1], err, k.Losses)
		}
	}
	if k, err := opened(t, good); err != nil || len(k.Losses) > 0 {
		t.Errorf("%v, %v", err, k.Losses)
	}
}

// TestCutBeforeProfiles says of a file that is cut off before its profiles where that is.
func TestCutBeforeProfiles(t *testing.T) {
	_, err := opened(t, `{"shared":{"frames":[{"name":"a"},{"na`)
	if err == nil || !strings.Contains(err.Error(), "has no profiles: byte 35: the file ends inside a value") {
		t.Error(err)
	}
}
