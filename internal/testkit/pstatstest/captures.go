// Package pstatstest provides shared test data for pstats: recordings of real clients and the tables
// that the official programs made of them, a sink that keeps everything, made frames. It knows nothing
// above sessionfile.
package pstatstest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/pstats"
)

// Path returns the path of a file of a capture. The test is skipped when the capture is nowhere,
// and fails when only the file is.
func Path(t testing.TB, name string) string {
	t.Helper()
	return recordings.File(t, recordings.PStats, name)
}

// Bytes reads a file of a capture, uncompressed.
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.PStats, name)
}

// Rows reads a table of a capture, without its heading.
func Rows(t testing.TB, name string) [][]string {
	t.Helper()
	var out [][]string
	sc := bufio.NewScanner(bytes.NewReader(Bytes(t, name)))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if line := sc.Text(); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// Atoi reads a whole number of a table.
func Atoi(t testing.TB, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
	return n
}

// Atof reads a number of a table.
func Atof(t testing.TB, s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
	return f
}

// deliver hands one message of a client to a handler. The version is learned from the hello.
func deliver(payload []byte, version *pstats.Version, h pstats.Handler) error {
	if len(payload) == 0 {
		return nil
	}
	switch payload[0] {
	case pstats.TypeHello:
		hello, err := pstats.DecodeClientHello(payload)
		if err != nil {
			return err
		}
		*version = hello.Version
		h.Hello(hello)
	case pstats.TypeCollectors:
		var defs []pstats.CollectorDef
		err := pstats.DecodeCollectors(payload, func(d pstats.CollectorDef) { defs = append(defs, d) })
		h.Collectors(defs)
		return err
	case pstats.TypeThreads:
		first, names, err := pstats.DecodeThreads(payload)
		if err != nil {
			return err
		}
		h.Threads(int(first), names)
	case pstats.TypeExpire:
		thread, err := pstats.DecodeExpire(payload)
		if err != nil {
			return err
		}
		h.Expire(int(thread))
	case pstats.TypeFrame:
		var f pstats.Frame
		if err := pstats.DecodeFrame(payload, *version, &f); err != nil {
			return err
		}
		h.Frame(&f, len(payload))
	}
	return nil
}

// Replay hands the messages of a recorded connection to a handler, in recorded order.
func Replay(t testing.TB, data []byte, h pstats.Handler) {
	t.Helper()
	capture, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var tcp pstats.Scanner
	var version pstats.Version
	for _, rec := range capture.Records {
		switch rec.Channel {
		case ClientTCP:
			tcp.Write(rec.Data)
			for {
				message, ok, err := tcp.Next()
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				if err := deliver(message, &version, h); err != nil {
					t.Error(err)
				}
			}
		case ClientUDP:
			message, ok := pstats.CheckUDP(rec.Data)
			if !ok {
				t.Error("datagram with a wrong checksum")
				continue
			}
			if err := deliver(message, &version, h); err != nil {
				t.Error(err)
			}
		}
	}
	h.Close("end of capture")
}

// Defs is NAME.defs.json.
type Defs struct {
	Host    string `json:"client_hostname"`
	Program string `json:"progname"`
	PID     int64
	Threads []struct {
		Index, Frames, Oldest, Latest, Events, Levels int
		Name                                          string
	}
	Collectors []struct {
		Index, Parent, Sort int
		Name, Fullname      string
		Color               [3]float64
		Units               string
		Scale, Factor       float64
		LevelThreads        []int `json:"level_threads"`
	}
}

// LoadDefs reads the official server's final definitions of a client.
func LoadDefs(t testing.TB, name string) (d Defs) {
	t.Helper()
	if err := json.Unmarshal(Bytes(t, name+".defs.json"), &d); err != nil {
		var syntax *json.SyntaxError
		errors.As(err, &syntax)
		t.Fatal(err)
	}
	return d
}

// Captures are the recordings of real clients. The small ones are in the tree, the others beside it.
var Captures = []string{
	"nested", "recursion", "threads", "levels", "late", "tinyudp", "bigframes", "gaps", "fragmented", "killed", "longrun",
	"render_gl_gpu",
}

// OverSockets sends a capture to the server at addr, by TCP and UDP, and has taken wait, at each
// change between the two and in the end, until the server has handled so many messages.
func OverSockets(t testing.TB, name, addr string, taken func(messages int64)) {
	t.Helper()
	capture, err := Open(Path(t, name+".pscap"))
	if err != nil {
		t.Fatal(err)
	}
	// How many messages are complete after each record of TCP, independent of the server.
	complete := []int{0}
	var scan pstats.Scanner
	for _, r := range capture.Records {
		if r.Channel != ClientTCP {
			continue
		}
		scan.Write(r.Data)
		n := complete[len(complete)-1]
		for {
			_, ok, err := scan.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			n++
		}
		complete = append(complete, n)
	}
	err = capture.Replay(context.Background(), addr, func(tcp, udp int) error {
		if n := int64(complete[tcp] + udp); n > 0 {
			taken(n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
