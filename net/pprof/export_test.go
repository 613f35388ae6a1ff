package pprof

import "github.com/google/pprof/profile"

// Parse reads an uncompressed profile.
func Parse(data []byte) (*profile.Profile, error) { return parse(data, maxParsed) }
