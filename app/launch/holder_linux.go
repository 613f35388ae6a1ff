package launch

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxSockets bounds the lines read of a list of sockets.
const maxSockets = 1 << 16

// holderOf finds out which program listens on an address, for people: "game (process 12)". It is empty
// if unknown, as with programs of other users.
func holderOf(addr string) string {
	inodes := map[string]bool{}
	for _, list := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		listeners(list, port(addr), inodes)
	}
	if len(inodes) == 0 {
		return ""
	}
	descriptors, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	for _, fd := range descriptors {
		to, err := os.Readlink(fd)
		if err != nil || !inodes[to] {
			continue
		}
		pid := strings.Split(fd, "/")[2]
		name, err := os.ReadFile("/proc/" + pid + "/comm")
		if err != nil {
			continue
		}
		return fmt.Sprintf("%s (process %s)", cleaned(strings.TrimSpace(string(name))), pid)
	}
	return ""
}

// listeners adds the sockets that listen on a port, as links to descriptors name them.
func listeners(list string, port int, inodes map[string]bool) {
	f, err := os.Open(list)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 0; lines.Scan() && n < maxSockets; n++ {
		// sl local_address rem_address st tx_queue:rx_queue tr:when retrnsmt uid timeout inode
		fields := bytes.Fields(lines.Bytes())
		const listen = "0A"
		if len(fields) < 10 || string(fields[3]) != listen {
			continue
		}
		_, local, ok := bytes.Cut(fields[1], []byte(":"))
		var number [2]byte
		if n, err := hex.Decode(number[:], local[:min(len(local), 4)]); !ok || err != nil || n != 2 {
			continue
		}
		if int(number[0])<<8|int(number[1]) == port {
			inodes["socket:["+string(fields[9])+"]"] = true
		}
	}
}

// cleaned replaces characters that do not belong in a line of text: a program chooses its name itself.
func cleaned(name string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, name)
}
