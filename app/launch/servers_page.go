//go:build page

package launch

// Servers are all kinds: pages in browsers connect to none.
func Servers() []Server { return nil }
