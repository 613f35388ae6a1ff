// Package pprof reads pprof profiles (perftools.profiles.Profile, gzipped or not): stacks with one or
// more weights and without times become a session of samples. It owns what the fields mean and which
// profile is which; the encoding is github.com/google/pprof/profile's.
package pprof
