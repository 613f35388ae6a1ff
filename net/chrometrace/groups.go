package chrometrace

import (
	"encoding/binary"

	"framescope/net/trace"
)

// group takes the metadata of a category (package retold).
func (d *decoder) group(text []byte, at int64) {
	cat, path, ok := trace.ReadGroup(text)
	if !ok || !d.room.Take(int64(len(cat))+64) {
		d.session.Unread.Add(trace.Groups, at)
		return
	}
	g := d.texts.of(path[0])
	for _, name := range path[1:] {
		g = d.texts.in(g, name)
	}
	if d.groups == nil {
		d.groups = map[string]uint32{}
	}
	d.groups[string(cat)] = g
}

// nameOf returns the number of a span's name inside its category's group.
func (d *decoder) nameOf(ev *event) uint32 { return d.nameIn(ev.cat, ev.name) }

func (d *decoder) nameIn(cat, name []byte) uint32 {
	if len(d.groups) > 0 && len(cat) > 0 {
		if g, ok := d.groups[string(cat)]; ok {
			return d.texts.in(g, name)
		}
	}
	return d.texts.of(name)
}

// in returns the number of a string that stands in the file, as a name in another.
func (t *texts) in(group uint32, raw []byte) uint32 {
	if group == moreText || len(raw) > trace.MaxText {
		return t.of(raw)
	}
	t.key = append(binary.LittleEndian.AppendUint32(append(t.key[:0], 0), group), raw...)
	if n, ok := t.byRaw[string(t.key)]; ok {
		return n
	}
	if !t.room.Take(int64(2*len(raw) + 240)) {
		t.limit(noNames)
		return moreText
	}
	n := t.add(trace.JSONText(raw))
	t.byRaw[string(t.key)] = n
	t.within[n] = group
	return n
}

// add adds a text to the list.
func (t *texts) add(s string) uint32 {
	t.list = append(t.list, s)
	for k := range t.collectors {
		t.collectors[k] = append(t.collectors[k], 0)
	}
	return uint32(len(t.list) - 1)
}
