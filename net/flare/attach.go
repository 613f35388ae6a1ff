// Attaching loads a native agent library into a running Java virtual machine, and finds such machines, by speaking
// HotSpot's attach protocol directly: no Java is needed on this side. Source: FORMAT.md of net/flare, section
// "Attaching".

package flare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What can be wrong with an attach. Errors of Load wrap one of these, or what the JVM answered
// (RefusedError).
var (
	ErrNoProcess = errors.New("no such process")
	ErrOtherUser = errors.New("the process belongs to another user: attach as that user")
	ErrNotJVM    = errors.New("the process is not a Java VM that allows attaching (-Xrs and " +
		"-XX:+DisableAttachMechanism forbid it)")
	ErrInsecure    = errors.New("the file at the place of the Java VM's attach socket does not belong to the Java VM")
	ErrNoListener  = errors.New("the Java VM did not open its attach listener in time")
	ErrUnsupported = errors.New("attaching is not supported on this system: load the agent with jcmd PID " +
		"JVMTI.agent_load LIBRARY OPTIONS")
)

// RefusedError is the answer of a JVM that did not load the library.
type RefusedError struct {
	Status int    // of the operation, or the agent's own return code
	Answer string // the JVM's words, may be empty
}

// Error implements error.
func (e *RefusedError) Error() string {
	if e.Answer == "" {
		return fmt.Sprintf("the Java VM refused to load the library (status %d)", e.Status)
	}
	return fmt.Sprintf("the Java VM refused to load the library (status %d): %s", e.Status, e.Answer)
}

// AttachOptions are the agent's options (FORMAT.md, "Attaching").
type AttachOptions struct {
	Stop       bool
	IntervalMs int    // of sampling; 0: the agent's own
	Address    string // PORT or HOST:PORT that the agent listens on
}

// String is the option text that the agent gets.
func (o AttachOptions) String() string {
	if o.Stop {
		return "trace=off"
	}
	out := "trace=on"
	if o.IntervalMs > 0 {
		out += ",interval=" + strconv.Itoa(o.IntervalMs)
	}
	if o.Address != "" {
		out += ",address=" + o.Address
	}
	return out
}

// VM is a Java virtual machine on this machine.
type VM struct {
	PID  int
	Name string // main class or jar, as far as it is known
}

// maxAnswer is the limit of a JVM's answer in bytes.
const maxAnswer = 64 << 10

// listenerTimeout is how long a JVM may take to open its attach listener.
const listenerTimeout = 6 * time.Second

// CheckAgentLibrary checks the path of an agent library, and makes it absolute: the JVM resolves it
// from its own folder.
func CheckAgentLibrary(path string) (absolute string, err error) {
	if absolute, err = filepath.Abs(path); err != nil {
		return "", err
	}
	st, err := os.Stat(absolute)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("no agent library at %s", absolute)
	case err != nil:
		return "", fmt.Errorf("the agent library: %w", err)
	case !st.Mode().IsRegular():
		return "", fmt.Errorf("the agent library %s is not a file", absolute)
	}
	return absolute, nil
}

// LoadAgent makes a JVM load the native library at an absolute path and hand it the options.
func LoadAgent(ctx context.Context, pid int, library, options string) error {
	if strings.ContainsRune(library, 0) || strings.ContainsRune(options, 0) {
		return errors.New("library and options must not contain a zero byte")
	}
	answer, err := command(ctx, pid, "load", library, "true", options)
	if err != nil {
		return fmt.Errorf("attach to process %d: %w", pid, err)
	}
	return loaded(answer)
}

// loaded reads the answer to a load: a line with the status of the operation, and words; since Java
// 9 "return code: N" of the agent among them.
func loaded(answer []byte) error {
	text := string(bytes.ToValidUTF8(answer, []byte("\uFFFD")))
	first, rest, _ := strings.Cut(text, "\n")
	words := strings.TrimSpace(rest)
	status, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return &RefusedError{Status: -1, Answer: strings.TrimSpace(text)}
	}
	if status == 0 && words != "" { // before Java 9 the return code stands alone
		code, _, _ := strings.Cut(strings.TrimPrefix(words, "return code: "), "\n")
		if status, err = strconv.Atoi(strings.TrimSpace(code)); err != nil {
			status = -1
		}
	}
	if status != 0 {
		return &RefusedError{Status: status, Answer: words}
	}
	return nil
}

// talk sends one command over an attach socket and returns the answer.
func talk(ctx context.Context, conn net.Conn, words ...string) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	msg := append([]byte("1"), 0)
	for _, w := range words {
		msg = append(append(msg, w...), 0)
	}
	// The protocol has always three arguments.
	for n := len(words); n < 4; n++ {
		msg = append(msg, 0)
	}
	if _, err := conn.Write(msg); err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(conn, maxAnswer))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if len(answer) == 0 {
		return nil, errors.New("the Java VM closed the connection without an answer")
	}
	return answer, nil
}
