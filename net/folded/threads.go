package folded

import (
	"fmt"
	"regexp"
	"strconv"

	"framescope/model"
)

// threadRoot are the frames that py-spy begins stacks with; where it does not know the system's numbers of threads,
// they are addresses.
var threadRoot = regexp.MustCompile(`^(?:process (\d+):"([^;]*)";)*thread \((\d+|0x[0-9A-Fa-f]+)\)(?:: ([^;]*))?`)

// track returns the track of a stack: that of the thread that stands at its root, or the one of
// all others. rest are its frames, without a root that is no function.
func (r *reader) track(frames []byte) (id model.TrackID, rest []byte) {
	def := model.TrackDef{Name: "all stacks"}
	rest = frames
	if x := threadRoot.FindSubmatch(frames); x != nil {
		if number, err := strconv.ParseInt(string(x[3]), 0, 0); err == nil {
			def.Index = int(number)
		}
		def.Name = string(x[4])
		if len(x[1]) > 0 {
			def.Process = "process " + string(x[1])
		}
		if root := len(x[0]); r.threads && root < len(frames) {
			rest = frames[root+1:]
		}
	}
	id, ok := r.Names.Track(fmt.Sprintf("%s;%d;%s", def.Process, def.Index, def.Name), def)
	if !ok {
		return 0, rest
	}
	return id, rest
}
