package sessions

import "errors"

var errNone = errors.New("a browser has no file dialogs for programs")

// AskFiles is not possible in a browser: files are dropped on the window there.
func AskFiles(_, _ string) ([]string, error) { return nil, errNone }

// AskTarget leaves it at the suggestion: no name is better than another in a browser.
func AskTarget(_, suggestion string) (string, error) { return suggestion, nil }

// AskLibrary is not possible in a browser.
func AskLibrary(_, _ string) (string, error) { return "", errNone }
