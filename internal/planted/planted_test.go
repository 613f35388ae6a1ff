package planted

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats/decode"
)

// skipShort leaves out what makes many sessions and has no goroutines that a short run is for.
func skipShort(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes many sessions")
	}
}

// read reads a session.
func read(t *testing.T, made *Session) *store.Session {
	t.Helper()
	var file bytes.Buffer
	testkit.OK(t, made.Write(&file))
	return feedtest.Made(t, decode.Source{}, "planted.pstats", file.Bytes())
}

// What the truth says of a frame is in the file: a frame of the number takes as long, and the thread
// and the collector of each link are there.
func TestTheFileHoldsWhatTheTruthSays(t *testing.T) {
	skipShort(t)
	for _, game := range []Game{OneThread, Pipelined, Jobs, ThreeDeep, Server, Decoupled} {
		m := testkit.Must(New(Options{Seed: 3, Game: game, Frames: 350}))(t)
		testkit.MustThat(t, len(m.truth.Frames) >= 8, "%s: %d hitches", game, len(m.truth.Frames))
		s := read(t, m)
		collectors := map[string]bool{"": true}
		for id := range model.CollectorID(s.Collectors().Len()) {
			if c := s.Collector(id); c != nil {
				collectors[c.FullName] = true
			}
		}
		threads := map[string]bool{}
		for id := range model.TrackID(s.NumTracks()) {
			threads[s.Track(id).Def.Name] = true
		}
		main := s.Track(0)
		for _, f := range m.truth.Frames {
			at, ok := main.FrameByNumber(f.Frame)
			testkit.MustThat(t, ok, "%s: no frame %d", game, f.Frame)
			ends := float32(float64(main.Frame(at).End) / 1e9) // as a file has it
			step := int64(float64(math.Nextafter32(ends, math.MaxFloat32)-ends)*1e9) + 1000
			got := main.Frame(at).End - main.Frame(at).Begin
			if off := got - f.TypicalNs - f.ExcessNs; off > 2*step || off < -2*step {
				t.Errorf("%s: frame %d takes %d ns, the truth says %d + %d", game, f.Frame, got, f.TypicalNs, f.ExcessNs)
			}
			testkit.That(t, f.Chain[0].Thread == "Main",
				"%s: frame %d: the chain begins in %s", game, f.Frame, f.Chain[0].Thread)
			for _, l := range slices.Concat(f.Chain, f.Others) {
				testkit.That(t, threads[l.Thread] && collectors[l.Collector],
					"%s: frame %d: %+v is not in the session", game, f.Frame, l)
			}
		}
	}
}

// Each kind that is asked for is planted, and shows.
func TestEveryKindShows(t *testing.T) {
	skipShort(t)
	games, limiters := map[Kind]Game{OneDoesAll: Jobs, Fiber: Jobs}, map[Kind]Limiter{RefreshMissed: VSync}
	for _, kind := range Kinds {
		o := Options{Seed: 2, Frames: testkit.Rounds(250, 600), Kinds: []Kind{kind}, Bystanders: 7, Phases: 3, Jitter: 0.05}
		o.Game, o.Limiter = cmp.Or(games[kind], Pipelined), cmp.Or(limiters[kind], Free)
		m := testkit.Must(New(o))(t)
		planted, shown := 0, len(m.truth.Frames)
		for _, p := range m.w.plants {
			planted += p.frames
		}
		testkit.That(t, planted != 0 && shown*4 >= planted*3, "%s: %d of %d show", kind, shown, planted)
	}
}
