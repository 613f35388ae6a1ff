package truth

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
)

// subject is a session that numbers are compared of.
type subject struct {
	name   string
	called map[string]bool // see names
	shared []part          // see eachPart
	plain
}

// recorded returns the files of recordings: a few of each format, in the long form all of the tree and those beside it.
func recorded(t *testing.T) (paths []string) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	all := append(recordings.All(t, reg), testkit.Must(filepath.Glob(filepath.Join(flaretest.Captures(t), "*", "127*")))(t)...)
	if testkit.Long {
		all = append(all, recordings.Shared(t, reg)...)
	}
	name := func(path string) string { return strings.TrimSuffix(filepath.Base(path), ".gz") }
	for _, path := range all {
		if !slices.ContainsFunc(paths, func(p string) bool { return name(p) == name(path) }) {
			paths = append(paths, path)
		}
	}
	return recordings.Few(paths)
}

// open reads a recording. What is damaged is shown as far as it goes, so it is compared as far; nil
// of what is damaged from its first byte on.
func open(t *testing.T, path string) *subject {
	rec, err := load.File(t.Context(), path, load.Options{})
	if rec == nil {
		if !strings.HasPrefix(filepath.Base(path), "broken-") {
			t.Error(path, err)
		}
		return nil
	}
	return subjectOf(filepath.Base(path), rec.Session)
}

func subjectOf(name string, s *store.Session) *subject {
	return &subject{name: name, plain: *newPlain(s)}
}

// made are sessions with things that no small recording has.
func made(t *testing.T) []*subject {
	return []*subject{
		subjectOf("game", chartstest.NewSession(t)), subjectOf("calls", chartstest.NewCallSession(true)),
		subjectOf("locks", chartstest.NewLockSession(t)), subjectOf("holes", chartstest.HolesSession()),
		subjectOf("latency", chartstest.LatencySession(500)), subjectOf("states", chartstest.StateSession(50)),
		subjectOf("leaks", chartstest.LeakSession()), subjectOf("messages", chartstest.MessageSession(100)),
		subjectOf("ticks", chartstest.TickSession()), subjectOf("flows", chartstest.NewFlowSession()),
		subjectOf("pipeline", chartstest.TeePipeline().Session()),
	}
}

// part is a thread and a range of a subject, as a user has them selected.
type part struct {
	*subject
	track       model.TrackID
	first, last int   // indices of the frames of the thread; last < first: it has none
	t0, t1      int64 // the selected range, or all
	selected    bool

	// What was worked out of it already.
	ran     *sums
	allRan  *sums
	frames  [2]map[model.CollectorID]*framed
	insides map[model.CollectorID]*framed
	answer  row
	said    map[float64]bool // times of messages
	asked   bool
	memory  int64                            // that the session took when the window was opened
	flown   map[[2]model.ObjectID][2]float64 // buffers and bytes, by link
}

// calls are what ran on the thread in the range.
func (p *part) calls() *sums {
	if p.ran == nil && p.track != model.NoTrack {
		p.ran = p.sums([]model.TrackID{p.track}, p.t0, p.t1)
	}
	return p.ran
}

// inside are the times with callees over the frames of the range.
func (p *part) inside() map[model.CollectorID]*framed {
	if p.insides == nil {
		p.insides = p.insideOf(p.track, p.first, p.last)
	}
	return p.insides
}

// over are the figures over the frames of the range: of times, or levels.
func (p *part) over(levels bool) map[model.CollectorID]*framed {
	i := 0
	if levels {
		i = 1
	}
	if p.frames[i] == nil {
		p.frames[i] = p.framed(p.track, levels, p.first, p.last)
	}
	return p.frames[i]
}

// parts returns what of a subject is looked at: of some threads all, and some ranges.
func (x *subject) parts() (out []part) {
	threads := 0
	for id := range model.TrackID(x.s.NumTracks()) {
		t := x.s.Track(id)
		if t == nil || t.NumFrames() == 0 && x.s.HasFrames() || t.NumSpans() == 0 && !x.timeless() {
			continue
		}
		if threads++; threads > 2 && !testkit.Long {
			break
		}
		begin, end, _ := t.Bounds()
		from, to, _ := x.s.Bounds()
		if x.timeless() { // the thread, and all of them
			out = append(out, part{subject: x, track: id, last: -1, t0: from, t1: to + 1})
			continue
		}
		if n := t.NumFrames(); n > 0 {
			ranges := [][2]int{{n / 2, n / 2}, {n / 3, min(n/3+4, n-1)}}
			if threads == 1 || testkit.Long {
				ranges = append(ranges, [2]int{0, n - 1})
			}
			if testkit.Long {
				ranges = append(ranges, [2]int{0, 0}, [2]int{n - 1, n - 1})
			}
			for _, r := range ranges {
				p := part{subject: x, track: id, first: r[0], last: r[1], selected: true}
				p.t0, p.t1 = x.times(id, r[0], r[1])
				out = append(out, p)
			}
			continue
		}
		third := (end - begin) / 3
		out = append(out, part{subject: x, track: id, last: -1, t0: from, t1: to + 1})
		out = append(out, part{subject: x, track: id, last: -1, t0: begin + third, t1: end - third, selected: true})
	}
	if len(out) == 0 || x.timeless() {
		if from, to, ok := x.s.Bounds(); ok {
			out = append(out, part{subject: x, track: model.NoTrack, last: -1, t0: from, t1: to + 1})
		}
	}
	return slices.DeleteFunc(out, func(p part) bool { return p.t1 <= p.t0 })
}

var (
	theme = assets.Dark()
	atlas = draw.NewAtlas(1)
)

// rig returns a window in which the part is selected.
func (p *part) rig() *chartstest.Rig {
	v := view.New(p.s)
	v.Follow(false)
	rig := &chartstest.Rig{
		Env: &panel.Env{View: v, Theme: &theme, Atlas: atlas, Scale: 1, NowNs: 1e9}, R: draw.Rect{X1: 700, Y1: 420},
	}
	p.memory = p.s.Memory().Total() // as it is now: what is asked later takes more
	rig.Env.MemoryOf = func(*store.Session) int64 { return p.memory }
	v.Tick(rig.Env.NowNs, false)
	if p.track != model.NoTrack {
		v.SetTrack(p.track)
	}
	if p.selected && p.last >= p.first {
		v.SelectFrames(p.first, p.last)
	} else if p.selected {
		v.SelectRange(p.t0, p.t1)
	}
	v.Steer().PlaceTime(p.t0, p.t1)
	v.Tick(rig.Env.NowNs, false)
	return rig
}

// settle lays a panel out until it has all that it shows.
func settle(rig *chartstest.Rig, c panel.Panel) {
	for range 3 {
		rig.Tick(c)
	}
}
