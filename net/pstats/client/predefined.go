package client

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
)

// preset is the official client's table entry for a collector by its full name (VIEWER.md section 16).
// Scale and factor 0, and units that are inherited, are taken from the parent.
type preset struct {
	sort    int16
	r, g, b float32 // linear
	units   string  // inheritedUnits: the parent's
	scale   float32
	factor  float64
}

const (
	inheritedUnits = "parent"
	noUnits        = "-"
)

//go:embed predefined.csv
var predefined string

// presets returns the presets by full name.
var presets = sync.OnceValue(func() map[string]preset {
	rows, err := csv.NewReader(strings.NewReader(predefined)).ReadAll()
	all := map[string]preset{}
	for _, row := range rows[1:] {
		var p preset
		_, wrong := fmt.Sscan(strings.Join(row[1:], " "), &p.sort, &p.r, &p.g, &p.b, &p.units, &p.scale, &p.factor)
		if wrong != nil {
			err = wrong
		}
		p.units = strings.TrimPrefix(p.units, noUnits)
		all[row[0]] = p
	}
	if err != nil {
		panic(err) // it is part of the program
	}
	return all
})
