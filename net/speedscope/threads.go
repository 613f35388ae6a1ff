package speedscope

import (
	"cmp"
	"regexp"
	"strconv"

	"framescope/model"
)

// pySpyThread is how py-spy calls profiles; where it does not know the system's numbers of threads, they are addresses.
var pySpyThread = regexp.MustCompile(`^(?:Process (\d+) )?Thread (\d+|0x[0-9A-Fa-f]+) "(.*)"$`)

// thread describes the thread of a profile.
func (d *decoder) thread(p *profile, n int) model.TrackDef {
	def := model.TrackDef{Name: p.name, Index: n, Main: int64(n) == d.active}
	if d.title != "" && len(d.profiles) == 1 && p.name == d.title && d.exporter != ours {
		def.Name = "main" // it is called as the whole file
		return def
	}
	if x := pySpyThread.FindStringSubmatch(p.name); x != nil {
		def.Name = x[3]
		if id, err := strconv.ParseInt(x[2], 0, 0); err == nil {
			def.Index = int(id)
		}
		if def.Name == "" {
			def.Name, def.Kin = "thread "+x[2], "thread"
		}
		if x[1] != "" {
			def.Process = "process " + x[1]
		}
	}
	def.Name = cmp.Or(def.Name, "profile "+strconv.Itoa(n+1))
	return def
}
