//go:build !page

package flare

import (
	"encoding/json"
	"strconv"
)

// object is a JSON object in the making.
type object struct{ b []byte }

func (o *object) key(name string) {
	if len(o.b) == 0 {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(appendText(o.b, name), ':')
}

func (o *object) text(name, v string) { o.key(name); o.b = appendText(o.b, v) }
func (o *object) int(name string, v int64) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, v, 10)
}
func (o *object) bool(name string, v bool) { o.key(name); o.b = strconv.AppendBool(o.b, v) }
func (o *object) raw(name string, v []byte) {
	o.key(name)
	o.b = append(o.b, v...)
}

// end completes the object and returns it.
func (o *object) end() []byte {
	if len(o.b) == 0 {
		return []byte("{}")
	}
	return append(o.b, '}')
}

// appendText appends a text as JSON. Bytes that are no UTF-8 become U+FFFD.
func appendText(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil {
		return append(b, `""`...) // cannot happen: any text can be written
	}
	return append(b, q...)
}

// appendInts appends a list of numbers.
func appendInts[T ~int64](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return append(b, ']')
}

// array is a JSON array of objects in the making.
type array struct{ b []byte }

func (a *array) add(o *object) {
	if len(a.b) == 0 {
		a.b = append(a.b, '[')
	} else {
		a.b = append(a.b, ',')
	}
	a.b = append(a.b, o.end()...)
}

func (a *array) end() []byte {
	if len(a.b) == 0 {
		return []byte("[]")
	}
	return append(a.b, ']')
}

// treeForm says how a call tree is written.
type treeForm struct {
	merged bool // nodes have numbers, and times by the merged tree; else by the time-ordered one
	compat bool // only the fields of the original
	names  map[string][]byte
}

// write writes a tree. It does not call itself: trees are as deep as stacks, and a reply must not
// fail for that.
func (f *treeForm) write(root *Node) ([]byte, error) {
	type level struct {
		node *Node
		next int // child
	}
	f.names = map[string][]byte{}
	number := int64(0)
	b := f.open(nil, root, number)
	for open := []level{{root, 0}}; len(open) > 0; {
		top := &open[len(open)-1]
		if top.next == len(top.node.Children) {
			b = append(b, "]}"...)
			open = open[:len(open)-1]
			continue
		}
		if top.next > 0 {
			b = append(b, ',')
		}
		child := top.node.Children[top.next]
		top.next++
		number++
		b = f.open(b, child, number)
		open = append(open, level{child, 0})
		if len(b) > maxReply {
			return nil, ErrTooLarge
		}
	}
	return b, nil
}

// open writes a node up to its children.
func (f *treeForm) open(b []byte, n *Node, number int64) []byte {
	label, ok := f.names[n.Label]
	if !ok {
		label = appendText(nil, n.Label)
		f.names[n.Label] = label
	}
	field := func(name string, v int64) {
		b = append(append(append(b, '"'), name...), `":`...)
		b = strconv.AppendInt(b, v, 10)
		b = append(b, ',')
	}
	b = append(b, '{')
	field("calls", n.Calls)
	field("cpu", n.CPUNs/1000)
	if f.merged && f.compat {
		field("depth", 0)
	} else {
		field("depth", int64(n.Depth))
	}
	field("duration", n.Ms)
	if f.merged {
		field("id", number)
	} else {
		field("id", int64(n.Method))
	}
	field("start_time", n.StartMs)
	if !f.compat {
		if f.merged {
			field("method_id", int64(n.Method))
		}
		field("self_calls", Samples.Own(n))
		field("self_cpu", CPUTime.Own(n))
		field("self_duration", Duration.Own(n))
	}
	b = append(append(b, `"label":`...), label...)
	return append(b, `,"parent":null,"children":[`...)
}
