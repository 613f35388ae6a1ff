package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"framescope/app/convert"
	"framescope/internal/escape"
)

func mcpCommand(s *Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Answer questions of an assistant about recordings",
		Long: `mcp serves the Model Context Protocol on standard input and output: an assistant, or a script, lists
sessions, asks for statistics, causes of slow frames, differences and rows in SQL, and gets pictures.
Its tools only read. They open the recordings that they are given by path; an answer of more than ` + fmt.Sprint(mostAnswer>>10) + ` KiB is cut, and says so.

Configure it in the assistant as a command: framescope, with the argument mcp.`,
		Example: `  framescope mcp`,
		Args:    Exactly(0, "takes no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &requests{in: bufio.NewReader(cmd.InOrStdin()), out: s.Out}
			over := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: answers{in}}
			err := assistantServer().Run(cmd.Context(), over)
			if errors.Is(err, io.EOF) || cmd.Context().Err() != nil {
				return nil
			}
			return err
		},
	}
}

// requests are the lines of an input that are messages of the protocol. It answers other lines with an error: they
// would end the conversation. The input ends when all that was asked before is answered.
type requests struct {
	in    *bufio.Reader
	rest  []byte // of a line
	out   *Output
	asked sync.Map // IDs of requests without an answer yet
	open  sync.WaitGroup
}

// answers is standard output, which the end of the program closes.
type answers struct{ *requests }

func (answers) Close() error { return nil }

// Write implements io.Writer: p is one message.
func (a answers) Write(p []byte) (int, error) {
	n, err := a.out.Write(p)
	m, _ := jsonrpc.DecodeMessage(p)
	if answer, ok := m.(*jsonrpc.Response); ok {
		if _, open := a.asked.LoadAndDelete(answer.ID); open {
			a.open.Done()
		}
	}
	return n, err
}

// mostRequest bounds a line, in bytes.
const mostRequest = 4 << 20

// Read implements io.Reader.
func (r *requests) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.line()
		switch m, wrong := jsonrpc.DecodeMessage(line); {
		case err != nil:
			r.open.Wait()
			return 0, err
		case len(line) > mostRequest:
			r.refuse(line, errors.New("the line is too long"))
		case wrong == nil:
			if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
				if _, again := r.asked.LoadOrStore(call.ID, true); !again {
					r.open.Add(1)
				}
			}
			r.rest = append(line, '\n')
		case len(bytes.TrimSpace(line)) > 0:
			r.refuse(line, wrong)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// line reads a line, without its end. Of one that is too long it returns the beginning.
func (r *requests) line() (line []byte, err error) {
	for {
		part, more, err := r.in.ReadLine()
		if len(line) <= mostRequest {
			line = append(line, part...)
		}
		if err != nil || !more {
			return line, err
		}
	}
}

// refuse answers a line that is no message of JSON-RPC 2.0.
func (r *requests) refuse(line []byte, why error) {
	var asked struct {
		ID any `json:"id"`
	}
	code := jsonrpc.CodeParseError
	if json.Unmarshal(line, &asked); json.Valid(line) {
		code = jsonrpc.CodeInvalidRequest
	}
	switch asked.ID.(type) {
	case string, float64:
	default:
		asked.ID = nil
	}
	answer, _ := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": asked.ID,
		"error": jsonrpc.Error{Code: int64(code), Message: "no message of the protocol: " + why.Error()},
	})
	r.out.Write(append(answer, '\n'))
}

// mostAnswer bounds an answer's text, in bytes.
const mostAnswer = 64 << 10

// The arguments of tools.
type (
	nothingAsked  struct{}
	recordedAsked struct {
		File   string `json:"file" jsonschema:"path of the recording, or last for the newest session on disk"`
		Thread string `json:"thread,omitempty" jsonschema:"name of a thread, or a glob; default: all, or the main one"`
		Range  string `json:"range,omitempty" jsonschema:"A:B, frames such as 120:180, or times such as 1.5s:2.5s; default: everything"`
	}
	reportAsked struct {
		recordedAsked
		Where string `json:"where,omitempty" jsonschema:"list calls instead: name and condition, such as Physics>4ms"`
	}
	whyAsked struct {
		recordedAsked
		Frame   *int64 `json:"frame,omitempty" jsonschema:"number of the frame to explain; default: the worst hitches"`
		ByCause bool   `json:"by_cause,omitempty" jsonschema:"group the hitches by root cause"`
	}
	sqlAsked struct {
		recordedAsked
		Query string `json:"query" jsonschema:"a select in the dialect of SQLite; select * from spans limit 1 shows the columns of a table"`
	}
	togetherAsked struct {
		Files []string `json:"files" jsonschema:"paths of the recordings; the clock of the first is that of the ruler"`
	}
	diffAsked struct {
		A string `json:"a" jsonschema:"path of the recording before"`
		B string `json:"b" jsonschema:"path of the recording after"`
	}
	renderAsked struct {
		recordedAsked
		Frame *int64 `json:"frame,omitempty" jsonschema:"number of the frame to show"`
		Panel string `json:"panel,omitempty" jsonschema:"timeline, flame, strip, calltree, piano, statistics …; default: the whole window"`
	}
)

