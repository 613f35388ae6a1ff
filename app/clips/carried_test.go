package clips

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// carrying writes a session whose calls run over many frames: what a frame has open goes on in the next.
func carrying(t *rapid.T, path string) {
	raw := sessionfile.NewRaw()
	raw.Hello(pstats.ClientHello{Program: "carrying", Version: pstats.Newest()})
	names := []string{"Frame", "A", "B", "C", "D", "E"}
	for i, name := range names {
		raw.Collectors([]pstats.CollectorDef{{Index: int16(i), Name: name, Parent: 0}})
	}
	raw.Threads(0, []string{"Main", "Other"})
	for thread := range uint16(2) {
		now := float32(1)
		step := func() float32 {
			now += float32(rapid.IntRange(1, 64).Draw(t, "step")) / 8192
			return now
		}
		var open []uint16
		for n := range uint32(12) {
			f := pstats.Frame{Thread: thread, Number: n}
			f.Events = append(f.Events, pstats.Event{Word: 0, Time: step()})
			for range rapid.IntRange(0, 6).Draw(t, "events") {
				c := uint16(rapid.IntRange(1, len(names)-1).Draw(t, "collector"))
				if k := len(open); k > 0 && rapid.Bool().Draw(t, "stops") {
					f.Events = append(f.Events, pstats.Event{Word: open[k-1] | pstats.StopBit, Time: step()})
					open = open[:k-1]
					continue
				}
				open = append(open, c)
				f.Events = append(f.Events, pstats.Event{Word: c, Time: step()})
			}
			f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: step()})
			raw.Frame(&f, 0)
		}
	}
	out, err := os.Create(path)
	testkit.NoErr(t, err)
	defer out.Close()
	testkit.NoErr(t, raw.WriteSession(out, nil))
}

// What runs when a range begins is in the file that it was saved to, for as long as it runs in it.
func TestWhatRanBefore(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{Limit: 1 << 30})
	defer root.Close()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "framescope-clips-")
		testkit.NoErr(t, err)
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "all.pstats")
		carrying(t, path)
		s := open(t, path)
		main := s.Track(s.MainTrack())
		first := rapid.IntRange(0, main.NumFrames()-1).Draw(t, "first")
		last := rapid.IntRange(first, main.NumFrames()-1).Draw(t, "last")
		a, b := main.Frame(first), main.Frame(last)
		r := place.TimeRange{A: a.Number, B: b.Number, HasA: true, HasB: true}
		if rapid.Bool().Draw(t, "of time") {
			r = place.TimeRange{Times: true, A: a.Begin, B: b.Begin + 1, HasA: true, HasB: true}
		}
		same(t, path, s, r, fmt.Sprintf("frames %d to %d", first, last))
		hello := pstats.ClientHello{Program: "carrying", Version: pstats.Newest()}
		sameOfJournal(t, root, hello, path, s, FramesOf(s, s.MainTrack(), first, last))
	})
}
