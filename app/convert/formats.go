package convert

import (
	"fmt"
	"path/filepath"
	"strings"
)

// AllFormats are the formats, in the order of lists.
var AllFormats = append([]*Format{
	&ChromeFormat,
	&FoldedFormat,
	&PprofFormat,
	&CSVFormat,
}, native...)

// FormatIDs are the names of formats in commands.
func FormatIDs() (out []string) {
	for _, f := range AllFormats {
		out = append(out, f.ID)
	}
	return out
}

// FindFormat returns the format of a name or, without a name, the one with the extension of the path,
// before any suffix for compression.
func FindFormat(id, path string) (*Format, error) {
	named := ofName(path)
	if id == "" && named == nil {
		return nil, fmt.Errorf("name the format with --to: one of %s", strings.Join(FormatIDs(), ", "))
	}
	if id == "" {
		return named, nil
	}
	for _, f := range AllFormats {
		if !strings.EqualFold(id, f.ID) {
			continue
		}
		if named != nil && named != f && filepath.Ext(named.Ext) != filepath.Ext(f.Ext) {
			return nil, fmt.Errorf("--to %s writes %s, but the name %s is that of %s: use a name that ends in %s, or leave "+
				"--to out",
				f.ID, f.Name, filepath.Base(path), named.Name, f.Ext)
		}
		return f, nil
	}
	return nil, fmt.Errorf("--to %s: unknown format; choose one of %s", id, strings.Join(FormatIDs(), ", "))
}

// ofName returns the format that the end of a file's name says, nil if none.
func ofName(path string) (best *Format) {
	base := strings.ToLower(filepath.Base(path))
	plain := strings.TrimSuffix(strings.TrimSuffix(base, Gzipped), Zstd)
	for _, f := range AllFormats { // of two ends of a name the longer counts
		ends := strings.HasSuffix(base, f.Ext) || strings.HasSuffix(plain, f.Ext)
		if ends && (best == nil || len(f.Ext) > len(best.Ext)) {
			best = f
		}
	}
	return best
}

// FormatHelp lists the formats, a line each.
func FormatHelp() string {
	var out strings.Builder
	for _, f := range AllFormats {
		fmt.Fprintf(&out, "  %-12s %s\n", f.ID, f.Help)
	}
	return out.String()
}
