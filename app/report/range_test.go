package report

import (
	"io"
	"strings"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// A range in which no frame begins is an error, be it one of numbers or one of times, for each kind
// of report; statistics are there where anything else is in it.
func TestRangesInGaps(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.SeriesDef{ID: 0, Name: "heap", Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	for n := int64(0); n < 10; n++ {
		if n != 4 && n != 5 {
			s.Append(&model.Batch{Track: 0, HasFrame: true, Number: n, Begin: n * 10e6, End: (n + 1) * 10e6})
		}
	}
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 55e6, Value: 3}}})
	for text, wrong := range map[string]bool{
		"4:5": true, "41ms:49ms": true, "40ms:60ms": true, "20:": true, "1h:2h": true, "3:5": false, "40ms:61ms": false,
		"20ms:30ms": false,
	} {
		for _, o := range []Options{{}, {JSON: true}, {Stats: true}, {Stats: true, JSON: true}} {
			o.Range = rng(t, text)
			err := Write(io.Discard, s, o)
			want := wrong && !(o.Stats && text == "40ms:60ms") // there is a sample in it
			if (err != nil) != want || want && !strings.Contains(err.Error(), "in this range") {
				t.Errorf("%s, %+v: %v", text, o, err)
			}
		}
	}
	// Ranges beside each other share nothing, and leave nothing out.
	sum := 0
	for _, text := range []string{":20ms", "20ms:70ms", "70ms:"} {
		sum += summaryOf(t, s, Options{Stats: true, Range: rng(t, text)}).Threads[0].Frames
	}
	if sum != 8 {
		t.Errorf("%d frames in the parts, 8 in all", sum)
	}
}
