package trace

import "strings"

// Program returns the display name of a process from its name or command line: the program without folder
// and arguments, except Chromium's --type, which distinguishes its processes. Other names stay unchanged.
func Program(name string) string {
	line := strings.TrimSpace(name)
	path, rest := line, ""
	switch {
	case strings.HasPrefix(line, `"`):
		path, rest, _ = strings.Cut(line[1:], `"`)
	case strings.HasPrefix(line, "/"), len(line) > 2 && line[1:3] == `:\`:
		for i := range line[1:] {
			if line[i] == ' ' && (line[i+1] == '-' || line[i+1] == '/') {
				path, rest = line[:i], line[i:]
				break
			}
		}
	default:
		if at := strings.Index(line, " --"); at > 0 {
			path, rest = line[:at], line[at:]
		} else {
			return name
		}
	}
	title := path
	if path != line || strings.HasPrefix(path, "/") || strings.Contains(path, `:\`) {
		title = path[strings.LastIndexAny(path, `/\`)+1:]
	}
	if title == "" {
		return name
	}
	for _, word := range strings.Fields(rest) {
		if kind, ok := strings.CutPrefix(word, "--type="); ok && kind != "" {
			return title + " " + kind
		}
	}
	return title
}
