package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"framescope/net/feed"
	"framescope/net/flare"
)

// failure is the error that a client gets for its request.
type failure string

// Error implements error.
func (f failure) Error() string { return string(f) }

func failuref(format string, args ...any) failure { return failure(fmt.Sprintf(format, args...)) }

// request is one request of a client.
type request struct {
	cmd     string
	options map[string]any
	page    bool // a web page that the server's options do not name
}

// parse reads a request. cmd is as far as it got, empty if it could not be read.
func parse(text []byte) (r request, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) {
			return r, failure("EOF while parsing a value at byte 0")
		}
		return r, failure(err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r, failuref("trailing characters at byte %d", d.InputOffset())
	}
	members, _ := value.(map[string]any)
	r.cmd, _ = members["cmd"].(string)
	if r.cmd == "" {
		return r, failure("missing attribute 'cmd'")
	}
	r.options, _ = members["options"].(map[string]any)
	return r, nil
}

// text is an option that must be there and be a text. An empty one counts as missing when needed
// says so.
func (r *request) text(name string, needed bool) (string, error) {
	v, ok := r.options[name]
	if !ok {
		return "", failuref("missing option '%s'", name)
	}
	s, ok := v.(string)
	if !ok {
		return "", failuref("option value is not a string '%s'", name)
	}
	if needed && s == "" {
		return "", failuref("missing option '%s'", name)
	}
	return s, nil
}

// trimmed is an option that may be missing; it is trimmed, as filters and words are.
func (r *request) trimmed(name, otherwise string) string {
	if s, ok := r.options[name].(string); ok {
		return strings.TrimSpace(s)
	}
	return otherwise
}

// flag is an option that is true or false.
func (r *request) flag(name string) bool {
	v, _ := r.options[name].(bool)
	return v
}

func (r *request) has(name string) bool { _, ok := r.options[name]; return ok }

// integer is a whole number, or otherwise when it is missing or anything else.
func (r *request) integer(name string, otherwise int64) int64 {
	if n, ok := whole(r.options[name]); ok {
		return n
	}
	return otherwise
}

func whole(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(n.String(), 10, 64)
	return i, err == nil
}

// integers is a list of whole numbers that must be there.
func (r *request) integers(name string) ([]int64, error) {
	v, ok := r.options[name]
	if !ok {
		return nil, failuref("missing option: %s", name)
	}
	list, ok := v.([]any)
	if !ok {
		return nil, failuref("option '%s' is not int array ", name)
	}
	out := make([]int64, 0, len(list))
	for _, e := range list {
		n, ok := whole(e)
		if !ok {
			return nil, failuref("option '%s' contains none int value: %s ", name, shortJSON(e))
		}
		out = append(out, n)
	}
	return out, nil
}

// shortJSON writes a client's value back to it, cut if it is long.
func shortJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return shortText(string(b), 100)
}

// maxReply bounds one message to a client.
const maxReply = 256 << 20

// reply sends the answers to a request.
type reply struct {
	cmd    string
	send   func([]byte) error
	broken error // why the client is not reachable any more
}

// answer answers one request. An error means that the client is not reachable any more.
func (s *Server) answer(ctx context.Context, text []byte, page bool, send func([]byte) error) error {
	req, err := parse(text)
	req.page = page
	out := reply{cmd: req.cmd, send: send}
	if err == nil {
		err = s.command(ctx, &req, &out)
	}
	if failed := cmp.Or(ctx.Err(), out.broken); err == nil || failed != nil {
		return failed
	}
	return out.failure(err.Error())
}

// command dispatches a request.
func (s *Server) command(ctx context.Context, req *request, out *reply) error {
	if run := serverCommands[req.cmd]; run != nil {
		return run(s, ctx, req, out)
	}
	run := queryCommands[req.cmd]
	if run == nil {
		return failuref("unknown cmd '%s'", shortText(req.cmd, 60))
	}
	q, err := s.query(req)
	if err != nil {
		return err
	}
	return run(q, ctx, req, out)
}

// serverCommands are the requests to the server, queryCommands those about one session.
var (
	serverCommands = map[string]func(s *Server, ctx context.Context, req *request, out *reply) error{
		"list_sessions": (*Server).listSessions, "history_samples": (*Server).history, "open_sample": (*Server).openSample,
		"connect_agent": (*Server).connectAgent, "attach_jvm": (*Server).attachJVM, "stop_sample": (*Server).stopSample,
		"close_session": (*Server).closeSession, "close_all_session": (*Server).closeSessions,
	}
	queryCommands = map[string]func(q *query, ctx context.Context, req *request, out *reply) error{
		"dashboard": (*query).dashboard, "cpu_time": (*query).cpuTime, "call_tree": (*query).callTree,
		"sequenced_call_tree": (*query).sequenced, "d3_flame_graph": (*query).sequenced, "flame_graph": (*query).flameGraph,
		"list_methods_by_filter": (*query).listMethods, "search_slow_method_calls": (*query).search,
	}
)

// shortText cuts a text that is longer than so many bytes.
func shortText(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

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
