package draw

import "image"

// shelves packs rectangles into rows: each goes to the lowest row that is high enough, or opens a
// new one. One texel between neighbours stays free.
type shelves struct {
	width, height int
	rows          []shelf
	bottom        int // where the next row begins
}

type shelf struct{ y, height, used int }

func (s *shelves) place(w, h int) (p image.Point, ok bool) {
	best := -1
	for i, row := range s.rows {
		// A row much higher than the rectangle is left to those that need it.
		if row.height >= h && row.height <= h+h/3+3 && row.used+w <= s.width && (best < 0 || row.height < s.rows[best].height) {
			best = i
		}
	}
	if best < 0 {
		height := (h + 1) &^ 1
		if w > s.width || s.bottom+height > s.height {
			return image.Point{}, false
		}
		s.rows = append(s.rows, shelf{y: s.bottom, height: height})
		s.bottom += height + 1
		best = len(s.rows) - 1
	}
	row := &s.rows[best]
	p = image.Pt(row.used, row.y)
	row.used += w + 1
	return p, true
}
