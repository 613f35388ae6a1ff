//go:build integration && !unix

package e2e

import "errors"

func makeFIFO(string) error { return errors.New("no FIFOs here") }
