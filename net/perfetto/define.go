package perfetto

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// define defines tracks, series and the info of the program.
func (d *decoder) define(main *output) {
	used := map[*process]bool{}
	for _, o := range d.outputs {
		used[o.proc] = true
	}
	for _, g := range d.series {
		used[g.proc] = true
	}
	delete(used, nil)
	alike := map[string]int{}
	for p := range used {
		alike[p.title()]++
	}
	title := func(p *process) string {
		switch {
		case len(used) < 2 || p == nil:
			return ""
		case alike[p.title()] > 1:
			return fmt.Sprintf("%s %d", p.title(), int32(p.key.pid))
		}
		return p.title()
	}
	type place struct {
		proc *process
		name string
	}
	within, across := map[place]int{}, map[string]map[*process]bool{}
	for _, o := range d.outputs {
		if o.thread != nil {
			if o.def.Name = o.thread.name; o.def.Name == "" {
				o.def.Name = o.thread.told
			}
		}
		within[place{o.proc, o.def.Name}]++
		if across[o.def.Name] == nil {
			across[o.def.Name] = map[*process]bool{}
		}
		across[o.def.Name][o.proc] = true
	}
	next := model.TrackID(0)
	for i, o := range d.outputs {
		def := &o.def
		name := def.Name
		def.Process, def.Index, def.Main = title(o.proc), i, o == main
		def.Object, def.Peer, def.Skips = model.NoObject, model.NoObject, o.proc != nil && o.proc.skips
		if o.thread != nil {
			def.Index = int(o.thread.key.tid)
			if name != "" && within[place{o.proc, name}] > 1 {
				def.Name = fmt.Sprintf("%s (%d)", name, o.thread.key.tid)
			}
		}
		if name != "" && len(across[name]) > 1 && def.Process != "" {
			def.Name += " (" + def.Process + ")"
		}
		def.Name = shown(def.Name)
		def.ID = next
		if next >= feed.SureThreads && !d.room.Admit(*def) {
			def.ID = model.NoTrack
			d.faults.Count(NoTrack, trace.Unknown)
			continue
		}
		d.sink.Define(*def)
		next++
	}
	d.defineSeries(title)
	d.tellInfo(main)
}

// defineSeries defines series: those of one name are a group, of threads and processes.
func (d *decoder) defineSeries(title func(*process) string) {
	type key struct{ group, name string }
	taken := map[key]int{}
	for _, g := range d.series {
		def := &g.def
		of := title(g.proc)
		if th := g.thread; th != nil {
			if th.out != nil && th.out.def.ID != model.NoTrack {
				def.Track, of = th.out.def.ID, th.out.def.Name
			}
			if of == "" {
				of = th.name
			}
			if of == "" {
				of = "Thread " + strconv.FormatInt(th.key.tid, 10)
			}
		}
		switch {
		case of == "" && def.Name == "":
			def.Name = def.Group
		case def.Name == "":
			def.Name = of
		case of != "" && of != def.Name:
			def.Name = of + " " + def.Name
		}
		k := key{def.Group, def.Name}
		if taken[k]++; taken[k] > 1 {
			def.Name += " " + strconv.Itoa(taken[k])
		}
		def.Name, def.Group, def.Unit = shown(def.Name), shown(def.Group), shown(def.Unit)
		d.sink.Define(*def)
	}
}

// tellInfo defines the info of the program: the process that has the frames, or else the only one.
func (d *decoder) tellInfo(main *output) {
	elsewhere := func(o *output) bool { return o.proc != d.outputs[0].proc }
	if main == nil && len(d.outputs) > 0 && !slices.ContainsFunc(d.outputs, elsewhere) {
		main = d.outputs[0]
	}
	if main != nil && main.proc != nil {
		d.info.Program = shown(main.proc.title())
		if pid := int32(main.proc.key.pid); pid > 0 {
			d.info.PID = int64(pid)
		}
	}
	clock := map[uint32]string{
		0: "the trace's own clock", Realtime: "REALTIME", Monotonic: "MONOTONIC", Boot: "BOOTTIME",
	}[d.primary]
	if clock == "" {
		clock = fmt.Sprintf("clock %d", d.primary)
	}
	if len(d.snapshots) == 0 && d.primary == Boot {
		clock = "an unknown clock"
	}
	sign, first := "", uint64(d.first)
	if d.first < 0 {
		sign, first = "−", -first
	}
	d.info.Detail = fmt.Sprintf("%d packets; 0 is %s%d.%09d s of %s", d.packets, sign, first/1e9, first%1e9, clock)
	if d.step < math.MaxInt64 {
		d.info.Clock.StepNs = d.step
	}
	d.sink.Define(d.info)
}

// shown returns a text of the file without blanks around it.
func shown(s string) string { return strings.TrimSpace(trace.Text(s)) }
