//go:build !unix && !windows && !js

package app

func reduced() bool { return false }
