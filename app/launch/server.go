package launch

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Server is a kind of programs that serve their measurements at an address.
type Server struct {
	// Kind names it in commands: "flare".
	Kind string
	// Addr is the default address of such a program, HOST:PORT.
	Addr string
	// Help describes it, as a paragraph of a command's help: its lines are short.
	Help string
	// Examples are arguments of the command, one line each.
	Examples []string
	// Title names the command of the window, Hint the expected text.
	Title, Hint string
	// Asked lists the data to request from such a program, one of them behind the address, as in
	// HOST:PORT/heap; the first is the default. Empty: there is no choice.
	Asked []string
	// Folders reports that it is recorded into folders, not into files.
	Folders bool
	// Programs listens for programs that announce themselves, and describes each in a line; nil: they do not.
	Programs func(ctx context.Context) ([]string, error)
	// New makes a client for an address, see Complete. log gets lines for the user, see Agent.Log. With
	// leaves it ends when the program has gone; else it waits for the next.
	New func(addr string, log func(line string), leaves bool) Client
}

// Client is an Input that connects to a Server. It may be run once.
type Client interface {
	Input
	// Connect reports a problem before anything is opened. Run calls it if the caller did not.
	Connect(ctx context.Context) error
	// Close releases Connect's resources, for a Client that is not run.
	Close()
}

// goPath is where Go programs serve their profiles.
const goPath = "/debug/pprof/"

// askAnswer is how much longer an answer may take than the time span that it covers.
const askAnswer = 30 * time.Second

// ServerOf returns a kind by its name.
func ServerOf(kind string) (s Server, ok bool) {
	all := Servers()
	i := slices.IndexFunc(all, func(s Server) bool { return s.Kind == kind })
	if i < 0 {
		return Server{}, false
	}
	return all[i], true
}

// Complete completes a user's address of such a program: HOST:PORT, HOST, :PORT, or PORT, and the
// requested data if there is a choice. Empty is the default one.
func (s *Server) Complete(text string) (addr string, err error) {
	text, what, err := s.cutWhat(strings.TrimSpace(text))
	if err != nil {
		return "", err
	}
	host, port, _ := net.SplitHostPort(s.Addr)
	if _, err := strconv.Atoi(text); err == nil {
		text = ":" + text
	}
	switch h, p, err := net.SplitHostPort(text); {
	case text == "":
	case err != nil && strings.Contains(text, ":"):
		return "", fmt.Errorf("%q is not an address: give HOST:PORT, such as %s", text, s.Addr)
	case err != nil:
		host = text
	default:
		if port = p; h != "" {
			host = h
		}
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", fmt.Errorf("%q is not a port: give HOST:PORT, such as %s", port, s.Addr)
	}
	if len(host) > 255 || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "", fmt.Errorf("%q is not a host: give HOST:PORT, such as %s", host, s.Addr)
	}
	return withWhat(net.JoinHostPort(host, port), what), nil
}

// Form is how an address is written.
func (s *Server) Form() string {
	if len(s.Asked) == 0 {
		return "HOST:PORT"
	}
	return "HOST:PORT[/" + strings.Join(s.Asked, "|") + "]"
}

// cutWhat cuts the requested data from an address or its URL.
func (s *Server) cutWhat(text string) (addr, what string, err error) {
	addr, what, _ = strings.Cut(strings.TrimPrefix(text, "http://"), "/")
	if len(s.Asked) == 0 {
		return addr, "", nil
	}
	what, _, _ = strings.Cut(what, "?")
	what = strings.Trim(strings.TrimPrefix("/"+what, goPath), "/")
	switch {
	case what == "":
		return addr, s.Asked[0], nil
	case what == "profile":
		return addr, "cpu", nil
	case !slices.Contains(s.Asked, what):
		return "", "", fmt.Errorf("%q is not a profile: add one of /%s to the address", what, strings.Join(s.Asked, ", /"))
	}
	return addr, what, nil
}

func withWhat(addr, what string) string {
	if what == "" {
		return addr
	}
	return addr + "/" + what
}
