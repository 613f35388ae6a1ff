package together

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"framescope/net/journal/disk"
)

// Plan names the recordings on a ruler.
type Plan struct {
	Kind    string   `json:"framescope"` // kind
	Version int      `json:"version"`
	Members []Member `json:"members"`
	// Frames is the name of the spans that are frames, as --frames gives it; empty: each recording's own.
	Frames string `json:"frames,omitempty"`
}

// Member is a recording on a ruler.
type Member struct {
	Path  string `json:"path"` // absolute, or from the plan's folder
	Name  string `json:"name"` // of the program, unlike those of the others
	Shift Shift  `json:"shift"`
}

const (
	kind        = "together"
	version     = 1
	mostPlan    = 1 << 20
	mostMembers = 64
	mostName    = 1000
)

// Sniff reports whether a file that begins with head is a plan.
func Sniff(head []byte) bool {
	head = head[:min(len(head), 64)]
	key, rest, ok := bytes.Cut(bytes.TrimLeft(head, "{ \t\r\n"), []byte(":"))
	return ok && bytes.HasPrefix(head, []byte("{")) && string(bytes.TrimSpace(key)) == `"framescope"` &&
		bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"`+kind+`"`))
}

// Read reads a plan. The paths of its members are absolute.
func Read(path string) (*Plan, error) {
	text, err := disk.ReadFile(path, mostPlan+1)
	if err != nil {
		return nil, err
	}
	if len(text) > mostPlan {
		return nil, fmt.Errorf("%s: a list of sessions on one ruler has at most %d bytes", path, mostPlan)
	}
	var p Plan
	if err := json.Unmarshal(text, &p); err != nil {
		at := int64(0)
		if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = bad.Offset
		} else if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			at = bad.Offset
		}
		return nil, fmt.Errorf("%s: offset %d: %w", path, at, err)
	}
	switch n := len(p.Members); {
	case p.Kind != kind:
		return nil, fmt.Errorf("%s: is no list of sessions on one ruler", path)
	case p.Version != version:
		return nil, fmt.Errorf("%s: version %d, this program reads %d", path, p.Version, version)
	case n < 2 || n > mostMembers:
		return nil, fmt.Errorf("%s: has %d sessions; 2 to %d may be on one ruler", path, n, mostMembers)
	}
	for i := range p.Members {
		m := &p.Members[i]
		if m.Path == "" || m.Name == "" || len(m.Name) > mostName {
			return nil, fmt.Errorf("%s: session %d has no path, or no name of at most %d bytes", path, i+1, mostName)
		}
		if err := m.Shift.check(); err != nil {
			return nil, fmt.Errorf("%s: session %d, %s: %w", path, i+1, m.Name, err)
		}
		if !filepath.IsAbs(m.Path) {
			m.Path = filepath.Join(filepath.Dir(path), m.Path)
		}
	}
	return &p, nil
}

// Encode returns a plan as a file of a folder: paths in the folder are from there on. Empty: all are absolute.
func (p *Plan) Encode(dir string) ([]byte, error) {
	if len(p.Members) < 2 || len(p.Members) > mostMembers {
		return nil, fmt.Errorf("%d sessions: 2 to %d may be on one ruler", len(p.Members), mostMembers)
	}
	out := Plan{Kind: kind, Version: version, Frames: p.Frames}
	for _, m := range p.Members {
		abs, err := filepath.Abs(m.Path)
		if err != nil {
			return nil, err
		}
		if rel, err := filepath.Rel(dir, abs); dir != "" && err == nil && filepath.IsLocal(rel) {
			abs = rel
		}
		m.Path = abs
		out.Members = append(out.Members, m)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}
