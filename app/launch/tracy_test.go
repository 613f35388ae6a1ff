package launch

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/tracy"
)

// tracyProgram listens as the Tracy client does: it takes one greeting, of its version, and answers what it sent a
// viewer before. What it was asked comes when the conversation is over.
func tracyProgram(t *testing.T, version uint32, data []byte) (addr string, asked chan []byte) {
	t.Helper()
	asked = make(chan []byte, 1)
	var served atomic.Bool
	l := accepting(t, "127.0.0.1:0", func(c net.Conn) {
		defer c.Close()
		c.SetDeadline(time.Now().Add(patience))
		hello := make([]byte, 12)
		if _, err := io.ReadFull(c, hello); served.Load() {
			return
		} else if err != nil || string(hello[:8]) != "TracyPrf" {
			t.Errorf("greeted with %q: %v", hello, err)
			return
		}
		if binary.LittleEndian.Uint32(hello[8:]) != version {
			c.Write([]byte{tracy.StatusMismatch})
			return
		}
		if served.Swap(true) {
			return // it is gone: whoever tries again finds nobody
		}
		c.Write(data[len(hello):])
		var got []byte
		for buf := make([]byte, 13); ; { // until the farewell
			if _, err := io.ReadFull(c, buf); err != nil {
				t.Errorf("no farewell: %v", err)
				break
			}
			if got = append(got, buf...); buf[0] == 0 {
				break
			}
		}
		asked <- got
	})
	return l.Addr().String(), asked
}

// TestTracy connects to programs of several versions: what they send is what a file of it has, the questions are those
// of its version, and a program that ends is let go.
func TestTracy(t *testing.T) {
	for name, version := range map[string]uint32{"game-0.10": 64, "game-0.12": 74, "game-0.14": 82} {
		t.Run(name, func(t *testing.T) {
			data := recordings.Read(t, recordings.Tracy, name+".tracystream")
			addr, asked := tracyProgram(t, version, data)
			v := view(t, &Tracy{Polled{Addr: addr, wait: soon}})
			got := <-asked
			testkit.That(t, len(got) > 20*13 && got[len(got)-13] == 0, "asked %d bytes", len(got))
			v.until(t, "all frames", func() bool { _, s := v.entry(0); return frames(s) == 39 })
			testkit.Equal(t, v.over(t, 0), "the program has ended", "it ended")
			_, s := v.entry(0)
			main, info := s.Track(s.MainTrack()), s.Info()
			testkit.That(t, main.Title() == "Main thread" && strings.HasPrefix(info.Version, "Tracy "+name[5:]),
				"%s of %+v", main.Title(), info)
		})
	}
}

// TestTracyOfAnotherVersion connects to a program of a version that Framescope does not know.
func TestTracyOfAnotherVersion(t *testing.T) {
	addr, _ := tracyProgram(t, 99, nil)
	v := view(t, &Tracy{Polled{Addr: addr, wait: soon}})
	err := v.result(t)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "another version of Tracy's protocol; Framescope knows 82 (Tracy 0.14)"),
		"%v", err)
}
