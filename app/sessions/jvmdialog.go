//go:build !js

package sessions

import "github.com/ncruces/zenity"

// libraryPatterns are the files that a dialog for an agent library shows first.
var libraryPatterns = zenity.FileFilters{
	{Name: "Libraries", Patterns: []string{"*.so", "*.dylib", "*.dll"}, CaseFold: true},
	{Name: "All files", Patterns: []string{"*"}},
}

// chooseAgentLibrary asks for a library with the system's own dialog. It blocks; errCanceled when
// the user closed it.
func chooseAgentLibrary(title, before string) (string, error) {
	o := []zenity.Option{zenity.Title(title), libraryPatterns}
	if before != "" {
		o = append(o, zenity.Filename(before))
	}
	path, err := zenity.SelectFile(o...)
	return path, canceled(err)
}
