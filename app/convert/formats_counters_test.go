package convert_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// countersOf returns which process each counter of a session is of, by its name there, and its unit.
func countersOf(t *testing.T, s *store.Session) map[string]string {
	t.Helper()
	p := converttest.Part(t, s, "")
	procs, threads := p.Threads()
	out := map[string]string{}
	for _, c := range p.Counters(threads) {
		out[procs[c.Process].Name+": "+c.Group+"/"+c.Name] = c.Unit
	}
	return out
}

// twoProcesses has counters in each of two processes; one has the name of the other in its own.
const twoProcesses = `[{"ph":"M","pid":1,"name":"process_name","args":{"name":"game"}},
{"ph":"M","pid":2,"name":"process_name","args":{"name":"game server"}},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"a"},{"ph":"X","pid":2,"tid":1,"ts":0,"dur":9,"name":"b"},
{"ph":"C","pid":2,"tid":7,"ts":1,"name":"memory","args":{"heap":5,"":7}},
{"ph":"C","pid":1,"tid":0,"ts":2,"name":"memory","args":{"heap":6}}]`

// Counters of several processes come back in the process that they are of, under the name that they had.
func TestCountersKeepTheirProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.json")
	testkit.OK(t, os.WriteFile(path, []byte(twoProcesses), 0o600))
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	want := map[string]string{"game server: memory/heap": "", "game server: memory/": "", "game: memory/heap": ""}
	if got := countersOf(t, rec.Session); !maps.Equal(got, want) {
		t.Errorf("read: %v, not %v", got, want)
	}
	for _, f := range []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat} {
		again, _ := converttest.Again(t, f, converttest.Part(t, rec.Session, ""))
		if got := countersOf(t, again); !maps.Equal(got, want) {
			t.Errorf("%s: %v, not %v", f.ID, got, want)
		}
	}
}

// Series have the units and the kinds that they had.
func TestCountersKeepUnitAndKind(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Index: 1, Object: model.NoObject, Peer: model.NoObject})
	b := model.Batch{Track: model.NoTrack}
	want := map[string]string{}
	kinds := []model.SeriesKind{model.SeriesValue, model.SeriesGauge, model.SeriesCounter, model.SeriesEvent, model.SeriesState}
	for i, unit := range []string{"ns", "", "B", "°C", "%", `"`} {
		id := model.SeriesID(i)
		s.Apply(model.SeriesDef{
			ID: id, Name: fmt.Sprint(`x"`, i), Group: "gpu", Unit: unit, Kind: kinds[i%len(kinds)],
			Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject,
		})
		b.Samples = append(b.Samples, model.Sample{Series: id, Time: int64(i), Value: 450_000})
		want[fmt.Sprint(`: gpu/x"`, i)] = unit + kinds[i%len(kinds)].Word()
	}
	s.Append(&b)
	for _, f := range []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat} {
		again, _ := converttest.Again(t, f, converttest.Part(t, s, ""))
		got := map[string]string{}
		for _, d := range seriesIn(again) {
			got[": "+d.Group+"/"+d.Name] = d.Unit + d.Kind.Word()
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, not %v", f.ID, got, want)
		}
	}
}

// seriesIn describes the series of a session.
func seriesIn(s *store.Session) (out []model.SeriesDef) {
	for id := range model.SeriesID(s.Series().Len()) {
		out = append(out, s.Series().ByID(id).Def)
	}
	return out
}

// Series of no process have none where there are several, and threads of which nothing is known but series, or
// nothing at all, are there.
func TestWhatHasNoSpansComesBack(t *testing.T) {
	s := store.NewSession()
	for i, process := range []string{"game", "game", "editor"} {
		s.Apply(model.TrackDef{
			ID: model.TrackID(i), Name: fmt.Sprint("T", i), Index: i + 1, Process: process, Object: model.NoObject, Peer: model.NoObject,
		})
	}
	for i, track := range []model.TrackID{0, model.NoTrack} {
		s.Apply(model.SeriesDef{
			ID: model.SeriesID(i), Name: "used", Group: "memory", Track: track, Object: model.NoObject, Peer: model.NoObject,
		})
		s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: model.SeriesID(i), Time: 1e9, Value: 5}}})
	}
	s.Append(&model.Batch{Track: 1, Messages: []model.Message{{Time: 7e9, Text: "ready"}}})
	for _, f := range []*convert.Format{&convert.ChromeFormat, &convert.PerfettoFormat} {
		again, _ := converttest.Again(t, f, converttest.Part(t, s, ""))
		if n := again.NumTracks(); n != 3 {
			t.Fatalf("%s: %d threads", f.ID, n)
		}
		for id := range model.TrackID(3) {
			if got, want := again.Track(id).Def, s.Track(id).Def; got.Name != want.Name || got.Process != want.Process || got.Index != want.Index {
				t.Errorf("%s: %+v, not %+v", f.ID, got, want)
			}
		}
		for i, d := range seriesIn(again) {
			if want := seriesIn(s)[i]; d.Name != want.Name || d.Track != want.Track {
				t.Errorf("%s: %+v, not %+v", f.ID, d, want)
			}
		}
		if begin, end, _ := again.Bounds(); begin != 1e9 || end < 7e9 {
			t.Errorf("%s: from %d to %d", f.ID, begin, end)
		}
	}
}
