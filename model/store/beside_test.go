package store

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// besideSession makes a session of tracks with frames of which each begins offset + number*each, from
// number first on.
func besideSession(tracks ...[4]int64) *Session {
	s := NewSession()
	for i, t := range tracks {
		def := model.TrackDef{ID: model.TrackID(i)}
		if t[3] != 0 {
			def.Kind = model.TrackGPU
		}
		s.Apply(def)
		for k := range int64(300) {
			number := t[0] + k
			if number%41 == 7 && i > 0 {
				continue // lost
			}
			begin := t[1] + number*t[2]
			s.Append(&model.Batch{
				Track: def.ID, HasFrame: true, Number: number, Begin: begin, End: begin + t[2],
			})
		}
	}
	return s
}

// Frames are beside others by their numbers where these are of the same ticks, and else by time.
func TestFramesBeside(t *testing.T) {
	s := besideSession(
		[4]int64{0, 1_000, 100, 0},    // main
		[4]int64{0, 1_003, 100, 0},    // ended by its tick, a little later
		[4]int64{150, 990, 100, 0},    // began later, and ends a little before
		[4]int64{0, 1_000, 99, 0},     // counts for itself, at nearly the same rate
		[4]int64{1_000, 1_000, 20, 0}, // has no number in common
		[4]int64{0, 1_350, 100, 1},    // draws what main did, later
		[4]int64{0, 1_380, 100, 1},
		[4]int64{0, 1_100, 100, 0}, // works on the frame before
	)
	for _, x := range []struct {
		of, id      model.TrackID
		first, last int64 // numbers
		want        [2]int64
		ok          bool
	}{
		{0, 1, 120, 120, [2]int64{120, 120}, true},
		{0, 1, 47, 50, [2]int64{47, 50}, true},
		{0, 1, 48, 50, [2]int64{49, 50}, true}, // 48 was lost
		{0, 1, 40, 48, [2]int64{40, 47}, true},
		{0, 1, 48, 48, [2]int64{}, true}, // nothing
		{1, 0, 60, 61, [2]int64{60, 61}, true},
		{0, 2, 200, 210, [2]int64{200, 210}, true},
		{0, 2, 100, 110, [2]int64{}, true},
		{1, 2, 200, 200, [2]int64{200, 200}, true},
		{0, 3, 120, 120, [2]int64{}, false},
		{0, 4, 120, 120, [2]int64{}, false},
		{0, 5, 120, 121, [2]int64{120, 121}, true},
		{5, 1, 120, 121, [2]int64{120, 121}, true},
		{5, 6, 120, 121, [2]int64{120, 121}, true},
		{5, 3, 120, 121, [2]int64{}, false},
		{0, 7, 120, 121, [2]int64{}, false},
		{3, 3, 120, 121, [2]int64{120, 121}, true},
	} {
		of, track := s.Track(x.of), s.Track(x.id)
		a, _ := of.FrameByNumber(x.first)
		b, _ := of.FrameByNumber(x.last)
		first, last, ok := s.FramesBeside(x.id, x.of, a, b)
		var got [2]int64
		if first <= last {
			got = [2]int64{track.Frame(first).Number, track.Frame(last).Number}
		}
		if got != x.want || ok != x.ok {
			t.Errorf("beside frames %d to %d of track %d are %v of track %d (%v); want %v (%v)", x.first, x.last, x.of, got, x.id, ok, x.want, x.ok)
		}
	}
}

// Beside frames there are none of tracks without frames, nor of those that are not there.
func TestFramesBesideNothing(t *testing.T) {
	s := besideSession([4]int64{0, 0, 10, 0})
	s.Apply(model.TrackDef{ID: 1, Kind: model.TrackGPU})
	s.Apply(model.TrackDef{ID: 2})
	for id := range model.TrackID(4) {
		first, last, ok := s.FramesBeside(id, 0, 3, 4)
		testkit.That(t, (ok && first <= last) == (id == 0), "track %d: %d to %d, %v", id, first, last, ok)
	}
}

// Figures of frames are, of a thread that counts for itself, of those of its frames that begin in them: of
// none where only one that began before reaches in.
func TestFramesWith(t *testing.T) {
	s := besideSession(
		[4]int64{0, 1_000, 100, 0},     // main
		[4]int64{0, 990, 100, 0},       // a little earlier, of the same ticks
		[4]int64{1_000, -9_005, 10, 0}, // ten in each
		[4]int64{1_000, -249_000, 250, 0},
	)
	for _, x := range []struct {
		id     model.TrackID
		number int64
		want   [2]int64
	}{
		{1, 20, [2]int64{20, 20}}, {2, 20, [2]int64{1_201, 1_210}}, {3, 20, [2]int64{1_008, 1_008}}, {3, 21, [2]int64{0, -1}},
	} {
		a, b, _ := s.FramesWith(x.id, 0, int(x.number), int(x.number))
		got := [2]int64{0, -1}
		if a <= b {
			got = [2]int64{s.Track(x.id).Frame(a).Number, s.Track(x.id).Frame(b).Number}
		}
		testkit.Equal(t, got, x.want, "frames of track %d with %d", x.id, x.number)
	}
}
