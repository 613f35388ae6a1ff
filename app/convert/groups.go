package convert

import (
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// Groups passes each file, library or group with functions of the part to fn, for Framescope's reader
// (trace.Groups), a JSON object each: its category is its full name.
func (p *Part) Groups(fn func(info []byte)) {
	table := p.Session.Collectors()
	seen := map[model.CollectorID]bool{}
	var info []byte
	for id := range model.PathID(p.Session.Paths().Len()) {
		_, c := p.Session.Path(id)
		x := table.ByID(c)
		if x == nil || x.Parent <= 0 || seen[x.Parent] {
			continue
		}
		seen[x.Parent] = true
		up := table.ByID(x.Parent)
		if up == nil {
			continue
		}
		info = append(member(append(info[:0], '{'), trace.Cat, up.FullName), `,"`+trace.Path+`":[`...)
		var path []string
		for ; up != nil && up.ID > 0; up = table.ByID(up.Parent) {
			path = append(path, up.Name)
		}
		slices.Reverse(path)
		for i, name := range path {
			if i > 0 {
				info = append(info, ',')
			}
			info = AppendString(info, name)
		}
		fn(append(info, "]}"...))
	}
}
