package pstatstest

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"framescope/net/pstats/sessionfile"
)

// Written writes a session.
func Written(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// constructedSession is the file of PROTOCOL.md section 12.7, which loads in the official classes.
const constructedSession = `
70 73 74 61 74 00 0a 0d 1b 01 00 00 01 00 01 00 01 02 00 70 63 04 00 64 65 6d 6f d2 04 00 00 00
00 05 00 46 72 61 6d 65 00 00 00 00 00 3f 00 00 00 3f 00 00 00 3f 00 00 00 00 00 00 00 00 00 00
80 3f 00 00 00 00 00 01 00 03 00 41 70 70 00 00 00 00 00 00 00 00 80 3e 00 00 40 3f 0a 00 00 00
00 00 00 3d 00 00 80 3f 00 00 00 00 00 02 00 04 00 54 72 69 73 00 00 00 00 00 00 00 00 00 00 00
00 00 00 ff ff 01 00 4b 00 00 20 41 6f 12 83 3a 02 00 00 00 01 00 00 00 00 00 00 00 00 ff ff 00
00 04 00 4d 61 69 6e 05 00 00 00 04 00 00 00 00 00 00 00 80 3f 01 00 00 00 a0 3f 01 80 00 00 c0
3f 00 80 00 00 00 40 01 00 00 00 02 00 00 00 20 40 ff ff ff ff ff ff 01 00 00 00 01 00 00 00 00
00 80 3f 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 01 00 00 00 00 00 00 00 34 40 00 00
00 00 00 00 00 00 00 00 00 00 00 00 b0 3f 01 0a 00 00 00 14 00 00 00 90 01 00 00 64 00 00 00 00
00 00 00 00 00 00 00`

// Constructed returns that file.
func Constructed(t testing.TB) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "").Replace(constructedSession))
	if err != nil || len(data) != 295 {
		t.Fatal(len(data), err)
	}
	return data
}

// ReadRaw reads a session from memory.
func ReadRaw(data []byte) (*sessionfile.Raw, sessionfile.Info, error) {
	raw := sessionfile.NewRaw()
	info, err := sessionfile.Read(bytes.NewReader(data), "test.pstats", int64(len(data)), raw, nil)
	return raw, info, err
}

// Raw loads a capture from its session file or from its recorded connection.
func Raw(t testing.TB, name string, fromFile bool) (*sessionfile.Raw, sessionfile.Info) {
	t.Helper()
	raw := sessionfile.NewRaw()
	if !fromFile {
		Replay(t, Bytes(t, name+".pscap"), raw)
		return raw, sessionfile.Info{}
	}
	info, err := sessionfile.ReadFile(Path(t, name+".pstats"), raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	return raw, info
}
