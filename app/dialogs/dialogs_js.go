package dialogs

import "errors"

var errNone = errors.New("a browser has no file dialogs for programs")

// Files is not possible in a browser: files are dropped on the window there.
func Files(_, _ string) ([]string, error) { return nil, errNone }

// Target leaves it at the suggestion: no name is better than another in a browser.
func Target(_, suggestion string) (string, error) { return suggestion, nil }

// Library is not possible in a browser.
func Library(_, _ string) (string, error) { return "", errNone }
