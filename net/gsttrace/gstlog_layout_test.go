package gsttrace

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pattern is a layout as the regular expression that it stands for (FORMAT.md section 5).
func pattern(c *Class) *regexp.Regexp {
	var out strings.Builder
	out.WriteString(`(?s)\A` + regexp.QuoteMeta(c.Name))
	for _, f := range c.Fields {
		if f.Optional {
			out.WriteString(regexp.QuoteMeta(", have-"+f.Name+"=(boolean)") + `([01]|true|false)`)
		}
		value := `(.*?)`
		switch f.Kind {
		case KindUint:
			value = `([0-9]+)`
		case KindInt:
			value = `([+-]?[0-9]+)`
		case KindBool:
			value = `([01]|true|false)`
		}
		out.WriteString(regexp.QuoteMeta(", "+f.Name+"=("+f.Type+")") + value)
	}
	return regexp.MustCompile(out.String() + `;\z`)
}

// The matcher gives what the regular expression gives, for texts that look like the fields behind
// them.
func TestLayoutEqualsTheRegularExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Class{Name: "r"}
		for i := range rapid.IntRange(0, 5).Draw(t, "fields") {
			typ := rapid.SampledFrom([]string{"string", "uint", "int", "boolean", "structure", "string"}).Draw(t, "type")
			c.Fields = append(c.Fields, Field{Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name") + fmt.Sprint(i), Type: typ, Kind: kindOf(typ), Optional: rapid.IntRange(0, 3).Draw(t, "optional") == 0})
		}
		var parts []string // of which messages are made: the literals, whole fields and rubbish
		for _, f := range c.Fields {
			have := ""
			if f.Optional {
				have = ", have-" + f.Name + "=(boolean)" + rapid.SampledFrom([]string{"0", "1", "true"}).Draw(t, "have")
			}
			parts = append(parts, have+", "+f.Name+"=("+f.Type+")", have+", "+f.Name+"=("+f.Type+")1")
		}
		parts = append(parts, "1", "12", "x", "", ";", ", ", "-3")
		m := "r"
		for i := range c.Fields {
			m += parts[2*i+rapid.IntRange(0, 1).Draw(t, "form")]
			for range rapid.IntRange(0, 3).Draw(t, "more") {
				m += rapid.SampledFrom(parts).Draw(t, "part")
			}
		}
		m += ";"
		c.layout = compile(c)
		values := make([]Value, len(c.Fields))
		got := c.layout.match(c.Name, []byte(m), values)
		groups := pattern(c).FindStringSubmatch(m)
		if got != (groups != nil) {
			t.Fatalf("%q: layout %v, expression %v", m, got, groups != nil)
		}
		if !got {
			return
		}
		at := 1
		for i, f := range c.Fields {
			present := true
			if f.Optional {
				present = groups[at] == "1" || groups[at] == "true"
				at++
			}
			v := &values[i]
			text := string(v.Text)
			switch v.Kind {
			case KindUint:
				text = fmt.Sprint(v.Uint)
			case KindInt:
				text = fmt.Sprint(v.Int)
			case KindBool:
				text, groups[at] = fmt.Sprint(v.Bool), map[string]string{"0": "false", "1": "true", "true": "true", "false": "false"}[groups[at]]
			}
			if v.Present != present || text != groups[at] {
				t.Fatalf("%q field %d: %q present %v, expression %q present %v", m, i, text, v.Present, groups[at], present)
			}
			at++
		}
	})
}
