package api

import (
	"encoding/json"

	"framescope/net/feed"
	"framescope/net/flare"
)

// fields are the members of an object of an answer. JSON has them in order of their names, as the original does.
type fields map[string]any

// envelope is a message to a client.
type envelope struct {
	Result string `json:"result"`
	Cmd    string `json:"cmd"`
	Data   any    `json:"data"`
}

// success sends the answer.
func (r *reply) success(data fields) error { return r.write(envelope{"success", r.cmd, data}) }

func (r *reply) failure(message string) error {
	return r.write(envelope{"failure", r.cmd, fields{"message": feed.PlainText(message)}})
}

func (r *reply) write(e envelope) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if len(b) > maxReply {
		return failuref("the answer would have more than %d MB: ask for a shorter range", maxReply>>20)
	}
	r.broken = r.send(b)
	return r.broken
}

// treeNode is a node of a call tree as clients get it.
type treeNode struct {
	Calls    int64           `json:"calls"`
	CPU      int64           `json:"cpu"` // µs
	Depth    int             `json:"depth"`
	Duration int64           `json:"duration"`
	ID       int64           `json:"id"`
	Start    int64           `json:"start_time"`
	Method   *flare.MethodID `json:"method_id,omitempty"`
	*ownValues
	Label    string     `json:"label"`
	Parent   *treeNode  `json:"parent"` // none: clients know it by the nesting
	Children []treeNode `json:"children"`
}

// ownValues are the self values of a node, which the original lacks.
type ownValues struct {
	Calls    int64 `json:"self_calls"`
	CPU      int64 `json:"self_cpu"`
	Duration int64 `json:"self_duration"`
}

// treeForm says how a call tree is written.
type treeForm struct {
	merged bool  // nodes have numbers, and times by the merged tree; else by the time-ordered one
	compat bool  // only the fields of the original
	number int64 // of nodes so far
}

// tree returns a tree in this form.
func (f *treeForm) tree(n *flare.Node) treeNode {
	out := treeNode{
		Calls: n.Calls, CPU: n.CPUNs / 1000, Depth: n.Depth, Duration: n.Ms, ID: int64(n.Method), Start: n.StartMs,
		Label: n.Label, Children: make([]treeNode, len(n.Children)),
	}
	if f.merged {
		out.ID = f.number
		f.number++
	}
	switch {
	case !f.compat:
		out.ownValues = &ownValues{flare.Samples.Own(n), flare.CPUTime.Own(n), flare.Duration.Own(n)}
		if f.merged {
			out.Method = &n.Method
		}
	case f.merged:
		out.Depth = 0
	}
	for i, c := range n.Children {
		out.Children[i] = f.tree(c)
	}
	return out
}
