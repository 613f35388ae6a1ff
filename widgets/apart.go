package widgets

import (
	"strconv"
	"strings"
)

// TellApart disambiguates sessions of the same name: files by their names, with the folders if those have the
// same name, too; programs by their process numbers where all have others, else by their addresses.
func TellApart(rows []SessionRow) {
	for i := range rows {
		for k := range rows {
			if i == k || rows[i].Called() != rows[k].Called() {
				continue
			}
			apart := apartFrom(&rows[i], &rows[k])
			if len(apart) > len(rows[i].Apart) {
				rows[i].Apart = apart
			}
		}
	}
}

// apartFrom returns the word by which a session differs from another of its name.
func apartFrom(r, other *SessionRow) string {
	a, b := r.Session.Info(), other.Session.Info()
	switch {
	case !a.File && a.PID > 0 && a.PID != b.PID:
		return pidWords(a.PID)
	case !a.File && a.Peer != "" && a.Peer != b.Peer:
		return a.Peer
	case r.Name == other.Name:
		return lastOf(r.Path, 2)
	}
	return r.Name
}

func pidWords(pid int64) string { return "pid " + strconv.FormatInt(pid, 10) }

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

// NameApart returns the name of a session in a sentence, with what sets it apart from others.
func NameApart(r *SessionRow) string {
	if r.Apart == "" {
		return r.Called()
	}
	return r.Called() + " (" + r.Apart + ")"
}
