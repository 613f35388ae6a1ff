// Package formats lists the formats in which sessions are given back.
package formats

import (
	"fmt"
	"path/filepath"
	"strings"

	"framescope/app/convert"
	"framescope/app/convert/chrome"
	"framescope/app/convert/csv"
	"framescope/app/convert/folded"
	"framescope/app/convert/perfetto"
	"framescope/app/convert/pprof"
	"framescope/app/convert/pstats"
	"framescope/app/convert/speedscope"
)

// All are the formats, in the order of lists.
var All = append([]*convert.Format{
	&chrome.Format,
	&perfetto.Format,
	&speedscope.Format,
	&folded.Format,
	&pprof.Format,
	&pstats.Format,
	&csv.Format,
}, native...)

// IDs are what commands call them.
func IDs() (out []string) {
	for _, f := range All {
		out = append(out, f.ID)
	}
	return out
}

// Find returns the format of a name or, where that is empty, the one that a file's name ends like, but for that it is
// compressed.
func Find(id, path string) (*convert.Format, error) {
	named := ofName(path)
	if id == "" && named == nil {
		return nil, fmt.Errorf("say with --to in which format: %s", strings.Join(IDs(), ", "))
	}
	if id == "" {
		return named, nil
	}
	for _, f := range All {
		if !strings.EqualFold(id, f.ID) {
			continue
		}
		if named != nil && named != f && filepath.Ext(named.Ext) != filepath.Ext(f.Ext) {
			return nil, fmt.Errorf("--to %s writes %s, and the name %s is one of %s: name a file that ends in %s, or leave --to out",
				f.ID, f.Name, filepath.Base(path), named.Name, f.Ext)
		}
		return f, nil
	}
	return nil, fmt.Errorf("--to %s: one of %s", id, strings.Join(IDs(), ", "))
}

// ofName returns the format that the end of a file's name says, nil if none.
func ofName(path string) (best *convert.Format) {
	base := strings.ToLower(filepath.Base(path))
	plain := strings.TrimSuffix(strings.TrimSuffix(base, convert.Gzipped), convert.Zstd)
	for _, f := range All { // of two ends of a name the longer counts
		ends := strings.HasSuffix(base, f.Ext) || strings.HasSuffix(plain, f.Ext)
		if ends && (best == nil || len(f.Ext) > len(best.Ext)) {
			best = f
		}
	}
	return best
}

// Help lists the formats, a line each.
func Help() string {
	var out strings.Builder
	for _, f := range All {
		fmt.Fprintf(&out, "  %-12s %s\n", f.ID, f.Help)
	}
	return out.String()
}