// assistantServer returns a server with all tools.
func assistantServer() *mcp.Server {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = versionOf(info)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "framescope", Version: version}, &mcp.ServerOptions{
		Instructions: "Framescope reads profiler recordings of games. Begin with report for what there is, then why for " +
			"the causes " +
			"of slow frames. Times in answers are as printed; frame numbers go back into frame and range.",
	})
	addTool(server, "sessions", "List the sessions that were kept on disk, and those that are live",
		func(nothingAsked) []string { return []string{"sessions", "--json"} })
	addTool(server, "report", "Statistics of frames and of each collector, in a recording or a part of it",
		func(in reportAsked) []string {
			if in.Where != "" {
				return in.args("report", "--where", in.Where)
			}
			return in.args("report", "--stats")
		})
	addTool(server, "why", "Why frames took longer than those around them: the chain from the frame's thread to the "+
		"root cause",
		func(in whyAsked) []string {
			switch {
			case in.Frame != nil:
				return in.args("why", "--frame", strconv.FormatInt(*in.Frame, 10))
			case in.ByCause:
				return in.args("why", "--by-cause")
			}
			return in.args("why", "--worst", "20")
		})
	addTool(server, "sql", "The rows of a query in SQL on the tables "+strings.Join(convert.TableIDs(), ", "),
		func(in sqlAsked) []string { return append(in.args("sql", "--limit", "500"), in.Query) })
	addTool(server, "together", "The offsets between the clocks of recordings of several programs, and their uncertainty",
		func(in togetherAsked) []string {
			args := []string{"together", "--"}
			for _, file := range in.Files {
				args = append(args, fileOf(file))
			}
			return args
		})
	addTool(server, "diff", "What changed between two recordings, and what of it is more than noise",
		func(in diffAsked) []string { return []string{"diff", "--", fileOf(in.A), fileOf(in.B)} })
	addTool(server, "render", "A picture of a panel, or of the whole window",
		func(in renderAsked) []string {
			args := []string{"render", "-o", "-"}
			if in.Panel != "" {
				args = append(args, "--panel", in.Panel)
			}
			if in.Frame != nil {
				args = append(args, "--frame", strconv.FormatInt(*in.Frame, 10))
			}
			return in.args(args...)
		})
	return server
}

// args are those of a command on the recording.
func (in *recordedAsked) args(command ...string) []string {
	if in.Thread != "" {
		command = append(command, "--thread", in.Thread)
	}
	if in.Range != "" {
		command = append(command, "--range", in.Range)
	}
	return append(command, "--", fileOf(in.File))
}

// fileOf is the path of a recording: standard input has the questions.
func fileOf(path string) string {
	if path == "-" {
		return "./-"
	}
	return path
}

// addTool adds a tool that answers with the output of a command.
func addTool[In any](server *mcp.Server, name, description string, args func(In) []string) {
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}
	tool := &mcp.Tool{Name: name, Description: description, Annotations: reads}
	type request = *mcp.CallToolRequest
	mcp.AddTool(server, tool, func(ctx context.Context, _ request, in In) (*mcp.CallToolResult, any, error) {
		out, err := outputOf(ctx, args(in))
		if err != nil {
			return nil, nil, err
		}
		if bytes.HasPrefix(out, []byte("\x89PNG")) {
			return answerOf(&mcp.ImageContent{Data: out, MIMEType: "image/png"}), nil, nil
		}
		return answerOf(&mcp.TextContent{Text: cutAnswer(string(out))}), nil, nil
	})
}

func answerOf(c mcp.Content) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{c}}
}

// outputOf runs a command and returns what it prints. What it says besides, on a damaged recording, stands at the end.
func outputOf(ctx context.Context, args []string) ([]byte, error) {
	for _, path := range args {
		if name, _, err := cutLink(path); err == nil {
			path = name
		}
		if st, err := os.Stat(path); err == nil && !st.IsDir() && !st.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: is no file; only files are opened for an assistant", escape.Line(path))
		}
	}
	var out, said bytes.Buffer
	s := &Streams{Out: NewOutput(&out), Err: NewShared(&said)}
	root := rootCommand(s)
	root.SetArgs(args)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	if err != nil && out.Len() == 0 {
		return nil, errors.New(escape.Line(err.Error()))
	}
	if err != nil {
		fmt.Fprintln(&said, "framescope:", escape.Line(err.Error()))
	}
	if !bytes.HasPrefix(out.Bytes(), []byte("\x89PNG")) {
		out.Write(said.Bytes())
	}
	return out.Bytes(), nil
}

// cutAnswer bounds a text, at the end of a line.
func cutAnswer(text string) string {
	if len(text) <= mostAnswer {
		return text
	}
	rest := len(text) - mostAnswer
	text = text[:mostAnswer]
	if at := strings.LastIndexByte(text, '\n'); at > 0 {
		rest, text = rest+len(text)-at-1, text[:at+1]
	}
	for !utf8.ValidString(text[max(0, len(text)-utf8.UTFMax):]) && len(text) > 0 {
		rest, text = rest+1, text[:len(text)-1]
	}
	return fmt.Sprintf("%s(cut here: %d bytes more; ask for a range, a thread or a frame)\n", text, rest)
}
