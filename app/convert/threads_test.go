package convert

import (
	"fmt"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// The process of the main thread has the number that the session tells, others that by which they are called; no two
// have the same one, and none is longer than formats have room for.
func TestPIDs(t *testing.T) {
	for _, c := range []struct {
		pid       int64
		processes []string
		threads   []string
		want      []int64
	}{
		{-1, []string{""}, nil, []int64{1}},
		{4711, []string{""}, nil, []int64{4711}},
		{1 << 31, []string{""}, nil, []int64{1}},
		{900, []string{"a", "game", "b"}, nil, []int64{1, 900, 3}},
		{3, []string{"a", "game", "b"}, nil, []int64{1, 3, 4}},
		{900, []string{"process 3", "game", "process 900", "process 3000000000", "process 2x"}, nil, []int64{3, 900, 4, 5, 6}},
		{900, []string{"a", "game"}, []string{"T0"}, []int64{1}}, // it is of another one
		{900, []string{"a", "game"}, []string{"T1"}, []int64{900}},
	} {
		s := store.NewSession()
		s.Apply(model.Info{PID: c.pid})
		for i, process := range c.processes {
			s.Apply(model.TrackDef{
				ID: model.TrackID(i), Name: fmt.Sprint("T", i), Process: process, Object: model.NoObject, Peer: model.NoObject,
			})
			s.Append(&model.Batch{Track: model.TrackID(i), Messages: []model.Message{{Time: 1, Text: "ready"}}})
			if process == "game" {
				s.Append(&model.Batch{Track: model.TrackID(i), HasFrame: true, Begin: 0, End: 5})
			}
		}
		p := testkit.Must(Of(s, place.TimeRange{}, c.threads))(t)
		procs, _ := p.Threads()
		var got []int64
		for _, x := range procs {
			got = append(got, x.PID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("process %d, %q: %d, not %d", c.pid, c.processes, got, c.want)
		}
	}
}
