package sessions

import "errors"

var errNoDialog = errors.New("a browser has no file dialogs for programs")

// chooseFiles is not possible in a browser: files are dropped on the window there.
func chooseFiles(_, _ string) ([]string, error) { return nil, errNoDialog }

// chooseTarget leaves it at the suggestion: no name is better than another in a browser.
func chooseTarget(_, suggestion string) (string, error) { return suggestion, nil }
