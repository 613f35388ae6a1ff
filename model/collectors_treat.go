package model

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Treat is what a user says of a program: which collectors wait and which work, by patterns of names, own or full,
// whatever their case, with * for anything; and from when on a frame is a hitch.
type Treat struct {
	Wait []string `json:",omitempty"`
	Work []string `json:",omitempty"`
	HitchLimit
}

// mostTreated bounds the patterns of each kind.
const mostTreated = 1000

// literally makes of a full name the pattern that means no other.
var literally = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// With returns it with one more collector, by its full name: SaysWait, SaysWork, or SaysNothing to unsay it.
func (t Treat) With(fullName string, v Voice) Treat {
	p := literally.Replace(fullName)
	without := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(x string) bool { return strings.EqualFold(x, p) })
	}
	t = Treat{without(t.Wait), without(t.Work), t.HitchLimit}
	switch v {
	case SaysWait:
		t.Wait = append(t.Wait, p)
	case SaysWork:
		t.Work = append(t.Work, p)
	}
	return t
}

// Equal reports whether two say the same.
func (t Treat) Equal(o Treat) bool {
	return slices.Equal(t.Wait, o.Wait) && slices.Equal(t.Work, o.Work) && t.HitchLimit == o.HitchLimit
}

// None reports whether it says nothing.
func (t Treat) None() bool { return len(t.Wait)+len(t.Work) == 0 && t.HitchLimit == HitchLimit{} }

// Check returns an error for a pattern that is none.
func (t Treat) Check() error {
	if max(len(t.Wait), len(t.Work)) > mostTreated {
		return errors.New("too many patterns of names")
	}
	if err := t.HitchLimit.check(); err != nil {
		return err
	}
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

// Voice returns what the user says of a collector: SaysWork, SaysWait, or SaysNothing.
func (t *Treat) Voice(c *Collector) Voice {
	switch {
	case meansAny(t.Work, c):
		return SaysWork
	case meansAny(t.Wait, c):
		return SaysWait
	}
	return SaysNothing
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
	t.treats++
	t.rev++
}

// Treated returns what the user says of collectors, and how often that was said anew.
func (t *Collectors) Treated() (as Treat, times int) { return t.treat, t.treats }
