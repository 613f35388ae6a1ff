//go:build headless

package sessions

import "errors"

var errNone = errors.New("there are no file dialogs here")

// AskFiles is not possible: in a browser files are dropped on the window.
func AskFiles(_, _ string) ([]string, error) { return nil, errNone }

// AskTarget leaves it at the suggestion: no name is better than another.
func AskTarget(_, suggestion string) (string, error) { return suggestion, nil }

// AskLibrary is not possible.
func AskLibrary(_, _ string) (string, error) { return "", errNone }
