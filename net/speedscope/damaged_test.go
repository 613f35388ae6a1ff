package speedscope

import (
	"fmt"
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

// TestDamagedValues tells of begins, ends and names that can't be, with the byte; null is none of these.
func TestDamagedValues(t *testing.T) {
	good := file(sampled("seconds", "[0,1],[0]", "1,2"))
	for _, c := range []struct{ from, to, told string }{
		{`"startValue":5`, `"startValue":"x"`, "begins or ends of profiles are no time that can be"},
		{`"startValue":5`, `"startValue":99999999999999999999`, "begins or ends of profiles are no time that can be"},
		{`"endValue":9`, `"endValue":-1e99`, "begins or ends of profiles are no time that can be"},
		{`"name":"a"`, `"name":7`, "names or files of frames are no texts"},
		{`"file":null`, `"file":[]`, "names or files of frames are no texts"},
		{`"startValue":5`, `"startValue":null`, ""}, {`"name":"a"`, `"name":null`, ""},
	} {
		k, err := opened(t, strings.Replace(good, c.from, c.to, 1))
		if c.told == "" {
			if err != nil || len(k.Losses) > 0 {
				t.Errorf("%s: %v, %v", c.to, err, k.Losses)
			}
			continue
		}
		at := fmt.Sprint("; the first is at byte ", strings.Index(good, c.from)+strings.Index(c.from, ":")+1)
		if err != nil || k.Lost(c.told) != 1 || k.Lost(at) != 1 {
			t.Errorf("%s: %v, %v; want %s", c.to, err, k.Losses, at)
		}
	}
}
