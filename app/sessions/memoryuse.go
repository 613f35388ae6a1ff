package sessions

import (
	"fmt"

	"framescope/charts/format"
	"framescope/model"
)

// lookAtShown marks the shown data in the store, so that it stays longest, and warns once if the limit
// is too low for the program's data.
func (ss *Sessions) lookAtShown() {
	s := ss.active
	if s == nil {
		return
	}
	s.LookAt(ss.View().Track())
	ss.offerRate(s)
	if s.Torn() > int64(s.NumTracks()) && !ss.torn[s] {
		ss.torn[s] = true
		s.Apply(model.Warning{Text: tornWords(ss.memory.limit, s.NumTracks())})
	}
}

// tornWords say that threads lost all that they had in memory while they sent.
func tornWords(limit int64, threads int) string {
	return fmt.Sprintf("%s of memory is too little for %s: most of the data leaves memory at once. Raise the limit: "+
		"--memory, or Memory in Settings", format.AppendBytes(nil, limit),
		format.AppendPlural(nil, int64(threads), "thread", "threads"))
}

// setMemory sets the limit, in bytes.
func (ss *Sessions) setMemory(bytes float64) {
	ss.settings.SetMemory(int64(bytes))
	ss.memory.SetLimit(ss.settings.MemoryLimit())
	ss.ask.ReplaceNotice("Sessions may take ", "%s", format.AppendBytes(nil, ss.memory.limit))
}
