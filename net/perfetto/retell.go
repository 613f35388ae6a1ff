package perfetto

import (
	"bytes"

	"framescope/net/jsonscan"
	"framescope/net/retold"
	"framescope/net/toldframes"
)

// retell takes what the description of a track tells of it in the words of exports of Framescope, a thing in
// each line.
func (d *decoder) retell(t *track, text []byte) {
	for line := range bytes.Lines(text) {
		word, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		switch string(word) {
		case toldframes.Note:
			if t.thread != nil && d.reserve(toldframes.NoteBytes(rest)) {
				t.thread.frames.TakeNote(rest)
			}
		case retold.Track:
			if t.info = (retold.TrackInfo{Told: true}); d.reserve(int64(len(rest))) {
				t.info = retold.ReadTrack(rest)
			}
		case retold.Series:
			if d.reserve(retold.SeriesBytes(rest)) {
				info := retold.ReadSeries(rest)
				t.series = &info
			}
		case retold.Flows:
			d.flowTold = d.flowTold[:0]
			retold.ReadFlows(rest, func(name []byte) {
				if d.reserve(4) {
					d.flowTold = append(d.flowTold, d.texts.Of([]byte(jsonscan.Text(name))))
				}
			})
		case retold.Groups:
			if cat, path := retold.ReadGroup(rest); len(path) > 0 && len(cat) > 0 && d.reserve(64) {
				g := d.texts.Of([]byte(jsonscan.Text(path[0])))
				for _, name := range path[1:] {
					g = d.texts.In(g, d.texts.Of([]byte(jsonscan.Text(name))))
				}
				d.groups[d.texts.Of([]byte(jsonscan.Text(cat)))] = g
			}
		case retold.Zero:
			if ns, ok := retold.ReadZero(rest); ok {
				d.zero, d.hasZero = ns, true
			}
		}
	}
}
