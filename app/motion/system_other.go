//go:build !unix && !windows && !js

package motion

func reduced() bool { return false }
