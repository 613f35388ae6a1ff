package model

import (
	"fmt"
	"path"
	"strings"
)

// Treat is what a user says of collectors: patterns of names, own or full, whatever their case, with * for anything.
type Treat struct{ Wait, Work []string }

// Check returns an error for a pattern that is none.
func (t Treat) Check() error {
	for _, list := range [...][]string{t.Wait, t.Work} {
		for _, p := range list {
			if _, err := path.Match(plainOf(p), ""); err != nil || p == "" {
				return fmt.Errorf("%q is no pattern of names", p)
			}
		}
	}
	return nil
}

// plainOf makes a pattern or a name fit for path.Match, where slashes part nothing.
func plainOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), "/", "\x01") }

// voice returns what the user says of a collector; false: nothing.
func (t *Treat) voice(c *Collector) (v Voice, said bool) {
	switch {
	case meansAny(t.Work, c):
		return SaysWork, true
	case meansAny(t.Wait, c):
		return SaysWait, true
	}
	return SaysNothing, false
}

func meansAny(patterns []string, c *Collector) bool {
	for _, p := range patterns {
		for _, name := range [...]string{c.Name, c.FullName} {
			if ok, _ := path.Match(plainOf(p), plainOf(name)); ok {
				return true
			}
		}
	}
	return false
}

// Treat takes what the user says of collectors, instead of what was said before.
func (t *CollectorKeeper) Treat(as Treat) {
	t.treat = as
	t.rev++
}
