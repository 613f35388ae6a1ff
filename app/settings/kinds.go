package settings

import "framescope/model/store"

// sources are those whose sessions were kinds of their own: what was chosen for them is so for all of
// that nature, until another is. What counts comes before the others.
var sources = []struct {
	source string
	nature store.Nature
}{
	{"gsttrace", store.Pipeline}, {"flare", store.Samples}, {"firefox", store.Samples}, {"cpuprofile", store.Samples},
	{"perfscript", store.Samples}, {"pprof", store.Profile}, {"folded", store.Profile},
}

// moveKinds takes the workspaces over that were chosen for the sessions of a source.
func (s *Values) moveKinds() {
	for _, x := range sources {
		if own, ok := s.Workspace[x.source]; ok && s.Workspace[x.nature.String()] == "" {
			s.Workspace[x.nature.String()] = own
		}
	}
}
