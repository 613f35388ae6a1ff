package perfetto

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// toldTrace has frames that say how long they are: two overlap, numbers are missing, there is time between two; the
// worker has those of a text, and some of its own.
func toldTrace(note string, frames ...string) (trace msg) {
	describe := func(uuid, tid uint64, name, text string) msg {
		return msg(nil).in(60, msg(nil).num(1, uuid).in(4, msg(nil).num(1, 7).num(2, tid).str(5, name)).str(14, text))
	}
	trace = trace.packet(describe(1, 8, "Main", "thread_frames main")).packet(describe(2, 9, "Worker", "thread_frames "+note))
	for track := uint64(1); track <= 2; track++ {
		trace = trace.packet(at(1, 100).in(11, ev(1, track).str(23, "a"))).packet(at(1, 130).in(11, ev(2, track)))
	}
	for _, f := range frames {
		var track, time, length uint64
		name, rest, _ := strings.Cut(f, "|")
		fmt.Sscan(rest, &track, &time, &length)
		trace = trace.packet(at(1, time).in(11, ev(3, track).str(23, name).in(4, msg(nil).str(10, "frame_ns").num(4, length))))
	}
	return trace
}

// Frames that say how long they are come as they are told, each thread's own.
func TestToldFrames(t *testing.T) {
	all := []string{
		"frame 7|1 104 10", "frame 9|1 112 9", "frame 10|1 140 20", "thread frame 8|2 121 5", "thread frame 10|2 122 0",
	}
	host := []string{"Main 7 4 14", "Main 9 12 21", "Main 10 40 60"}
	worker := []string{"Worker 7 4 14", "Worker 8 21 26", "Worker 9 12 21", "Worker 10 22 22"}
	for _, c := range []struct {
		note   string
		frames []string
		want   []string
	}{
		{"7:9", all, append(slices.Clone(host), worker...)},
		{"", all, append(slices.Clone(host), worker[1], worker[3])},
		{"7:9", slices.Replace(slices.Clone(all), 2, 3, "frame 9|1 140 20"), []string{
			"Main 0 4 14", "Main 1 12 21", "Main 2 40 60", "Worker 8 21 26", "Worker 10 22 22",
		}},
		{"7:9", slices.Replace(slices.Clone(all), 1, 2, "frame 9|1 112 18446744073709551615"), []string{
			host[0], host[2], worker[0], worker[1], worker[3],
		}},
	} {
		k := testkit.Must(decodes(t, toldTrace(c.note, c.frames...)))(t)
		var got []string
		for _, b := range k.Batches {
			if b.HasFrame {
				got = append(got, fmt.Sprint(k.Tracks[b.Track].Name, " ", b.Number, " ", b.Begin, " ", b.End))
			}
		}
		testkit.That(t, slices.Equal(got, c.want) && k.Tracks[0].Main,
			"%q, want %q; main %t", got, c.want, k.Tracks[0].Main)
	}
}

// ofObjects tells what a program is made of, and a track and a counter that are of it.
func ofObjects() (trace msg) {
	track := func(uuid uint64, text string) msg {
		return msg(nil).num(1, uuid).num(5, 1).str(2, "queue").str(14, text)
	}
	trace = trace.packet(msg(nil).in(60, msg(nil).num(1, 1).in(3, msg(nil).num(1, 7)).str(14, "session_zero 50\n"+
		`object_info {"n":0,"of":"element","name":"queue","created":70}`+"\n"+`object_info {"n":1,"in":0,"of":"pad"}`+"\n"+
		`object_info {"n":5}`+"\n"+`link_info {"n":0,"from":1,"to":0,"flow":true}`)))
	trace = trace.packet(msg(nil).in(60, track(2, `track_info {"of":"element","object":0,"name":"queue"}`)))
	trace = trace.packet(msg(nil).in(60, track(3, `counter_info {"unit":"B","kind":"event","group":"buffers","name":"src","role":"flow","object":1,"peer":0}`).
		in(8, nil)))
	trace = trace.packet(at(1, 100).in(11, ev(1, 2).str(23, "in"))).packet(at(1, 130).in(11, ev(2, 2)))
	return trace.packet(at(1, 110).in(11, ev(4, 3).num(30, 512)))
}

// TestOfObjects: what a program is made of comes as it is told, and what can't be is left out.
func TestOfObjects(t *testing.T) {
	k := testkit.Must(decodes(t, ofObjects()))(t)
	s := store.NewSession()
	into := feedtest.Into{Session: s}
	d := newDecoder(&into, "x", "")
	d.split.Write(ofObjects())
	d.finish(nil)
	top := s.Topology()
	if len(top.Objects()) != 2 || top.Objects()[0].Created != 20 || len(top.Links()) != 1 {
		t.Fatalf("%+v, %+v", top.Objects(), top.Links())
	}
	flow := s.Series().ByID(top.Links()[0].Flow)
	testkit.That(t, flow != nil && flow.Def.Role == model.RoleFlow && flow.Def.Object == 1 && flow.Def.Peer == 0,
		"%+v", flow)
	if tr := s.Track(0); tr == nil || tr.Def.Kind != model.TrackElement || tr.Def.Object != 0 {
		t.Errorf("%d tracks, %+v", s.NumTracks(), tr)
	}
	_, lines := s.Losses()
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "metadata of the session (object_info)") || len(k.Tracks) != s.NumTracks() {
		t.Errorf("%q", lines)
	}
}
