package gsttrace

import (
	"strconv"

	"framescope/model"
)

// born takes a sample of a record that announces something new, for the rate over time.
func (c *recordAt) born(what string) {
	id := c.p.series(what, nil, model.SeriesDef{
		Group: "new objects", Description: what + " that were announced", Kind: model.SeriesEvent, Role: model.RoleActivity,
	})
	c.m.out.Sample(id, c.timeNs, 1)
}

// messageFigure is a number in a message on the bus that is worth a curve.
type messageFigure struct {
	field string
	def   model.SeriesDef
}

// messageFigures are the values of quality-of-service and buffering messages (FORMAT.md section 6.2).
var messageFigures = map[string][]messageFigure{
	"qos": {
		{"jitter", model.SeriesDef{
			Group: "qos jitter", Unit: "ns", Description: "how late a buffer was against the clock; early is negative",
		}},
		{"dropped", model.SeriesDef{
			Group: "qos dropped", Kind: model.SeriesCounter, Description: "buffers or samples dropped so far",
		}},
	},
	"buffering": {{"buffer-percent", model.SeriesDef{
		Group: "buffering", Unit: "%", Description: "how full the buffer is that playing waits for", Max: 100,
		HasRange: true,
	}}},
}

// figures takes samples of the numbers in a message.
func (c *recordAt) figures(o *object, structure []byte, list []messageFigure) {
	s, _ := ParseStructure(structure)
	for _, f := range list {
		value, err := strconv.ParseInt(s.text(f.field), 10, 64)
		if err != nil { // all ones, as an unsigned number, is unknown
			continue
		}
		c.m.out.Sample(c.p.series(o.fullName(), o, f.def), c.timeNs, float64(value))
	}
}
