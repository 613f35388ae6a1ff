package widgets

import "strings"

// TellApart disambiguates sessions of the same name: by their files, with the folders if those have
// the same name, too, or by their addresses.
func TellApart(rows []SessionRow) {
	for i := range rows {
		for k := range rows {
			if i == k || rows[i].Called() != rows[k].Called() {
				continue
			}
			apart := rows[i].Name
			if apart == rows[k].Name {
				apart = lastOf(rows[i].Path, 2)
			}
			if len(apart) > len(rows[i].Apart) {
				rows[i].Apart = apart
			}
		}
	}
}

// lastOf returns the last n parts of a path.
func lastOf(path string, n int) string {
	at := len(path)
	for range n {
		i := strings.LastIndexAny(path[:at], `/\`)
		if i < 0 {
			return path
		}
		at = i
	}
	return path[at+1:]
}
