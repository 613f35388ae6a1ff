package cpuprofile

import "testing"

// TestCommas tells of an entry of a list that is not there, with the byte; those behind it keep their times.
func TestCommas(t *testing.T) {
	text := `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"samples":[2,,3],"timeDeltas":[0,10,10]}`
	k, err := opened(t, "x.cpuprofile", text)
	if err != nil || k.Lost("the text is no JSON: commas, or the values between them, are missing; the first is at byte ") != 1 {
		t.Errorf("%v, %v", err, k.Losses)
	}
	if want := "a 0-10, (unknown) 10-20, a 20-30, a;(anonymous):7 20-30"; spansOf(k) != want {
		t.Errorf("%s; want %s", spansOf(k), want)
	}
}
