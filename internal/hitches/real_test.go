//go:build integration

package main

import (
	"testing"

	"framescope/internal/planted"
	"framescope/internal/testkit"
)

// Of a Go program that runs, the causes of its hitches are found in what the runtime traces of it.
func TestRealGoProgram(t *testing.T) {
	got, err := run(t.Output(), options{formats: []planted.Format{"go"}})
	testkit.NoErr(t, err)
	testkit.That(t, got.all.planted == 9 && got.all.right >= 7 && got.all.wrong() <= 1, "%+v", got.all)
}
