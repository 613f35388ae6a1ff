package gsttrace

// No record contains the kind of data on a link (its caps): that of an event has the event's name only. But a pad
// that gets the event checks at once whether it accepts such data, and that query contains them. So the caps of a
// link are those of the first query of its sink pad that was accepted after the event on its source pad, on one
// thread.

// capsEvent notes that caps were sent from a pad.
func (c *recordAt) capsEvent() {
	if string(c.field("name").Text) != "caps" {
		return
	}
	if i := c.pl.field("pad-ix"); i >= 0 {
		c.t.capsFrom = c.p.pad(&c.values[i])
	}
}

// capsAccepted takes the caps of a link from an answered query.
func (c *recordAt) capsAccepted() {
	from := c.t.capsFrom
	i := c.pl.field("peer-pad-ix")
	if from == nil || i < 0 || string(c.field("name").Text) != "accept-caps" || c.field("res").Unsigned() == 0 {
		return
	}
	if peer := c.p.pad(&c.values[i]); peer != from {
		return
	}
	c.t.capsFrom = nil
	s, _ := ParseStructure(c.field("structure").Text)
	caps := s.Get("caps")
	if caps == nil {
		return
	}
	media, _ := Cut([]byte(caps.Text), maxCaps)
	if media == from.media || !c.m.out.Names.Take(int64(len(media))) {
		return
	}
	from.media = media
	for _, l := range from.links {
		if isOpen(l) {
			l.Media = media
			c.m.out.Define(*l)
		}
	}
}

// maxCaps is the limit of a link's stored caps, in bytes.
const maxCaps = 1 << 10
