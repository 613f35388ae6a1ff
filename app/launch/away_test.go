package launch

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/follow"
)

// mute listens, and does something with each connection after it has taken the question.
func mute(t *testing.T, then func(c net.Conn)) (addr string) {
	t.Helper()
	return accepting(t, "127.0.0.1:0", func(c net.Conn) {
		go func() {
			defer c.Close()
			c.Read(make([]byte, 1<<10))
			then(c)
		}()
	}).Addr().String()
}

// Who accepts a connection and sends no answer is told apart from nobody: while it is waited for, and at the end.
func TestWhoAnswersNothing(t *testing.T) {
	silent := mute(t, func(c net.Conn) { c.Read(make([]byte, 1)) })
	closes := mute(t, func(net.Conn) {})
	talks := mute(t, func(c net.Conn) { c.Write([]byte("hello there\r\n\r\n")) })
	for _, kind := range []string{"go", "pprof"} {
		for _, c := range []struct{ addr, waits, want string }{
			{silent, pollAsked, "accepts the connection, and no whole answer has come yet"},
			{closes, "closes the connection", "closes the connection before its answer is whole"},
			{talks, "gives no answer that is one", "malformed HTTP"},
		} {
			var server Server
			for _, s := range Servers() {
				if s.Kind == kind {
					server = s
				}
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			in := server.New(c.addr, nil, true)
			opened, ran := make(chan *Recording, 1), make(chan error, 1)
			go func() {
				ran <- in.Run(ctx, func(r *Recording) feed.Sink {
					opened <- r
					return nothing{}
				})
			}()
			r := <-opened
			testkit.WaitUntil(t, c.waits, func() bool {
				state, why := r.State()
				return state == follow.Waiting && strings.Contains(why, c.waits)
			})
			stop()
			select {
			case err := <-ran:
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "nothing comes from the program at "+c.addr) {
					t.Errorf("%s: %v, want %q", kind, err, c.want)
				}
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
		}
	}
}

// nothing is a sink for what is not looked at.
type nothing struct{}

func (nothing) Define(model.Change)       {}
func (nothing) Begin() *model.Batch       { return &model.Batch{} }
func (nothing) Publish(*model.Batch) bool { return true }
func (nothing) Progress(int64, int64)     {}
