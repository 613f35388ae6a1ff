package puffin

import (
	"maps"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/net/feed/feedtest"
)

// program is what the recorded program itself counted.
type program struct {
	Spans       map[string]int64
	ByThread    map[string]map[string]int64 `json:"spans_by_thread_name"`
	Hitches     []int64                     `json:"hitch_loop_frames"`
	LoopFrames  int                         `json:"loop_frames"`
	InView      int                         `json:"frames_in_view"`
	DataStrings int64                       `json:"data_strings"`
}

// TestAgainstThePrograms compares captures with what the program itself counted: scopes by thread and
// name, and where its hitches were. Of a recording that lost frames nothing is more than was made.
func TestAgainstThePrograms(t *testing.T) {
	for _, name := range []string{"game60.puffin", "evicted-names.puffin", "pfd1.puffin", "pfd2.puffin", "pfd3.puffin"} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.Puffin, name)
			want := recordings.JSON[program](t, recordings.Puffin, stem(name)+".program.json")
			s := feedtest.Open(t, Source{}, path)
			got := map[string]map[string]int64{}
			all := map[string]int64{}
			for id := range model.TrackID(s.NumTracks()) {
				thread, _, _ := strings.Cut(s.Track(id).Def.Name, " (")
				if thread == serverThread { // which is not the program's
					continue
				}
				if got[thread] == nil {
					got[thread] = map[string]int64{}
				}
				for scope, n := range callsOf(s, id, nil) {
					scope = scope[strings.LastIndex(scope, ":")+1:] // the program leaves out its own name
					got[thread][scope] += n
					all[scope] += n
				}
			}
			main := s.Track(s.MainTrack())
			frames := len(samplesOf(s, rangeSeries))
			switch {
			case name == "evicted-names.puffin":
				if frames != want.InView {
					t.Errorf("%d frames, want %d", frames, want.InView)
				}
				for thread, scopes := range got {
					for scope, n := range scopes {
						if most := want.ByThread[thread][scope]; n > most && !strings.HasPrefix(scope, "scope#") {
							t.Errorf("%s: %d times %s, of %d", thread, n, scope, most)
						}
					}
				}
			case want.Spans != nil:
				if !maps.Equal(all, want.Spans) || main.NumFrames() != want.LoopFrames {
					t.Errorf("%v in %d frames, want %v in %d", all, main.NumFrames(), want.Spans, want.LoopFrames)
				}
			default:
				if !maps.EqualFunc(got, want.ByThread, maps.Equal[map[string]int64, map[string]int64]) {
					t.Errorf("%v\nwant %v", got, want.ByThread)
				}
				if main.NumFrames() != want.LoopFrames || frames != want.InView {
					t.Errorf("%d and %d frames, want %d and %d", main.NumFrames(), frames, want.LoopFrames, want.InView)
				}
			}
			for _, loop := range want.Hitches {
				i, ok := main.FrameByNumber(loop + 1)
				if f := main.Frame(i); !ok || f.End-f.Begin < 30e6 {
					t.Errorf("frame %d, where the program's loop %d hitched, took %d ns", loop+1, loop, f.End-f.Begin)
				}
			}
		})
	}
}
