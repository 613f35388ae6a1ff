package gsttrace

import "slices"

// maxVariants is how many layouts of one name are kept: programs of different versions may write to
// one file.
const maxVariants = 8

// family holds the layouts of the records of one name.
type family struct {
	variants []*Class // the one to try first is first
	builtin  bool     // the stock layouts are among the variants
}

// classBook keeps the classes of a log.
type classBook struct {
	families map[string]*family
	count    int // classes
	limit    int
}

// find is the family of a name, with its stock layouts if there are such; nil when nothing is
// known.
func (b *classBook) find(name []byte) *family {
	if f := b.families[string(name)]; f != nil {
		return f
	}
	if len(name) > maxName {
		return nil
	}
	stock := builtins(string(name))
	if len(stock) == 0 {
		return nil
	}
	f := b.add(string(name))
	if f != nil {
		f.variants, f.builtin = stock, true
	}
	return f
}

// add makes an empty family, or finds it; nil when there are too many classes.
func (b *classBook) add(name string) *family {
	if f := b.families[name]; f != nil {
		return f
	}
	if len(b.families) >= b.limit {
		return nil
	}
	f := &family{}
	b.families[name] = f
	return f
}

// put makes a class the first that is tried, or the last if it is generic. It returns the class by
// which it is known from now on and whether that is a new one. nil means that there are too many.
func (b *classBook) put(c *Class) (known *Class, isNew bool) {
	f := b.add(c.Name)
	if f == nil {
		return nil, false
	}
	for i, v := range f.variants {
		same := v.Origin == c.Origin && slices.Equal(v.Fields, c.Fields) && v.layout.quoted == c.layout.quoted
		if same || c.Origin == OriginTemplate && v.Origin <= OriginTemplate && sameLayout(v, c) {
			if c.Origin != OriginGeneric {
				copy(f.variants[1:], f.variants[:i])
				f.variants[0] = v
			}
			return v, false
		}
	}
	if b.count >= b.limit {
		return nil, false
	}
	b.count++
	if len(f.variants) >= maxVariants {
		f.variants = f.variants[:maxVariants-1]
	}
	at := 0
	if c.Origin == OriginGeneric { // it knows least
		at = len(f.variants)
	}
	f.variants = slices.Insert(f.variants, at, c)
	return c, true
}
