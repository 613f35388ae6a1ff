//go:build !page

package launch

// Servers are all kinds.
func Servers() []Server {
	return []Server{tracyServer(), flareServer(), puffinServer(), goServer(), pprofServer()}
}
