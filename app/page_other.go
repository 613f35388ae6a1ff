//go:build !js

package app

import "framescope/app/input"

// offered returns all commands: outside of browsers each can work.
func offered(list []input.Command) []input.Command { return list }
