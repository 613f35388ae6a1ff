// Recorded PStats traffic, and a player for the client's part of it. Tests compare the result with
// that of the official server.

package pstatstest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"time"

	"framescope/net/pstats"
)

// A Capture is recorded PStats traffic between a client and a server, in order.
//
// The file is one line of text, "PSCAP1 " and a JSON object, then records: u8 channel, u64
// nanoseconds since the connection was accepted, u32 length, and that many bytes, all
// little-endian. It may be compressed by gzip.
type Capture struct {
	Note    string // the client's actions
	Records []Record
}

// A Record is the result of one read from a socket: some bytes of the TCP stream, or one datagram.
type Record struct {
	Channel Channel
	Time    time.Duration // since the connection was accepted
	Data    []byte
}

// Channel is the direction and transport of a record.
type Channel uint8

// The channels of a capture.
const (
	ClientTCP Channel = iota // client to server
	ServerTCP                // server to client
	ClientUDP                // client to server, whole datagrams with their checksum
	numChannels
)

const captureMagic = "PSCAP1 "

// Open reads a capture file.
func Open(path string) (*Capture, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := Read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return c, err
}

// Read reads a capture. When it is cut off, the records before the cut are returned with the error.
func Read(r io.Reader) (*Capture, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		unzip, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("pstats: capture: %w", err)
		}
		in = bufio.NewReaderSize(unzip, 64<<10)
	}
	line, err := in.ReadSlice('\n')
	header, ok := bytes.CutPrefix(line, []byte(captureMagic))
	if err != nil || !ok {
		return nil, fmt.Errorf("pstats: capture: it does not begin with a line %q", captureMagic)
	}
	offset := int64(len(line))
	var about struct{ Note string }
	if err := json.Unmarshal(header, &about); err != nil {
		return nil, fmt.Errorf("pstats: capture: first line: %w", err)
	}
	c := &Capture{Note: about.Note}
	for {
		var head [13]byte
		if _, err := io.ReadFull(in, head[:]); err == io.EOF {
			return c, nil
		} else if err != nil {
			return c, fmt.Errorf("pstats: capture: offset %d: cut off in the head of a record: %w", offset, err)
		}
		if head[0] >= uint8(numChannels) {
			return c, fmt.Errorf("pstats: capture: offset %d: channel %d is not known", offset, head[0])
		}
		length := int64(binary.LittleEndian.Uint32(head[9:]))
		var data bytes.Buffer // grows with the data present, not by the announced size
		if _, err := io.CopyN(&data, in, length); err != nil {
			return c, fmt.Errorf(
				"pstats: capture: offset %d: record of %d bytes cut off after %d: %w", offset, length, data.Len(), err,
			)
		}
		offset += int64(len(head)) + length
		c.Records = append(c.Records, Record{
			Channel(head[0]), time.Duration(binary.LittleEndian.Uint64(head[1:])), data.Bytes(),
		})
	}
}

// Replay connects to the server at addr and sends what the client of the capture sent, in recorded
// order: its stream by TCP, its datagrams to the UDP port in the hello of the server. It sends as
// fast as it can; before each change between TCP and UDP, and after every 64 datagrams, it calls
// pause (which may be nil) with the numbers of records sent, so that the caller can wait until they
// have been taken: otherwise the two overtake each other. It closes the connection when all is sent
// and pause was called for the last time.
func (c *Capture) Replay(ctx context.Context, addr string, pause func(tcp, udp int) error) error {
	var dial net.Dialer
	conn, err := dial.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })
	defer stop()

	port, err := ReadServerHello(conn)
	if err != nil {
		return fmt.Errorf("pstats: replay: no hello from the server: %w", err)
	}
	host := conn.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap()
	udp, err := dial.DialContext(ctx, "udp", netip.AddrPortFrom(host, port).String())
	if err != nil {
		return err
	}
	defer udp.Close()

	var sent [numChannels]int
	var last Channel
	for _, r := range c.Records {
		if r.Channel == ServerTCP {
			continue
		}
		if pause != nil && (r.Channel != last || r.Channel == ClientUDP && sent[ClientUDP]%64 == 0) {
			if err := pause(sent[ClientTCP], sent[ClientUDP]); err != nil {
				return err
			}
		}
		last = r.Channel
		to := conn
		if r.Channel == ClientUDP {
			to = udp
		}
		if _, err := to.Write(r.Data); err != nil {
			return fmt.Errorf("pstats: replay: %w", err)
		}
		sent[r.Channel]++
	}
	if pause != nil {
		return pause(sent[ClientTCP], sent[ClientUDP])
	}
	return nil
}

// maxHello bounds the hello of a server, in bytes.
const maxHello = 1 << 20

// ReadServerHello reads a server's first message, and returns the UDP port in it.
func ReadServerHello(r io.Reader) (udpPort uint16, err error) {
	scan := pstats.Scanner{MaxMessage: maxHello}
	for {
		n, err := r.Read(scan.Space())
		scan.Advance(n)
		payload, ok, scanErr := scan.Next()
		if scanErr != nil {
			return 0, scanErr
		}
		if ok {
			hello, err := pstats.DecodeServerHello(payload)
			return hello.UDPPort, err
		}
		if err != nil {
			return 0, errors.Join(err, errors.New("pstats: the server said nothing"))
		}
	}
}
