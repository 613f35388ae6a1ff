//go:build !unix

package launch

// endOnSignal does nothing: there are no signals to be passed on.
func endOnSignal() {}
